import { Redis } from "ioredis";

/** Records every command to this Redis, so that values which are deleted later are seen too. */
export async function watchRedis(url: string, traffic: string[]): Promise<Redis> {
  const redis = new Redis(url);
  const monitor = await redis.monitor();
  redis.disconnect();
  monitor.on("monitor", (_time: string, args: string[]) => traffic.push(args.join(" ")));
  return monitor;
}
