import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpApp } from "../src/platform/http/index.ts";
import { createLog } from "../src/platform/log.ts";
import {
  describeCurrentSpan,
  noTracing,
  openTracing,
  withSpan,
  type TracingSettings,
} from "../src/platform/tracing/index.ts";
import { providerPackages } from "../src/providers/index.ts";
import { VendorRequests } from "../src/reading/child/vendor-requests.ts";
import { createTestDatabase } from "./support/database.ts";
import { createHarness, type Harness } from "./support/harness.ts";
import { MarkerScan } from "./support/marker-scan.ts";
import { mark } from "./support/markers.ts";
import type { TracedSpan } from "./support/otlp-decoder.ts";
import { projectDir } from "./support/program-environment.ts";
import { Receiver } from "./support/receiver.ts";
import {
  formatTrace,
  startTraceCollector,
  type TraceCollector,
} from "./support/trace-collector.ts";
import { runWebhookJobs } from "./support/webhook-harness.ts";

const lines: string[] = [];
const logLines = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const log = createLog({
  level: "debug",
  destination: { write: (line: string) => void lines.push(line) },
  mixin: describeCurrentSpan,
});
let collector: TraceCollector;

function settingsOf(changed: Partial<TracingSettings> = {}): TracingSettings {
  return {
    url: `${collector.endpoint}/v1/traces`,
    headers: { "x-key": "collector key" },
    sampler: "parentbased_always_on",
    ratio: 1,
    resource: { "service.name": "rollcall" },
    ...changed,
  };
}

beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.close());
/** What belongs to the newest request for the employees, as one trace. */
const newestTrace = (): TracedSpan[] => {
  const request = collector.spans.findLast(({ name }) => name.endsWith("/xhr/employees"));
  return collector.spans.filter(({ traceId }) => traceId === request?.traceId);
};

function attributesOf(spans: readonly TracedSpan[], wanted: string): object | undefined {
  return spans.find(({ name }) => name === wanted)?.attributes;
}

/** What the log lines of a trace say. */
function linesOf(traceId: string | undefined): unknown[] {
  return logLines()
    .filter((line) => line["trace_id"] === traceId)
    .map(({ msg, route }) => msg ?? route);
}

function parentOf(id: string | undefined): string | undefined {
  return collector.spans.find(({ traceId }) => traceId === id)?.parentSpanId;
}

function spanIdOf({ traceparent }: { traceparent: string | null }): string | undefined {
  return traceparent?.split("-")[2];
}

const toErrorReply = () => ({ status: 500, headers: {}, body: {} });

/** What a handler is in that is called with this header, and a body that comes in pieces. */
async function tracesOf(trustsTraceparent: boolean, traceparents: readonly string[]) {
  const tracing = await openTracing(settingsOf());
  const options = {
    log,
    trustProxy: [],
    isSecure: false,
    toErrorReply,
    onReply: () => undefined,
  };
  const app = await createHttpApp({ ...options, tracing, trustsTraceparent });
  app.post("/thing", async () => describeCurrentSpan());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const ask = async (traceparent: string): Promise<string | undefined> => {
    const body = Readable.from(["{", delay(20).then(() => "}")]);
    const headers = { traceparent, "content-type": "application/json" };
    const reply = await request(`${url}/thing`, { method: "POST", headers, body, reset: true });
    return ((await reply.body.json()) as { trace_id?: string }).trace_id;
  };
  const ids = await Promise.all(traceparents.map(ask));
  await app.close();
  await tracing.stop();
  return ids.map((id) => ({ id, parent: parentOf(id) }));
}
const complaints = () =>
  logLines().filter(({ msg }) => String(msg).startsWith("the collector of traces"));

async function openToCollector() {
  lines.length = 0;
  const tracing = await openTracing(settingsOf());
  tracing.complainTo(log);
  const makeSpans = (count: number) => {
    for (let made = 0; made < count; made += 1) tracing.begin({ name: "of the crowd" }, null).end();
  };
  return { tracing, makeSpans };
}
const crowd = () => collector.spans.filter(({ name }) => name === "of the crowd").length;

