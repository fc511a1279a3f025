import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { createHarness, defaultLimits, testEnvironment, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { readRateLimit } from "../support/rate-limit-headers.ts";
import { untilTrue } from "../support/until-true.ts";

const companyUrl = "/2023-03-01/xhr/company";
const clientUrl = "/2023-03-01/management/client";
const trusting = {
  ...defaultLimits,
  TRUST_PROXY: "127.0.0.1",
  MASTER_KEYS: `test:${randomBytes(32).toString("base64")}`,
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

let addresses = 0;
const newAddress = (): string => `198.19.${Math.floor(++addresses / 250)}.${1 + (addresses % 250)}`;
const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });

const passed = (replies: readonly Reply[]): number =>
  replies.filter(({ status }) => status !== 429).length;

function atOnce(count: number, send: (index: number) => Promise<Reply>): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)));
}

async function fallbacks({ services }: Harness): Promise<number> {
  const { values } = await services.metrics.limitsCountedInProcess.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

describe("two processes on one Redis", () => {
  let apps: [Harness, Harness];

  beforeAll(async () => {
    const first = await createHarness({ env: testEnvironment(database.url, trusting), database });
    apps = [first, await createHarness({ env: first.environment, database })];
  });
  afterAll(() => Promise.all(apps.map((app) => app.close())));

  const either = (index: number): Harness => apps[index % 2]!;

  test("let exactly 15 of many open requests at once in", async () => {
    const headers = from(newAddress());
    const replies = await atOnce(40, (index) => either(index).http.get("/providers", { headers }));
    expect(passed(replies)).toBe(15);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  test("let exactly as many data requests of a /48 in as twenty addresses have", async () => {
    const env = { ...apps[0].environment, RATE_LIMIT_GATED_IP_1M: "2" };
    const app = await createHarness({
      env: { ...env, RATE_LIMIT_GATED_CLIENT_5M: "1000", REDIS_PREFIX: randomUUID() },
      database,
    });
    const { token: bearer } = await app.connect();
    const replies = await atOnce(60, (index) =>
      app.http.get(companyUrl, { headers: from(`2001:db8:7:${index}::1`), bearer }),
    );
    expect(passed(replies)).toBe(40);
    const other = await app.http.get(companyUrl, { headers: from("2001:db8:8::1"), bearer });
    expect(other.status).not.toBe(429);
    await app.close();
  });

  test("let exactly 40 of many gated requests of an address at once in", async () => {
    const headers = from(newAddress());
    const { client, secret } = await apps[0].createClient();
    const replies = await atOnce(60, (index) =>
      either(index).http.get(clientUrl, { headers, basic: [client.clientId, secret] }),
    );
    expect(passed(replies)).toBe(40);
  });

  test("let exactly 40 of many gated requests of a client at once in, each from another address", async () => {
    const { client, secret } = await apps[0].createClient();
    const replies = await atOnce(60, (index) =>
      either(index).http.get(clientUrl, {
        headers: from(newAddress()),
        basic: [client.clientId, secret],
      }),
    );
    expect(passed(replies)).toBe(40);
  });

  test("share what is left, and when it comes back", async () => {
    const headers = from(newAddress());
    const states = [];
    for (let sent = 0; sent < 4; sent += 1)
      states.push(readRateLimit(await either(sent).http.get("/providers", { headers })));
    expect(states.map((state) => state["open-1m"]?.remaining)).toEqual([14, 13, 12, 11]);
    expect(states.map((state) => state["open-5m"]?.remaining)).toEqual([24, 23, 22, 21]);
  });

  test("do not share with others on that Redis who have another prefix", async () => {
    const headers = from(newAddress());
    await atOnce(20, () => apps[0].http.get("/providers", { headers }));
    const stranger = await createHarness({
      env: { ...apps[0].environment, REDIS_PREFIX: `${apps[0].environment["REDIS_PREFIX"]}x` },
      database,
    });
    expect((await stranger.http.get("/providers", { headers })).status).toBe(200);
    await stranger.close();
  });

  test("count in Redis also while the process stands still, again and again and for longer than Redis may take", async () => {
    const headers = from(newAddress());
    const over = new AbortController();
    const standStill = (): void => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
      if (!over.signal.aborted) setImmediate(standStill);
    };
    setImmediate(standStill);
    const replies = await atOnce(20, (index) =>
      either(index).http.get("/providers", { headers }),
    ).finally(() => over.abort());
    expect(passed(replies)).toBe(15);
  });

  test("never count in the process while Redis is there", async () => {
    expect(await Promise.all(apps.map(fallbacks))).toEqual([0, 0]);
  });
});

describe.each(["cut", "pause"] as const)("a Redis that goes away (%s)", (way) => {
  let proxy: FlakyProxy;
  let near: Harness;
  let other: Harness;

  beforeEach(async () => {
    const env = testEnvironment(database.url, trusting);
    const redisUrl = env["REDIS_URL"] ?? "";
    proxy = await FlakyProxy.before(redisUrl);
    near = await createHarness({ env: { ...env, REDIS_URL: proxy.through(redisUrl) }, database });
    other = await createHarness({ env, database });
  });
  afterEach(async () => {
    await proxy.restore();
    await Promise.all([near.close(), other.close()]);
    await proxy.close();
  });

  test("fails no request: the limits are counted in the process, the same numbers, and a metric says so", async () => {
    const [before, after] = [from(newAddress()), from(newAddress())];
    expect(passed(await atOnce(20, () => near.http.get("/providers", { headers: before })))).toBe(
      15,
    );
    expect(await fallbacks(near)).toBe(0);
    await proxy[way]();
    const replies = await atOnce(60, () => near.http.get("/providers", { headers: after }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(passed(replies)).toBe(15);
    expect(await fallbacks(near)).toBeGreaterThanOrEqual(60);
  });

  test("does not fail requests with a credential either", async () => {
    const { token } = await near.connect();
    await proxy[way]();
    const replies = await atOnce(60, () =>
      near.http.get("/2023-03-01/xhr/identity", { bearer: token, headers: from(newAddress()) }),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(passed(replies)).toBe(40);
  });

  test("leaves the process that still reaches it alone", async () => {
    const headers = from(newAddress());
    await proxy[way]();
    await near.http.get("/providers", { headers });
    expect(passed(await atOnce(30, () => other.http.get("/providers", { headers })))).toBe(15);
    expect(await fallbacks(other)).toBe(0);
  });

  test("and comes back is shared again", async () => {
    await proxy[way]();
    await near.http.get("/providers", { headers: from(newAddress()) });
    await proxy.restore();
    await untilTrue("requests are counted in Redis again", async () => {
      const counted = await fallbacks(near);
      await near.http.get("/healthz", { headers: from(newAddress()) });
      return (await fallbacks(near)) === counted;
    });
    const headers = from(newAddress());
    const replies = await atOnce(60, (index) =>
      [near, other][index % 2]!.http.get("/providers", { headers }),
    );
    expect(passed(replies)).toBe(15);
  });

  test("is named in the log once, not with each request", async () => {
    await proxy[way]();
    await atOnce(40, () => near.http.get(companyUrl, { headers: from(newAddress()) }));
    const said = near.logLines.filter((line) => line.includes("the rate limits' Redis is away"));
    expect(said).toHaveLength(1);
  });
});
