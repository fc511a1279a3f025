import { randomBytes, randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { bindGrant } from "../../src/connections/index.ts";
import { addSeconds, systemClock } from "../../src/platform/clock.ts";
import { Keyring, sha256 } from "../../src/platform/crypto/index.ts";
import type { Pool } from "../../src/platform/db/index.ts";
import type { RequestWindows } from "../../src/platform/http/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { AdmissionCopies } from "../../src/tokens/admission-copies.ts";
import { Admissions } from "../../src/tokens/find-admission.ts";
import { bindDigest } from "../../src/tokens/bind-token.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { signInAgain } from "../support/data-endpoints.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { createHarness, testEnvironment, type Harness } from "../support/harness.ts";
import { readWhenReady } from "../support/read-when-ready.ts";
import { MovedClock } from "../support/moved-clock.ts";
import { TestClock } from "../support/test-clock.ts";
import { untilTrue } from "../support/until-true.ts";
import { watchScriptCalls } from "../support/watch-script-calls.ts";

const employees = "/2023-03-01/xhr/employees";
const groups = "/2023-03-01/xhr/groups";
const disconnect = "/2023-03-01/management/disconnect";

const redisUrl = (): string => inject("redisUrl") ?? "";

let redis: Redis;
beforeAll(() => {
  redis = new Redis(redisUrl());
});
afterAll(() => redis.disconnect());

describe("two processes, one of whose clocks is an hour ahead", () => {
  let database: TestDatabase;
  let proxy: FlakyProxy;
  let apps: [Harness, Harness];

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await FlakyProxy.before(inject("postgresUrl"));
    const env = testEnvironment(database.url, { DATABASE_URL: proxy.through(database.url) });
    const first = await createHarness({ env, database, clock: systemClock });
    const ahead = { ...systemClock, now: () => addSeconds(systemClock.now(), 3_600) };
    apps = [first, await createHarness({ env: first.environment, database, clock: ahead })];
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await proxy.close();
    await database.drop();
  });

  /** A token whose employees are stored, and which both processes have admitted. */
  async function connectWarm(): Promise<string> {
    const [first] = apps;
    const { token } = await first.connect();
    const { drain, http } = first;
    await http.get(employees, { bearer: token });
    await drain();
    for (const app of apps) await readWhenReady(app.http, employees, { bearer: token });
    return token;
  }

  const statuses = async (bearer: string, path = employees): Promise<number[]> =>
    await Promise.all(apps.map(async ({ http }) => (await http.get(path, { bearer })).status));

  const disconnected = async (bearer: string): Promise<number> =>
    (await apps[0].http.post(disconnect, { bearer })).status;

  const copyOf = (bearer: string): string =>
    `${apps[0].environment["REDIS_PREFIX"]}:admission:${sha256(bearer).toString("base64url")}`;

  test("serve what is stored without asking Postgres, for the seconds that a copy lives", async () => {
    const bearer = await connectWarm();
    await proxy.cut();
    expect(await statuses(bearer)).toEqual([200, 200]);
  });

  test("serve nothing after a disconnect has answered, whatever was under way", async () => {
    for (let round = 0; round < 40; round += 1) {
      const bearer = await connectWarm();
      const load = Array.from({ length: 10 }, () => statuses(bearer));
      const ending = disconnected(bearer);
      load.push(...Array.from({ length: 10 }, () => statuses(bearer)));
      expect(await ending).toBe(200);
      const afterwards = await statuses(bearer);
      await Promise.all(load);
      expect([afterwards, await statuses(bearer)]).toEqual([
        [403, 403],
        [403, 403],
      ]);
    }
  });

  test("make lost copies anew, and serve nothing of a token that was disconnected before", async () => {
    const [bearer, ended] = [await connectWarm(), await connectWarm()];
    expect(await disconnected(ended)).toBe(200);
    expect(await redis.del(copyOf(bearer), copyOf(ended))).toBe(2);
    expect([await statuses(bearer), await statuses(ended)]).toEqual([
      [200, 200],
      [403, 403],
    ]);
    expect(await redis.exists(copyOf(bearer))).toBe(1);
    expect(await redis.exists(copyOf(ended))).toBe(0);
  });

  test("serve nothing after a second disconnect has answered, when the first one was killed between commit and copies", async () => {
    const bearer = await connectWarm();
    await apps[0].services.pool.query(
      "update tokens set disconnected_at = service_now() where digest = $1",
      [sha256(bearer)],
    );
    expect(await statuses(bearer)).toEqual([200, 200]);
    expect(await disconnected(bearer)).toBe(200);
    expect(await statuses(bearer)).toEqual([403, 403]);
  });

  test("serve a new version at once when it was stored", async () => {
    const bearer = await connectWarm();
    const { http, drain, services } = apps[1];
    await services.pool.query("update snapshots set fetched_at = now() - interval '30 minutes'");
    await services.pool.query("update reads set settled_at = now() - interval '30 minutes'");
    await redis.del(copyOf(bearer));
    expect(await statuses(bearer)).toEqual([200, 200]);
    await http.get(employees, { bearer });
    await drain();
    const [here, there] = await Promise.all(apps.map((app) => app.http.get(employees, { bearer })));
    expect([here?.status, there?.status]).toEqual([200, 200]);
    expect(Number(here?.headers["age"])).toBeLessThan(60);
    expect(Number(there?.headers["age"])).toBeLessThan(60);
  });

  test("serve nothing of an earlier account after a sign-in to another one", async () => {
    const bearer = await connectWarm();
    const { tokenId = "" } = (await apps[1].services.tokens.findAdmission(bearer)) ?? {};
    await signInAgain(apps[1], tokenId, "user_fewer_fields");
    expect(await statuses(bearer)).toEqual([202, 202]);
  });

  test("believe no copy that somebody else wrote", async () => {
    const bearer = (await apps[0].connect({ scopes: [employees] })).token;
    await statuses(bearer);
    const text = (await redis.hget(copyOf(bearer), "token")) ?? "";
    const forged = { ...(JSON.parse(text) as object), scopes: [employees, groups] };
    await redis.hset(copyOf(bearer), "token", JSON.stringify(forged));
    expect(await statuses(bearer, groups)).toEqual([403, 403]);
    const mayMore = await connectWarm();
    await statuses(mayMore);
    expect(await redis.copy(copyOf(mayMore), copyOf(bearer), "REPLACE")).toBe(1);
    expect(await statuses(bearer, groups)).toEqual([403, 403]);
  });
});

