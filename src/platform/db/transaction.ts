import { setTimeout as delay } from "node:timers/promises";
import { escapeLiteral, type Pool, type PoolClient, type QueryConfig } from "pg";
import { runInTransaction } from "../open-transaction.ts";
import { unprepared, type Queryable } from "./sql.ts";
import { isDatabaseUnavailable, isLostTransaction, isStalePlan } from "./unavailable.ts";
import { systemRandom } from "../random.ts";
import { doubled, retry } from "../retry.ts";

type Action = () => Promise<void> | void;

export interface Transaction extends Queryable {
  /** Runs after the commit, in the order of the calls. Does not run after a rollback. */
  afterCommit(action: Action): void;
}

/**
 * With `lock`, transactions of all processes that name the same lock come one after another. The work runs again, from
 * its begin, when the transaction lost against others: what it changes has to be in the database alone. The work waits
 * for nobody but the database: see `refuseInTransaction`.
 */
export async function transaction<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
  { lock }: { lock?: string } = {},
): Promise<Result> {
  const { result, actions } = await tryAgain((options) =>
    runOnce(pool, work, { lock, ...options }),
  );
  for (const action of actions) await action();
  return result;
}

async function runOnce<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
  { lock, isPrepared }: { lock: string | undefined; isPrepared: boolean },
): Promise<{ result: Result; actions: readonly Action[] }> {
  const client = await pool.connect();
  const actions: Action[] = [];
  const tx: Transaction = {
    query: (query, values) => client.query(isPrepared ? query : unprepared(query), values),
    afterCommit: (action) => actions.push(action),
  };
  let result: Result;
  try {
    await client.query(
      lock === undefined
        ? "begin"
        : `begin; select pg_advisory_xact_lock(hashtext(${escapeLiteral(lock)}))`,
    );
    result = await runInTransaction(() => work(tx));
    await client.query("commit");
  } catch (error) {
    await rollBack(client, error);
    throw error;
  }
  client.release();
  return { result, actions };
}

/**
 * A client that cannot roll back is closed, so the server rolls back. So is one whose server cannot be used: it may
 * have become a replica, or never answer.
 */
async function rollBack(client: PoolClient, cause: unknown): Promise<void> {
  if (isDatabaseUnavailable(cause) && !isLostTransaction(cause)) return client.release(true);
  try {
    await client.query("rollback");
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

const mostTries = 5;
const firstPauseMs = 10;

/**
 * Makes a whole transaction again that lost against others: a serialization failure or a deadlock. A statement whose
 * plan is older than a migration is sent once more, and then without its name.
 */
export async function tryAgain<Result>(
  work: (options: { isPrepared: boolean }) => Promise<Result>,
): Promise<Result> {
  let isPrepared = true;
  // In the work of a transaction too, where the clock refuses to sleep.
  const clock = { sleep: async (ms: number) => delay(ms) };
  const findPause = (error: unknown, tries: number): number | undefined => {
    if (isPrepared && isStalePlan(error)) {
      isPrepared = false;
      return 0;
    }
    if (tries >= mostTries || !isLostTransaction(error)) return undefined;
    return systemRandom.between(0, doubled(firstPauseMs, tries));
  };
  return await retry(() => work({ isPrepared }), { findPause, clock });
}

const timeoutMs = 600_000;

/** For statements of the transaction that read whole tables or wait for such: no caller waits for them. */
export async function allowLongStatements(tx: Transaction): Promise<Queryable> {
  await tx.query(`set local statement_timeout = ${timeoutMs}`);
  return {
    query: async (query, values) => {
      const config: QueryConfig =
        typeof query === "string" ? { text: query, ...(values && { values }) } : query;
      const patient = { ...config, query_timeout: timeoutMs };
      return await tx.query(patient);
    },
  };
}
