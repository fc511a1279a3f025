import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { systemClock } from "../src/platform/clock.ts";
import { buildWorker, type Worker } from "../src/worker.ts";
import { createTestDatabase, type TestDatabase } from "./support/database.ts";
import { FlakyProxy } from "./support/flaky-proxy.ts";
import { createHarness, type Harness } from "./support/harness.ts";
import { readWhenReady } from "./support/read-when-ready.ts";

vi.setConfig({ testTimeout: 120_000 });

const employees = "/2023-03-01/xhr/employees";
const recoveryLimitMs = 15_000;

let database: TestDatabase;
let proxy: FlakyProxy;
let harness: Harness;
let worker: Worker;
let bearers: string[];
let swallowedAt: number;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await FlakyProxy.before(inject("postgresUrl"));
  harness = await createHarness({
    database,
    clock: systemClock,
    env: { DATABASE_URL: proxy.through(database.url) },
  });
  worker = buildWorker(harness.services);
  bearers = await Promise.all(
    Array.from({ length: 20 }, async () => (await harness.connect()).token),
  );
  await readWhenReady(harness.http, employees, { bearer: bearers[0] ?? "" });
  // The clients that work is done with are idle, and the workers listen.
  await delay(3_000);
  proxy.swallow();
  swallowedAt = performance.now();
});
afterAll(async () => {
  await worker.stop();
  await harness.close();
  await proxy.close();
  await database.drop();
});

test("when the sockets of Postgres die without a sign, fetches end within seconds, and no reply is an error of ours", async () => {
  const statuses = new Set<number>();
  const ends = await Promise.all(
    bearers.slice(1).map(async (bearer) => {
      for (;;) {
        const { status } = await harness.http.get(employees, { bearer });
        statuses.add(status);
        if (status === 200) return performance.now() - swallowedAt;
        await delay(200);
      }
    }),
  );
  expect([...statuses].filter((status) => ![200, 202, 503].includes(status))).toEqual([]);
  expect(Math.max(...ends)).toBeLessThan(recoveryLimitMs);
});

test("the workers hear of new jobs again", async () => {
  const { queue } = harness.services;
  await expect
    .poll(() => queue.enqueue("poll", { connectionId: randomUUID() }), { timeout: recoveryLimitMs })
    .toBe(true);
  await expect.poll(() => queue.isIdle("poll"), { timeout: recoveryLimitMs }).toBe(true);
  expect(performance.now() - swallowedAt).toBeLessThan(2 * recoveryLimitMs);
});

test("who waits for a read hears of its end at once", async () => {
  const { token: bearer } = await harness.connect();
  const reply = await harness.http.get("/2023-03-01/xhr/company", {
    bearer,
    headers: { prefer: "wait=5" },
  });
  expect(reply.status).toBe(200);
});

test("the log has a few lines of it, and none is an error of ours", () => {
  const lines = harness.logLines.filter((line) => /"level":(?:40|50)/.test(line));
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  expect(lines.length).toBeLessThan(8);
});
