import { readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, createConnectionArgs, rollcall } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { exchangeBody, redirectUri, testEnvironment } from "../support/harness.ts";
import { isAlive } from "../support/processes.ts";
import { projectDir } from "../support/program-environment.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { freePort } from "../support/redis-server.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const employees = "/2023-03-01/xhr/employees";
const heapMb = 64;
let database: TestDatabase;
let service: ServiceProcess;
let env: Record<string, string>;
let client: { id: string; secret: string };

beforeAll(async () => {
  database = await createTestDatabase();
  env = {
    ...testEnvironment(database.url),
    PROVIDERS: join(projectDir, "test/support/faulty-provider.ts"),
    ADAPTER_PROCESSES: "1",
    ADAPTER_HEAP_MB: String(heapMb),
    METRICS_PORT: String(await freePort()),
  };
  client = await createClient(env, { name: "Faulty", redirectUri });
  service = await (await startService(env)).untilStarted();
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** A connection whose reads do what the user name says. */
async function connect(username: string): Promise<string> {
  const args = createConnectionArgs(client.id, { provider: "faulty" });
  const { code } = (
    await rollcall([...args, "--fields-file", "-", "--json"], env, {
      input: `username=${username}`,
    })
  ).json<{ code: string }>();
  const json = exchangeBody({
    client: { clientId: client.id } as never,
    secret: client.secret,
    code,
  });
  const reply = await service.http.post("/2023-03-01/management/token", { json });
  return (reply.body as { access_token: string }).access_token;
}

async function metricsOf(name: string): Promise<string[]> {
  const { body } = await request(`http://127.0.0.1:${env["METRICS_PORT"]}/metrics`);
  return (await body.text()).split("\n").filter((line) => line.startsWith(name));
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1");
  return text.split(" ").filter(Boolean).map(Number);
}

test("20 MB of braces end their own read, and neither the service nor the neighbour's read", async () => {
  const [bad, good] = [await connect("braces"), await connect("slow")];
  const [failed, read] = await Promise.all([
    readWhenReady(service.http, employees, { bearer: bad }),
    readWhenReady(service.http, employees, { bearer: good }),
  ]);
  expect(failed.status).toBe(500);
  expect(read.status).toBe(200);
  expect(read.body).toHaveLength(50);

  const rows = await database.query(
    "select outcome, run, deaths from reads where resource = 'employees' order by outcome",
  );
  expect(rows).toMatchObject([{ outcome: "broken", run: 3, deaths: 2 }, { outcome: "stored" }]);
  expect(rows[1]?.["run"], "the neighbour shared a process that was ended").toBeGreaterThan(1);
  expect(
    await database.query("select action, detail from audit_entries where detail <> '{}'"),
  ).toEqual(
    expect.arrayContaining([{ action: "read.ended-processes", detail: { resource: "employees" } }]),
  );
  expect(service.output).toContain("an adapter process ended; the next call starts another one");
  expect(service.output).toContain("FATAL ERROR: Reached heap limit");
  expect(await metricsOf("rollcall_adapter_processes_ended_total{")).toEqual([
    'rollcall_adapter_processes_ended_total{reason="heap"} 3',
  ]);
  expect(service.isRunning).toBe(true);
});

test("a busy child process ends with the service, even when that is killed", async () => {
  const bearer = await connect("loop");
  const before = childrenOf(service.pid);
  expect((await service.http.get(employees, { bearer })).status).toBe(202);
  const isBusy = (): boolean => service.output.includes('"purpose":"reads"');
  await expect.poll(isBusy).toBe(true);
  await expect
    .poll(() => database.query("select pages from reads where state = 'pending'"), {
      interval: 50,
    })
    .toEqual([{ pages: 1 }]);
  const children = [...new Set([...before, ...childrenOf(service.pid)])].filter(isAlive);
  expect(children.length).toBeGreaterThan(0);
  service.kill("SIGKILL");
  await service.exited;
  await expect.poll(() => children.filter(isAlive), { interval: 20 }).toEqual([]);
});
