import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FlakyProxy } from "./support/flaky-proxy.ts";
import type { Harness } from "./support/harness.ts";
import {
  buildServiceBehindProxy,
  type ServiceBehindProxy,
} from "./support/service-behind-proxy.ts";

const atOnceMs = 100;
const waitMs = 2_000;
const openedMs = 8_000;
const closedMs = 5_000;

let service: ServiceBehindProxy;
let proxy: FlakyProxy;
let harness: Harness;
let basic: [string, string];
let bearer: string;

beforeAll(async () => {
  service = await buildServiceBehindProxy();
  ({ proxy, harness } = service);
  const signedIn = await harness.connect();
  basic = [signedIn.client.clientId, signedIn.secret];
  bearer = signedIn.token;
});
afterAll(() => service.close());

async function ask(): Promise<{ status: number; retryAfter: unknown; ms: number }> {
  const startedAt = performance.now();
  const { status, headers } = await harness.http.get("/2023-03-01/management/client", { basic });
  return { status, retryAfter: headers["retry-after"], ms: performance.now() - startedAt };
}

test("a Postgres that does not answer costs a few requests their time, and the next ones none", async () => {
  proxy.pause();
  const first = await Promise.all(Array.from({ length: 5 }, ask));
  for (const { status, retryAfter, ms } of first) {
    expect([status, retryAfter]).toEqual([503, "2"]);
    expect(ms).toBeLessThan(openedMs);
  }
  const before = proxy.accepted;
  const askedMs = 5_000;
  const replies = [];
  for (const startedAt = performance.now(); performance.now() - startedAt < askedMs;) {
    replies.push(...(await Promise.all([ask(), ask(), ask()])));
    await delay(20);
  }
  expect(replies.length).toBeGreaterThan(100);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
  const times = replies.map(({ ms }) => ms).toSorted((a, b) => a - b);
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(atOnceMs);
  // A standstill of the machine is not a wait for the database.
  expect(times.at(-1)).toBeLessThan(waitMs);
  // Who asks whether it is back is one at a time; the queue and the listener have clients of their own.
  expect(proxy.accepted - before).toBeLessThan(25);
});

test("what needs no database is served", async () => {
  const paths = ["/healthz", "/providers"];
  const replies = await Promise.all(paths.map((path) => harness.http.get(path)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
});

test("it is used again within seconds of its return", async () => {
  await proxy.restore();
  await expect
    .poll(async () => (await ask()).status, { timeout: closedMs, interval: 50 })
    .toBe(200);
  const introspected = await harness.http.get("/2023-03-01/management/introspect", { bearer });
  expect(introspected.status).toBe(200);
});

test("a Postgres that is gone is told in a few lines, which say where it was sought", async () => {
  harness.logLines.splice(0);
  await proxy.cut();
  for (let turn = 0; turn < 40; turn += 1) {
    expect((await ask()).status).toBe(503);
    await delay(100);
  }
  await proxy.restore();
  const lines = harness.logLines.filter((line) => /"level":(?:40|50)/.test(line));
  expect(lines.length).toBeLessThan(6);
});
