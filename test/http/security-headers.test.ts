import { request as ask } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServices } from "../../src/start/services.ts";
import { readConfig } from "../../src/config/index.ts";
import { MetricsServer } from "../../src/start/metrics-server.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { StartSteps } from "../../src/start/start-steps.ts";
import { createHarness, defaultLimits, type Harness } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";
import { rawRequest, sendRaw } from "../support/raw-http.ts";

const host = "Host: localhost\r\n";
const exchange = "/2023-03-01/management/token";
const json: [string, string][] = [["Content-Type", "application/json"]];
const long = "x".repeat(60_000);

const requests: [what: string, status: number, bytes: string][] = [
  ["data for everybody", 200, rawRequest("GET", "/providers")],
  ["a page", 200, rawRequest("GET", "/docs")],
  ["a page of the sign-in", 400, rawRequest("GET", "/connect")],
  ["a redirect", 308, rawRequest("GET", "/docs/")],
  ["health", 200, rawRequest("GET", "/healthz")],
  ["the description", 200, rawRequest("GET", "/openapi.json")],
  ["a missing credential", 401, rawRequest("GET", "/2023-03-01/xhr/company")],
  ["a wrong body", 400, rawRequest("POST", exchange, { headers: json, body: "{}" })],
  ["an unknown path", 404, rawRequest("GET", "/nothing")],
  ["another method", 405, rawRequest("PUT", "/providers")],
  ["CONNECT", 405, `CONNECT a.example:443 HTTP/1.1\r\n${host}\r\n`],
  [
    "a body that is too large",
    413,
    rawRequest("POST", exchange, { headers: json, body: long + long }),
  ],
  ["a URL that is too long", 414, rawRequest("GET", `/${long.slice(0, 41_000)}`)],
  ["headers that are too large", 431, rawRequest("GET", "/", { headers: [["X-A", long]] })],
  [
    "another type",
    415,
    rawRequest("POST", exchange, { headers: [["Content-Type", "image/png"]], body: "x" }),
  ],
  ["what is not HTTP", 400, "HELLO\r\n\r\n"],
  ["a path that cannot be decoded", 400, rawRequest("GET", "/%ff%")],
];

async function headersOf(baseUrl: string, bytes: string) {
  const { replies } = await sendRaw(baseUrl, bytes, { replies: 1 });
  const [reply] = replies;
  return [
    reply?.status,
    reply?.headers["x-content-type-options"],
    reply?.headers["strict-transport-security"],
  ];
}

describe("every reply", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());

  test.each(requests)("to %s says what browsers have to know", async (_what, status, bytes) => {
    expect(await headersOf(harness.baseUrl, bytes)).toEqual([
      status,
      "nosniff",
      "max-age=31536000",
    ]);
  });

  test("that refuses for now does so too", async () => {
    const limited = await createHarness({
      database: harness.database,
      env: { ...defaultLimits, MASTER_KEYS: harness.environment["MASTER_KEYS"] ?? "" },
    });
    for (let count = 0; count < 15; count += 1) await limited.http.get("/providers");
    const [status, ...headers] = await headersOf(limited.baseUrl, rawRequest("GET", "/providers"));
    await limited.close();
    expect([status, ...headers]).toEqual([429, "nosniff", "max-age=31536000"]);
  });

  test("of the metrics port does so too", async () => {
    const port = await freePort();
    const services = await buildServices(readConfig(harness.environment));
    const { config, log } = services;
    const patience = { awayMs: 0, silentMs: 0, busyMs: 0 };
    const steps = new StartSteps({ clock: systemClock, log }, patience);
    const server = new MetricsServer(config, { log, steps, listLateSchedules: () => [] });
    await server.listen({ host: "127.0.0.1", port });
    server.observe(services);
    for (const path of ["/metrics", "/healthz", "/nothing"]) {
      const { headers, body } = await ask(`http://127.0.0.1:${port}${path}`);
      await body.dump();
      expect([path, headers]).toEqual([
        path,
        expect.objectContaining({
          "x-content-type-options": "nosniff",
          "strict-transport-security": "max-age=31536000",
        }),
      ]);
    }
    await server.close();
    await services.dispose();
  });
});

test("without https no reply asks browsers to insist on it", async () => {
  const harness = await createHarness({ env: { PUBLIC_URL: "http://127.0.0.1:1" } });
  for (const [, status, bytes] of requests)
    expect(await headersOf(harness.baseUrl, bytes)).toEqual([status, "nosniff", undefined]);
  await harness.close();
});
