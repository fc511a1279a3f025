import { withTimeout } from "../with-timeout.ts";
import { NoLogin, NoSocket } from "./unavailable.ts";
import { withClient } from "./bounded-client.ts";

const askTimeoutMs = 2_000;
/** Of a server whose logins are slow. */
const longestAnswerMs = 15_000;
const socketTimeoutMs = 5_000;
const longestLoginMs = 30_000;

class Silence extends Error {}

/**
 * Resolves when the database has let a client in. Throws why not. A server that took the socket may be slow: its login
 * is given as much of `patienceMs` as one dead socket may cost, 30 seconds, and five at least.
 */
export async function reachDatabase(
  databaseUrl: string,
  { patienceMs }: { patienceMs: number },
): Promise<void> {
  const loginTimeoutMs = Math.max(socketTimeoutMs, Math.min(patienceMs, longestLoginMs));
  await withClient(databaseUrl, async () => undefined, { socketTimeoutMs, loginTimeoutMs });
}

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

async function ask(
  databaseUrl: string,
  text: string,
  { values = [], limitMs = askTimeoutMs }: { values?: unknown[]; limitMs?: number } = {},
): Promise<Record<string, unknown>[]> {
  const limits = { socketTimeoutMs, loginTimeoutMs: limitMs };
  const send = async (signal: AbortSignal) =>
    await withClient(databaseUrl, (client) => client.send(text, values), { ...limits, signal });
  const { rows } = await withTimeout(limitMs, send, { timedOut: () => new Silence() });
  return rows;
}
