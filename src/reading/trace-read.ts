import type { Clock } from "../platform/clock.ts";
import type { Metrics } from "../platform/metrics.ts";
import { runInSpan, setOnCurrentSpan, type Tracing } from "../platform/tracing/index.ts";
import type { ClaimedRead, Read } from "./read.ts";

/** A run of a read is a part of the trace of the request that asked for it first, or begins one, such as for a poll. */
export async function traceRead(
  { tracing, clock }: { tracing: Tracing; clock: Clock },
  { traceparent: parent, dueAt, ...read }: ClaimedRead,
  work: () => Promise<void>,
): Promise<void> {
  const attributes = {
    "rollcall.read_id": read.id,
    "rollcall.connection_id": read.connectionId,
    "rollcall.client_id": read.clientId,
    "rollcall.provider": read.provider,
    "rollcall.resource": read.resource,
    "rollcall.run": read.run,
    "rollcall.waited_ms": dueAt ? Math.max(0, clock.now().getTime() - dueAt.getTime()) : undefined,
  };
  await runInSpan(tracing, { name: "read", kind: "consumer", parent, attributes }, work);
}

/** For the metrics, and for the span of the run. */
export function noteOutcome(
  { metrics }: { metrics: Metrics },
  read: Read,
  outcome: Parameters<Metrics["countRead"]>[1],
): void {
  metrics.countRead(read, outcome);
  setOnCurrentSpan({ "rollcall.outcome": outcome });
}
