import { z } from "zod";
import { LeasedWork } from "../platform/leases/index.ts";
import type { JobDefinition } from "../platform/queue/index.ts";
import { createDeliveryTable, deliveryPlaces, type ClaimedDelivery } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { deliveryQueue } from "./enqueue-delivery.ts";
import { runDelivery } from "./run-delivery.ts";
import { traceDelivery } from "./trace-delivery.ts";

/** This process's part of the deliveries, not yet started. */
export function createDeliveryWork(
  dependencies: WebhookDependencies,
  places = deliveryPlaces,
): LeasedWork<ClaimedDelivery> {
  const { pool, log } = dependencies;
  return new LeasedWork<ClaimedDelivery>({
    table: createDeliveryTable(pool),
    name: "deliveries",
    places,
    log,
    run: (delivery, signal) =>
      traceDelivery(dependencies, delivery, () => runDelivery(dependencies, delivery, signal)),
  });
}

/** The job that wakes this process for deliveries. */
export function deliveryJob(
  work: LeasedWork<ClaimedDelivery>,
): JobDefinition<{ deliveryId: string }> {
  return work.job(deliveryQueue, z.object({ deliveryId: z.uuid() }));
}
