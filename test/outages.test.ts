import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { TestDatabase } from "./support/database.ts";
import { describedOperations, type Operation } from "./support/described-operations.ts";
import type { FlakyProxy } from "./support/flaky-proxy.ts";
import { exchangeBody, redirectUri, signIn } from "./support/harness.ts";
import type { Reply } from "./support/http-client.ts";
import { readWhenReady } from "./support/read-when-ready.ts";
import { buildServiceBehindProxy } from "./support/service-behind-proxy.ts";

const january = { start_date: "2026-01-01", end_date: "2026-01-31" };
const exchangeUrl = "/2023-03-01/management/token";
/** What a reply may take while Postgres hangs: longer than any bound of the service, and shorter than what callers and proxies give. */
const hangLimitMs = 20_000;
/** Promised for the return of Postgres. */
const recoveryLimitMs = 5_000;

/** The service with its Postgres behind a proxy, api and workers in one. */
async function createFixture() {
  const service = await buildServiceBehindProxy();
  const { harness } = service;
  const signedIn = await harness.connect();
  const operations = await describedOperations(harness.http);
  await readWhenReady(harness.http, "/2023-03-01/xhr/employees", { bearer: signedIn.token });
  return {
    ...signedIn,
    ...service,
    operations: operations.filter(({ path }) => path !== "/healthz" && path !== "/providers"),
  };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** The ten seconds for which what is in Redis stands for what is in Postgres. */
async function endCopies({ harness: { environment } }: Fixture): Promise<void> {
  if (!environment["REDIS_URL"]) return;
  const redis = new Redis(environment["REDIS_URL"]);
  const keys = await redis.keys(`${environment["REDIS_PREFIX"]}:admission:*`);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
}

/** The operation with credentials that are right, and with what it asks for. */
async function call(
  { harness, client, secret, token, code }: Fixture,
  { method, path, schemes }: Pick<Operation, "method" | "path" | "schemes">,
): Promise<Reply> {
  const isExchange = path === exchangeUrl;
  return await harness.http.request(method, path, {
    query: { ...january, id: "unknown" },
    ...(schemes.includes("bearer") && { bearer: token }),
    ...(schemes.includes("basic") && { basic: [client.clientId, secret] }),
    ...(method === "POST" &&
      !schemes.includes("bearer") && {
        json: isExchange ? exchangeBody({ client, secret, code }) : { name: "Test" },
      }),
  });
}

/** What the hosted sign-in opens with; it is no part of the description. */
const connectLink = ({ client }: Fixture): string =>
  `/connect?${new URLSearchParams({ client_id: client.clientId, mode: "xhr", redirect_uri: redirectUri, scope: "/2023-03-01/xhr/employees", sandbox: "true" }).toString()}`;

/** How each operation is answered, all asked at once, and how long that took. */
async function askEverything(fixture: Fixture): Promise<{ answers: string[]; ms: number }> {
  const startedAt = performance.now();
  const replies = await Promise.all(
    fixture.operations.map(
      async (operation) =>
        [`${operation.method} ${operation.template}`, await call(fixture, operation)] as const,
    ),
  );
  const page = await fixture.harness.http.get(connectLink(fixture));
  const answers = [...replies, ["GET /connect", page] as const].map(
    ([name, { status, headers }]) =>
      `${name}: ${status}, Retry-After ${String(headers["retry-after"])}`,
  );
  return { answers, ms: performance.now() - startedAt };
}

/** Stored data, a change, and a fetch that was never asked for: everything goes again, without a restart. */
async function recover(fixture: Fixture): Promise<Record<keyof typeof recovered, unknown>> {
  const { harness, token: bearer, client, secret } = fixture;
  const startedAt = performance.now();
  await expect
    .poll(async () => (await harness.http.get("/readyz")).status, { timeout: recoveryLimitMs })
    .toBe(200);
  const stored = await harness.http.get("/2023-03-01/xhr/employees", { bearer });
  const changed = await harness.http.post("/2023-03-01/management/client", {
    basic: [client.clientId, secret],
    json: { name: "After" },
  });
  const isInTime = performance.now() - startedAt < recoveryLimitMs;
  return {
    stored: stored.status,
    changed: changed.status,
    isInTime,
    fetched: await readNew(fixture),
  };
}

const recovered = { stored: 200, changed: 200, isInTime: true, fetched: 200 };

/** Of a connection that knew no outage: the status after as long as a recovery may take. */
async function readNew({ harness, client, secret }: Fixture): Promise<number> {
  const { token: bearer } = await harness.connect({ client: { client, secret } });
  return (
    await harness.http.get("/2023-03-01/xhr/company", {
      bearer,
      headers: { prefer: `wait=${recoveryLimitMs / 1000}` },
    })
  ).status;
}

describe.each<["gone" | "hung", (proxy: FlakyProxy) => Promise<void> | void]>([
  ["gone", (proxy) => proxy.cut()],
  ["hung", (proxy) => proxy.pause()],
])("Postgres is %s", (_how, takeAway) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(() => fixture.close());

  test("what is under way is 503 or done, never another error and never without an end", async () => {
    const { harness, token: bearer, proxy } = fixture;
    const startedAt = performance.now();
    const load = Array.from({ length: 60 }, (_unused, index) =>
      harness.http.get(`/2023-03-01/xhr/${index % 2 ? "employees" : "groups"}`, { bearer }),
    );
    await delay(15);
    await takeAway(proxy);
    const statuses = new Set((await Promise.all(load)).map(({ status }) => status));
    for (const status of statuses) expect([200, 202, 503]).toContain(status);
    expect(performance.now() - startedAt).toBeLessThan(2 * hangLimitMs);
  });

  test("every operation is 503 with Retry-After, as soon as no copy of an admission lives", async () => {
    await endCopies(fixture);
    const { answers, ms } = await askEverything(fixture);
    expect(answers.length).toBeGreaterThan(25);
    expect(answers.filter((answer) => !/: 503, Retry-After [1-9]\d*$/.test(answer))).toEqual([]);
    expect(ms).toBeLessThan(hangLimitMs);
  });

  test("health and providers are served", async () => {
    const replies = await Promise.all(
      ["/healthz", "/providers"].map((path) => fixture.harness.http.get(path)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("a caller that is ready to wait is told at once as well", async () => {
    const reply = await fixture.harness.http.get("/2023-03-01/xhr/groups", {
      bearer: fixture.token,
      headers: { prefer: "wait=30" },
    });
    expect(reply.status).toBe(503);
  });

  test("when it is back, everything works again within seconds and without a restart", async () => {
    await fixture.proxy.restore();
    expect(await recover(fixture)).toEqual(recovered);
  });

  test("the disconnect that was refused did not half happen", async () => {
    expect(
      (await fixture.harness.http.get("/2023-03-01/xhr/identity", { bearer: fixture.token }))
        .status,
    ).toBe(200);
  });

  test("neither the outage nor its end was an error of ours", () => {
    const errors = fixture.harness.logLines.filter((line) => line.includes('"level":50'));
    expect(errors).toEqual([]);
  });
});

describe("Postgres is gone for a blink, while a fetch is under way", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(() => fixture.close());

  test("new fetches are done within seconds, and the one that was under way is done as well", async () => {
    const { harness, database, proxy, token: bearer } = fixture;
    expect((await harness.http.get("/2023-03-01/xhr/groups", { bearer })).status).toBe(202);
    await expect
      .poll(() => database.query("select run from reads where resource = 'groups'"), {
        interval: 5,
      })
      .toEqual([{ run: 1 }]);
    await proxy.cut();
    await delay(300);
    await proxy.restore();
    expect(await readNew(fixture)).toBe(200);
    expect((await readWhenReady(harness.http, "/2023-03-01/xhr/groups", { bearer })).status).toBe(
      200,
    );
  });
});

describe("Postgres's backends are terminated again and again", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture();
  });
  afterAll(() => fixture.close());

  test("replies are right or 503, and at its end everything works", async () => {
    const calls = fixture.operations.filter(
      ({ path }) => path !== "/2023-03-01/management/disconnect" && path !== exchangeUrl,
    );
    const { during, terminated } = await whileTerminating(fixture.database, async (isOver) => {
      const replies: Reply[] = [];
      let isServed = false;
      const loops = Array.from({ length: 6 }, async (_unused, start) => {
        for (let turn = start; !isOver() || !isServed || turn < calls.length; turn += 1) {
          const reply = await call(fixture, calls[turn % calls.length]!);
          isServed ||= reply.status === 200;
          replies.push(reply);
        }
      });
      await Promise.all(loops);
      return replies;
    });
    expect(terminated).toBeGreaterThan(20);
    const unexpected = during.filter(({ status }) => status >= 500 && status !== 503);
    expect(unexpected.map(({ status, body }) => ({ status, body }))).toEqual([]);
    expect(
      during.filter(({ status }) => status === 503).every(({ headers }) => headers["retry-after"]),
    ).toBe(true);
    expect(during.some(({ status }) => status === 200)).toBe(true);
    expect(await recover(fixture)).toEqual(recovered);
  });

  test("of 200 exchanges of one code at most one gives a token, and when none did the code still works", async () => {
    const { harness, database } = fixture;
    const owner = await harness.createClient();
    let interrupted = 0;
    for (let round = 0; round < 5; round += 1) {
      const signedIn = await signIn(harness.services, { client: owner });
      const tokensBefore = (
        await database.query("select 1 from tokens where client_id = $1", [owner.client.clientId])
      ).length;
      const { during } = await whileTerminating(
        database,
        () =>
          Promise.all(
            Array.from({ length: 200 }, () =>
              harness.http.post(exchangeUrl, { json: exchangeBody(signedIn) }),
            ),
          ),
        { pauseMs: 5 },
      );
      const count = (status: number): number =>
        during.filter((reply) => reply.status === status).length;
      expect(count(201) + count(409) + count(503)).toBe(200);
      expect(count(201)).toBeLessThanOrEqual(1);
      interrupted += count(503);
      const tokens =
        (await database.query("select 1 from tokens where client_id = $1", [owner.client.clientId]))
          .length - tokensBefore;
      expect(tokens).toBeLessThanOrEqual(1);
      const again = await untilDefinite(() =>
        harness.http.post(exchangeUrl, { json: exchangeBody(signedIn) }),
      );
      expect(again.status).toBe(tokens === 1 ? 409 : 201);
      expect(
        await database.query("select 1 from tokens where client_id = $1", [owner.client.clientId]),
      ).toHaveLength(tokensBefore + 1);
    }
    expect(interrupted).toBeGreaterThan(0);
  });
});

/**
 * Ends every connection to the database, over and over, for as long as the work takes and at least a moment. The longer
 * it takes, the seldomer, so that a slow machine gets on.
 */
async function whileTerminating<Result>(
  { url }: TestDatabase,
  work: (isOver: () => boolean) => Promise<Result>,
  { pauseMs = 20, leastMs = 1_500 } = {},
): Promise<{ during: Result; terminated: number }> {
  const admin = new Client({ connectionString: inject("postgresUrl") });
  await admin.connect();
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt > leastMs;
  let terminated = 0;
  const done = new AbortController();
  const terminating = (async () => {
    while (!done.signal.aborted) {
      const { rowCount } = await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
        [new URL(url).pathname.slice(1)],
      );
      terminated += rowCount ?? 0;
      await delay(pauseMs * Math.ceil((performance.now() - startedAt) / leastMs));
    }
  })();
  try {
    return { during: await work(isOver), terminated };
  } finally {
    done.abort();
    await terminating;
    await admin.end();
  }
}

/** Connections that were lost are noticed one by one. */
async function untilDefinite(send: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const reply = await send();
    if (reply.status !== 503) return reply;
  }
  throw new Error("it is still 503");
}
