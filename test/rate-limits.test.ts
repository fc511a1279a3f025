import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../src/platform/crypto/index.ts";
import {
  createHarness,
  defaultLimits,
  exchangeBody,
  onRedis,
  signIn,
  type Harness,
} from "./support/harness.ts";
import type { HttpClient, Reply } from "./support/http-client.ts";
import { readPolicy, readRateLimit, readRetryAfter } from "./support/rate-limit-headers.ts";
import { sendRaw } from "./support/raw-http.ts";
import { refusal, refusedWith } from "./support/refusals.ts";

type Options = NonNullable<Parameters<HttpClient["request"]>[2]>;
type Send = () => Promise<Reply>;

const base = "/2023-03-01";
const clientUrl = `${base}/management/client`;
const tokensUrl = `${base}/management/tokens`;
const tokenUrl = `${base}/management/token`;
const companyUrl = `${base}/xhr/company`;
const january = { start_date: "2026-01-01", end_date: "2026-01-31" };

/** Behind a proxy on loopback that is trusted, so that each test has addresses of its own, and with hops of 10/8 that are trusted too. */
let harness: Harness;
let redis: Redis | undefined;

beforeAll(async () => {
  harness = await createHarness({
    env: { ...defaultLimits, TRUST_PROXY: "127.0.0.1, 10.0.0.0/8" },
  });
  if (onRedis) redis = new Redis(harness.environment["REDIS_URL"] ?? "");
});
afterAll(async () => {
  redis?.disconnect();
  await harness.close();
});

let addresses = 0;
/** An address that no test used before. */
const newAddress = (): string => `198.18.${Math.floor(++addresses / 250)}.${1 + (addresses % 250)}`;
const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });

/** The windows run on the clock of the process, or on that of Redis. */
async function timePasses(seconds: number): Promise<void> {
  harness.clock.advance(seconds);
  if (!redis) return;
  const keys = await redis.keys(`${harness.environment["REDIS_PREFIX"]}:limit:*`);
  for (const key of keys) {
    const leftMs = (await redis.pttl(key)) - seconds * 1000;
    await (leftMs <= 0 ? redis.del(key) : redis.pexpire(key, leftMs));
  }
}

/** Exact on a clock that stands still. On Redis some of the seconds are over already. */
const about =
  (expected: number) =>
  (actual: number): boolean =>
    actual <= expected && actual > (onRedis ? expected - 20 : expected - 1);

async function sendTimes(count: number, send: Send): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status);
  return statuses;
}

const refusedOf = (statuses: readonly number[]): number =>
  statuses.filter((status) => status === 429).length;

/** So many requests are let in, and the next one is not. */
async function expectRoomFor(count: number, send: Send): Promise<Reply> {
  expect(refusedOf(await sendTimes(count, send))).toBe(0);
  const refused = await send();
  expect(refusal(refused)).toEqual(refusedWith(429));
  return refused;
}

const openEndpoints: [string, (address: string) => Send][] = [
  ["GET /providers", (address) => () => harness.http.get("/providers", { headers: from(address) })],
  [
    "POST /2023-03-01/management/token",
    (address) => () => harness.http.post(tokenUrl, { headers: from(address), json: {} }),
  ],
];

