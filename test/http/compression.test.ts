import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataEndpointCases, january, locate } from "../support/data-endpoints.ts";
import { describedOperations } from "../support/described-operations.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import type { HttpClient, Reply } from "../support/http-client.ts";
import { rawRequest, sendRaw } from "../support/raw-http.ts";

type Options = NonNullable<Parameters<HttpClient["request"]>[2]>;

/** A request that is answered with the same bytes each time. */
interface Situation {
  name: string;
  status: number;
  method: string;
  path: string;
  options: Options;
}

const base = "/2023-03-01";
const stored = `${base}/xhr/employees`;
const elsewhere = "198.51.100.77";

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

let harness: Harness;
let token: string;
let situations: Situation[];

beforeAll(async () => {
  harness = await createHarness({ env: { RATE_LIMIT_OPEN_1M: "300", TRUST_PROXY: "127.0.0.1" } });
  token = (await harness.connect()).token;
  situations = [
    ...(await dataSituations()),
    ...(await managementSituations()),
    ...refusalSituations(),
    ...(await providerRefusals()),
  ];
  await fetchStored();
  for (let sent = 0; sent < 300; sent += 1)
    await harness.http.get("/providers", { headers: { "x-forwarded-for": elsewhere } });
});
afterAll(() => harness.close());

const get = (name: string, status: number, path: string, options: Options = {}): Situation => ({
  name,
  status,
  method: "GET",
  path,
  options,
});
const post = (name: string, status: number, path: string, options: Options = {}): Situation => ({
  name,
  status,
  method: "POST",
  path,
  options,
});

/** Every data endpoint with data, and before it has any. */
async function dataSituations(): Promise<Situation[]> {
  const ready: Situation[] = [];
  const bearerOf = { xhr: token, official: (await harness.connect({ mode: "official" })).token };
  const located = [];
  for (const endpoint of dataEndpointCases)
    located.push({ endpoint, at: await locate(harness, bearerOf[endpoint.mode], endpoint) });
  for (const { endpoint, at } of located) {
    const options = { bearer: bearerOf[endpoint.mode], query: at.query };
    await harness.http.get(at.url, options);
    ready.push(get(endpoint.scope, 200, at.url, options));
  }
  await harness.drain();
  // The pay runs are there; then their payslips are read.
  for (let looks = 0; looks < 4; looks += 1) {
    await harness.http.get(`${base}/xhr/payslips`, { bearer: token, query: january });
    await harness.drain();
  }
  const modes = ["xhr", "official"] as const;
  const identities = modes.map((mode) =>
    get(`${mode} identity`, 200, `${base}/${mode}/identity`, { bearer: bearerOf[mode] }),
  );
  const active = get("employees of a status", 200, stored, {
    bearer: token,
    query: { employment_status: "active" },
  });
  const slips = get("payslips of a range", 200, `${base}/xhr/payslips`, {
    bearer: token,
    query: january,
  });
  const nobody = get("a pending fetch", 202, `${base}/xhr/timesheets`, {
    bearer: token,
    query: { start_date: "2021-01-01", end_date: "2021-01-02" },
  });
  return [...ready, ...identities, active, slips, nobody];
}

async function managementSituations(): Promise<Situation[]> {
  const { client, secret } = await harness.createClient();
  const basic: [string, string] = [client.clientId, secret];
  const gone = await harness.connect();
  await harness.http.post(`${base}/management/disconnect`, { bearer: gone.token });
  const live = await harness.connect();
  const redeemed = await signIn(harness.services);
  await harness.http.post(`${base}/management/token`, { json: exchangeBody(redeemed) });
  return [
    get("providers", 200, "/providers"),
    get("health", 200, "/healthz"),
    get("readiness", 200, "/readyz"),
    get("the description", 200, "/openapi.json"),
    get("the documentation", 200, "/docs"),
    get("a page of the reference", 200, "/docs/reference/list-employees"),
    get("the client", 200, `${base}/management/client`, { basic }),
    post("a change of the client that changes nothing", 200, `${base}/management/client`, {
      basic,
      json: { name: client.name },
    }),
    get("tokens", 200, `${base}/management/tokens`, { basic }),
    get("problems", 200, `${base}/management/problems`, { basic }),
    get("no tokens", 200, `${base}/management/tokens`, {
      basic: [redeemed.client.clientId, redeemed.secret],
    }),
    ...["", "/export"].map((part) =>
      get(`a token${part}`, 200, `${base}/management/tokens/${live.tokenId}${part}`, {
        basic: [live.client.clientId, live.secret],
      }),
    ),
    get("a receipt", 200, `${base}/management/tokens/${gone.tokenId}/receipt`, {
      basic: [gone.client.clientId, gone.secret],
    }),
    get("events", 200, `${base}/management/events`, { basic }),
    get("introspection", 200, `${base}/management/introspect`, { bearer: token }),
    post("a second disconnect", 200, `${base}/management/disconnect`, { bearer: gone.token }),
    post("a redeemed code", 409, `${base}/management/token`, { json: exchangeBody(redeemed) }),
    post("an unknown code", 404, `${base}/management/token`, {
      json: { ...exchangeBody(redeemed), code: "unknown" },
    }),
    get("a token that is disconnected", 403, stored, { bearer: gone.token }),
  ];
}

