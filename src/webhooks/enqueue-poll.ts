import type { ConnectionId } from "../model/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";

export const pollQueue = "poll";

/** A superfluous job finds nothing to do. When the queue is away, the sweeper enqueues it later. */
export async function enqueuePoll(queue: JobQueue, connectionId: ConnectionId): Promise<void> {
  await queue.enqueue(pollQueue, { connectionId });
}
