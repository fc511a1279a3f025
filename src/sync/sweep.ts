import { addSeconds, type Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import { deleteFetchesSettledBefore, findStale } from "./fetch-store.ts";
import { enqueueFetch } from "./enqueue-fetch.ts";
import { deleteSnapshotsFetchedBefore } from "./snapshot-store.ts";

const reEnqueueAfterSeconds = 30;
const batch = 500;
const snapshotsKeptSeconds = 14 * 24 * 3600;

/** Enqueues due fetches again whose job was lost between the commit and the queue, or with the queue. */
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
  const stale = await findStale(pool, {
    now,
    enqueuedBefore: addSeconds(now, -reEnqueueAfterSeconds),
    limit: batch,
  });
  for (const fetch of stale) await enqueueFetch({ pool, queue }, fetch);
  return stale.length;
}

/** Data is kept for two weeks after it was fetched. */
export async function removeOldData({ pool, clock }: { pool: Pool; clock: Clock }): Promise<void> {
  const moment = addSeconds(clock.now(), -snapshotsKeptSeconds);
  while ((await deleteSnapshotsFetchedBefore(pool, moment, batch)) === batch);
  await deleteFetchesSettledBefore(pool, moment);
}
