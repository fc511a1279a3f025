import { secondsBetween } from "../platform/clock.ts";
import { deleteInBatches } from "../platform/db/index.ts";
import { deleteOldDeliveries, findOldestPending } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { deliverPendingChanges } from "./make-delivery.ts";
import { claimStalePolls } from "./poll-store.ts";
import { enqueuePoll } from "./enqueue-poll.ts";
import { deleteOldStates, findWithoutDelivery } from "./state-store.ts";

type SweepDependencies = Pick<WebhookDependencies, "pool" | "clock" | "queue" | "connections">;

const batch = 500;
const staleSeconds = 60;
const deliveriesKeptSeconds = 14 * 24 * 3600;
const statesKeptSeconds = 90 * 24 * 3600;

/** Enqueues stale polls again, and makes the bodies that a killed worker did not make. */
export async function sweepWebhooks(dependencies: SweepDependencies): Promise<void> {
  const { pool, queue } = dependencies;
  for (const connectionId of await claimStalePolls(pool, { staleSeconds, limit: batch }))
    await enqueuePoll(queue, connectionId);
  await deliverAll(dependencies, await findWithoutDelivery(pool, batch));
}

/** A failure for one connection does not stop the others. */
async function deliverAll(
  dependencies: SweepDependencies,
  connectionIds: readonly string[],
): Promise<void> {
  const failures: unknown[] = [];
  for (const connectionId of connectionIds) {
    await deliverPendingChanges(dependencies, connectionId).catch((error: unknown) =>
      failures.push(error),
    );
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} webhooks could not be made`);
}

/** Deletes bodies two weeks after they were settled, and states of connections not polled for ninety days. */
export async function removeOld(
  { pool }: Pick<SweepDependencies, "pool">,
  signal?: AbortSignal,
): Promise<void> {
  await deleteInBatches((limit) => deleteOldDeliveries(pool, deliveriesKeptSeconds, limit), signal);
  await deleteInBatches((limit) => deleteOldStates(pool, statesKeptSeconds, limit), signal);
}

/** The age in seconds of the oldest body that no receiver has acknowledged; 0 when there is none. */
export async function undeliveredAge({
  pool,
  clock,
}: Pick<SweepDependencies, "pool" | "clock">): Promise<number> {
  const oldest = await findOldestPending(pool);
  return oldest ? Math.max(0, secondsBetween(oldest, clock.now())) : 0;
}