function refusalSituations(): Situation[] {
  const malformed = { headers: { "content-type": "application/json" }, body: "{" };
  const tokenUrl = `${base}/management/token`;
  return [
    get("an unknown route", 404, "/nope"),
    get("a wrong method", 405, tokenUrl),
    { ...get("a rare method", 405, "/providers"), method: "PROPFIND" },
    post("malformed JSON", 400, tokenUrl, malformed),
    get("a wrong date", 400, `${base}/xhr/payruns`, {
      bearer: token,
      query: { start_date: "x", end_date: "2026-01-01" },
    }),
    get("a wrong percent-encoding", 400, "/%zz"),
    get("no credential", 401, stored),
    get("no client credential", 401, `${base}/management/client`),
    get("introspection of nothing", 400, `${base}/management/introspect`),
    get("introspection of an unknown token", 404, `${base}/management/introspect`, {
      bearer: "unknown",
    }),
    post("disconnecting nothing", 403, `${base}/management/disconnect`),
    get("an unknown payrun", 404, `${base}/xhr/payruns/unknown`, { bearer: token }),
    post("a body that is too large", 413, tokenUrl, {
      headers: { "content-type": "application/json" },
      body: "x".repeat(100_000),
    }),
    get("an address that is too long", 414, `/${"a".repeat(45_000)}`),
    post("another content type", 415, tokenUrl, {
      headers: { "content-type": "text/plain" },
      body: "x",
    }),
    get("too many requests", 429, "/providers", { headers: { "x-forwarded-for": elsewhere } }),
  ];
}

async function providerRefusals(): Promise<Situation[]> {
  const url = `${base}/xhr/company`;
  const expired = await harness.connect({ user: "user_expired" });
  const noPayroll = await harness.connect({ user: "user_no_payroll" });
  const down = await harness.connect({ user: "user_down" });
  for (const { token: bearer } of [expired, down]) await harness.http.get(url, { bearer });
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await harness.drain({ includeDelayed: true });
  }
  return [
    get("the provider's 401", 401, url, { bearer: expired.token }),
    get("the provider's 503", 503, url, { bearer: down.token }),
    get("the provider's 501", 501, `${base}/xhr/payruns`, {
      bearer: noPayroll.token,
      query: { start_date: "2026-01-01", end_date: "2026-01-31" },
    }),
  ];
}

async function fetchStored(): Promise<void> {
  await harness.http.get(stored, { bearer: token });
  await harness.drain();
}

function send({ method, path, options }: Situation, acceptEncoding?: string): Promise<Reply> {
  const headers = {
    ...options.headers,
    ...(acceptEncoding !== undefined && { "accept-encoding": acceptEncoding }),
  };
  return harness.http.request(method, path, { ...options, headers });
}

function decode({ headers, bytes }: Reply): Buffer {
  const encoding = headers["content-encoding"];
  return encoding === undefined ? bytes : (decoders[String(encoding)]?.(bytes) ?? bytes);
}

const isCovered = (template: string, method: string): boolean =>
  situations.some(
    (situation) =>
      situation.method === method &&
      situation.status === 200 &&
      new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(situation.path),
  );

