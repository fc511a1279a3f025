import { z } from "zod";
import type { JobQueue } from "../platform/queue/index.ts";
import type { Flow } from "./flow.ts";

export const signInQueue = "sign-in";

export const signInPayload = z.object({ flowId: z.uuid(), step: z.string().regex(/^\d+$/) });

export async function enqueueSignIn(
  queue: JobQueue,
  { id, step }: Pick<Flow, "id" | "step">,
): Promise<void> {
  await queue.enqueue(signInQueue, `${id}-${step}`, { flowId: id, step: String(step) });
}
