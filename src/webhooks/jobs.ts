import { LeasedWork } from "../platform/leases/index.ts";
import { runInSpan, type Tracing } from "../platform/tracing/index.ts";
import { createDeliveryTable, deliveryPlaces, type ClaimedDelivery } from "./delivery-store.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { runDelivery } from "./run-delivery.ts";

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

/** An attempt is a part of the trace that led to the delivery, or begins one, such as for an event. */
async function traceDelivery(
  { tracing }: { tracing: Tracing },
  delivery: ClaimedDelivery,
  work: () => Promise<void>,
): Promise<void> {
  const { traceparent: parent } = delivery;
  const attributes = {
    "rollcall.delivery_id": delivery.id,
    "rollcall.connection_id": delivery.connectionId,
    "rollcall.client_id": delivery.clientId,
    "rollcall.event_type": delivery.eventType,
    "rollcall.attempt": delivery.run,
  };
  await runInSpan(tracing, { name: "delivery", kind: "consumer", parent, attributes }, work);
}
