import type { Flow } from "./flow.ts";
import { advanceFlow, type FlowChange } from "./flow-store.ts";
import type { Needs } from "./services.ts";
import type { JobQueue } from "../platform/queue/index.ts";

export const signInQueue = "sign-in";

/** Wakes a worker, after so many seconds or now. When the queue is away, a worker finds the sign-in within seconds. */
export async function enqueueSignIn(
  queue: JobQueue,
  { id }: Pick<Flow, "id">,
  afterSeconds?: number,
): Promise<void> {
  await queue.enqueue(signInQueue, { flowId: id }, afterSeconds);
}

/** Hands a sealed submission to a worker. Does nothing when the form was sent before. */
export async function beginSignIn(
  { pool, queue }: Needs<"pool" | "queue">,
  flow: Flow,
  change: Pick<FlowChange, "prefill" | "challenge" | "shareKeys"> & { submission: Buffer },
): Promise<void> {
  const running = await advanceFlow(pool, flow, {
    ...change,
    phase: "running",
    refusal: null,
    dueInSeconds: 0,
  });
  if (running) await enqueueSignIn(queue, running);
}