describe("an open endpoint", () => {
  test.skipIf(onRedis)("a corrected time of the machine makes no window longer", async () => {
    const send = openEndpoints[0]![1](newAddress());
    await expectRoomFor(15, send);
    harness.clock.correct(-2 * 3600);
    expect(readRetryAfter(await send())).toSatisfy(about(60));
    harness.clock.correct(2 * 3600);
    expect((await send()).status).toBe(429);
  });

  test.each(openEndpoints)(
    "%s lets 15 requests of an address in within a minute, and refuses the 16th",
    async (_name, sender) => {
      const refused = await expectRoomFor(15, sender(newAddress()));
      const { message } = refused.body as { message: string };
      expect(message).toBe(
        "15 requests in 1 minute from this address on this endpoint are used up; " +
          `repeat in ${readRetryAfter(refused)} s.`,
      );
      expect(readRetryAfter(refused)).toSatisfy(about(60));
    },
  );

  test.each(openEndpoints)(
    "%s lets 25 in within five minutes, not counting those that the minute refused",
    async (_name, sender) => {
      const send = sender(newAddress());
      expect(refusedOf(await sendTimes(20, send))).toBe(5);
      await timePasses(60);
      const refused = await expectRoomFor(10, send);
      expect(readRetryAfter(refused)).toSatisfy(about(240));
      await timePasses(60);
      expect(readRetryAfter(await send())).toSatisfy(about(180));
      await timePasses(180);
      await expectRoomFor(15, send);
    },
  );

  test("has windows that start with the first request and do not move", async () => {
    const send = openEndpoints[0]![1](newAddress());
    await send();
    await timePasses(30);
    expect(readRetryAfter(await expectRoomFor(14, send))).toSatisfy(about(30));
    await timePasses(30);
    expect((await send()).status).toBe(200);
  });

  test("counts by itself", async () => {
    const address = newAddress();
    const [providers, token] = openEndpoints.map(([, sender]) => sender(address)) as [Send, Send];
    await expectRoomFor(15, providers);
    expect((await expectRoomFor(15, token)).status).toBe(429);
  });

  test("counts each address by itself", async () => {
    const [one, other] = [newAddress(), newAddress()];
    await expectRoomFor(15, openEndpoints[0]![1](one));
    expect(readRateLimit(await openEndpoints[0]![1](other)())["open-1m"]?.remaining).toBe(14);
  });

  test("counts HEAD as the GET that it is", async () => {
    const headers = from(newAddress());
    expect(
      refusedOf(await sendTimes(8, () => harness.http.request("HEAD", "/providers", { headers }))),
    ).toBe(0);
    await expectRoomFor(7, () => harness.http.get("/providers", { headers }));
    expect((await harness.http.request("HEAD", "/providers", { headers })).status).toBe(429);
  });

  test("counts every request, whatever its answer, and refuses before it reads", async () => {
    const headers = from(newAddress());
    const asJson = { ...headers, "content-type": "application/json" };
    const signedIn = await signIn(harness.services);
    const unknown = { ...exchangeBody(signedIn), code: mintCredential("ac", "dev") };
    const kinds: Options[] = [
      { headers: asJson, body: "{" },
      { headers, json: unknown },
      { headers: { ...headers, "content-type": "text/plain" }, body: "x" },
      { headers: asJson, body: "x".repeat(100_000) },
      { headers },
    ];
    const statuses = [];
    for (let sent = 0; sent < 15; sent += 1)
      statuses.push((await harness.http.post(tokenUrl, kinds[sent % kinds.length])).status);
    expect(new Set(statuses)).toEqual(new Set([400, 404, 415, 413]));
    expect(
      refusal(await harness.http.post(tokenUrl, { headers, json: exchangeBody(signedIn) })),
    ).toEqual(refusedWith(429));
    expect(refusal(await harness.http.post(tokenUrl, { headers: asJson, body: "{" }))).toEqual(
      refusedWith(429),
    );
    await timePasses(60);
    expect(
      (await harness.http.post(tokenUrl, { headers, json: exchangeBody(signedIn) })).status,
    ).toBe(201);
  });
});

describe("a compressed body", () => {
  test.each([
    ["GET", companyUrl],
    ["GET", `${base}/xhr/identity`],
    ["GET", `${base}/xhr/payslips`],
    ["GET", `${base}/management/introspect`],
    ["POST", `${base}/management/disconnect`],
  ])("is refused unread, and counts: %s %s", async (method, path) => {
    const headers = { ...from(newAddress()), "content-encoding": "gzip" };
    const send = () => harness.http.request(method, path, { headers, body: "x" });
    expect(new Set(await sendTimes(40, send))).toEqual(new Set([415]));
    const refused = await send();
    expect(refusal(refused)).toEqual(refusedWith(429));
    expect(readRateLimit(refused)["gated-1m"]?.remaining).toBe(0);
    const whole = { headers: { ...headers, "content-encoding": "identity" }, body: "x" };
    expect((await harness.http.request(method, path, whole)).status).toBe(429);
  });
});

