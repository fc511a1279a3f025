import type { Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import { markNotEnqueued, type Fetch } from "./fetch-store.ts";

/** Each provider has a queue of its own, so that a slow one holds up nobody else. */
export function fetchQueue(provider: string): string {
  return `fetch-${provider}`;
}

/** One job for one request, however often it is enqueued. When the queue is away, the sweeper enqueues it later. */
export async function enqueueFetch(
  { pool, queue }: { pool: Pool; queue: JobQueue },
  fetch: Fetch,
): Promise<void> {
  const isEnqueued = await queue.enqueue(
    fetchQueue(fetch.provider),
    `${fetch.id}-${fetch.generation}`,
    {
      fetchId: fetch.id,
    },
  );
  if (!isEnqueued) await markNotEnqueued(pool, fetch.id);
}
