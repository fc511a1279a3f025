// One end user's linked account at one provider: its session and identity, sealed under a data key of its
// own. Deleting a connection deletes the key. This room does not know how a sign-in is done (connect) or what
// is fetched (sync).
export type { Connection, ConnectionSummary } from "./connection.ts";
export type { Reauthentication } from "./connection-observer.ts";
export { Connections } from "./connections.ts";
export { bindGrant, isGrantBound, type Grant, type GrantBinding } from "./grant.ts";
export type { ListedConnection } from "./listing.ts";
export type { ListedState } from "./listing-store.ts";
export { label, labelFields, readLabel, shownLabelFields, type Label } from "./label.ts";
export type { ProviderAccount } from "./provider-account.ts";
export type { RemovedConnection } from "./removal.ts";
export type { NumberedSession, Refreshed } from "./renew-session.ts";
export { summarizeRights, type StoredRights } from "./rights.ts";
export { connectionKeyRows, signIn, type SignIn } from "./sealed-sign-in.ts";
