import { withTimeout } from "../with-timeout.ts";
import { BoundedClient } from "./bounded-client.ts";

const endLimitMs = 2_000;

interface ClientUse {
  socketTimeoutMs?: number;
  loginTimeoutMs?: number;
  /** How long a statement may take. Without one, as long as the socket lives, which is probed. */
  statementMs?: number;
  /** Ends the client at once. */
  signal?: AbortSignal;
  /** Called when the client is lost while it does nothing. */
  onLost?: (error: Error) => void;
}

/** Does the work with a client that nobody else has: those of a pool may all be in use, or dead. */
export async function withClient<Result>(
  databaseUrl: string,
  work: (client: BoundedClient) => Promise<Result>,
  {
    socketTimeoutMs = 10_000,
    loginTimeoutMs = 30_000,
    statementMs = 0,
    signal,
    onLost = () => undefined,
  }: ClientUse = {},
): Promise<Result> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    socketTimeoutMs,
    loginTimeoutMs,
    query_timeout: statementMs,
  });
  const destroy = (): void => void client.connection.stream.destroy();
  client.on("error", onLost);
  signal?.addEventListener("abort", destroy, { once: true });
  try {
    await client.connect();
    const result = await work(client);
    await withTimeout(endLimitMs, () => client.end()).catch(() => undefined);
    return result;
  } finally {
    destroy();
  }
}
