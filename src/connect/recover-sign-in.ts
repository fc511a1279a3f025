import { secondsBetween, type Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import type { Flow } from "./flow.ts";
import { advanceFlow } from "./flow-store.ts";
import { enqueueSignIn } from "./sign-in-queue.ts";

const staleAfterSeconds = 5;
/** A sign-in that a worker has claimed ends earlier, unless it was cut off. */
const cutOffAfterSeconds = 120;

/** Enqueues a sign-in again that no worker has claimed. Leads back to the form from one that was cut off. */
export async function recoverSignIn(
  { pool, clock, queue }: { pool: Pool; clock: Clock; queue: JobQueue },
  flow: Flow,
): Promise<Flow> {
  if (flow.phase !== "running") return flow;
  const age = flow.runningSince ? secondsBetween(flow.runningSince, clock.now()) : 0;
  if (flow.sealed.submission) {
    if (age > staleAfterSeconds) await enqueueSignIn(queue, flow);
    return flow;
  }
  if (age <= cutOffAfterSeconds) return flow;
  const atForm = await advanceFlow(pool, flow, {
    phase: "form",
    refusal: { kind: "interrupted" },
    challenge: null,
  });
  return atForm ?? flow;
}
