import { withTimeout } from "../with-timeout.ts";
import { BoundedClient } from "./bounded-client.ts";

const socketTimeoutMs = 10_000;
const loginTimeoutMs = 30_000;
const endLimitMs = 2_000;

interface ClientUse {
  /** How long a statement may take. Without one, as long as the socket lives, which is probed. */
  statementMs?: number;
  /** Called when the client is lost while it does nothing. */
  onLost?: (error: Error) => void;
}

/** Does the work with a client that nobody else has. */
export async function withClient<Result>(
  databaseUrl: string,
  work: (client: BoundedClient) => Promise<Result>,
  { statementMs = 0, onLost = () => undefined }: ClientUse = {},
): Promise<Result> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    socketTimeoutMs,
    loginTimeoutMs,
    query_timeout: statementMs,
  });
  client.on("error", onLost);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await withTimeout(endLimitMs, () => client.end()).catch(() => undefined);
    client.connection.stream.destroy();
  }
}
