import { Redis } from "ioredis";
import { onRedis, type Harness } from "./harness.ts";

/** A job as the queue stores it. */
export interface QueueEntry {
  payload: Record<string, unknown>;
  stored: string;
}

export async function listQueueEntries(harness: Harness): Promise<QueueEntry[]> {
  if (onRedis) return await withRedis(harness, listInRedis);
  const rows = await harness.database.query(
    "select data, to_jsonb(job)::text as stored from bullmq.job",
  );
  return rows.map(({ data, stored }) => ({
    payload: data as Record<string, unknown>,
    stored: stored as string,
  }));
}

/** Simulates a queue that lost its jobs, or every other one of them. */
export async function deleteQueueEntries(harness: Harness, { half = false } = {}): Promise<void> {
  if (!onRedis)
    return void (await harness.database.query(
      `delete from bullmq.job where ctid in (
         select ctid from (select ctid, row_number() over () as number from bullmq.job) numbered
         where number % 2 = 0 or not $1)`,
      [half],
    ));
  await withRedis(harness, async (redis, prefix) => {
    const keys = await redis.keys(`${prefix}:*:????????-*`);
    const lost = keys.filter((_key, index) => index % 2 === 0 || !half);
    if (lost.length > 0) await redis.del(...lost);
  });
}

async function listInRedis(redis: Redis, prefix: string): Promise<QueueEntry[]> {
  const entries: QueueEntry[] = [];
  for (const key of await redis.keys(`${prefix}:read:*`)) {
    if ((await redis.type(key)) !== "hash") continue;
    const fields = await redis.hgetall(key);
    if (fields["data"] !== undefined)
      entries.push({
        payload: JSON.parse(fields["data"]) as Record<string, unknown>,
        stored: `${key} ${JSON.stringify(fields)}`,
      });
  }
  return entries;
}

async function withRedis<Result>(
  { environment }: Harness,
  work: (redis: Redis, prefix: string) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(environment["REDIS_URL"] ?? "");
  try {
    return await work(redis, environment["REDIS_PREFIX"] ?? "");
  } finally {
    redis.disconnect();
  }
}
