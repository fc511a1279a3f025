// One end user's linked account at one provider: its session and identity, sealed under a data key of its own. Deleting a
// connection deletes the key. Knows nothing of how a sign-in is done (connect) or of what is fetched (sync).
export type { Connection, ConnectionSummary } from "./connection.ts";
export { Connections, type ObservedConnection, type SignIn } from "./connections.ts";
