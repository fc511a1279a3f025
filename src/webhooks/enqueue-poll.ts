import type { ConnectionId } from "../model/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";

export const pollQueue = "poll";

/** A superfluous job finds nothing to do. False when the queue is away: then the sweeper runs the poll. */
export async function enqueuePoll(queue: JobQueue, connectionId: ConnectionId): Promise<boolean> {
  return await queue.enqueue(pollQueue, { connectionId });
}
