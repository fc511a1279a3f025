import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Harness } from "./support/harness.ts";
import { readWhenReady } from "./support/read-when-ready.ts";
import {
  buildServiceBehindProxy,
  type ServiceBehindProxy,
} from "./support/service-behind-proxy.ts";

const employees = "/2023-03-01/xhr/employees";
const recoveryLimitMs = 15_000;

let service: ServiceBehindProxy;
let harness: Harness;
let bearers: string[];
let swallowedAt: number;

beforeAll(async () => {
  service = await buildServiceBehindProxy();
  ({ harness } = service);
  bearers = await Promise.all(
    Array.from({ length: 20 }, async () => (await harness.connect()).token),
  );
  await readWhenReady(harness.http, employees, { bearer: bearers[0] ?? "" });
  // The clients that work is done with are idle, and the workers listen.
  await delay(3_000);
  service.proxy.swallow();
  swallowedAt = performance.now();
});
afterAll(() => service.close());

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
    .poll(() => queue.enqueue("read", { readId: randomUUID() }), { timeout: recoveryLimitMs })
    .toBe(true);
  await expect.poll(() => queue.isIdle("read"), { timeout: recoveryLimitMs }).toBe(true);
  expect(performance.now() - swallowedAt).toBeLessThan(2 * recoveryLimitMs);
});

test("who waits for a read is told of its end", async () => {
  const told: string[] = [];
  harness.services.listener.observe((notice) => told.push(notice));
  const { token: bearer } = await harness.connect();
  const reply = await harness.http.get("/2023-03-01/xhr/company", {
    bearer,
    headers: { prefer: "wait=60" },
  });
  expect(reply.status).toBe(200);
  // Who waits also looks now and then: that it was told shows that notices come again.
  const ended = await harness.services.pool.query<{ id: string }>(
    "select id from reads where resource = 'company' and settled_at is not null",
  );
  expect(told).toContain(ended.rows[0]?.id);
});

test("the log has a few lines of it, and none is an error of ours", () => {
  const lines = harness.logLines.filter((line) => /"level":(?:40|50)/.test(line));
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  expect(lines.length).toBeLessThan(8);
});
