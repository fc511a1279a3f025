import { BoundedClient } from "./bounded-client.ts";

const socketTimeoutMs = 5_000;
const longestLoginMs = 30_000;

/**
 * Resolves when the database has let a client in. Throws why not. A server that took the socket may be slow: its login
 * is given as much of `patienceMs` as one dead socket may cost, 30 seconds, and five at least.
 */
export async function reachDatabase(
  databaseUrl: string,
  { patienceMs }: { patienceMs: number },
): Promise<void> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    socketTimeoutMs,
    loginTimeoutMs: Math.max(socketTimeoutMs, Math.min(patienceMs, longestLoginMs)),
    query_timeout: socketTimeoutMs,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } finally {
    client.connection.stream.destroy();
  }
}