describe("a cold request, and a change that is delivered", () => {
  const vendor = { people: [{ id: "1", name: mark("name") }], headers: [] as object[] };
  let harness: Harness;
  let receiver: Receiver;
  let connectionId: string;
  let tokenId: string;
  let clientId: string;
  let cold: TracedSpan[];
  let changed: TracedSpan[];
  const credentials: string[] = [];
  const lookedUp = ["admission", "look-up of a snapshot", "  request of a read", "    enqueue"];
  const ofRead = [
    "    read",
    "      adapter process",
    "        GET",
    "      storing of a snapshot",
  ];

  beforeAll(async () => {
    const server = createServer((request, response) => {
      vendor.headers.push(request.headers);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(vendor.people));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    receiver = await Receiver.start();
    const tracing = await openTracing(settingsOf());
    const database = await createTestDatabase();
    harness = await createHarness({
      database,
      hasChildren: true,
      tracing,
      log,
      env: {
        PROVIDERS: `${projectDir}/test/support/roster-provider.ts`,
        ADAPTER_PROCESSES: "1",
      },
    });
    const { services, http, clock } = harness;
    harness.beforeClose(async () => {
      server.closeAllConnections();
      server.close();
      await receiver.close();
    });
    const { port } = server.address() as AddressInfo;
    const formValues = { url: `http://127.0.0.1:${port}`, password: mark("password") };
    const connected = await harness.connect({ provider: "roster", formValues });
    const { token: bearer, client } = connected;
    ({ tokenId } = connected);
    ({ clientId } = client);
    credentials.push(bearer, connected.secret, connected.code);
    const [row] = await database.query("select id from connections where token_id = $1", [tokenId]);
    connectionId = String(row?.["id"]);
    const path = "/2023-03-01/xhr/employees";

    await http.get(path, { bearer, query: { note: mark("query-of-caller") } });
    await harness.drain();
    await tracing.flush();
    cold = newestTrace();

    const current = await services.clients.find(clientId);
    if (current) await services.clients.update(current, { webhookUri: receiver.url });
    await services.webhooks.schedulePolls();
    await runWebhookJobs(services);
    vendor.people = [{ id: "1", name: mark("new-name") }];
    clock.advance(3_600);
    await services.webhooks.schedulePolls();
    await http.get(path, { bearer, headers: { "cache-control": "no-cache" } });
    await runWebhookJobs(services);
    await tracing.stop();
    changed = newestTrace();
  }, 120_000);
  afterAll(() => harness.close());

  test("is one trace with all its spans, from the request over the job and its process to the provider", () => {
    expect(formatTrace(cold).split("\n")).toEqual([
      "GET /2023-03-01/xhr/employees",
      ...[...lookedUp, ...ofRead, "      notice"].map((line) => `  ${line}`),
    ]);
  });

  test("goes on to the delivery of what has changed", () => {
    expect(formatTrace(changed).split("\n")).toEqual([
      "GET /2023-03-01/xhr/employees",
      // It joins the poll, which has enqueued the read.
      ...lookedUp.slice(0, 3).map((line) => `  ${line}`),
      ...ofRead.map((line) => `  ${line}`),
      "        notice",
      "          enqueue",
      "          delivery",
      "            POST",
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test("tells ids, states and counts", () => {
    const ids = { "rollcall.connection_id": connectionId, "rollcall.client_id": clientId };
    expect(attributesOf(changed, "GET /2023-03-01/xhr/employees")).toEqual({
      "http.request.method": "GET",
      "http.route": "/2023-03-01/xhr/employees",
      "http.response.status_code": 202,
      "rollcall.request_id": expect.any(String),
      "rollcall.client_id": clientId,
      "rollcall.token_id": tokenId,
    });
    expect(attributesOf(changed, "read")).toEqual({
      ...ids,
      "rollcall.read_id": expect.any(String),
      "rollcall.provider": "roster",
      "rollcall.resource": "employees",
      "rollcall.run": 2,
      "rollcall.waited_ms": expect.any(Number),
      "rollcall.outcome": "stored",
    });
    // The address is one that somebody typed.
    expect(attributesOf(changed, "GET")).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "rollcall.provider": "roster",
    });
    expect(attributesOf(changed, "delivery")).toEqual({
      ...ids,
      "rollcall.delivery_id": receiver.last.id,
      "rollcall.attempt": 1,
      "rollcall.outcome": "delivered",
    });
    expect(attributesOf(changed, "POST")).toEqual({
      "http.request.method": "POST",
      "http.response.status_code": 204,
      "rollcall.reason": "ok",
    });
  });

  test("tells nothing else: no byte that the collector got is of a value, a credential or an address", () => {
    const scan = new MarkerScan(credentials);
    const bytes = Buffer.concat(collector.requests.map(({ body }) => body));
    scan.scan("traces", bytes);
    expect([...scan.found]).toEqual([]);
    expect(bytes.includes("127.0.0.1")).toBe(false);
    expect(bytes.includes("localhost")).toBe(false);
  });

  test("is told to the collector alone", () => {
    expect(collector.faults).toEqual([]);
    const { headers } = collector.requests[0]!;
    expect(headers["x-key"]).toBe("collector key");
    expect(collector.requests.map(({ path }) => path)).toContain("POST /v1/traces");
    expect(vendor.headers.length).toBeGreaterThan(0);
    for (const sent of [...vendor.headers, receiver.last.headers])
      expect(sent).not.toHaveProperty("traceparent");
  });

  test("is named by each log line of it, in the API, in the worker, and of the provider's process", () => {
    expect(linesOf(cold[0]?.traceId)).toEqual(
      expect.arrayContaining(["/2023-03-01/xhr/employees", "the roster is asked"]),
    );
    expect(linesOf(changed[0]?.traceId)).toEqual(
      expect.arrayContaining([
        "/2023-03-01/xhr/employees",
        "the roster is asked",
        "a poll has ended",
        "a webhook was attempted",
      ]),
    );
    expect(linesOf(undefined)).not.toContain("the roster is asked");
  });
});

test("the name of a host is told where it is the vendor's own, and nothing that a package makes up", async () => {
  const registry = await providerPackages.register();
  const names = registry.list().map(({ name }) => name);
  const typed = names.filter(
    (name) => registry.findMode(name, "xhr") && !registry.hasFixedHost(name, "xhr"),
  );
  expect(typed.toSorted()).toEqual(["bamboohr", "frappe-hr", "odoo", "sage-hr"]);

  const tracing = await openTracing(settingsOf());
  const call = tracing.begin({ name: "call of the test" }, null);
  const asked = {
    method: "GET",
    host: "api.vendor.example",
    status: 200,
    startedMs: 1,
    endedMs: 2,
  };
  new VendorRequests(call, { provider: "a", isHostTold: true }).tell(asked);
  const invented = { method: mark("method"), host: mark("host"), failure: mark("failure") };
  const ofPackage = new VendorRequests(call, { provider: "b", isHostTold: false });
  ofPackage.tell({ ...asked, ...invented, status: mark("status") as never });
  call.end();
  await tracing.stop();
  const told = collector.spans.filter(({ parentSpanId }) => parentSpanId === spanIdOf(call));
  expect(told.map(({ name, attributes, isError }) => ({ name, attributes, isError }))).toEqual([
    {
      name: "GET",
      attributes: {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "server.address": "api.vendor.example",
        "rollcall.provider": "a",
      },
      isError: false,
    },
    {
      name: "_OTHER",
      attributes: {
        "http.request.method": "_OTHER",
        "rollcall.provider": "b",
        "error.type": "Error",
      },
      isError: true,
    },
  ]);
});

describe("the trace of a caller", () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const given = `00-${traceId}-00f067aa0ba902b7-01`;

  const own = { id: expect.stringMatching(/^[0-9a-f]{32}$/), parent: undefined };

  test("ends at the service, because strangers choose its id", async () => {
    const [found] = await tracesOf(false, [given]);
    expect(found).toEqual(own);
    expect(found?.id).not.toBe(traceId);
  });

  test("goes on where the operator trusts callers, unless it is of another form", async () => {
    const wrong = [`${given}-x`, given.replace(traceId, "0".repeat(32)), mark("trace")];
    expect(await tracesOf(true, [given, ...wrong])).toEqual([
      { id: traceId, parent: "00f067aa0ba902b7" },
      ...wrong.map(() => own),
    ]);
  });
});

test.each([
  ["always_on", 0, [true, true]],
  ["always_off", 1, [false, false]],
  ["traceidratio", 0, [false, false]],
  ["traceidratio", 1, [true, true]],
  ["parentbased_always_on", 0, [true, false]],
  ["parentbased_always_off", 1, [false, false]],
  ["parentbased_traceidratio", 1, [true, false]],
  ["parentbased_traceidratio", 0, [false, false]],
] as const)(
  "the sampler %s with %d keeps a new trace, and one that its parent does not keep, as %o",
  async (sampler, ratio, kept) => {
    const tracing = await openTracing(settingsOf({ sampler, ratio }));
    const parents = [null, `00-${"1".repeat(32)}-${"2".repeat(16)}-00`];
    const spans = parents.map((parent) => tracing.begin({ name: "sampled" }, parent));
    for (const span of spans) span.end();
    await tracing.stop();
    const told = new Set(collector.spans.map(({ spanId }) => spanId));
    expect(spans.map((span) => told.has(spanIdOf(span) ?? ""))).toEqual(kept);
    expect(spans.map(({ traceparent }) => traceparent?.endsWith("-01"))).toEqual(kept);
  },
);

describe("a collector that is away", () => {
  test("is told once however often it refuses, and what it answers stands in no line", async () => {
    const { tracing, makeSpans } = await openToCollector();
    collector.answer(400);
    for (const _round of [1, 2, 3]) {
      makeSpans(10);
      await expect(tracing.flush()).rejects.toBeDefined();
    }
    collector.answer(200);
    makeSpans(1);
    await tracing.stop();
    expect(complaints()).toEqual([
      expect.objectContaining({
        level: 40,
        msg: "the collector of traces is away; it is tried again until it is back",
      }),
      expect.objectContaining({ level: 30, msg: "the collector of traces is back" }),
    ]);
    expect(complaints().every((line) => !("trace_id" in line))).toBe(true);
  });

  test("holds up nobody, and no more spans than fit into the queue", async () => {
    const { tracing, makeSpans } = await openToCollector();
    const before = crowd();
    const answerAll = collector.fallSilent();
    makeSpans(20_000);
    // The end of the process gives up, too.
    await tracing.stop();
    expect(crowd() - before).toBeLessThan(3_000);
    expect(complaints()).toHaveLength(1);
    answerAll();
  });
});

test("without a collector nothing is begun", async () => {
  const tracing = await openTracing(undefined);
  expect(tracing.isOn).toBe(false);
  expect(noTracing.begin({ name: "any" }, null).traceparent).toBeNull();
  const inside = withSpan({ name: "any" }, async (span) => [
    span.traceparent,
    describeCurrentSpan(),
  ]);
  expect(await inside).toEqual([null, {}]);
});
