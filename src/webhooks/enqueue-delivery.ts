import type { JobQueue } from "../platform/queue/index.ts";
import type { Delivery } from "./delivery-store.ts";

export const deliveryQueue = "deliver";

/** Wakes a worker, after so many seconds or now. When the queue is away, a worker finds the delivery within seconds. */
export async function enqueueDelivery(
  queue: JobQueue,
  { id }: Pick<Delivery, "id">,
  afterSeconds?: number,
): Promise<void> {
  await queue.enqueue(deliveryQueue, { deliveryId: id }, afterSeconds);
}
