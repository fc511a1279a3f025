import { deleteOld, type Pool } from "../platform/db/index.ts";
import type { Reads } from "../reading/index.ts";

const keptSeconds = 14 * 24 * 3600;

/** Data is kept for two weeks after it was fetched. */
export async function removeOldData(
  { pool, reads }: { pool: Pool; reads: Reads },
  signal?: AbortSignal,
): Promise<void> {
  await deleteOld(
    pool,
    { table: "snapshots", key: "ctid", since: "fetched_at", keptSeconds },
    signal,
  );
  await reads.removeOld(keptSeconds, signal);
}