test("a disconnect while Redis cannot be told answers 200 when all copies have ended", async () => {
  const proxy = await FlakyProxy.before(redisUrl());
  const env = { REDIS_URL: proxy.through(redisUrl()), REDIS_PREFIX: `t${randomUUID()}` };
  const harness = await createHarness({ env, clock: systemClock });
  const { token: bearer } = await harness.connect();
  await harness.http.get(employees, { bearer });
  await proxy.cut();
  const startedAt = performance.now();
  expect((await harness.http.post(disconnect, { bearer })).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(9_900);
  await proxy.restore();
  await untilTrue("Redis is back", async () => {
    const { values } = await harness.services.metrics.limitsCountedInProcess.get();
    const counted = values.reduce((sum, { value }) => sum + value, 0);
    await harness.http.get("/healthz");
    const after = (await harness.services.metrics.limitsCountedInProcess.get()).values;
    return after.reduce((sum, { value }) => sum + value, 0) === counted;
  });
  expect((await harness.http.get(employees, { bearer })).status).toBe(403);
  await harness.close();
  await proxy.close();
});

/** The ten seconds until all copies have ended do not pass. */
class EndlessClock extends MovedClock {
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(ms >= 10_000 ? 600_000 : ms, signal);
  }
}

test("a disconnect while Redis stands still answers as soon as Redis has been told", async () => {
  const proxy = await FlakyProxy.before(redisUrl());
  const harness = await createHarness({
    clock: new EndlessClock(),
    env: { REDIS_URL: proxy.through(redisUrl()) },
  });
  try {
    const { token: bearer } = await harness.connect();
    await harness.http.get("/2023-03-01/xhr/identity", { bearer });
    proxy.pause();
    const disconnecting = harness.http.post(disconnect, { bearer });
    await untilTrue("Redis was asked in vain", () =>
      harness.logLines.some((line) => line.includes("the Redis of the admissions is away")),
    );
    await proxy.restore();
    expect((await disconnecting).status).toBe(200);
    expect((await harness.http.get("/2023-03-01/xhr/identity", { bearer })).status).toBe(403);
  } finally {
    await proxy.restore();
    await harness.close();
    await proxy.close();
  }
});

