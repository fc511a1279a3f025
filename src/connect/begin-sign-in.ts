import type { Flow } from "./flow.ts";
import { advanceFlow, type FlowChange } from "./flow-store.ts";
import { enqueueSignIn } from "./enqueue-sign-in.ts";
import type { Needs } from "./services.ts";

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
