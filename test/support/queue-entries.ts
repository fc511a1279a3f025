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

/** Simulates a queue that lost its jobs. */
export async function deleteQueueEntries(harness: Harness): Promise<void> {
  if (!onRedis) return void (await harness.database.query("delete from bullmq.job"));
  await withRedis(harness, async (redis, prefix) => {
    const keys = await redis.keys(`${prefix}:fetch-*`);
    if (keys.length > 0) await redis.del(...keys);
  });
}

async function listInRedis(redis: Redis, prefix: string): Promise<QueueEntry[]> {
  const entries: QueueEntry[] = [];
  for (const key of await redis.keys(`${prefix}:fetch-*`)) {
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
