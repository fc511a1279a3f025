import { existsSync, readdirSync } from "node:fs";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/harness.ts";
import { makeStateDir } from "../support/program-environment.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { freePort } from "../support/redis-server.ts";
import {
  spawnService,
  startService,
  startWorker,
  type ServiceProcess,
} from "../support/service-process.ts";
import { untilTrue } from "../support/until-true.ts";

const employees = "/2023-03-01/xhr/employees";
const company = "/2023-03-01/xhr/company";

describe("api and worker as two processes on one database", () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof makeStateDir>>;
  let env: Record<string, string>;
  let bearer: string;
  let api: ServiceProcess;
  let worker: ServiceProcess | undefined;
  let metricsPort: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await makeStateDir();
    env = { ...testEnvironment(database.url), STATE_DIR: `${folder.stateDir}/unused` };
    bearer = env["SANDBOX_ACCESS_TOKEN"] ?? "";
    metricsPort = await freePort();
    api = await (await startService({ ...env, ROLE: "api" })).untilStarted();
  });
  afterAll(async () => {
    await Promise.all([api.stop(), worker?.stop()]);
    await database.drop();
    await folder.remove();
  });

  test("hosted, there is nothing in the state folder: no demo values, no keys, no Postgres", () => {
    expect(existsSync(env["STATE_DIR"] ?? "") ? readdirSync(env["STATE_DIR"] ?? "") : []).toEqual(
      [],
    );
  });

  test("without a worker the api answers 202, and identity all the same", async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        api.http.get(employees, { bearer, headers: { prefer: "wait=1" } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect((await api.http.get("/2023-03-01/xhr/identity", { bearer })).status).toBe(200);
  });

  test("a worker that comes later does the waiting work, once", async () => {
    worker = await startWorker({ ...env, METRICS_PORT: String(metricsPort) });
    const reply = await readWhenReady(api.http, employees, { bearer });
    expect(reply.status).toBe(200);
    expect(await database.query("select run, requests from reads")).toEqual([
      { run: 1, requests: 1 },
    ]);
  });

  test("a caller that waits hears of the worker's end from the other process", async () => {
    const reply = await api.http.get(company, { bearer, headers: { prefer: "wait=20" } });
    expect(reply.status).toBe(200);
  });

  test("the worker serves health and metrics on their own port and nothing else", async () => {
    const health = await request(`http://127.0.0.1:${metricsPort}/healthz`);
    expect([health.statusCode, await health.body.text()]).toEqual([200, '{"status":"ok"}']);
    // A caller hears of a read from its commit, and the worker counts it after that.
    await untilTrue("the worker has counted both reads", async () => {
      const { body } = await request(`http://127.0.0.1:${metricsPort}/metrics`);
      const stored = (await body.text())
        .split("\n")
        .filter((line) => line.startsWith("rollcall_reads_total{"))
        .filter((line) => line.includes('outcome="stored"'))
        .map((line) => /resource="([a-z]+)".* (\d+)$/.exec(line)?.slice(1).join(" "));
      return stored.join() === "employees 1,company 1";
    });
    await expect(request(`${worker?.baseUrl}/healthz`)).rejects.toThrow(/ECONNREFUSED/);
  });

  test("each ends with 0", async () => {
    expect(await worker?.stop()).toEqual({ code: 0, signal: null });
    expect(await api.stop()).toEqual({ code: 0, signal: null });
  });
});

test("a worker alone on an empty database starts, and four starts at once make the schema once", async () => {
  const database = await createTestDatabase();
  await database.query(
    "drop schema public cascade; create schema public; drop schema bullmq cascade",
  );
  const env = testEnvironment(database.url);
  const processes = await Promise.all(
    ["worker", "worker", "api", "all"].map((role) => spawnService({ ...env, ROLE: role })),
  );
  await Promise.all(processes.map((each) => each.untilStarted()));
  const exits = await Promise.all(processes.map((each) => each.stop()));
  for (const exit of exits) expect(exit).toEqual({ code: 0, signal: null });
  await database.drop();
});
