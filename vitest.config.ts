import { hasRedis } from "./test/support/redis-server.ts";
import { defineConfig } from "vitest/config";

/** What touches the queue or the limits runs a second time on a real Redis. */
const onRedisToo = [
  "test/sync/**/*.test.ts",
  "test/data/**/*.test.ts",
  "test/rate-limits.test.ts",
  "test/{breaker,dead-sockets,outages}.test.ts",
  "test/webhooks/{in-flight,polling,schedulers}.test.ts",
  "test/connect/{scenarios,reauthentication,sign-in-throttle}.test.ts",
];
const redisIsThere = hasRedis();
if (!redisIsThere)
  process.stdout.write(
    "The tests on Redis are left out: REDIS_URL is not set and there is no redis-server on this machine.\n",
  );

const shared = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  globalSetup: ["test/support/global-setup.ts"],
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: "embedded",
          include: ["test/**/*.test.ts"],
          exclude: ["test/redis/**"],
        },
      },
      ...(redisIsThere
        ? [
            {
              test: {
                ...shared,
                name: "redis",
                include: [...onRedisToo, "test/redis/**/*.test.ts"],
                env: { TEST_ON_REDIS: "yes" },
              },
            },
          ]
        : []),
    ],
  },
});
