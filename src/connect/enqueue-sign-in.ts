import type { JobQueue } from "../platform/queue/index.ts";
import type { Flow } from "./flow.ts";

export const signInQueue = "sign-in";

/** Wakes a worker, after so many seconds or now. When the queue is away, a worker finds the sign-in within seconds. */
export async function enqueueSignIn(
  queue: JobQueue,
  { id }: Pick<Flow, "id">,
  afterSeconds?: number,
): Promise<void> {
  await queue.enqueue(signInQueue, { flowId: id }, afterSeconds);
}
