import { z } from "zod";
import { addSeconds } from "../platform/clock.ts";
import type { JobDefinition } from "../platform/queue/index.ts";
import {
  findOldestUndelivered,
  deleteSettledBefore,
  claimStaleDeliveries,
} from "./delivery-store.ts";
import { runDelivery, type DeliveryDependencies } from "./run-delivery.ts";
import { runPoll, type PollDependencies } from "./run-poll.ts";
import { pollQueue, enqueuePoll, type TickDependencies } from "./tick.ts";
import { deliveryQueue, type Webhooks } from "./webhooks.ts";
import {
  deleteWatchesNotPolledSince,
  findOwedConnections,
  claimStalePolls,
} from "./watch-store.ts";

const deliveriesAtOnce = 32;
const pollsAtOnce = 16;
const batch = 500;
const reEnqueueAfterSeconds = 60;
const deliveriesKeptSeconds = 14 * 24 * 3600;
const watchesKeptSeconds = 90 * 24 * 3600;

/** A kind of poll for each provider, with the provider's own limit, and one kind of delivery. */
export function webhookJobs(
  dependencies: PollDependencies & DeliveryDependencies,
  {
    providers,
    workerConcurrency,
  }: {
    providers: readonly { name: string; concurrency: number | undefined }[];
    workerConcurrency: number;
  },
): JobDefinition<never>[] {
  const polls = providers.map(({ name, concurrency = pollsAtOnce }) => ({
    name: pollQueue(name),
    payload: z.object({ connectionId: z.uuid() }),
    concurrency: Math.min(concurrency, workerConcurrency),
    run: ({ connectionId }: { connectionId: string }, signal: AbortSignal) =>
      runPoll(dependencies, connectionId, signal),
  }));
  const deliver = {
    name: deliveryQueue,
    payload: z.object({ deliveryId: z.uuid() }),
    concurrency: deliveriesAtOnce,
    run: ({ deliveryId }: { deliveryId: string }) => runDelivery(dependencies, deliveryId),
  };
  return [...polls, deliver] as unknown as JobDefinition<never>[];
}

/** Rings again for polls and deliveries that were not heard, and makes the bodies that a kill left unmade. */
export async function sweepWebhooks(
  { pool, clock, queue }: TickDependencies,
  webhooks: Webhooks,
): Promise<void> {
  const now = clock.now();
  const enqueuedBefore = addSeconds(now, -reEnqueueAfterSeconds);
  for (const poll of await claimStalePolls(pool, { now, enqueuedBefore, limit: batch }))
    await enqueuePoll(queue, poll);
  for (const delivery of await claimStaleDeliveries(pool, { now, enqueuedBefore, limit: batch }))
    await webhooks.enqueue(delivery);
  await deliverAllOwed(await findOwedConnections(pool, batch), webhooks);
}

/** A connection for which it fails does not keep the others from theirs. */
async function deliverAllOwed(connectionIds: readonly string[], webhooks: Webhooks): Promise<void> {
  const failures: unknown[] = [];
  for (const connectionId of connectionIds)
    await webhooks.deliverOwed(connectionId).catch((error: unknown) => failures.push(error));
  if (failures.length > 0)
    throw failures.length === 1
      ? failures[0]
      : new AggregateError(failures, `${failures.length} webhooks could not be made`);
}

/** Bodies two weeks after they were settled; lists that could not be read for ninety days. */
export async function removeOldDeliveries({
  pool,
  clock,
}: Pick<TickDependencies, "pool" | "clock">): Promise<void> {
  await deleteSettledBefore(pool, addSeconds(clock.now(), -deliveriesKeptSeconds));
  await deleteWatchesNotPolledSince(pool, addSeconds(clock.now(), -watchesKeptSeconds));
}

/** Seconds since the oldest body was made that no receiver has acknowledged yet; 0 when there is none. */
export async function undeliveredAge({
  pool,
  clock,
}: Pick<TickDependencies, "pool" | "clock">): Promise<number> {
  const oldest = await findOldestUndelivered(pool);
  return oldest ? Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000) : 0;
}
