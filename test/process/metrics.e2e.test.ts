import { request } from "undici";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { testEnvironment } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";
import { startWorker, type ServiceProcess } from "../support/service-process.ts";

const sample = /^rollcall_webhooks_oldest_undelivered_seconds 0$/m;
const dropped =
  /^rollcall_metrics_dropped_samples_total\{name="rollcall_webhooks_oldest_undelivered_seconds"\} (\d+)$/m;
/** Promised for a scrape, and a little for the machine of the test. */
const scrapeLimitMs = 2_000 + 1_000;

/** A scrape is answered while Postgres is away, in whichever way, and the process that is scraped lives on. */
describe("a scrape of /metrics", () => {
  let database: TestDatabase;
  let proxy: FlakyProxy;
  let worker: ServiceProcess;
  let port: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await FlakyProxy.before(inject("postgresUrl"));
    port = await freePort();
    worker = await startWorker({
      ...testEnvironment(proxy.through(database.url)),
      METRICS_PORT: String(port),
    });
  });
  afterAll(async () => {
    await proxy.restore();
    await worker.stop();
    await proxy.close();
    await database.drop();
  });

  async function scrape(): Promise<string> {
    const startedAt = performance.now();
    const reply = await request(`http://127.0.0.1:${port}/metrics`);
    const text = await reply.body.text();
    expect(reply.statusCode).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(scrapeLimitMs);
    return text;
  }

  test("has the sample while Postgres is there", async () => {
    expect(await scrape()).toMatch(sample);
  });

  test.each([
    ["is gone", () => proxy.cut()],
    ["is paused", async () => proxy.pause()],
  ])(
    "leaves the sample out and counts that while Postgres %s, and has it again afterwards",
    async (_how, takeAway) => {
      const before = Number(dropped.exec(await scrape())?.[1] ?? 0);
      await takeAway();
      expect(await scrape()).not.toMatch(sample);
      expect(Number(dropped.exec(await scrape())?.[1])).toBeGreaterThan(before);
      await proxy.restore();
      await expect.poll(scrape, { interval: 250 }).toMatch(sample);
      expect(worker.isRunning).toBe(true);
    },
  );

  test("is not kept waiting by others, nor are they by it", async () => {
    proxy.pause();
    await Promise.all([scrape(), scrape(), scrape()]);
    await proxy.restore();
    expect(worker.isRunning).toBe(true);
  });
});

/** 127.0.0.2 is an address of this machine that only who listens on all of them has. */
test.each([
  ["on loopback, whatever HOST is", {}, [200, "ECONNREFUSED"]],
  ["where METRICS_HOST says", { METRICS_HOST: "0.0.0.0" }, [200, 200]],
])("metrics are served %s", async (_where, env, answers) => {
  const database = await createTestDatabase();
  const port = await freePort();
  const worker = await startWorker({
    ...testEnvironment(database.url),
    HOST: "0.0.0.0",
    METRICS_PORT: String(port),
    ...env,
  });
  const ask = async (host: string): Promise<unknown> =>
    await request(`http://${host}:${port}/healthz`).then(
      ({ statusCode }) => statusCode,
      ({ code }: { code: string }) => code,
    );
  expect([await ask("127.0.0.1"), await ask("127.0.0.2")]).toEqual(answers);
  await worker.stop();
  await database.drop();
});

test("a failure that nothing handled is logged and ends the process in good order", async () => {
  const database = await createTestDatabase();
  const worker = await startWorker({
    ...testEnvironment(database.url),
    NODE_OPTIONS: `--import=${rejectOnUsr2}`,
  });
  worker.kill("SIGUSR2");
  expect(await worker.exited).toEqual({ code: 1, signal: null });
  const fatal = worker.output.split("\n").filter((line) => line.includes('"level":60'));
  expect(fatal).toHaveLength(1);
  expect(fatal[0]).toContain("an error that nothing handled");
  await database.drop();
});

/** Preloaded into the process: what a forgotten `await` comes to. */
const rejectOnUsr2 = `data:text/javascript,${encodeURIComponent('process.on("SIGUSR2", () => void Promise.reject(new RangeError("nobody waits for this")));')}`;
