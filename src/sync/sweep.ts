import { addSeconds, type Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import { deleteFetchesSettledBefore, takeUnheard } from "./fetch-store.ts";
import { ringForFetch } from "./ring-for-fetch.ts";
import { deleteSnapshotsFetchedBefore } from "./snapshot-store.ts";

const ringAgainAfterSeconds = 30;
const batch = 500;
const snapshotsKeptSeconds = 14 * 24 * 3600;

/** Rings again for what is due and was not heard: a ring lost between a commit and the queue, or with the queue itself. */
export async function sweepFetches({
  pool,
  clock,
  queue,
}: {
  pool: Pool;
  clock: Clock;
  queue: JobQueue;
}): Promise<number> {
  const now = clock.now();
  const unheard = await takeUnheard(pool, {
    now,
    rungBefore: addSeconds(now, -ringAgainAfterSeconds),
    limit: batch,
  });
  for (const fetch of unheard) await ringForFetch({ pool, queue }, fetch);
  return unheard.length;
}

/** Data is kept for two weeks after it was fetched. */
export async function removeOldSnapshots({
  pool,
  clock,
}: {
  pool: Pool;
  clock: Clock;
}): Promise<void> {
  const moment = addSeconds(clock.now(), -snapshotsKeptSeconds);
  while ((await deleteSnapshotsFetchedBefore(pool, moment, batch)) === batch);
  await deleteFetchesSettledBefore(pool, moment);
}