describe("every endpoint and every refusal", () => {
  test.each(["br", "gzip", "deflate"])(
    "comes in %s when asked for it, with the same bytes inside",
    async (encoding) => {
      const flaws: string[] = [];
      for (const situation of situations) {
        const [plain, compressed] = [await send(situation), await send(situation, encoding)];
        const found = `${situation.name}: ${compressed.status} in ${String(compressed.headers["content-encoding"])}`;
        const expected = `${situation.name}: ${situation.status} in ${encoding}`;
        if (found !== expected) flaws.push(`${found}, not ${situation.status} in ${encoding}`);
        else if (!decode(compressed).equals(decode(plain)))
          flaws.push(`${situation.name}: other bytes inside`);
        else if (
          compressed.headers["content-length"] !== undefined &&
          Number(compressed.headers["content-length"]) !== compressed.bytes.length
        )
          flaws.push(`${situation.name}: another length`);
      }
      expect(flaws).toEqual([]);
    },
  );

  test.each([["identity"], [undefined]])(
    "comes as it is with Accept-Encoding %s, without Content-Encoding",
    async (acceptEncoding) => {
      const flaws: string[] = [];
      for (const situation of situations) {
        const { status, headers } = await send(situation, acceptEncoding);
        if (status !== situation.status || "content-encoding" in headers)
          flaws.push(`${situation.name}: ${status} in ${String(headers["content-encoding"])}`);
      }
      expect(flaws).toEqual([]);
    },
  );

  test("says Vary: Accept-Encoding, compressed or not", async () => {
    const flaws: string[] = [];
    for (const situation of situations) {
      for (const encoding of [undefined, "identity", "gzip"]) {
        const { headers } = await send(situation, encoding);
        if (
          !String(headers["vary"])
            .toLowerCase()
            .split(/\s*,\s*/)
            .includes("accept-encoding")
        )
          flaws.push(`${situation.name} in ${encoding}: ${String(headers["vary"])}`);
      }
    }
    expect(flaws).toEqual([]);
  });

  test("is among these: each described operation is answered with success by one of them, but for the exchange", async () => {
    const missing = (await describedOperations(harness.http))
      .filter(({ template, method }) => !isCovered(template, method))
      .map(({ template, method }) => `${method} ${template}`);
    expect(
      missing.filter(
        (operation) =>
          !operation.includes("/connect-session") &&
          !operation.includes("/deliveries") &&
          !operation.includes("/sandbox/"),
      ),
    ).toEqual([`POST ${base}/management/token`]);
  });
});

test.each(["br", "gzip", "deflate"])("a token is issued in %s", async (encoding) => {
  const reply = await harness.http.post(`${base}/management/token`, {
    json: exchangeBody(await signIn(harness.services)),
    headers: { "accept-encoding": encoding },
  });
  expect([reply.status, reply.headers["content-encoding"]]).toEqual([201, encoding]);
  expect(JSON.parse(decode(reply).toString())).toMatchObject({ token_type: "Bearer" });
});

