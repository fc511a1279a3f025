import { addSeconds, type Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Reads } from "../reading/index.ts";
import { deleteSnapshotsFetchedBefore } from "./snapshot-store.ts";

const batch = 500;
const keptSeconds = 14 * 24 * 3600;

/** Data is kept for two weeks after it was fetched. */
export async function removeOldData({
  pool,
  clock,
  reads,
}: {
  pool: Pool;
  clock: Clock;
  reads: Reads;
}): Promise<void> {
  const moment = addSeconds(clock.now(), -keptSeconds);
  while ((await deleteSnapshotsFetchedBefore(pool, moment, batch)) === batch);
  await reads.removeSettledBefore(moment);
}
