import { readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { testEnvironment } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const operations = join(projectDir, "examples/operations");

/** What an operator sees of a process: readiness, metrics, and the examples that are made of them. */
describe("a process of both roles", () => {
  let database: TestDatabase;
  let proxy: FlakyProxy;
  let service: ServiceProcess;
  let port: number;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await FlakyProxy.before(inject("postgresUrl"));
    port = await freePort();
    service = await startService({
      ...testEnvironment(proxy.through(database.url)),
      METRICS_PORT: String(port),
    });
  });
  afterAll(async () => {
    await proxy.restore();
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  const ask = async (path: string): Promise<{ status: number; text: string }> => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${path}`);
    return { status: statusCode, text: await body.text() };
  };
  const readiness = async (): Promise<unknown> => {
    const { status, text } = await ask("/readyz");
    return { status, ...(JSON.parse(text) as object) };
  };
  test("is ready on both ports while the database takes writes", async () => {
    expect(await ask("/readyz")).toEqual({ status: 200, text: '{"status":"ok"}' });
    expect((await service.http.get("/readyz")).status).toBe(200);
  });

  test("is not ready while the database takes none, and is again afterwards", async () => {
    const name = new URL(database.url).pathname.slice(1);
    const setReadOnly = async (value: string): Promise<void> => {
      await database.query(
        `begin read write; alter database ${name} set default_transaction_read_only = ${value}; commit`,
      );
      // Sessions keep what was set when they began.
      await proxy.cut();
      await proxy.restore();
    };
    await setReadOnly("on");
    await expect
      .poll(readiness, { timeout: 20_000 })
      .toMatchObject({ message: "The database takes no writes." });
    expect((await service.http.get("/readyz")).body).toEqual({
      status: "unavailable",
      message: "The database takes no writes.",
    });
    await setReadOnly("off");
    await expect.poll(readiness, { timeout: 20_000 }).toMatchObject({ status: "ok" });
  });

  test("is not ready while the database is away", async () => {
    await proxy.cut();
    await expect
      .poll(readiness, { timeout: 20_000 })
      .toMatchObject({ message: "The database is away." });
    await proxy.restore();
    await expect.poll(async () => (await ask("/readyz")).status, { timeout: 30_000 }).toBe(200);
  });

  test("counts requests by route and status, never by what callers write", async () => {
    await service.http.get("/healthz");
    await service.http.get("/nowhere/ann@acme.example");
    const { text } = await ask("/metrics");
    expect(text).toMatch(
      /^rollcall_http_request_seconds_count\{method="GET",route="\/healthz",status="200"\} [1-9]/m,
    );
    expect(text).not.toContain("ann@");
  });

  test("tells what is in each queue, and how its event loop does", async () => {
    const { text } = await ask("/metrics");
    for (const queue of ["read", "sign-in", "deliver"])
      for (const state of ["waiting", "active", "delayed"])
        expect(text).toMatch(
          new RegExp(`^rollcall_queue_jobs\\{queue="${queue}",state="${state}"\\} \\d+$`, "m"),
        );
    expect(text).toMatch(/^rollcall_queue_oldest_seconds\{queue="read"\} 0$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds 0\.\d+$/m);
  });

  test("has every metric that the alerts and the dashboard name", async () => {
    const { text } = await ask("/metrics");
    const known = new Set([
      "up",
      ...[...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = "", type]) =>
        type === "histogram" ? [`${name}_count`, `${name}_bucket`] : [name],
      ),
    ]);
    const rules = parse(readFileSync(join(operations, "alerts.yml"), "utf8")) as {
      groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
    };
    const dashboard = JSON.parse(
      readFileSync(join(operations, "grafana-dashboard.json"), "utf8"),
    ) as { panels: { targets: { expr: string }[] }[] };
    const expressions = [
      ...rules.groups.flatMap(({ rules: each }) => each.map(({ expr }) => expr)),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    const named = expressions.flatMap(
      (expression) => expression.match(/\b(?:rollcall|nodejs|process)_\w+|\bup\b/g) ?? [],
    );
    expect(new Set(named).size).toBeGreaterThan(12);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
