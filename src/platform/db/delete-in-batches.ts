import type { Queryable } from "./sql.ts";

/** Few enough that a statement is done within a moment, also where the values are large. */
const batch = 500;

/**
 * Deletes until a batch finds less than it may delete, or the signal fires. However much there is, no statement holds
 * many rows, and a process that stops waits for one of them at most. `deleteBatch` returns how many it deleted.
 */
export async function deleteInBatches(
  deleteBatch: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  let deleted = batch;
  while (deleted === batch && !isAborted(signal)) deleted = await deleteBatch(batch);
}

/** Rows of a table that are over from a moment on, or `keptSeconds` after it. */
interface OldRows {
  table: string;
  /** The column that names a row. */
  key: string;
  /** The column of the moment. An index has it. */
  since: string;
  keptSeconds?: number;
  /** What else the index asks of its rows. */
  where?: string;
}

/** Deletes the rows that are over, in batches. Those that somebody holds are left to the next time. */
export async function deleteOld(
  db: Queryable,
  { table, key, since, keptSeconds, where = "true" }: OldRows,
  signal?: AbortSignal,
): Promise<void> {
  const isOver =
    keptSeconds === undefined
      ? `${since} <= service_now()`
      : `${since} < service_now() - interval '${keptSeconds} seconds'`;
  const statement = `delete from ${table} where ${key} in (
    select ${key} from ${table} where ${where} and ${isOver}
    order by ${since} limit $1 for update skip locked)`;
  await deleteInBatches(
    async (limit) => (await db.query(statement, [limit])).rowCount ?? 0,
    signal,
  );
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
