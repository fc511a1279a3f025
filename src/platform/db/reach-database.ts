import { BoundedClient } from "./bounded-client.ts";
import { nameSession } from "./program-name.ts";

const answerTimeoutMs = 5_000;

/** Resolves when the database has let a client in. Throws why not, after five seconds at most. */
export async function reachDatabase(databaseUrl: string): Promise<void> {
  const client = new BoundedClient({
    ...nameSession(databaseUrl),
    connectionTimeoutMillis: answerTimeoutMs,
    query_timeout: answerTimeoutMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } finally {
    client.connection.stream.destroy();
  }
}
