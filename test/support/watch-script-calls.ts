import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { watchRedis } from "./watch-redis.ts";

/** The calls of scripts that name a key with this prefix. They are complete when `stop` has resolved. */
export async function watchScriptCalls(
  redis: Redis,
  prefix: string,
): Promise<{ calls: string[][]; stop: () => Promise<void> }> {
  const calls: string[][] = [];
  const last = randomUUID();
  const { promise: seenAll, resolve } = Promise.withResolvers<void>();
  const watch = await watchRedis(redis, (args) => {
    if (args.includes(last)) resolve();
    else if (args[0]?.toLowerCase() === "evalsha" && args.some((arg) => arg.startsWith(prefix)))
      calls.push(args);
  });
  const stop = async (): Promise<void> => {
    await redis.echo(last);
    await seenAll;
    watch.stop();
  };
  return { calls, stop };
}
