import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { RateLimitStore, type WindowCount } from "../../src/platform/http/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { TestClock } from "../support/test-clock.ts";
import { watchScriptCalls } from "../support/watch-script-calls.ts";

const prefix = `t${randomUUID()}`;
const url = inject("redisUrl") ?? "";

let redis: Redis;
let store: RateLimitStore;
beforeAll(async () => {
  redis = new Redis(url);
  store = new RateLimitStore({
    clock: new TestClock(),
    log: createLog({ level: "silent" }),
    redis: { url, prefix },
    isKept: () => false,
    onFallback: () => undefined,
  });
  await store.ready();
});
afterAll(async () => {
  await store.close();
  redis.disconnect();
});

const count = async (key: string): Promise<number | undefined> => {
  const { promise, resolve } = Promise.withResolvers<WindowCount | undefined>();
  store.incr(key, (_error, result) => resolve(result), 60_000);
  return (await promise)?.current;
};

test("all requests of a turn are counted by one script call, each in its own window", async () => {
  await count("first");
  const { calls, stop } = await watchScriptCalls(redis, prefix);
  const counts = await Promise.all(["first", "second", "first", "third", "first"].map(count));
  await stop();
  expect(counts).toEqual([2, 1, 3, 1, 4]);
  expect(calls).toHaveLength(1);
});
