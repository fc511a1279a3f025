import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createClient } from "../support/command-line.ts";
import { codeBlocksOf, documents } from "../support/documents.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { testEnvironment } from "../support/harness.ts";
import { projectDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const { version } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8")) as {
  version: string;
};
const operations = join(projectDir, "examples/operations");
const { groups } = parse(readFileSync(join(operations, "alerts.yml"), "utf8")) as {
  groups: {
    rules: { alert: string; expr: string; annotations: { summary: string; runbook_url: string } }[];
  }[];
};
const alerts = groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(readFileSync(join(operations, "grafana-dashboard.json"), "utf8")) as {
  templating: { list: { name: string; definition?: string }[] };
  panels: { description?: string; targets: { expr: string }[] }[];
};

/** The exit code of what the image asks. */
async function checkHealth(env: Record<string, string>): Promise<number | null> {
  const child = spawn(join(projectDir, "bin/healthy"), {
    env: { PATH: process.env["PATH"], ...env },
  });
  const [code] = (await once(child, "close")) as [number | null];
  return code;
}

/** What an operator sees of a process: readiness, metrics, and the examples that are made of them. */
describe("a process of both roles", () => {
  let database: TestDatabase;
  let proxy: FlakyProxy;
  let service: ServiceProcess;
  let port: number;
  let client: { id: string; secret: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await FlakyProxy.before(inject("postgresUrl"));
    port = await freePort();
    const env = testEnvironment(proxy.through(database.url));
    service = await startService({ ...env, METRICS_PORT: String(port) });
    client = await createClient(env);
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
    await expect.poll(readiness).toMatchObject({ message: "The database takes no writes." });
    expect((await service.http.get("/readyz")).body).toEqual({
      status: "unavailable",
      message: "The database takes no writes.",
    });
    await setReadOnly("off");
    await expect.poll(readiness).toMatchObject({ status: "ok" });
  });

  test("is not ready while the database is away", async () => {
    await proxy.cut();
    await expect.poll(readiness).toMatchObject({ message: "The database is away." });
    await proxy.restore();
    await expect.poll(async () => (await ask("/readyz")).status).toBe(200);
  });

  test("the image's check of its health follows the readiness of its role", async () => {
    const ports = { PORT: new URL(service.baseUrl).port, METRICS_PORT: String(port) };
    expect(await checkHealth({ ...ports, ROLE: "api" })).toBe(0);
    expect(await checkHealth({ PORT: "9", METRICS_PORT: String(port), ROLE: "worker" })).toBe(0);
    expect(await checkHealth({ ...ports, PORT: "9", ROLE: "api" })).toBe(1);
  });

  test("says which version runs", async () => {
    const { text } = await ask("/metrics");
    const node = process.versions.node;
    expect(text).toContain(
      `rollcall_build_info{version="${version}",revision="",node="${node}"} 1`,
    );
    expect(text).toMatch(/^rollcall_polls_due \d+$/m);
    expect(readFileSync(join(projectDir, "Dockerfile"), "utf8")).toContain(
      `org.opencontainers.image.version="${version}"`,
    );
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
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d+(?:\.\d+)?(?:e-\d+)?$/m);
  });

  test("has every metric that the alerts, their runbooks and the dashboard name", async () => {
    const { text } = await ask("/metrics");
    const known = new Set([
      "up",
      ...[...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = "", type]) =>
        type === "histogram" ? [`${name}_count`, `${name}_bucket`] : [name],
      ),
    ]);
    const expressions = [
      ...alerts.map(({ expr }) => expr),
      ...documents
        .filter(({ path }) => path.startsWith("docs/runbooks/"))
        .flatMap(({ text: page }) => codeBlocksOf(page)),
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...dashboard.templating.list.flatMap(({ definition = "" }) => definition),
    ];
    const named = expressions.flatMap(
      (expression) => expression.match(/\b(?:rollcall|nodejs|process)_\w+|\bup\b/g) ?? [],
    );
    expect(new Set(named).size).toBeGreaterThan(12);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  test("counts by client, once it has proved who it is", async () => {
    const basic: [string, string] = [client.id, client.secret];
    const path = "/2023-03-01/management/client";
    expect((await service.http.get(path, { basic })).status).toBe(200);
    expect((await service.http.get(path, { basic: ["nobody", "x"] })).status).toBe(401);
    const { text } = await ask("/metrics");
    expect(text.match(/^rollcall_client_requests_total.*/gm)).toEqual([
      `rollcall_client_requests_total{client="${client.id}",status="200"} 1`,
    ]);
  });
});

test("each alert leads to its runbook, which says what to do, and each runbook is one of an alert", () => {
  const pages = documents.filter(({ path }) => path.startsWith("docs/runbooks/"));
  const slugs = alerts.map(({ alert }) =>
    alert
      .replace("Rollcall", "")
      .replaceAll(/(?!^)[A-Z]/g, (letter) => `-${letter}`)
      .toLowerCase(),
  );
  expect(alerts.map(({ annotations }) => annotations.runbook_url)).toEqual(
    slugs.map((slug) => `{{ $externalLabels.runbooks }}/${slug}`),
  );
  expect(pages.map(({ path }) => path).sort()).toEqual(
    slugs.map((slug) => `docs/runbooks/${slug}.md`).sort(),
  );
  for (const { text } of pages)
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      "What users notice",
      "Which client or provider",
      "What to do",
      "When to wait",
    ]);
});

test("the dashboard describes each panel, and has those of one client and one provider", () => {
  expect(dashboard.panels.filter(({ description = "" }) => description.length < 20)).toEqual([]);
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  for (const name of ["provider", "client"]) {
    expect(dashboard.templating.list.map((variable) => variable.name)).toContain(name);
    expect(
      expressions.filter((expr) => expr.includes(`${name}=~"$${name}"`)).length,
    ).toBeGreaterThan(3);
  }
});
