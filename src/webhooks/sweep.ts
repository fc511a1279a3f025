import type { ConnectionId } from "../model/index.ts";
import { secondsBetween } from "../platform/clock.ts";
import { deleteInBatches } from "../platform/db/index.ts";
import { deleteOldDeliveries, findOldestPending } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { deliverPendingChanges } from "./make-delivery.ts";
import { claimStalePolls } from "./poll-store.ts";
import { enqueuePoll } from "./enqueue-poll.ts";
import { runPoll } from "./run-poll.ts";
import { deleteOldStates, findWithoutDelivery } from "./state-store.ts";

const batch = 500;
const staleSeconds = 60;
const deliveriesKeptSeconds = 14 * 24 * 3600;
const statesKeptSeconds = 90 * 24 * 3600;

/**
 * Enqueues stale polls again, or runs them while the queue is away, and makes the bodies that a killed worker did not
 * make. When the signal fires, the rest is left to the next sweep.
 */
export async function sweepWebhooks(
  dependencies: WebhookDependencies,
  signal?: AbortSignal,
): Promise<void> {
  const { pool, queue } = dependencies;
  let isQueueAway = false;
  const stale = await claimStalePolls(pool, { staleSeconds, limit: batch });
  await forEach(stale, signal, async (connectionId) => {
    isQueueAway ||= !(await enqueuePoll(queue, connectionId));
    if (isQueueAway) await runPoll(dependencies, connectionId);
  });
  await forEach(await findWithoutDelivery(pool, batch), signal, (connectionId) =>
    deliverPendingChanges(dependencies, connectionId),
  );
}

/** A failure for one connection does not stop the others. */
async function forEach(
  connectionIds: readonly ConnectionId[],
  signal: AbortSignal | undefined,
  work: (connectionId: ConnectionId) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const connectionId of connectionIds) {
    if (signal?.aborted) break;
    await work(connectionId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} connections could not be swept`);
}

/** Deletes bodies two weeks after they were settled, and states of connections not polled for ninety days. */
export async function removeOld(
  { pool }: Pick<WebhookDependencies, "pool">,
  signal?: AbortSignal,
): Promise<void> {
  await deleteInBatches((limit) => deleteOldDeliveries(pool, deliveriesKeptSeconds, limit), signal);
  await deleteInBatches((limit) => deleteOldStates(pool, statesKeptSeconds, limit), signal);
}

/** The age in seconds of the oldest body that no receiver has acknowledged; 0 when there is none. */
export async function undeliveredAge({
  pool,
  clock,
}: Pick<WebhookDependencies, "pool" | "clock">): Promise<number> {
  const oldest = await findOldestPending(pool);
  return oldest ? Math.max(0, secondsBetween(oldest, clock.now())) : 0;
}
