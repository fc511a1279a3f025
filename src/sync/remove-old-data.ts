import { addSeconds, type Clock } from "../platform/clock.ts";
import { deleteInBatches, type Pool } from "../platform/db/index.ts";
import type { Reads } from "../reading/index.ts";
import { deleteSnapshotsFetchedBefore } from "./snapshot-store.ts";

const keptSeconds = 14 * 24 * 3600;

/** Data is kept for two weeks after it was fetched. */
export async function removeOldData(
  { pool, clock, reads }: { pool: Pool; clock: Clock; reads: Reads },
  signal?: AbortSignal,
): Promise<void> {
  const moment = addSeconds(clock.now(), -keptSeconds);
  await deleteInBatches((limit) => deleteSnapshotsFetchedBefore(pool, moment, limit), signal);
  await reads.removeSettledBefore(moment, signal);
}
