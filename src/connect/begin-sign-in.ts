import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import type { Flow } from "./flow.ts";
import { advanceFlow, type FlowChange } from "./flow-store.ts";
import { enqueueSignIn } from "./sign-in-queue.ts";

export interface BeginSignInDependencies {
  pool: Pool;
  clock: Clock;
  queue: JobQueue;
}

/** Hands a sealed submission to a worker. Does nothing when the form was sent before. */
export async function beginSignIn(
  { pool, clock, queue }: BeginSignInDependencies,
  flow: Flow,
  change: Pick<FlowChange, "prefill" | "challenge"> & { submission: Buffer },
): Promise<void> {
  const running = await advanceFlow(pool, flow, {
    ...change,
    phase: "running",
    refusal: null,
    runningSince: clock.now(),
  });
  if (running) await enqueueSignIn(queue, running);
}
