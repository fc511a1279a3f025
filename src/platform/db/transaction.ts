import { escapeLiteral, type PoolClient } from "pg";
import type { Pool, Queryable } from "./pool.ts";

export interface Transaction extends Queryable {
  /** Runs after the commit, in the order of the calls. Does not run after a rollback. */
  afterCommit(action: () => Promise<void> | void): void;
}

/** With `lock`, transactions of all processes that name the same lock come one after another. */
export async function transaction<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
  { lock }: { lock?: string } = {},
): Promise<Result> {
  const client = await pool.connect();
  const actions: (() => Promise<void> | void)[] = [];
  const tx: Transaction = {
    query: (query, values) => client.query(query, values),
    afterCommit: (action) => actions.push(action),
  };
  let result: Result;
  try {
    await client.query(
      lock === undefined
        ? "begin"
        : `begin; select pg_advisory_xact_lock(hashtext(${escapeLiteral(lock)}))`,
    );
    result = await work(tx);
    await client.query("commit");
  } catch (error) {
    await rollBack(client);
    throw error;
  }
  client.release();
  for (const action of actions) await action();
  return result;
}

/** A client that cannot roll back is closed, so the server rolls back. */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}
