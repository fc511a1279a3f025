import { Redis } from "ioredis";
import type { Stage } from "./stage.ts";

/**
 * Takes every other waiting entry from the queue's storage: of those, one is wholly gone, the next keeps its place
 * in the line without its content or its content without its place. Returns how many were lost.
 */
export async function loseHalfOfTheQueue(stage: Stage): Promise<number> {
  return stage.onRedis ? await loseInRedis(stage) : await loseInPostgres(stage);
}

async function loseInPostgres(stage: Stage): Promise<number> {
  const rows = await stage.query(
    `with entry as (
       select queue, id, row_number() over (order by queue, seq) as position
       from bullmq.job where state in ('waiting', 'delayed')),
     gone as (
       delete from bullmq.job j using entry e
       where j.queue = e.queue and j.id = e.id and e.position % 4 = 0 returning 1),
     kept as (
       update bullmq.job j set state = 'completed' from entry e
       where j.queue = e.queue and j.id = e.id and e.position % 4 = 2 returning 1)
     select (select count(*) from gone) + (select count(*) from kept) as lost`,
  );
  return Number(rows[0]?.["lost"] ?? 0);
}

async function loseInRedis({ env }: Stage): Promise<number> {
  const redis = new Redis(env["REDIS_URL"] ?? "");
  let lost = 0;
  try {
    for (const key of await redis.keys(`${env["REDIS_PREFIX"] ?? ""}:*:wait`)) {
      const queue = key.slice(0, -":wait".length);
      for (const [position, id] of (await redis.lrange(key, 0, -1)).entries()) {
        if (position % 2 === 1) continue;
        lost += 1;
        const kind = (position / 2) % 3;
        if (kind !== 1) await redis.lrem(key, 1, id);
        if (kind !== 2) await redis.del(`${queue}:${id}`);
      }
    }
    return lost;
  } finally {
    redis.disconnect();
  }
}