type Gated = [name: string, make: () => Promise<(address: string) => Send>];

/** Each with a client of its own, and with what that client's requests carry. */
const asClient = (method: string, path: string, json?: unknown): Gated => [
  `${method} ${path}`,
  async () => {
    const { client, secret } = await harness.createClient();
    return (address) => () =>
      harness.http.request(method, path, {
        basic: [client.clientId, secret],
        headers: from(address),
        ...(json !== undefined && { json }),
      });
  },
];

async function connectFrom(
  address: string,
  client?: Awaited<ReturnType<Harness["createClient"]>>,
  scopes?: Parameters<typeof signIn>[1],
): Promise<string> {
  const signedIn = await signIn(harness.services, { ...scopes, ...(client && { client }) });
  const { body } = await harness.http.post(tokenUrl, {
    headers: from(address),
    json: exchangeBody(signedIn),
  });
  return (body as { access_token: string }).access_token;
}

const asBearer = (method: string, path: string, query: Record<string, string> = {}): Gated => [
  `${method} ${path}`,
  async () => {
    const bearer = await connectFrom(newAddress());
    return (address) => () =>
      harness.http.request(method, path, { bearer, query, headers: from(address) });
  },
];

const gatedEndpoints: Gated[] = [
  asClient("GET", clientUrl),
  asClient("POST", clientUrl, { name: "Test" }),
  asClient("GET", tokensUrl),
  asBearer("GET", `${base}/management/introspect`),
  asBearer("POST", `${base}/management/disconnect`),
  asBearer("GET", companyUrl),
  asBearer("GET", `${base}/xhr/identity`),
  asBearer("GET", `${base}/xhr/employee`, { id: "x" }),
  asBearer("GET", `${base}/xhr/payruns/unknown`),
  asBearer("GET", `${base}/xhr/payruns`, january),
];

