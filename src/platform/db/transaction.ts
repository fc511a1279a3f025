import { escapeLiteral, type PoolClient } from "pg";
import { runInTransaction } from "../open-transaction.ts";
import type { Pool, Queryable } from "./pool.ts";
import { unprepared } from "./prepared.ts";
import { tryAgain } from "./try-again.ts";
import { isDatabaseUnavailable, isLostTransaction } from "./unavailable.ts";

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
