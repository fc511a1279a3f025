import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { buildWorker } from "../../src/start/worker.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { createHarness } from "../support/harness.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { startOwnRedis } from "../support/redis-server.ts";

const employees = "/2023-03-01/xhr/employees";

async function command(url: string, name: string, ...args: string[]): Promise<unknown> {
  const redis = new Redis(url);
  try {
    return await redis.call(name, ...args);
  } finally {
    redis.disconnect();
  }
}

async function makeReplica(of: string, master: string): Promise<void> {
  const { hostname, port } = new URL(master);
  await command(of, "REPLICAOF", hostname, port);
}

/** The service, api and workers in one, before a Redis that has a replica. */
async function createFixture() {
  const [first, second] = [await startOwnRedis(), await startOwnRedis()];
  await makeReplica(second.url, first.url);
  const proxy = await FlakyProxy.before(first.url);
  const harness = await createHarness({
    clock: systemClock,
    env: { REDIS_URL: proxy.through(first.url) },
  });
  const worker = buildWorker(harness.services);
  const jobs = { done: 0 };
  return {
    harness,
    proxy,
    first,
    second,
    jobs,
    countedInProcess: async (): Promise<number> =>
      (await harness.services.metrics.limitsCountedInProcess.get()).values[0]?.value ?? 0,
    close: async () => {
      await worker.stop();
      await harness.close();
      await proxy.close();
      await Promise.all([first.stop(), second.stop()]);
    },
  };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

const faults: [string, (fixture: Fixture) => Promise<void> | void][] = [
  [
    "the master becomes a replica, and the address leads to the new one three seconds later",
    async ({ first, second, proxy }) => {
      await command(second.url, "REPLICAOF", "NO", "ONE");
      await makeReplica(first.url, second.url);
      await delay(3_000);
      proxy.leadTo(second.url);
    },
  ],
  ["open sockets are swallowed without a sign", ({ proxy }) => proxy.swallow()],
];

describe.each(faults)("%s", (_name, fail) => {
  let fixture: Fixture;
  let bearers: string[];

  beforeAll(async () => {
    fixture = await createFixture();
    const { harness } = fixture;
    bearers = await Promise.all(
      Array.from({ length: 20 }, async () => (await harness.connect()).token),
    );
    // Every client of Redis is in use.
    await readWhenReady(harness.http, employees, { bearer: bearers[0] ?? "" });
    await delay(1_000);
    await fail(fixture);
  });
  afterAll(() => fixture.close());

  test("20 fetches end, and no request fails", async () => {
    const { harness } = fixture;
    const statuses = new Set<number>();
    await Promise.all(
      bearers.slice(1).map(async (bearer) => {
        for (;;) {
          const { status } = await harness.http.get(employees, { bearer });
          statuses.add(status);
          if (status === 200) return;
          await delay(200);
        }
      }),
    );
    expect([...statuses].every((status) => status < 500)).toBe(true);
  });

  test("the queue takes jobs again, and its workers hear of them", async () => {
    const { queue } = fixture.harness.services;
    const isTaken = (): Promise<boolean> => queue.enqueue("read", { readId: randomUUID() });
    await expect.poll(isTaken).toBe(true);
    const isIdle = (): Promise<boolean> => queue.isIdle("read");
    await expect.poll(isIdle).toBe(true);
  });

  test("limits and admissions are shared again", async () => {
    const { harness, countedInProcess, second, proxy } = fixture;
    const isShared = async (): Promise<boolean> => {
      const counted = await countedInProcess();
      await harness.http.get(employees, { bearer: bearers[1] ?? "" });
      return (await countedInProcess()) === counted;
    };
    await expect.poll(isShared).toBe(true);
    const url = _name.startsWith("the master") ? second.url : proxy.through(second.url);
    expect(await command(url, "KEYS", "*:admission:*")).not.toEqual([]);
  });

  test("the log has a few lines of it, and none is an error of ours", () => {
    const lines = fixture.harness.logLines.filter((line) => /"level":(?:40|50)/.test(line));
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
    expect(lines.length).toBeLessThan(8);
  });
});