describe("a gated endpoint", () => {
  test.each(gatedEndpoints)(
    "%s lets 40 requests of an address in within a minute, and refuses the 41st",
    async (_name, make) => {
      const [address, sender] = [newAddress(), await make()];
      const refused = await expectRoomFor(40, sender(address));
      expect(readRetryAfter(refused)).toSatisfy(about(60));
      expect(Object.keys(readRateLimit(refused))).toEqual(["gated-1m"]);
    },
  );

  test.each(gatedEndpoints)(
    "%s lets 40 requests of a client in within five minutes, from wherever they come",
    async (_name, make) => {
      const sender = await make();
      expect(refusedOf(await sendTimes(20, sender(newAddress())))).toBe(0);
      await timePasses(100);
      const refused = await expectRoomFor(20, sender(newAddress()));
      expect(readRetryAfter(refused)).toSatisfy(about(200));
      expect(readRateLimit(await sender(newAddress())())["gated-5m"]?.remaining).toBe(0);
      await timePasses(200);
      expect((await sender(newAddress())()).status).not.toBe(429);
    },
  );

  test("counts the clients of one address together", async () => {
    const address = newAddress();
    for (let round = 0; round < 4; round += 1)
      expect(refusedOf(await sendTimes(10, (await gatedEndpoints[0]![1]())(address)))).toBe(0);
    expect(refusal(await (await gatedEndpoints[0]![1]())(address)())).toEqual(refusedWith(429));
  });

  test("counts the tokens of one client together", async () => {
    const client = await harness.createClient();
    const [one, other] = [
      await connectFrom(newAddress(), client),
      await connectFrom(newAddress(), client),
    ];
    expect(
      refusedOf(
        await sendTimes(20, () =>
          harness.http.get(companyUrl, { bearer: one, headers: from(newAddress()) }),
        ),
      ),
    ).toBe(0);
    await expectRoomFor(20, () =>
      harness.http.get(companyUrl, { bearer: other, headers: from(newAddress()) }),
    );
  });

  test("counts by itself: each method and each path", async () => {
    const { client, secret } = await harness.createClient();
    const basic: [string, string] = [client.clientId, secret];
    const headers = from(newAddress());
    await expectRoomFor(40, () => harness.http.get(clientUrl, { basic, headers }));
    for (const reply of [
      await harness.http.post(clientUrl, { basic, headers, json: { name: "Test" } }),
      await harness.http.get(tokensUrl, { basic, headers }),
    ]) {
      expect(reply.status).toBe(200);
      expect(readRateLimit(reply)["gated-1m"]?.remaining).toBe(39);
      expect(readRateLimit(reply)["gated-5m"]?.remaining).toBe(39);
    }
  });

  test("is one endpoint for all values of a path parameter, and for all queries", async () => {
    const [address, bearer] = [newAddress(), await connectFrom(newAddress())];
    let sent = 0;
    const refused = await expectRoomFor(40, () =>
      harness.http.get(`${base}/xhr/payruns/p${++sent}?x=${sent}`, {
        bearer,
        headers: from(address),
      }),
    );
    expect(refused.status).toBe(429);
  });

  test("counts HEAD as the GET that it is, for the address and for the client", async () => {
    const [address, bearer] = [newAddress(), await connectFrom(newAddress())];
    expect(
      refusedOf(
        await sendTimes(20, () =>
          harness.http.request("HEAD", companyUrl, { bearer, headers: from(address) }),
        ),
      ),
    ).toBe(0);
    const reply = await harness.http.get(companyUrl, { bearer, headers: from(address) });
    expect(readRateLimit(reply)).toMatchObject({
      "gated-1m": { remaining: 19 },
      "gated-5m": { remaining: 19 },
    });
  });

  test("refuses by the address before it asks who calls", async () => {
    const headers = from(newAddress());
    expect(new Set(await sendTimes(40, () => harness.http.get(companyUrl, { headers })))).toEqual(
      new Set([401]),
    );
    expect(refusal(await harness.http.get(companyUrl, { headers }))).toEqual(refusedWith(429));
    expect(
      refusal(await harness.http.get(companyUrl, { headers, bearer: harness.sandboxToken })),
    ).toEqual(refusedWith(429));
  });

  test("does not count for the client what its address was refused", async () => {
    const address = newAddress();
    await expectRoomFor(40, (await gatedEndpoints[0]![1]())(address));
    const sender = await gatedEndpoints[0]![1]();
    expect(refusedOf(await sendTimes(10, sender(address)))).toBe(10);
    expect(readRateLimit(await sender(newAddress())())["gated-5m"]?.remaining).toBe(39);
  });

  test("counts for a client only who proved to be that client", async () => {
    const { client, secret } = await harness.createClient();
    const basic: [string, string] = [client.clientId, secret];
    const attempts: Options[] = [
      { basic: [client.clientId, `${secret}x`] },
      { basic: [client.clientId, ""] },
      { basic: [client.clientId, mintCredential("cs", "dev")] },
      { headers: { authorization: [`Basic ${btoa(basic.join(":"))}`, "Basic x"] } },
      {},
    ];
    for (const attempt of attempts) {
      const headers = { ...attempt.headers, ...from(newAddress()) };
      expect(
        new Set(await sendTimes(39, () => harness.http.get(clientUrl, { ...attempt, headers }))),
      ).toEqual(new Set([401]));
    }
    expect(
      readRateLimit(await harness.http.get(clientUrl, { basic, headers: from(newAddress()) }))[
        "gated-5m"
      ]?.remaining,
    ).toBe(39);
  });

  test("counts for the token's client only who holds the token", async () => {
    const client = await harness.createClient();
    const bearer = await connectFrom(newAddress(), client);
    for (const wrong of [
      `${bearer}x`,
      bearer.toLowerCase(),
      bearer.slice(0, -1),
      mintCredential("at", "dev"),
      mintCredential("at", "prod"),
    ]) {
      await sendTimes(10, () =>
        harness.http.get(companyUrl, { bearer: wrong, headers: from(newAddress()) }),
      );
    }
    expect(
      readRateLimit(await harness.http.get(companyUrl, { bearer, headers: from(newAddress()) }))[
        "gated-5m"
      ]?.remaining,
    ).toBe(39);
  });

  test("counts for the client whatever its request is answered", async () => {
    const client = await harness.createClient();
    const url = `${base}/xhr/payruns`;
    const bearer = await connectFrom(newAddress(), client);
    const disconnected = await connectFrom(newAddress(), client);
    await harness.http.post(`${base}/management/disconnect`, {
      bearer: disconnected,
      headers: from(newAddress()),
    });
    const narrow = await connectFrom(newAddress(), client, { scopes: ["/2023-03-01/xhr/company"] });
    const noPayroll = await connectFrom(newAddress(), client, { user: "user_no_payroll" });
    const requests: [Options, number][] = [
      [{ bearer, query: january }, 202],
      [{ bearer }, 400],
      [{ bearer: disconnected, query: january }, 403],
      [{ bearer: narrow, query: january }, 403],
      [{ bearer: noPayroll, query: january }, 501],
    ];
    for (const [index, [options, status]] of requests.entries()) {
      const reply = await harness.http.get(url, { ...options, headers: from(newAddress()) });
      expect([reply.status, readRateLimit(reply)["gated-5m"]?.remaining]).toEqual([
        status,
        39 - index,
      ]);
    }
  });
});

