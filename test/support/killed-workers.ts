import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { createHarness, type Harness } from "./harness.ts";
import { listStores, recordStores } from "./record-stores.ts";
import { freePort } from "./redis-server.ts";
import { startWorker, type ServiceProcess } from "./service-process.ts";

interface Asked {
  bearer: string;
  path: string;
  query: Record<string, string>;
}

const connections = 15;
const wholeResources = ["company", "employees", "groups", "work-locations"];
/** As many ranges as a connection may have unsettled. */
const months = ["2025-09", "2025-10", "2025-11", "2025-12"];
/** Many times longer than the locks of a dead worker. */
const resolveLimitMs = 120_000;

/** Promises 8 and 9 on a small scale: workers are processes that are killed, on either queue. */
export function describeKilledWorkers(): void {
  describe("a worker that is killed with kill -9", () => {
    test.concurrent(
      "all 120 reads end in 200 and none is stored twice, although two workers were killed",
      async () => {
        const harness = await createHarness({ clock: systemClock });
        await recordStores((text) => harness.database.query(text));
        const workers: ServiceProcess[] = [];
        const startOne = async (): Promise<ServiceProcess> => {
          const worker = await startWorker({
            ...harness.environment,
            ADAPTER_PROCESSES: "2",
            WORKER_CONCURRENCY: "16",
          });
          workers.push(worker);
          return worker;
        };
        try {
          const asked = await askForAll(harness);
          for (const enough of [15, 45]) {
            const worker = await startOne();
            await until(async () => (await storesOf(harness)).length >= enough);
            worker.kill("SIGKILL");
            expect(await worker.exited).toEqual({ code: null, signal: "SIGKILL" });
            expect(await pendingOf(harness)).toBeGreaterThan(0);
            await expectAllAnswered(harness, asked, [200, 202]);
          }
          await startOne();
          await until(async () => (await pendingOf(harness)) === 0);
          await expectAllAnswered(harness, asked, [200]);
          const stores = await storesOf(harness);
          expect(stores).toHaveLength(asked.length);
          expect(new Set(stores).size).toBe(asked.length);
          expect(await harness.database.query("select distinct outcome from reads")).toEqual([
            { outcome: "stored" },
          ]);
        } finally {
          await Promise.all(workers.map((worker) => worker.stop()));
          await harness.close();
        }
      },
    );
  });
}

/** A lease is in Postgres, whatever wakes the workers. */
export function describeStoppedWorker(): void {
  test.concurrent(
    "the late results of a worker that was stopped for longer than its lease are refused",
    async () => {
      const harness = await createHarness({ clock: systemClock });
      await recordStores((text) => harness.database.query(text));
      const workers: ServiceProcess[] = [];
      const ports = [await freePort(), await freePort()];
      const startOne = async (): Promise<ServiceProcess> => {
        const worker = await startWorker({
          ...harness.environment,
          METRICS_PORT: String(ports[workers.length]),
        });
        workers.push(worker);
        return worker;
      };
      try {
        const asked = 8;
        const { client, secret } = await harness.createClient();
        const tokens = await Promise.all(
          Array.from(
            { length: asked },
            async () =>
              (await harness.connect({ client: { client, secret }, user: "user_slow" })).token,
          ),
        );
        for (const bearer of tokens)
          expect((await harness.http.get("/2023-03-01/xhr/company", { bearer })).status).toBe(202);
        const late = await startOne();
        await until(async () => (await runsOf(harness)).every((run) => run === 1));
        // The provider takes ten seconds, so all reads wait for it now.
        await delay(1_000);
        late.kill("SIGSTOP");
        await startOne();
        await until(async () => (await runsOf(harness)).every((run) => run >= 2));
        expect(await storesOf(harness)).toHaveLength(0);
        late.kill("SIGCONT");
        await until(async () => (await pendingOf(harness)) === 0);
        expect([...(await outcomesOf(ports[0])).keys()]).not.toContain("stored");
        expect((await outcomesOf(ports[1])).get("stored")).toBe(asked);
        await late.stop();
        expect(await storesOf(harness)).toHaveLength(asked);
      } finally {
        for (const worker of workers) worker.kill("SIGCONT");
        await Promise.all(workers.map((worker) => worker.stop()));
        await harness.close();
      }
    },
  );
}

async function askForAll(harness: Harness): Promise<Asked[]> {
  const client = await harness.createClient();
  const tokens: string[] = [];
  while (tokens.length < connections) tokens.push((await harness.connect({ client })).token);
  const asked = tokens.flatMap((bearer): Asked[] => [
    ...wholeResources.map((path) => ({ bearer, path, query: {} })),
    ...months.map((month) => ({
      bearer,
      path: "timesheets",
      query: { start_date: `${month}-01`, end_date: `${month}-28` },
    })),
  ]);
  await expectAllAnswered(harness, asked, [202]);
  return asked;
}

/**
 * Expects no error. Sends the requests in groups, because a busy machine would answer some with
 * 503.
 */
async function expectAllAnswered(
  harness: Harness,
  asked: readonly Asked[],
  statuses: readonly number[],
): Promise<void> {
  for (let from = 0; from < asked.length; from += asked.length / connections) {
    const some = asked.slice(from, from + asked.length / connections);
    const replies = await Promise.all(
      some.map(({ path, ...options }) => harness.http.get(`/2023-03-01/xhr/${path}`, options)),
    );
    for (const { status } of replies) expect(statuses).toContain(status);
  }
}

async function storesOf({ database }: Harness): Promise<string[]> {
  return await listStores((text) => database.query(text));
}

async function pendingOf({ database }: Harness): Promise<number> {
  return (await database.query("select 1 from reads where state = 'pending'")).length;
}

async function runsOf({ database }: Harness): Promise<number[]> {
  return (await database.query("select run from reads")).map(({ run }) => run as number);
}

/** The number of reads of this process by outcome. */
async function outcomesOf(port: number | undefined): Promise<Map<string, number>> {
  const text = await (await request(`http://127.0.0.1:${port}/metrics`)).body.text();
  const lines = text.matchAll(/^rollcall_reads_total\{[^}]*outcome="([a-z]+)"[^}]*\} (\d+)$/gm);
  return new Map([...lines].map(([, outcome, count]) => [outcome ?? "", Number(count)]));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isSo())) {
    if (performance.now() - startedAt > resolveLimitMs)
      throw new Error("the condition did not become true");
    await delay(20);
  }
}
