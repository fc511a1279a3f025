import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";

const employees = "/2023-03-01/xhr/employees";

describe("a hosted API that has asked itself before it was ready", () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let metricsPort: number;
  let bearer: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    metricsPort = await freePort();
    const limits = { RATE_LIMIT_GATED_IP_1M: "15", RATE_LIMIT_GATED_CLIENT_5M: "15" };
    const env = testEnvironment(database.url, { ...limits, ROLE: "api" });
    bearer = env["SANDBOX_ACCESS_TOKEN"] ?? "";
    const started = await startService({ ...env, METRICS_PORT: String(metricsPort) });
    service = await started.untilStarted();
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  test("says so once, and logs none of these requests", () => {
    const lines = service.output.split("\n").filter((line) => line.includes("warmed up"));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 30, requests: expect.any(Number), ms: expect.any(Number) }),
    ]);
    expect(service.output).not.toContain(employees);
  });

  test("counts none of them in its metrics", async () => {
    const { body } = await request(`http://127.0.0.1:${metricsPort}/metrics`);
    const text = await body.text();
    expect(text).toContain('route="/readyz"');
    expect(text).not.toContain(employees);
  });

  test("counts none of them in the windows of who asks from the same address", async () => {
    const { headers } = await service.http.get(employees, { bearer });
    expect(headers["ratelimit"]).toMatch(/"gated-1m";r=14;/);
  });
});
