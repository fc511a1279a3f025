import { Redis } from "ioredis";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/platform/clock.ts";
import { createRedisBackend, JobQueue } from "../../src/platform/queue/index.ts";
import { startOwnRedis, type OwnRedis } from "../support/redis-server.ts";
import { untilTrue } from "../support/until-true.ts";
import { watchRedis } from "../support/watch-redis.ts";

const log = pino({ level: "silent" });

let server: OwnRedis;
let redis: Redis;
let queue: JobQueue;
beforeEach(async () => {
  server = await startOwnRedis();
  redis = new Redis(server.url);
  const backend = createRedisBackend({ url: server.url, prefix: "mended", log });
  queue = new JobQueue({ backend, clock: systemClock, log });
});
afterEach(async () => {
  redis.disconnect();
  await queue.close();
  await server.stop();
});

function startWorker(name: string): void {
  queue.work({ name, payload: z.object({}), concurrency: 1, run: () => Promise.resolve() });
}

test("a server that refuses is asked again once a second", async () => {
  const countRefused = async (): Promise<number> => {
    const stats = await redis.info("commandstats");
    return Number(/cmdstat_evalsha:.*rejected_calls=(\d+)/.exec(stats)?.[1] ?? 0);
  };
  await redis.acl("SETUSER", "default", "-evalsha", "-eval");
  startWorker("refused");
  await untilTrue("a question is refused", async () => (await countRefused()) > 0);
  const [refusedBefore, startedAt] = [await countRefused(), performance.now()];
  await untilTrue("more are refused", async () => (await countRefused()) > refusedBefore + 2);
  const refused = (await countRefused()) - refusedBefore;
  // A worker asks for jobs, and beside that for those of dead workers.
  expect(refused).toBeLessThan((2 * (performance.now() - startedAt)) / 1_000 + 4);
});

test("a worker looks for jobs every two seconds, also when one is due later", async () => {
  const waits: number[] = [];
  const watch = await watchRedis(server.url, ([command = "", , seconds]) => {
    if (command.toLowerCase() === "bzpopmin") waits.push(Number(seconds));
  });
  await untilTrue("a job is due later", () => queue.enqueue("waiting", {}, 3_600));
  startWorker("waiting");
  await untilTrue("the worker has waited", () => waits.length > 1);
  expect(waits.filter((seconds) => seconds > 2)).toEqual([]);
  watch.stop();
});
