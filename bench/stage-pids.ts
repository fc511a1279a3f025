import { Redis } from "ioredis";
import type { Stage } from "../test/chaos/stage.ts";

/** The processes of the service that run, Postgres with all of its sessions, and Redis. */
export async function pidsOf(stage: Stage): Promise<() => readonly number[]> {
  const stores = await storePidsOf(stage);
  return () => [...stage.pids, ...stores];
}

/** Postgres with all of its sessions, and Redis. */
export async function storePidsOf(stage: Stage): Promise<readonly number[]> {
  const [postgres] = await stage.query("select pg_read_file('postmaster.pid', 0, 20) as pid");
  if (!postgres) throw new Error("Postgres does not tell its process");
  const stores = [Number.parseInt(String(postgres["pid"]), 10)];
  const redisUrl = stage.env["REDIS_URL"];
  if (redisUrl) {
    const redis = new Redis(redisUrl);
    stores.push(Number(/process_id:(\d+)/.exec(await redis.info("server"))?.[1]));
    redis.disconnect();
  }
  return stores;
}
