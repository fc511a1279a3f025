import type { Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import { markNotEnqueued, type Fetch } from "./fetch-store.ts";

/** Each provider has its own queue, so that a slow one delays no other. */
export function fetchQueue(provider: string): string {
  return `fetch-${provider}`;
}

/** One job for each request, however often this is called. When the queue is away, the sweeper enqueues it later. */
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
