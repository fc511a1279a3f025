import type { Pool } from "../../platform/db/index.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { addCounts } from "./count-store.ts";

/** Adds what this process did since the last time to the counts of the hour and of the day. */
export async function noteCounts({
  pool,
  metrics: { work },
}: {
  pool: Pool;
  metrics: Pick<Metrics, "work">;
}): Promise<void> {
  const taken = work.take();
  if (taken.length === 0) return;
  try {
    await addCounts(pool, taken);
  } catch (error) {
    work.giveBack(taken);
    throw error;
  }
}
