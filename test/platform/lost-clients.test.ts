import { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { BoundedClient } from "../../src/platform/db/bounded-client.ts";
import {
  createPool,
  DatabaseClock,
  Listener,
  notify,
  type Pool,
} from "../../src/platform/db/index.ts";
import { PatientPool, type PatienceOptions } from "../../src/platform/db/patient-pool.ts";
import { createLog } from "../../src/platform/log.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";

const log = createLog({ level: "silent" });
const longMs = 60_000;
const never = new Promise<never>(() => undefined);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

let proxy: FlakyProxy;
let databaseUrl: string;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  proxy = await FlakyProxy.before(inject("postgresUrl"));
  databaseUrl = proxy.through(database.url);
});
afterEach(async () => {
  await proxy.restore();
  await Promise.all(ends.splice(0).map((end) => end()));
  await proxy.close();
});

/** Without its questions to the server, and patient where a test does not say otherwise. */
function poolOf(max: number, options: Partial<PatienceOptions & { queryMs: number }>): Pool {
  const { queryMs = longMs, ...others } = options;
  const pool = new PatientPool(
    {
      Client: BoundedClient as never,
      connectionString: databaseUrl,
      max,
      query_timeout: queryMs,
      loginTimeoutMs: longMs,
    },
    {
      stalledMs: longMs,
      patienceMs: longMs,
      connectMs: longMs,
      isAnswering: undefined,
      endIdleSessions: async () => [],
      onFailed: () => undefined,
      ...others,
    },
  );
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  ends.push(() => pool.end());
  return pool;
}

const messageOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => "done",
    ({ message }: Error) => message,
  );
const noLogin = "no login to the database in time";
const away = "the database is away";

test("when one socket has died without a sign, no idle client of before is used again", async () => {
  const pool = createPool({ databaseUrl, max: 3, patienceMs: longMs, log });
  ends.push(() => pool.end());
  await Promise.all(Array.from({ length: 3 }, () => pool.query("select pg_sleep(0.1)")));
  proxy.swallow();
  expect(await messageOf(pool.query("select 1"))).not.toBe("done");
  expect(await messageOf(pool.query("select 1"))).toBe("done");
});

test("whoever waits for a client is told when the database turns out to be away", async () => {
  const pool = poolOf(1, { isAnswering: async () => false });
  await pool.query("select 1");
  proxy.pause();
  const used = messageOf(pool.query("select 1"));
  const waiting = Array.from({ length: 3 }, () => messageOf(pool.query("select 1")));
  expect(await used).not.toBe("done");
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([away]));
});

test("a database that lets nobody in is found to be away before any client was in use", async () => {
  const pool = poolOf(1, { connectMs: 100, isAnswering: async () => false });
  proxy.pause();
  expect(await messageOf(pool.query("select 1"))).toBe(noLogin);
  await expect.poll(() => messageOf(pool.query("select 1"))).toBe(away);
});

test("a question without an answer tells nothing while others hear from the database", async () => {
  const asked = Promise.withResolvers<void>();
  const isAnswering = async (): Promise<boolean> => {
    asked.resolve();
    return await never;
  };
  const pool = poolOf(2, { isAnswering, queryMs: 6_000 });
  await pool.query("select 1");
  proxy.swallow();
  const dead = messageOf(pool.query("select 1"));
  await asked.promise;
  const others = setInterval(() => void messageOf(pool.query("select 1")), 100);
  expect(await dead).toBe("Query read timeout");
  clearInterval(others);
  expect(await messageOf(pool.query("select 1"))).toBe("done");
});

test("a login that its caller has given up keeps its place, and is there for the next one", async () => {
  const pool = poolOf(1, { connectMs: 100, stalledMs: 500 });
  proxy.pause();
  expect(await messageOf(pool.query("select 1"))).toBe(noLogin);
  const inUse = "every client of the database is in use";
  expect(await messageOf(pool.query("select 1"))).toBe(inUse);
  await proxy.restore();
  await expect.poll(() => messageOf(pool.query("select 1"))).toBe("done");
  expect(proxy.accepted).toBe(1);
});

test("one login at a time goes on without a caller, and leaves the other places free", async () => {
  const pool = poolOf(2, { connectMs: 100, stalledMs: 5_000 });
  proxy.pause();
  const given = Array.from({ length: 2 }, () => messageOf(pool.query("select 1")));
  expect(await Promise.all(given)).toEqual([noLogin, noLogin]);
  expect(await messageOf(pool.query("select 1"))).toBe(noLogin);
});

/** The other end gives no sign. */
class SilentSocket extends Socket {
  override readonly connecting: boolean = true;
  override connect(): this {
    return this;
  }
}

test("a socket that does not come about is given up before the time for a login is over", async () => {
  const client = new BoundedClient({
    stream: () => new SilentSocket(),
    socketTimeoutMs: 100,
    loginTimeoutMs: longMs,
    query_timeout: longMs,
  });
  client.on("error", () => undefined);
  expect(await messageOf(client.connect())).toBe("no connection to the database in time");
});

class ObservedSocket extends Socket {
  probedAfterMs: number | undefined;
  override setKeepAlive(isOn?: boolean | object, ms?: number): this {
    if (isOn === true) this.probedAfterMs = ms;
    return super.setKeepAlive(isOn === true, ms);
  }
}

test("a socket that hears nothing is probed, also that of a statement without a limit", async () => {
  const socket = new ObservedSocket();
  const client = new BoundedClient({
    connectionString: databaseUrl,
    stream: () => socket,
    query_timeout: 0,
  });
  await client.connect();
  await client.end();
  expect(socket.probedAfterMs).toBe(10_000);
});

test("a client whose statement got no answer is ended, and nobody waits on its socket again", async () => {
  const client = new BoundedClient({ connectionString: databaseUrl, query_timeout: 100 });
  client.on("error", () => undefined);
  await client.connect();
  proxy.pause();
  const ended = new Promise((resolve) => client.once("end", resolve));
  expect(await messageOf(client.send("select 1"))).toBe("Query read timeout");
  await ended;
});

test("a listener whose socket has died without a sign listens again by itself", async () => {
  const clock = new DatabaseClock(systemClock, log);
  const listener = new Listener({ databaseUrl, clock, log });
  ends.push(() => listener.close());
  const heard = new Set<string>();
  listener.observe((payload) => heard.add(payload));
  listener.start();
  const pool = createPool({ databaseUrl: database.url, max: 1, patienceMs: longMs, log });
  ends.push(() => pool.end());
  const hears = async (payload: string): Promise<boolean> => {
    await notify(pool, payload);
    return heard.has(payload);
  };
  await expect.poll(() => hears("before")).toBe(true);
  proxy.swallow();
  await expect.poll(() => hears("after")).toBe(true);
});