describe("the headers", () => {
  const open = { "open-1m": "15 in 60", "open-5m": "25 in 300" };
  const gated = { "gated-1m": "40 in 60", "gated-5m": "40 in 300" };

  test("of an open endpoint name both windows, and what is left of them", async () => {
    const send = openEndpoints[0]![1](newAddress());
    const first = await send();
    expect(readPolicy(first)).toEqual(open);
    expect(readRateLimit(first)).toMatchObject({
      "open-1m": { remaining: 14 },
      "open-5m": { remaining: 24 },
    });
    expect(readRateLimit(first)["open-1m"]?.resetSeconds ?? 0).toSatisfy(about(60));
    expect(readRateLimit(first)["open-5m"]?.resetSeconds ?? 0).toSatisfy(about(300));
    await timePasses(10);
    const second = await send();
    expect(readRateLimit(second)).toMatchObject({
      "open-1m": { remaining: 13 },
      "open-5m": { remaining: 23 },
    });
    expect(readRateLimit(second)["open-1m"]?.resetSeconds ?? 0).toSatisfy(about(50));
  });

  test("of a gated endpoint name the client's window once it is known who calls", async () => {
    const bearer = await connectFrom(newAddress());
    const stranger = await harness.http.get(companyUrl, { headers: from(newAddress()) });
    const known = await harness.http.get(companyUrl, { bearer, headers: from(newAddress()) });
    for (const reply of [stranger, known]) expect(readPolicy(reply)).toEqual(gated);
    expect(Object.keys(readRateLimit(stranger))).toEqual(["gated-1m"]);
    expect(readRateLimit(known)).toMatchObject({
      "gated-1m": { remaining: 39 },
      "gated-5m": { remaining: 39 },
    });
  });

  test("of a 429 say that nothing is left, until Retry-After", async () => {
    const refused = await expectRoomFor(15, openEndpoints[0]![1](newAddress()));
    expect(readPolicy(refused)).toEqual(open);
    expect(readRateLimit(refused)).toEqual({
      "open-1m": { remaining: 0, resetSeconds: readRetryAfter(refused) },
    });
  });

  test("are on every counted reply, whatever its status", async () => {
    const headers = from(newAddress());
    const bearer = await connectFrom(newAddress());
    const replies = [
      await harness.http.get("/providers", { headers }),
      await harness.http.post(tokenUrl, { headers, json: {} }),
      await harness.http.post(tokenUrl, {
        headers: { ...headers, "content-type": "text/plain" },
        body: "x",
      }),
      await harness.http.post(tokenUrl, {
        headers: { ...headers, "content-type": "application/json" },
        body: "x".repeat(100_000),
      }),
      await harness.http.get(companyUrl, { headers }),
      await harness.http.post(`${base}/management/disconnect`, { headers }),
      await harness.http.get(`${base}/xhr/payruns/unknown`, { headers, bearer }),
      await harness.http.get(companyUrl, { headers, bearer }),
      await harness.http.get("/nope", { headers }),
      await harness.http.request("DELETE", "/providers", { headers }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([
      200, 400, 415, 413, 401, 403, 404, 202, 404, 405,
    ]);
    for (const reply of replies) {
      expect(Object.keys(readPolicy(reply)).length).toBeGreaterThan(0);
      expect(Object.keys(readRateLimit(reply)).length).toBeGreaterThan(0);
    }
  });
});

const remainingFor = async (forwarded: string | string[]): Promise<number | undefined> =>
  readRateLimit(
    await harness.http.get("/providers", { headers: { "x-forwarded-for": forwarded } }),
  )["open-1m"]?.remaining;

const askFromNetwork = (site: string, network: number) =>
  harness.http.get("/providers", { headers: from(`2001:db8:${site}:${network}::1`) });

describe("the address of the caller", () => {
  test.each([
    ["addresses of one /64", "2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", 13],
    ["spellings of one address", "2001:db8:1:3::a", "2001:0DB8:0001:0003:0000:0000:0000:000A", 13],
    ["addresses of two /64", "2001:db8:1:4::1", "2001:db8:1:5::1", 14],
    ["addresses of two /64 of one /48", "2001:db8:2:0::1", "2001:db8:2:1::1", 14],
    ["an IPv4 address and its mapped form", "203.0.113.1", "::ffff:203.0.113.1", 13],
    ["an IPv4 address and its mapped form in hexadecimal", "203.0.113.2", "::ffff:cb00:7102", 13],
    ["two mapped IPv4 addresses", "::ffff:203.0.113.3", "::ffff:203.0.113.4", 14],
    ["two IPv4 addresses side by side", "203.0.113.6", "203.0.113.7", 14],
  ])("%s: the second has what it should have left", async (_name, one, other, left) => {
    expect(await remainingFor(one)).toBe(14);
    expect(await remainingFor(other)).toBe(left);
  });

  test("a /48 of IPv6 has the windows of twenty addresses, and another one its own", async () => {
    const passed = await Promise.all(
      Array.from({ length: 310 }, (_, index) => askFromNetwork("77", Math.floor(index / 10))),
    );
    expect(passed.filter(({ status }) => status === 200)).toHaveLength(300);
    const refused = await askFromNetwork("77", 999);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(readRateLimit(refused)["open-1m"]?.remaining).toBe(0);
    expect((await askFromNetwork("78", 999)).status).toBe(200);
  });

  test("that a header brings while no proxy is named is not believed, and told once in the log", async () => {
    const alone = await createHarness();
    const told = () => alone.logLines.filter((line) => line.includes("TRUST_PROXY names no proxy"));
    await alone.http.get("/providers");
    expect(told()).toEqual([]);
    for (const address of ["203.0.113.30", "203.0.113.31"])
      await alone.http.get("/providers", { headers: from(address) });
    await alone.close();
    expect(told()).toEqual([expect.stringContaining('"level":40')]);
    const named = harness.logLines.filter((line) => line.includes("TRUST_PROXY names no proxy"));
    expect(named).toEqual([]);
  });

  test("is the last one that no trusted proxy vouches for", async () => {
    expect(await remainingFor("203.0.113.20")).toBe(14);
    expect(await remainingFor("203.0.113.20, 10.1.2.3")).toBe(13);
    expect(await remainingFor("6.6.6.6, 203.0.113.20, 10.1.2.3, 10.9.9.9")).toBe(12);
    expect(await remainingFor("10.1.2.3, 203.0.113.20")).toBe(11);
    expect(await remainingFor(["6.6.6.6", "203.0.113.20"])).toBe(10);
  });

  test("cannot be changed by what the caller wrote in front of it", async () => {
    let sent = 0;
    const refused = await expectRoomFor(15, () =>
      harness.http.get("/providers", { headers: from(`7.7.7.${++sent}, 203.0.113.21, 10.1.2.3`) }),
    );
    expect(refused.status).toBe(429);
  });

  test.each([
    "",
    " ",
    "unknown",
    "x".repeat(50),
    "203.0.113.22:1234",
    "[2001:db8::1]",
    "2001:db8::1%eth0",
    "999.1.1.1",
    "1.2.3",
    "::ffff:999.1.1.1",
    ",,,",
    "_hidden",
    "127.0.0.1",
    "::",
    "-1",
  ])("that the proxy wrote as %j is counted like any other", async (written) => {
    const reply = await harness.http.get("/providers", { headers: from(written) });
    expect(reply.status).toBeOneOf([200, 429]);
    expect(readPolicy(reply)).toHaveProperty("open-1m");
  });
});

describe("without a proxy that is trusted", () => {
  let bare: Harness;
  beforeAll(async () => {
    bare = await createHarness({ env: defaultLimits });
  });
  afterAll(() => bare.close());

  test("no header says where a request comes from", async () => {
    let sent = 0;
    const headers = (): Record<string, string> => {
      const address = `203.0.113.${++sent}`;
      return {
        "x-forwarded-for": address,
        forwarded: `for=${address}`,
        "x-real-ip": address,
        "cf-connecting-ip": address,
        "true-client-ip": address,
        "x-client-ip": address,
      };
    };
    expect(
      refusedOf(await sendTimes(15, () => bare.http.get("/providers", { headers: headers() }))),
    ).toBe(0);
    expect(refusal(await bare.http.get("/providers", { headers: headers() }))).toEqual(
      refusedWith(429),
    );
  });
});

const readShared = (address: string): Promise<Reply> =>
  harness.http.get(companyUrl, { bearer: harness.sandboxToken, headers: from(address) });
const introspectShared = (address: string): Promise<Reply> =>
  harness.http.get(`${base}/management/introspect`, {
    bearer: harness.sandboxToken,
    headers: from(address),
  });

describe("the shared sandbox token", () => {
  test("has a client window for each address", async () => {
    const [one, other] = [newAddress(), newAddress()];
    expect(refusedOf(await sendTimes(40, () => readShared(one)))).toBe(0);
    await timePasses(60);
    const refused = await readShared(one);
    expect(readRetryAfter(refused)).toSatisfy(about(240));
    expect(readRateLimit(refused)["gated-5m"]?.remaining).toBe(0);
    expect(readRateLimit(await readShared(other))["gated-5m"]?.remaining).toBe(39);
  });

  test.each([
    ["of one /64", "2001:db8:9:1::1", "2001:db8:9:1::2"],
    ["that are one, mapped", "203.0.113.40", "::ffff:203.0.113.40"],
  ])("counts addresses %s together, in both windows", async (_name, one, other) => {
    expect(readRateLimit(await readShared(one))).toMatchObject({
      "gated-1m": { remaining: 39 },
      "gated-5m": { remaining: 39 },
    });
    expect(readRateLimit(await readShared(other))).toMatchObject({
      "gated-1m": { remaining: 38 },
      "gated-5m": { remaining: 38 },
    });
  });

  test("is no client of its own elsewhere: introspection counts by address too", async () => {
    await sendTimes(5, () => introspectShared(newAddress()));
    expect(readRateLimit(await introspectShared(newAddress()))["gated-5m"]?.remaining).toBe(39);
  });
});

describe("health, documentation and what is unknown", () => {
  test.each(["/healthz", "/docs", "/nope"])(
    "%s has a window of its own, which is wide but has an end",
    async (path) => {
      const headers = `Host: localhost\r\nX-Forwarded-For: ${newAddress()}\r\n`;
      const count = 650;
      const { replies } = await sendRaw(
        harness.baseUrl,
        `HEAD ${path} HTTP/1.1\r\n${headers}\r\n`.repeat(count),
        { replies: count, methods: Array.from({ length: count }, () => "HEAD") },
      );
      const firstRefused = replies.findIndex(({ status }) => status === 429);
      expect(replies).toHaveLength(count);
      expect(firstRefused).toBeGreaterThanOrEqual(100);
      expect(replies.slice(firstRefused).every(({ status }) => status === 429)).toBe(true);
      expect(readRetryAfter(replies[firstRefused] ?? { status: 0, headers: {} })).toSatisfy(
        about(60),
      );
    },
  );

  test("do not take from the endpoints", async () => {
    const headers = from(newAddress());
    for (let sent = 0; sent < 50; sent += 1) await harness.http.get("/nope", { headers });
    expect(
      readRateLimit(await harness.http.get("/providers", { headers }))["open-1m"]?.remaining,
    ).toBe(14);
  });
});

/** In a window of its own, of five requests. */
async function connectLimited() {
  const connected = await harness.connect();
  const { clients } = harness.services;
  const found = await clients.find(connected.client.clientId);
  await clients.update(found!, { requestsPer5Minutes: 5 });
  return connected;
}

describe("a client whose window the operator has set", () => {
  test.each<
    [string, (connected: Awaited<ReturnType<typeof connectLimited>>, address: string) => Send]
  >([
    [
      "with its own credentials",
      ({ client, secret }, address) =>
        () =>
          harness.http.get(tokensUrl, {
            headers: from(address),
            basic: [client.clientId, secret],
          }),
    ],
    [
      "with a token",
      ({ token }, address) =>
        () =>
          harness.http.get(companyUrl, { headers: from(address), bearer: token }),
    ],
  ])("is let in as often, %s, and told of it", async (_how, sender) => {
    const connected = await connectLimited();
    const send = sender(connected, newAddress());
    expect(readPolicy(await send())["gated-5m"]).toBe("5 in 300");
    const refused = await expectRoomFor(4, send);
    expect(readPolicy(refused)["gated-5m"]).toBe("5 in 300");
    expect((refused.body as { message: string }).message).toMatch(/^5 requests in 5 minutes/);
    const other = await harness.connect();
    expect(readRateLimit(await sender(other, newAddress())())["gated-5m"]?.remaining).toBe(39);
    await timePasses(300);
    await expectRoomFor(5, sender(connected, newAddress()));
  });

  test("may have more than the service's window, and has that again afterwards", async () => {
    const connected = await harness.connect();
    const { clients } = harness.services;
    const basic: [string, string] = [connected.client.clientId, connected.secret];
    const send: Send = () => harness.http.get(tokensUrl, { headers: from(newAddress()), basic });
    const found = await clients.find(connected.client.clientId);
    const wider = await clients.update(found!, { requestsPer5Minutes: 60 });
    expect(refusedOf(await sendTimes(50, send))).toBe(0);
    await clients.update(wider, { requestsPer5Minutes: null });
    expect((await send()).status).toBe(429);
    await timePasses(300);
    await expectRoomFor(40, send);
  });
});
