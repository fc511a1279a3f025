import { request } from "undici";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { makeGatedChildren, type GatedChildren } from "../support/gated-children.ts";
import { testEnvironment } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";
import { Client } from "pg";
import { spawnService, type ServiceProcess } from "../support/service-process.ts";

let database: TestDatabase;
let proxy: FlakyProxy;
let children: GatedChildren;
let environment: Record<string, string>;
let service: ServiceProcess | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await FlakyProxy.before(inject("postgresUrl"));
  children = await makeGatedChildren();
  environment = testEnvironment(proxy.through(database.url));
});
afterEach(async () => {
  children.open();
  await proxy.restore();
  await service?.stop();
  await children.close();
  await proxy.close();
  await database.drop();
});

const step = "The start is not complete: it makes the shared connection of the sandbox.";

/** A service whose child process for the sign-in at the sandbox does not get ready. */
async function startSlowly(): Promise<ServiceProcess> {
  service = await spawnService({ ...environment, NODE_OPTIONS: children.nodeOptions });
  await children.reachedAt(service.baseUrl);
  return service;
}

async function ask({ baseUrl }: ServiceProcess, path: string) {
  const { statusCode, headers, body } = await request(baseUrl + path, {
    headers: { authorization: `Bearer ${environment["SANDBOX_ACCESS_TOKEN"]}` },
  });
  const text = await body.text();
  return { status: statusCode, retryAfter: headers["retry-after"], text };
}

/** A little less than a request is held for. */
const leastHoldMs = 2_900;

/** How many requests, one after the other, are refused before one is served. However slow the machine, each is held. */
async function countRefusals(of: ServiceProcess): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    const { status } = await ask(of, "/2023-03-01/xhr/identity");
    if (status === 200) return refused;
    expect(status).toBe(503);
  }
}

const readiness = async (of: ServiceProcess): Promise<string> => (await ask(of, "/readyz")).text;

test("a start that waits for a slow child process says so, holds requests briefly, and then serves", async () => {
  const slow = await startSlowly();
  expect(await ask(slow, "/healthz")).toMatchObject({ status: 200 });
  expect(await ask(slow, "/readyz")).toEqual({
    status: 503,
    retryAfter: "2",
    text: JSON.stringify({ status: "unavailable", message: step }),
  });
  expect(await ask(slow, "/2023-03-01/xhr/identity")).toEqual({
    status: 503,
    retryAfter: "2",
    text: JSON.stringify({ message: "The service starts. Please repeat the request later." }),
  });
  const heldSince = performance.now();
  const held = countRefusals(slow);
  children.open();
  const refused = await held;
  expect(refused * leastHoldMs).toBeLessThanOrEqual(performance.now() - heldSince);
  await slow.untilServing();
  expect(await slow.stop()).toEqual({ code: 0, signal: null });
});

test("a sign-in at the sandbox may take longer than the database leaves a transaction open", async () => {
  const slow = await startSlowly();
  // The server does so after ten seconds.
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );
  children.open();
  await slow.untilServing();
  expect(slow.isRunning).toBe(true);
});

test("a service whose database is not there yet says so, and holds requests briefly", async () => {
  await proxy.cut();
  service = await spawnService(environment);
  const whileAway = "The start is not complete: it reaches the database. The database is away.";
  const early = service;
  await expect.poll(() => readiness(early).catch(() => "")).toContain(whileAway);
  expect(await ask(early, "/readyz")).toMatchObject({ status: 503, retryAfter: "2" });
  expect(await ask(early, "/healthz")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  expect(await ask(early, "/2023-03-01/xhr/identity")).toEqual({
    status: 503,
    retryAfter: "2",
    text: JSON.stringify({ message: "The service starts. Please repeat the request later." }),
  });
  await proxy.restore();
  await early.untilServing();
  expect((await ask(early, "/2023-03-01/xhr/identity")).status).toBe(200);
  expect(await early.stop()).toEqual({ code: 0, signal: null });
});

test("a worker whose database is not there yet says so on its metrics port", async () => {
  await proxy.cut();
  const port = await freePort();
  service = await spawnService({ ...environment, ROLE: "worker", METRICS_PORT: String(port) });
  const askMetrics = async (path: string): Promise<string> =>
    await request(`http://127.0.0.1:${port}${path}`).then(
      ({ body }) => body.text(),
      () => "",
    );
  await expect
    .poll(() => askMetrics("/readyz"))
    .toContain("it reaches the database. The database is away.");
  expect(await askMetrics("/healthz")).toBe('{"status":"ok"}');
  await proxy.restore();
  await service.untilStarted();
  expect(await askMetrics("/metrics")).toContain("rollcall_database_clients");
});

test("a database that goes away while a service prepares is waited for", async () => {
  const slow = await startSlowly();
  await proxy.cut();
  children.open();
  const whileAway = `${step} The database is away.`;
  await expect.poll(() => readiness(slow)).toContain(whileAway);
  const said =
    "the start waits: it makes the shared connection of the sandbox. The database is away.";
  await expect.poll(() => slow.output).toContain(said);
  await proxy.restore();
  await slow.untilServing();
  expect((await ask(slow, "/2023-03-01/xhr/identity")).status).toBe(200);
});

test("a database that is too slow for a step is waited for, and called slow", async () => {
  const slow = await startSlowly();
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query("begin; lock table connections in access exclusive mode");
  children.open();
  const whileSlow = `${step} The database is too slow.`;
  await expect.poll(() => readiness(slow)).toContain(whileSlow);
  await other.query("rollback");
  await other.end();
  await slow.untilServing();
});

test("a stop ends a start that waits", async () => {
  const slow = await startSlowly();
  await proxy.cut();
  children.open();
  await expect.poll(() => readiness(slow)).toContain("is away");
  slow.kill("SIGTERM");
  expect(await slow.exited).toEqual({ code: 0, signal: null });
  expect(slow.output).not.toContain("could not start");
});
