import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { rollcall } from "../support/command-line.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";
import { startWorker, type ServiceProcess } from "../support/service-process.ts";

const company = "/2023-03-01/xhr/company";
const preload = join(import.meta.dirname, "../support/wrong-clock.ts");
const patience = { interval: 50 };

describe("a worker whose clock is 90 s ahead", () => {
  let harness: Harness;
  const workers: ServiceProcess[] = [];
  beforeAll(async () => {
    harness = await createHarness({ clock: systemClock });
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await harness.close();
  });

  async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
    const worker = await startWorker({ ...harness.environment, ...env });
    workers.push(worker);
    return worker;
  }

  const startWrong = (env: Record<string, string> = {}): Promise<ServiceProcess> =>
    start({
      ...env,
      NODE_OPTIONS: `--import ${JSON.stringify(preload)}`,
      CLOCK_AHEAD_SECONDS: "90",
    });

  const findingsOf = async (): Promise<object[]> =>
    (await rollcall(["doctor", "--json"], harness.environment)).json();

  const runsOf = async (): Promise<unknown> =>
    (await harness.database.query("select run from reads"))[0]?.["run"];

  test("is followed by another one within a lease, when it is killed in the middle of a read", async () => {
    // Its provider takes ten seconds.
    const { token: bearer } = await harness.connect({ user: "user_slow" });
    const ask = async () => (await harness.http.get(company, { bearer })).status;
    expect(await ask()).toBe(202);
    const killed = await startWrong();
    await expect.poll(runsOf, patience).toBe(1);
    killed.kill("SIGKILL");
    await killed.exited;
    expect(
      await harness.database.query(
        "select lease_until <= now() + interval '10 seconds' as ends from reads",
      ),
    ).toEqual([{ ends: true }]);
    await start();
    await expect.poll(ask, patience).toBe(200);
    expect(await runsOf()).toBe(2);
  });

  test("says so in its log, in its metrics and in the doctor", async () => {
    const port = await freePort();
    const worker = await startWrong({ METRICS_PORT: String(port) });
    expect(worker.output).toMatch(
      /"seconds":(?:89|90)(?:\.\d)?,"msg":"the clock of this process is (?:89|90)\.\d s ahead of the database's/,
    );
    const processId = /"processId":"([0-9a-f-]{36})","msg":"started"/.exec(worker.output)?.[1];
    const scraped = await (await request(`http://127.0.0.1:${port}/metrics`)).body.text();
    const offset = /^rollcall_clock_offset_seconds (.*)$/m.exec(scraped)?.[1];
    expect(Math.abs(Number(offset) - 90)).toBeLessThan(1);
    await expect.poll(findingsOf, patience).toContainEqual({
      check: "process clock",
      result: "warning",
      found: expect.stringMatching(
        new RegExp(
          `^the clock of process ${processId} \\(worker, started .*\\) is (?:89|90)\\.\\d s ahead of the database's$`,
        ),
      ),
      advice: expect.any(String),
    });
    const { processes } = (await rollcall(["status", "--json"], harness.environment)).json();
    expect(processes).toContainEqual(expect.objectContaining({ id: processId, role: "worker" }));
  });
});
