import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";
import { startWorker, type ServiceProcess } from "../support/service-process.ts";

const company = "/2023-03-01/xhr/company";
/** Enough to start, and too few for every queue that a worker listens to. */
const tooFew = 3;

let harness: Harness;
let worker: ServiceProcess;
let metricsUrl: string;
const account = `full_${randomUUID().replaceAll("-", "")}`;

beforeAll(async () => {
  harness = await createHarness({ clock: systemClock });
  const password = randomBytes(16).toString("hex");
  await harness.database.query(
    `create role ${account} login password '${password}' connection limit ${tooFew} in role rollcall`,
  );
  const url = new URL(harness.database.url);
  [url.username, url.password] = [account, password];
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}`;
  worker = await startWorker({
    ...harness.environment,
    DATABASE_URL: url.toString(),
    METRICS_PORT: String(metricsPort),
  });
});
afterAll(async () => {
  worker.kill("SIGKILL");
  await worker.exited;
  await harness.database.query(`alter role ${account} nologin`);
  await harness.close();
});

test("a worker for which the database has no connection left stays alive and asks with pauses", async () => {
  expect((await harness.http.get(company, { bearer: harness.sandboxToken })).status).toBe(202);
  const before = await cpuSeconds();
  await delay(3_000);
  expect((await cpuSeconds()) - before).toBeLessThan(2);
});

test("when there are connections again, it does what was asked for, without a restart", async () => {
  await harness.database.query(`alter role ${account} connection limit -1`);
  await expect
    .poll(async () => (await harness.http.get(company, { bearer: harness.sandboxToken })).status, {
      interval: 200,
    })
    .toBe(200);
});

test("and it ends with 0 when it is told to", async () => {
  expect(await worker.stop()).toEqual({ code: 0, signal: null });
});

/** Throws when the process does not answer any more. */
async function cpuSeconds(): Promise<number> {
  const metrics = await (
    await request(`${metricsUrl}/metrics`, { headersTimeout: 5_000 })
  ).body.text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}
