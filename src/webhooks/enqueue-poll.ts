import type { ConnectionId } from "../model/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";

export const pollQueue = "poll";

/** A superfluous job finds nothing to do. False when the queue is away: then the sweeper runs the poll. */
export async function enqueuePoll(queue: JobQueue, connectionId: ConnectionId): Promise<boolean> {
  return await queue.enqueue(pollQueue, { connectionId });
}

/** Enqueues polls and returns those that are not enqueued. A queue that was away once is not asked again. */
export type EnqueuePolls = (
  connectionIds: readonly ConnectionId[],
) => Promise<readonly ConnectionId[]>;

/** For as long as one round of work lasts: a queue that hangs costs it the wait for one poll. */
export function enqueueUntilAway(queue: JobQueue): EnqueuePolls {
  let isAway = false;
  return async (connectionIds) => {
    for (const [index, connectionId] of connectionIds.entries()) {
      isAway ||= !(await enqueuePoll(queue, connectionId));
      if (isAway) return connectionIds.slice(index);
    }
    return [];
  };
}
