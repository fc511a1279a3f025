import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, inject, test } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { testEnvironment } from "../support/harness.ts";
import { startRedis } from "../support/redis-server.ts";
import { spawnService, startService } from "../support/service-process.ts";

/** What process managers give a program before they kill it. */
const stopLimitMs = 25_000;

describe.each(["gone", "hung"] as const)("SIGTERM while Redis is %s", (how) => {
  test("the program ends with 0 within a bound all the same", async () => {
    const database = await createTestDatabase();
    const redisUrl = inject("redisUrl") ?? "";
    const proxy = await FlakyProxy.before(redisUrl);
    const service = await startService({
      ...testEnvironment(database.url),
      REDIS_URL: proxy.through(redisUrl),
    });
    try {
      await service.untilStarted();
      if (how === "gone") await proxy.cut();
      else proxy.pause();
      await delay(500);
      service.kill("SIGTERM");
      const exit = await Promise.race([
        service.exited,
        delay(stopLimitMs, "still running", { ref: false }),
      ]);
      expect(exit).toEqual({ code: 0, signal: null });
    } finally {
      service.kill("SIGKILL");
      await service.exited;
      await proxy.close();
      await database.drop();
    }
  });
});

const ownRedis = process.env["REDIS_URL"] ? undefined : await startRedis();
if (!ownRedis)
  process.stdout.write(
    "A Redis that would drop jobs is left out: the one of REDIS_URL is not ours to change.\n",
  );

test.skipIf(!ownRedis)(
  "a Redis that would drop jobs to make room is refused, with its policy named",
  async () => {
    const url = ownRedis?.url ?? "";
    const redis = new Redis(url);
    await redis.config("SET", "maxmemory-policy", "allkeys-lru");
    redis.disconnect();
    const database = await createTestDatabase();
    const service = await spawnService({ ...testEnvironment(database.url), REDIS_URL: url });
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.output).toMatch(/REDIS_URL: .*allkeys-lru.*noeviction/);
    await database.drop();
    await ownRedis?.stop();
  },
);
