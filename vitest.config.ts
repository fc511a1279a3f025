import { findMemoryFolder } from "./test/support/memory-folder.ts";
import { hasRedis } from "./test/support/redis-server.ts";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const memoryFolder = findMemoryFolder();
if (memoryFolder) process.env["TMPDIR"] ??= memoryFolder;

/**
 * Runs a second time on a real Redis: what stands in Redis itself, which is the limits, and what the queue there has to
 * do that Postgres does otherwise. Where work is leased, it waits in Postgres whatever wakes it.
 */
const onRedisToo = [
  "test/sync/disconnect.test.ts",
  "test/data/prefer-wait.test.ts",
  "test/rate-limits.test.ts",
  "test/outages.test.ts",
  "test/webhooks/schedulers.test.ts",
];
const redisIsThere = hasRedis();
if (!redisIsThere)
  process.stdout.write(
    "The tests on Redis are left out: REDIS_URL is not set and there is no redis-server on this machine.\n",
  );

/** Small files whose tests take long. Vitest begins with large files, so these would be left over at the end. */
const slow = new RegExp(
  `/(?:${[
    "conformance/built-in",
    "connect/browser/accessibility",
    "connect/guessing",
    "examples/web-app",
    "outages",
    "process/(?:killed-workers|signals|slow-starts|start-beside-database)",
    "rate-limits",
    "reading/long-reads",
    "readme",
    "redis/(?:admission-copies|failover|killed-workers|privacy|refusals|shared-rate-limits|start)",
    "security/every-column",
    "skewed-clocks",
  ].join("|")})(?:\\.e2e)?\\.test\\.ts$`,
);

const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId);

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** The service as a process, browsers, terminals, other languages, whole vendors and journeys: half of the time of all. */
const endToEnd = "test/**/*.e2e.test.ts";
const redisFolder = "test/redis/**";

interface Kind {
  name: string;
  include: string[];
  exclude?: string[];
  env?: Record<string, string>;
}

const kind = (own: Kind) => ({
  test: {
    // The files of a worker share its modules: to load them anew for each file takes a fifth of the time of all.
    isolate: false,
    // Only what hangs gets there, also on a machine that is slow and busy. No test is judged by its time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/refuse-dns.ts"],
    ...own,
  },
});

const ofPostgres = [
  kind({ name: "embedded", include: ["test/**/*.test.ts"], exclude: [redisFolder, endToEnd] }),
  kind({
    name: "e2e",
    include: [endToEnd],
    exclude: [redisFolder],
    env: { TEST_END_TO_END: "yes" },
  }),
];
const ofRedis = [
  kind({
    name: "redis",
    include: [...onRedisToo, "test/redis/**/*.test.ts"],
    exclude: [endToEnd],
    env: { TEST_ON_REDIS: "yes" },
  }),
  kind({
    name: "e2e-redis",
    include: ["test/process/warm-up.e2e.test.ts", "test/redis/**/*.e2e.test.ts"],
    env: { TEST_ON_REDIS: "yes", TEST_END_TO_END: "yes" },
  }),
];

export default defineConfig({
  test: {
    // Half of the time of a test is waited: on two cores four take a seventh less than three. Those of `npm test` wait
    // more, and five of them a tenth less than four.
    maxWorkers: 4,
    sequence: { sequencer: SlowFilesFirst },
    projects: [...ofPostgres, ...(redisIsThere ? ofRedis : [])],
  },
});
