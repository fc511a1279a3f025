import { withTimeout } from "../with-timeout.ts";
import { BoundedClient } from "./bounded-client.ts";
import { NoLogin, NoSocket } from "./unavailable.ts";

const askTimeoutMs = 2_000;
/** Of a server whose logins are slow. */
const longestAnswerMs = 15_000;

class Silence extends Error {}

/** False when nothing comes in 15 seconds. A refusal is an answer. */
export async function isAnswering(databaseUrl: string): Promise<boolean> {
  try {
    await ask(databaseUrl, "select 1", { limitMs: longestAnswerMs });
    return true;
  } catch (error) {
    return ![Silence, NoSocket, NoLogin].some((silence) => error instanceof silence);
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
    { values: [processIds] },
  );
  return rows.map(({ pid }) => Number(pid));
}

/** By a client of its own: those of the pool may all be in use, or dead. */
async function ask(
  databaseUrl: string,
  text: string,
  { values = [], limitMs = askTimeoutMs }: { values?: unknown[]; limitMs?: number } = {},
): Promise<Record<string, unknown>[]> {
  const client = new BoundedClient({
    connectionString: databaseUrl,
    loginTimeoutMs: limitMs,
    query_timeout: 2 * limitMs,
  });
  client.on("error", () => undefined);
  const answer = async (): Promise<Record<string, unknown>[]> => {
    await client.connect();
    return (await client.send(text, values)).rows;
  };
  try {
    return await withTimeout(limitMs, answer, { timedOut: () => new Silence() });
  } finally {
    client.connection.stream.destroy();
  }
}