/** RFC 9110, 12.5.3. An entry whose weight is none is left out. */
const negotiations: [acceptEncoding: string, encoding: string | undefined][] = [
  ["br", "br"],
  ["gzip", "gzip"],
  ["deflate", "deflate"],
  ["identity", undefined],
  ["", undefined],
  [" ", undefined],
  [",", undefined],
  [";q=1", undefined],
  ["br, gzip, deflate", "br"],
  ["deflate, gzip, br", "br"],
  ["deflate, gzip", "gzip"],
  ["gzip,deflate,br,zstd", "br"],
  ["gzip;q=0.5, deflate;q=0.5", "gzip"],
  ["deflate;q=0.5, br;q=0.5, gzip;q=0.5", "br"],
  ["br;q=0.1, gzip;q=0.2, deflate;q=0.3", "deflate"],
  ["br;q=0.999, gzip;q=1.000", "gzip"],
  ["br;q=0.5, gzip", "gzip"],
  ["gzip;q=0.001", "gzip"],
  ["gzip;q=1, identity;q=0.5", "gzip"],
  ["gzip;q=0.5, identity;q=1", undefined],
  ["gzip;q=0.5, identity", undefined],
  ["gzip, identity;q=0", "gzip"],
  ["gzip;q=0", undefined],
  ["gzip;q=0.000", undefined],
  ["br;q=0, gzip;q=0, deflate;q=0", undefined],
  ["br;q=0, gzip", "gzip"],
  ["*", "br"],
  ["*;q=0.1", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0, gzip;q=0, *;q=0.5", "deflate"],
  ["gzip, *;q=0", "gzip"],
  ["gzip;q=0.2, *;q=0.1", "gzip"],
  ["*;q=0.5, identity", undefined],
  ["identity;q=0, *", "br"],
  ["*;q=0", undefined],
  ["GZIP", "gzip"],
  ["Br", "br"],
  ["gZiP;Q=0.5, DEFLATE;Q=0.4", "gzip"],
  ["IDENTITY", undefined],
  ["x-gzip", "gzip"],
  ["X-GZIP;q=0.5", "gzip"],
  ["gzip ; q=0.5 , deflate ; q=0.6", "deflate"],
  ["\tgzip\t;\tq=1", "gzip"],
  ["gzip;q=2, deflate;q=0.1", "deflate"],
  ["gzip;q=-1, deflate;q=0.1", "deflate"],
  ["gzip;q=abc, deflate;q=0.1", "deflate"],
  ["gzip;q=, deflate;q=0.1", "deflate"],
  ["gzip;q=0.1234, deflate;q=0.1", "deflate"],
  ["gzip;q=1.001, deflate;q=0.1", "deflate"],
  ["zstd", undefined],
  ["zstd, gzip;q=0.1", "gzip"],
  ["compress, exi, pack200-gzip", undefined],
  ["gzipped", undefined],
  ["gz ip", undefined],
  ["brotli", undefined],
  ["__proto__, constructor", undefined],
];

describe("Accept-Encoding", () => {
  test.each(negotiations)(
    "%j gives %s, to stored and to fresh bodies",
    async (acceptEncoding, encoding) => {
      for (const situation of [
        get("fresh", 200, "/providers"),
        get("stored", 200, stored, { bearer: token }),
        get("refused", 404, "/nope"),
      ]) {
        const reply = await send(situation, acceptEncoding);
        expect([situation.name, reply.status, reply.headers["content-encoding"]]).toEqual([
          situation.name,
          situation.status,
          encoding,
        ]);
        expect(() => JSON.parse(decode(reply).toString())).not.toThrow();
      }
    },
  );

  test.each([
    [["gzip", "br"], "br"],
    [["gzip;q=1", "br;q=0.5"], "gzip"],
    [["identity", "gzip;q=0.5"], undefined],
    [["br;q=0", "*"], "gzip"],
  ])("in several headers (%j) is one list", async (values, encoding) => {
    const { replies } = await sendRaw(
      harness.baseUrl,
      rawRequest("GET", "/providers", {
        headers: values.map((value) => ["Accept-Encoding", value] as const),
      }),
    );
    expect([replies[0]?.status, replies[0]?.headers["content-encoding"]]).toEqual([200, encoding]);
  });

  test("is read to its end, however long it is", async () => {
    const { headers } = await harness.http.get("/providers", {
      headers: { "accept-encoding": `${"a,".repeat(2_000)}gzip` },
    });
    expect(headers["content-encoding"]).toBe("gzip");
  });

  test("is what counts, whatever other headers say", async () => {
    const { headers } = await harness.http.get("/providers", {
      headers: {
        "accept-encoding": "gzip",
        "x-no-compression": "1",
        te: "identity",
        range: "bytes=0-1",
      },
    });
    expect(headers["content-encoding"]).toBe("gzip");
  });
});

describe("a reply without a body", () => {
  test("to HEAD varies as GET does, and names no other length than GET has in that encoding", async () => {
    const headers = [["Accept-Encoding", "gzip"]] as const;
    const [head] = (
      await sendRaw(harness.baseUrl, rawRequest("HEAD", "/providers", { headers }), {
        methods: ["HEAD"],
      })
    ).replies;
    const { headers: ofGet } = await harness.http.get("/providers", {
      headers: { "accept-encoding": "gzip" },
    });
    expect(head?.body).toHaveLength(0);
    expect(String(head?.headers["vary"])).toMatch(/accept-encoding/i);
    expect([undefined, ofGet["content-length"]]).toContain(head?.headers["content-length"]);
  });

  test("304 has none in any encoding, and its tag holds for all of them", async () => {
    const { headers } = await harness.http.get(stored, {
      bearer: token,
      headers: { "accept-encoding": "gzip" },
    });
    for (const encoding of ["br", "gzip", "identity"]) {
      const same = await harness.http.get(stored, {
        bearer: token,
        headers: { "accept-encoding": encoding, "if-none-match": String(headers["etag"]) },
      });
      expect([same.status, same.bytes.length, same.headers["content-encoding"]]).toEqual([
        304,
        0,
        undefined,
      ]);
    }
  });
});
