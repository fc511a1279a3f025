import type { Pool } from "../platform/db/index.ts";
import type { JobQueue } from "../platform/queue/index.ts";
import { markUnrung, type Fetch } from "./fetch-store.ts";

/** Each provider has a queue of its own, so that a slow one holds up nobody else. */
export function fetchQueue(provider: string): string {
  return `fetch-${provider}`;
}

/** One job for one asking, however often it is rung. What could not be rung is left to the sweeper. */
export async function ringForFetch(
  { pool, queue }: { pool: Pool; queue: JobQueue },
  fetch: Fetch,
): Promise<void> {
  const isRung = await queue.ring(fetchQueue(fetch.provider), `${fetch.id}-${fetch.generation}`, {
    fetchId: fetch.id,
  });
  if (!isRung) await markUnrung(pool, fetch.id);
}
