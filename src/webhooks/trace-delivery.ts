import { runInSpan, withSpan, type Span, type Tracing } from "../platform/tracing/index.ts";
import type { ClaimedDelivery } from "./delivery-store.ts";
import type { PostResult } from "./post-webhook.ts";

/** An attempt is a part of the trace that led to the delivery, or begins one, such as for an event. */
export async function traceDelivery(
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

/** The request to the receiver. Its address is the client's, and no span has it. */
export async function tracePost(post: () => Promise<PostResult>): Promise<PostResult> {
  const attributes = { "http.request.method": "POST" };
  return await withSpan({ name: "POST", kind: "client", attributes }, async (span) => {
    const result = await post();
    note(span, result);
    return result;
  });
}

function note(span: Span, { status, reason }: PostResult): void {
  span.set({ "http.response.status_code": status, "rollcall.reason": reason });
  if (reason !== "ok") span.fail(reason);
}
