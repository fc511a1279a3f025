import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";

/** The calls of scripts that name a key with this prefix. They are complete when `stop` has resolved. */
export async function watchScriptCalls(
  redis: Redis,
  prefix: string,
): Promise<{ calls: string[][]; stop: () => Promise<void> }> {
  const monitor = await redis.monitor();
  const calls: string[][] = [];
  const last = randomUUID();
  const { promise: seenAll, resolve } = Promise.withResolvers<void>();
  monitor.on("monitor", (_time: string, args: string[]) => {
    if (args.includes(last)) resolve();
    else if (args[0]?.toLowerCase() === "evalsha" && args.some((arg) => arg.startsWith(prefix)))
      calls.push(args);
  });
  const stop = async (): Promise<void> => {
    await redis.echo(last);
    await seenAll;
    monitor.disconnect();
  };
  return { calls, stop };
}
