import { isDatabaseUnavailable } from "../platform/db/index.ts";
import { setOnCurrentSpan, withSpan } from "../platform/tracing/index.ts";
import type { StoredAnswer } from "./destination.ts";
import { idsOf, type Read } from "./read.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { RunReadDependencies } from "./run-dependencies.ts";

/** The read is settled, whatever an observer makes of it: its failure is none of the read. */
export async function tellSettled(
  { observers, log }: Pick<RunReadDependencies, "observers" | "log">,
  read: Read,
  answer?: StoredAnswer,
): Promise<void> {
  await withSpan({ name: "notice" }, async () => {
    for (const observer of observers) {
      try {
        await observer.onSettled(read, answer);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        log.error({ err: error, ...idsOf(read) }, "what follows a settled read failed");
      }
    }
  });
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
