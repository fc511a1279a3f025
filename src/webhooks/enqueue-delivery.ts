import type { JobQueue } from "../platform/queue/index.ts";
import type { Delivery } from "./delivery-store.ts";

export const deliveryQueue = "deliver";

/** Enqueues one job for each attempt. When the queue is away, the sweeper enqueues it later. */
export async function enqueueDelivery(
  queue: JobQueue,
  { id, attempts }: Pick<Delivery, "id" | "attempts">,
): Promise<void> {
  await queue.enqueue(deliveryQueue, `${id}-${attempts}`, { deliveryId: id });
}