describe("a copy", () => {
  const open: AdmissionCopies[] = [];
  afterEach(() => {
    for (const copies of open.splice(0)) copies.close();
  });

  const row = {
    tokenId: randomUUID(),
    clientId: "a",
    isSharedSandbox: false,
    provider: "sandbox",
    mode: "xhr" as const,
    scopes: employees,
    isDisconnected: false,
    connectionId: randomUUID(),
    authFailure: null,
    version: null,
    fetchedAtMs: null,
    versions: [["employees", "", "v1", 1]],
  };

  const keyring = new Keyring([{ id: "test", key: Buffer.alloc(32, 7) }]);
  const codeDigest = sha256("a code");

  /** As the database has it: with what proves the token. */
  const bind = (of: typeof row, tokenDigest: Buffer) => ({
    ...of,
    codeDigest,
    grantMac: bindGrant(keyring, codeDigest, { ...of, scopes: [employees] }),
    digestMac: bindDigest(keyring, tokenDigest, codeDigest),
  });

  /** Copies over a Postgres that counts how often it is asked, can be slow, and may not know every token. */
  async function createCopies(
    prefix: string,
    clock = new TestClock(),
    rowOf: (digest: Buffer) => typeof row | undefined = () => row,
  ) {
    const asked = { count: 0, until: Promise.resolve() };
    /** One token with all that there is of its connection, or the tokens of a turn with one version each. */
    const query = async ({ values: [askers] }: { values: [Buffer | Buffer[]] }) => {
      asked.count += 1;
      await asked.until;
      const rows = [askers].flat().flatMap((asker, index) => {
        const found = rowOf(asker);
        return found ? [{ ...bind(found, asker), position: index + 1 }] : [];
      });
      return { rows };
    };
    const pool = { query } as unknown as Pool;
    const log = createLog({ level: "silent" });
    const admissions = new Admissions({ pool, log, keyring });
    const redis = { url: redisUrl(), prefix };
    const copies = new AdmissionCopies({ redis, admissions, clock, log, keyring });
    open.push(copies);
    await untilTrue(
      "Redis answers",
      async () => (await copies.admit(digest, stored, windows)) !== undefined,
    );
    await copies.forget(digest);
    asked.count = 0;
    return { copies, asked, clock };
  }

  const digest = sha256("a token");
  const stored = { resource: "employees", parameters: "" } as const;
  const windows: RequestWindows = {
    address: { key: `w${randomUUID()}`, max: 1e9, ms: 60_000 },
    client: { keyPrefix: `w${randomUUID()}`, ms: 60_000 },
    caller: "192.0.2.1",
  };

  test("is read instead of Postgres, and names the stored version", async () => {
    const { copies, asked } = await createCopies(`t${randomUUID()}`);
    await copies.admit(digest, stored, windows);
    const found = await copies.admit(digest, stored, windows);
    expect(found?.admission?.snapshot).toEqual({ version: "v1", fetchedAt: new Date(1) });
    expect(asked.count).toBe(1);
  });

  test("is read by one script call for all requests of a turn, each of which counts", async () => {
    const prefix = `t${randomUUID()}`;
    const { copies, asked } = await createCopies(prefix);
    await copies.admit(digest, stored, windows);
    const { calls, stop } = await watchScriptCalls(redis, prefix);
    const found = await Promise.all(
      Array.from({ length: 30 }, () => copies.admit(digest, stored, windows)),
    );
    await stop();
    expect(calls).toHaveLength(1);
    expect(asked.count).toBe(1);
    expect(found.map((one) => one?.admission?.snapshot?.version)).toEqual(Array(30).fill("v1"));
    for (const window of ["address", "client"] as const) {
      const counts = found.map((one) => one?.[window]?.current ?? 0);
      expect(counts).toEqual(counts.map((_, at) => (counts[0] ?? 0) + at));
    }
  });

  test("of one token is nobody else's among the requests of a turn, whoever they are", async () => {
    const prefix = `t${randomUUID()}`;
    const tokens = ["known", "copied", "new", "unknown", "disconnected"].map((name) => ({
      name,
      digest: sha256(name),
      row: {
        ...row,
        tokenId: randomUUID(),
        clientId: `client of ${name}`,
        isDisconnected: name === "disconnected",
        versions: [["employees", "", `version-${name}`, 1] as [string, string, string, number]],
      },
    }));
    const rowOf = (wanted: Buffer) =>
      tokens.find(({ name, digest }) => name !== "unknown" && digest.equals(wanted))?.row;
    const { copies } = await createCopies(prefix, new TestClock(), rowOf);
    const { copies: other } = await createCopies(prefix, new TestClock(), rowOf);
    for (const name of ["known", "known", "copied"])
      await (name === "known" ? copies : other).admit(sha256(name), stored, windows);
    const addresses = new Map(
      ["near", "far"].map((name) => [name, { ...windows.address, key: `w${randomUUID()}` }]),
    );
    const requests = Array.from({ length: 150 }, (_, at) => ({
      token: tokens[at % tokens.length]!,
      from: at % 2 === 0 ? "near" : "far",
    }));
    const found = await Promise.all(
      requests.map(({ token, from }) =>
        copies.admit(token.digest, stored, { ...windows, address: addresses.get(from)! }),
      ),
    );
    const expected = requests.map(({ token: { name, row: own }, from }, at) => ({
      address: requests.slice(0, at + 1).filter((one) => one.from === from).length,
      ...(name !== "unknown" && {
        tokenId: own.tokenId,
        clientId: own.clientId,
        version: `version-${name}`,
        isDisconnected: own.isDisconnected,
      }),
    }));
    expect(
      found.map((one) => ({
        address: one?.address.current,
        tokenId: one?.admission?.tokenId,
        clientId: one?.admission?.clientId,
        version: one?.admission?.snapshot?.version,
        isDisconnected: one?.admission?.isDisconnected,
      })),
    ).toEqual(expected);
    const countsOf = (name: string): (number | undefined)[] =>
      found.filter((_, at) => requests[at]!.token.name === name).map((one) => one?.client?.current);
    // Who finds no copy is counted for the client later: of the two requests before, the second counted.
    expect(countsOf("known")).toEqual(Array.from({ length: 30 }, (_, at) => at + 2));
    expect(countsOf("copied")).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  });

  test("is not made by who read the token before it was disconnected", async () => {
    const { copies, asked } = await createCopies(`t${randomUUID()}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    asked.until = promise;
    const reading = copies.admit(digest, stored, windows);
    await untilTrue("Postgres is asked", async () => asked.count === 1);
    await copies.end([digest]);
    resolve();
    await reading;
    await copies.admit(digest, stored, windows);
    await copies.admit(digest, stored, windows);
    expect(asked.count).toBe(3);
  });

  test("that a replaced Redis brings back is believed for ten seconds at most", async () => {
    const { copies, asked, clock } = await createCopies(`t${randomUUID()}`);
    await copies.admit(digest, stored, windows);
    clock.advance(11);
    await copies.admit(digest, stored, windows);
    expect(asked.count).toBe(2);
  });
});

test("copies made under an earlier master key break nothing, before and after it is retired", async () => {
  const database = await createTestDatabase();
  const [earlier, key] = ["test", "next"].map(
    (id) => `${id}:${randomBytes(32).toString("base64")}`,
  );
  const env = testEnvironment(database.url, { MASTER_KEYS: `${earlier},${key}` });
  const first = await createHarness({ env, database, clock: systemClock });
  const startWith = async (keys: string): Promise<Harness> =>
    await createHarness({
      env: { ...first.environment, MASTER_KEYS: keys },
      database,
      clock: systemClock,
    });
  const { token: bearer } = await first.connect();
  const identity = async ({ http }: Harness): Promise<number> =>
    (await http.get("/2023-03-01/xhr/identity", { bearer })).status;
  const copies = (): Promise<string[]> =>
    redis.keys(`${first.environment["REDIS_PREFIX"]}:admission:*`);

  expect(await identity(first)).toBe(200);
  expect(await copies()).not.toEqual([]);
  const second = await startWith(`${key},${earlier}`);
  expect([await identity(second), await identity(first)]).toEqual([200, 200]);
  await second.services.keys.rewrap(() => undefined);
  expect([await identity(second), await identity(first)]).toEqual([200, 200]);
  await second.services.keys.retire("test");
  const third = await startWith(key ?? "");
  expect(await identity(second)).toBe(200);
  expect(await copies()).not.toEqual([]);
  expect(await identity(third)).toBe(200);
  await Promise.all([first, second, third].map((harness) => harness.close()));
  await database.drop();
});

test("stored data that is older than the two hundred newest of its connection is found all the same", async () => {
  const harness = await createHarness();
  try {
    const { token: bearer, tokenId } = await harness.connect();
    await harness.http.get(employees, { bearer });
    await harness.drain();
    const [row] = await harness.database.query(
      `update snapshots set fetched_at = fetched_at - interval '1500 seconds'
       where connection_id = (select id from connections where token_id = $1) returning connection_id as id`,
      [tokenId],
    );
    await harness.database.query(
      `insert into snapshots (connection_id, resource, parameters, version, made_by, fetched_at, sealed_body, body_bytes)
       select $1, 'payslips', 'run ' || number, 'v', '', service_now(), '', 0 from generate_series(1, 250) as number`,
      [row?.["id"]],
    );
    await harness.database.query(
      "update reads set settled_at = settled_at - interval '1500 seconds'",
    );
    for (const _withCopy of [false, true])
      expect((await harness.http.get(employees, { bearer })).status).toBe(200);
    await harness.services.tokens.forgetCopy(String(row?.["id"]));
    expect((await harness.http.get(employees, { bearer })).status).toBe(200);
  } finally {
    await harness.close();
  }
});
