import { withTimeout } from "../with-timeout.ts";
import { BoundedClient } from "./bounded-client.ts";
import { nameSession } from "./program-name.ts";

const askTimeoutMs = 2_000;

class Silence extends Error {}

/** False when nothing comes in time. A refusal comes at once, so nobody loses time who finds out himself. */
export async function isAnswering(databaseUrl: string): Promise<boolean> {
  try {
    await ask(databaseUrl, "select 1");
    return true;
  } catch (error) {
    return !(error instanceof Silence);
  }
}

/** False for a replica, and for a database that is set to be read-only. */
export async function takesWrites(databaseUrl: string): Promise<boolean> {
  const [row] = await ask(
    databaseUrl,
    `select not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean as "takesWrites"`,
  );
  return row?.["takesWrites"] === true;
}

/**
 * Ends those of our sessions with these process ids that have worked on nothing for seconds, so that their locks are
 * free. Returns which ones.
 */
export async function endIdleSessions(
  databaseUrl: string,
  processIds: readonly number[],
): Promise<number[]> {
  const rows = await ask(
    databaseUrl,
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid = any($1)
       and state like 'idle%' and state_change < clock_timestamp() - interval '2 seconds'`,
    [processIds],
  );
  return rows.map(({ pid }) => Number(pid));
}

/** By a client of its own: those of the pool may all be in use, or dead. */
async function ask(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new BoundedClient({
    ...nameSession(databaseUrl),
    query_timeout: 2 * askTimeoutMs,
  });
  client.on("error", () => undefined);
  const answer = async (): Promise<Record<string, unknown>[]> => {
    await client.connect();
    return (await client.send(text, values)).rows;
  };
  try {
    return await withTimeout(askTimeoutMs, answer, { timedOut: () => new Silence() });
  } finally {
    client.connection.stream.destroy();
  }
}
