import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createSignInTable } from "../src/connect/flow-store.ts";
import { removeExpiredFlows } from "../src/connect/index.ts";
import { ConsoleSessions, noteCounts, noteProblems } from "../src/console/index.ts";
import type { SignInAttempt } from "../src/connect/sign-in-throttle.ts";
import { claimRefresh } from "../src/connections/session-store.ts";
import type { ClientId } from "../src/model/index.ts";
import { addSeconds } from "../src/platform/clock.ts";
import { ProviderDown } from "../src/providers/errors.ts";
import { odoo } from "../src/providers/odoo/index.ts";
import { ProviderRegistry } from "../src/providers/registry.ts";
import { sandbox } from "../src/providers/sandbox/index.ts";
import { createReadTable } from "../src/reading/read-store.ts";
import { endClients } from "../src/start/end-clients.ts";
import type { Services } from "../src/start/services.ts";
import { createDeliveryTable } from "../src/webhooks/delivery-store.ts";
import { ConnectVisitor, linkPath, workSignIns } from "./support/connect-visitor.ts";
import { createTestDatabase, type TestDatabase } from "./support/database.ts";
import { FakeOdoo } from "./support/fake-odoo.ts";
import { exchangeBody, redirectUri, signIn } from "./support/harness.ts";
import { password } from "./support/odoo-customer.ts";
import { odooTables, odooUsers } from "./support/odoo-desk-data.ts";
import { answers, Receiver } from "./support/receiver.ts";
import { SkewedClock } from "./support/skewed-clock.ts";
import { StubProvider } from "./support/stub-provider.ts";
import { TestClock } from "./support/test-clock.ts";
import { untilTrue } from "./support/until-true.ts";
import { createWebhookHarness, type WebhookHarness } from "./support/webhook-harness.ts";

const version = "/2023-03-01";
/**
 * One is before the database and one behind it, and each begins and ends. A difference of an hour alone would be
 * none to what counts whole hours, and one of 90 seconds alone would be lost in what allows for some minutes.
 */
const skews = [90, -3_600];
const anyone = { username: "user_good", password: "anything" };

const stub = new StubProvider();
const quotas = { account: { perDay: 1 }, atOnce: { atOnce: 1 } };
const limited = { ...stub.definition, limits: { quotas } };
const registry = new ProviderRegistry([sandbox, limited, odoo]);
const random = { between: (low: number, high: number) => (low + high) / 2 };

let receiver: Receiver;
let number = 0;
beforeAll(async () => {
  receiver = await Receiver.start();
  stub.pages = { employees: [[{ remote_id: "1", last_name: "Example" }]] };
});
afterAll(() => receiver.close());

/** A process of the service whose machine's clock is so far ahead of the database's. */
async function startProcess(
  database: TestDatabase,
  clock: TestClock,
  { aheadSeconds, masterKeys }: { aheadSeconds: number; masterKeys?: string },
): Promise<WebhookHarness> {
  return await createWebhookHarness({
    database,
    clock: new SkewedClock(clock, aheadSeconds),
    registry,
    random,
    env: { TRUST_PROXY: "127.0.0.0/8", ...(masterKeys && { MASTER_KEYS: masterKeys }) },
  });
}

/** A connection whose employees are told to the receiver. */
async function watch(harness: WebhookHarness) {
  const connected = await harness.connect({ provider: "stub" });
  await harness.listen(connected.client.clientId, receiver.url);
  await harness.services.clients.update(
    (await harness.services.clients.find(connected.client.clientId))!,
    { eventUri: receiver.url },
  );
  await harness.settle();
  return connected;
}

/** The next poll finds a change, which the receiver answers so. */
async function change(harness: WebhookHarness, clock: TestClock, status: number): Promise<void> {
  receiver.answer = answers.status(status);
  stub.pages = { employees: [[{ remote_id: "1", last_name: `Example ${(number += 1)}` }]] };
  clock.advance(3_600);
  await harness.settle();
}

/** All that writes a moment. */
async function writeMoments(harness: WebhookHarness, clock: TestClock): Promise<void> {
  const { services, http } = harness;
  const { pool, quotas } = services;
  const connected = await watch(harness);
  await change(harness, clock, 204);
  await change(harness, clock, 500);
  await harness.services.events.place();
  await harness.settle();
  clock.advance(5);
  await createDeliveryTable(pool).claim();
  await mayRefresh(harness, connected.tokenId);
  await failRead(harness);
  await loseAccess(harness);
  await readAnew(harness);
  await createReadTable(pool, []).claim();

  await signIn(services);
  await openLink(harness, connected);
  const visitor = visitOf(harness);
  await visitor.send(await visitor.begin(linkPath(connected.client)), "decline");
  await visitor.send(await visitor.begin(linkPath(connected.client)), "sign-in", anyone);
  await createSignInTable(pool).claim();
  await refuse(harness);
  await fillHour(harness, clock);

  const { signal } = new AbortController();
  await quotas.draw("stub", { account: "a", atOnce: "a" }, signal);
  await quotas.pause("stub", { account: "b" }, 60);
  const { environment } = services.config;
  const sessions = new ConsoleSessions({ ...services, environment });
  await sessions.createLink("unused");
  await noteCounts(services);
  await sessions.useLink((await sessions.createLink("used")).credential);
  await sessions.beginForOperator("https://login.example.com 4711", {
    digest: Buffer.from("a state"),
    expiresAt: addSeconds(services.clock.now(), 600),
  });
  const ended = await harness.connect();
  const lost = await loseAccess(harness);
  for (const bearer of [ended.token, lost])
    await http.post(`${version}/management/disconnect`, { bearer });
  await noteProblems(services);
  const { client: gone } = await harness.connect();
  await visitor.begin(linkPath(gone));
  await services.clients.ends.begin(gone.clientId);
  await removeExpiredFlows(services);
  await endClients(services, signal);
  await services.events.place();
  await endClients(services, signal);
  const { client: cleared } = await harness.connect();
  await services.clients.update(cleared, { eventUri: receiver.url });
  await services.clients.update((await services.clients.find(cleared.clientId))!, {
    eventUri: null,
  });
  await services.auditChain.link();
}

/** A request that waits, because another one has the only place. */
async function waitForPlace({ services, database }: WebhookHarness) {
  const ending = new AbortController();
  const drawn = services.quotas.draw("stub", { atOnce: "a" }, ending.signal);
  const ended = drawn.then(
    () => undefined,
    () => undefined,
  );
  await untilTrue(
    "the request waits",
    async () => (await database.query("select from quota_waits")).length === 1,
  );
  return {
    end: async () => {
      ending.abort();
      await ended;
    },
  };
}

/** A read of a new connection that is asked for. Returns its token. */
async function readAnew(harness: WebhookHarness): Promise<string> {
  const { token } = await harness.connect({ provider: "stub" });
  await harness.http.get(`${version}/xhr/employees`, { bearer: token });
  return token;
}

/** One that has failed. */
async function failRead(harness: WebhookHarness): Promise<string> {
  stub.map = () => {
    throw new TypeError("not an employee");
  };
  const token = await readAnew(harness);
  await harness.drain();
  stub.map = (raw) => raw;
  return token;
}

/** A connection whose end user has to sign in again. */
async function loseAccess(harness: WebhookHarness): Promise<string> {
  const { token } = await harness.connect({ user: "user_expired" });
  await harness.http.get(`${version}/xhr/employees`, { bearer: token });
  await harness.drain();
  return token;
}

/** Every moment in the database, by table and column, after all that writes one. */
async function momentsOf(aheadSeconds: number): Promise<Record<string, unknown[]>> {
  const database = await createTestDatabase();
  const clock = new TestClock();
  clock.lead(database);
  const harness = await startProcess(database, clock, { aheadSeconds });
  await tellOnce(harness, "killed");
  await writeMoments(harness, clock);
  const waiting = await waitForPlace(harness);
  const columns = await database.query(
    `select table_name as table, column_name as column from information_schema.columns
     join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone' order by 1, 2`,
  );
  const moments: Record<string, unknown[]> = {};
  for (const { table, column } of columns) {
    const rows = await database.query(
      `select "${String(column)}" as moment from "${String(table)}" order by 1`,
    );
    moments[`${String(table)}.${String(column)}`] = rows.map(({ moment }) => moment);
  }
  await waiting.end();
  await harness.close();
  await database.drop();
  return moments;
}

describe("a process whose clock is wrong stores the moments that one with the right clock stores", () => {
  let right: Record<string, unknown[]>;
  beforeAll(async () => {
    right = await momentsOf(0);
  });

  test("in every column but that of a retired key, and those of former tables", () => {
    const without = Object.entries(right).flatMap(([column, moments]) =>
      moments.every((moment) => moment === null) ? [column] : [],
    );
    expect(without).toEqual(["console_minutes.at", "master_keys.retired_at"]);
  });

  test.each(skews)("though it is wrong by %i seconds", async (aheadSeconds) => {
    expect(await momentsOf(aheadSeconds)).toEqual(right);
  });
});

const visitOf = ({ baseUrl }: { baseUrl: string }): ConnectVisitor =>
  new ConnectVisitor(baseUrl, { "x-forwarded-for": "198.51.100.1" });

/** The same browser at another process. */
function atOther(visitor: ConnectVisitor, other: WebhookHarness): ConnectVisitor {
  const same = visitOf(other);
  for (const cookie of visitor.cookies) same.cookies.set(...cookie);
  return same;
}

/** The path of a one-time link. */
async function openLink(
  { http }: WebhookHarness,
  { client, secret }: { client: { clientId: string }; secret: string },
): Promise<string> {
  const { body } = await http.post(`${version}/management/connect-session`, {
    basic: [client.clientId, secret],
    json: { redirect_uri: redirectUri, scope: `${version}/xhr/company`, provider: "sandbox" },
  });
  const { pathname, search } = new URL((body as { connect_url: string }).connect_url);
  return pathname + search;
}

/** Four attempts at an account, so that the fifth has to wait for two seconds. */
async function refuse({ services }: WebhookHarness) {
  const attempt = identify(services, `account ${(number += 1)}`, "192.0.2.1");
  for (let count = 0; count < 4; count += 1)
    await services.signInThrottle.admit(attempt, ofStranger);
  return attempt;
}

/** More attempts at an account than an hour has, and then one who knows the password. */
async function fillHour({ services }: WebhookHarness, clock: TestClock): Promise<void> {
  const { signInThrottle } = services;
  for (let count = 0; count <= 20; count += 1) {
    const attempt = identify(services, "a full account", `192.0.2.${count}`);
    await signInThrottle.admit(attempt, ofStranger);
  }
  const from = {
    address: "192.0.2.99",
    network: "192.0.2.0/24",
    browser: "a browser",
    isOfLink: false,
  };
  const attempt = signInThrottle.identify("stub", accountOf("a full account"), from);
  await signInThrottle.recordSuccess(attempt);
  clock.advance(1);
}

const accountOf = (name: string) => ({ name: [name], shared: [name] });
const unknown = { network: "", browser: undefined, isOfLink: false };

/** An attempt of somebody whom nobody knows. */
function identify({ signInThrottle }: Services, account: string, address: string): SignInAttempt {
  return signInThrottle.identify("stub", accountOf(account), { ...unknown, address });
}

const ofStranger = {
  id: "01a1fd50-0000-7000-8000-000000000000",
  clientId: "" as ClientId,
  tokenId: null,
  provider: "stub",
  linkDigest: null,
};

async function isAdmitted({ services }: WebhookHarness, attempt: SignInAttempt): Promise<boolean> {
  const { kind } = await services.signInThrottle.admit(attempt, ofStranger);
  return kind === "admitted";
}

/** What one process begins, and when another one has to take it for over. */
interface Limit<Begun> {
  what: string;
  seconds: number;
  /** How long before its end it is surely not over. A second by default. */
  before?: number;
  begin: (by: WebhookHarness, clock: TestClock) => Promise<Begun>;
  isOver: (of: WebhookHarness, begun: Begun) => Promise<boolean>;
}

function limit<Begun>(row: Limit<Begun>): Limit<unknown> {
  return row as Limit<unknown>;
}

const day = 86_400;
const limits = [
  limit({
    what: "a code",
    seconds: 300,
    begin: ({ services }) => signIn(services),
    isOver: async ({ http }, signedIn) =>
      (await http.post(`${version}/management/token`, { json: exchangeBody(signedIn) })).status !==
      201,
  }),
  limit({
    what: "a connection without its exchange",
    seconds: 300,
    begin: ({ services }) => signIn(services),
    isOver: async ({ services, database }, { client }) => {
      await services.connections.removeUnclaimed();
      const rows = "select 1 from connections where client_id = $1";
      return (await database.query(rows, [client.clientId])).length === 0;
    },
  }),
  limit({
    what: "the record of a code",
    seconds: 300 + 30 * day + 1,
    begin: ({ services }) => signIn(services),
    isOver: async ({ services, database }, { client }) => {
      await services.tokens.removeOldCodes();
      const rows = "select 1 from authorization_codes where client_id = $1";
      return (await database.query(rows, [client.clientId])).length === 0;
    },
  }),
  limit({
    what: "a one-time link",
    seconds: 1_800,
    begin: async (harness) => await openLink(harness, await harness.createClient()),
    isOver: async (other, link) => (await visitOf(other).open(link)).status === 410,
  }),
  limit({
    what: "the page of a client's own link",
    seconds: 1_800,
    begin: async (harness) => {
      const { client } = await harness.createClient();
      const visitor = visitOf(harness);
      return { visitor, page: await visitor.open(linkPath(client)) };
    },
    isOver: async (other, { visitor, page }) => {
      const { path } = await atOther(visitor, other).send(page, "sign-in", anyone);
      return path === page.path;
    },
  }),
  limit({
    what: "a sign-in",
    seconds: 1_800,
    begin: async (harness) => {
      const { client } = await harness.createClient();
      const visitor = visitOf(harness);
      return { visitor, page: await visitor.begin(linkPath(client)) };
    },
    isOver: async (other, { visitor, page }) =>
      (await atOther(visitor, other).open(page.path)).status === 410,
  }),
  limit({
    what: "the wait of an account after refusals",
    seconds: 2,
    begin: refuse,
    isOver: isAdmitted,
  }),
  limit({
    what: "the hour in which strangers have tried an account as often as they may",
    seconds: 3_600,
    begin: async ({ services }) => {
      const account = `account ${(number += 1)}`;
      for (let stranger = 0; stranger < 20; stranger += 1)
        await services.signInThrottle.admit(
          identify(services, account, `192.0.2.${stranger}`),
          ofStranger,
        );
      return identify(services, account, "192.0.2.99");
    },
    isOver: isAdmitted,
  }),
  limit({
    what: "a quota that is used up",
    // A slot is a sixtieth of the window, and counts as long as a part of it is in the window.
    seconds: day + day / 60,
    before: day / 60 + 70,
    begin: async ({ services }) => {
      const account = { account: `account ${(number += 1)}` };
      await services.quotas.draw("stub", account, new AbortController().signal);
      return account;
    },
    isOver: mayDraw,
  }),
  limit({
    what: "a pause that a provider has asked for",
    seconds: 600,
    before: 70,
    begin: async ({ services }) => {
      const account = { account: `account ${(number += 1)}` };
      await services.quotas.pause("stub", account, 600);
      return account;
    },
    isOver: mayDraw,
  }),
  limit({
    what: "the lease of a read",
    seconds: 10,
    begin: async (harness) => {
      await harness.drain();
      await readAnew(harness);
      return (await createReadTable(harness.services.pool, []).claim())?.id;
    },
    isOver: async ({ services, database }, id) => {
      await createReadTable(services.pool, []).releaseExpired();
      const rows = "select 1 from reads where id = $1 and lease_until is null";
      return (await database.query(rows, [id])).length === 1;
    },
  }),
  limit({
    what: "the failure of a read",
    seconds: 60,
    begin: failRead,
    isOver: async ({ http }, bearer) =>
      (await http.get(`${version}/xhr/employees`, { bearer })).status === 202,
  }),
  limit({
    what: "the wait of a read for its next try",
    seconds: 2,
    begin: async (harness) => {
      await harness.drain();
      stub.onCall = () => {
        throw new ProviderDown("away");
      };
      await readAnew(harness);
      await harness.drain();
      stub.onCall = () => undefined;
    },
    isOver: async ({ services }) => {
      const claimed = await createReadTable(services.pool, []).claim();
      if (claimed) await createReadTable(services.pool, []).release(claimed);
      return claimed !== undefined;
    },
  }),
  limit({
    what: "data that is fresh enough",
    // A minute is still fresh.
    seconds: 61,
    begin: async (harness) => {
      const token = await readAnew(harness);
      await harness.drain();
      return token;
    },
    isOver: async ({ http }, bearer) => {
      const headers = { "cache-control": "no-cache" };
      return (await http.get(`${version}/xhr/employees`, { bearer, headers })).status === 202;
    },
  }),
  limit({
    what: "the lease of a refresh",
    seconds: 30,
    begin: async (harness) => {
      const { tokenId } = await harness.connect({ provider: "stub" });
      await mayRefresh(harness, tokenId);
      return tokenId;
    },
    isOver: mayRefresh,
  }),
  limit({
    what: "the wait of a webhook for its next attempt",
    seconds: 5,
    begin: async (harness, clock) => {
      await watch(harness);
      await change(harness, clock, 500);
    },
    isOver: async ({ services }) => {
      const claimed = await createDeliveryTable(services.pool).claim();
      if (claimed) await createDeliveryTable(services.pool).release(claimed);
      return claimed !== undefined;
    },
  }),
  limit({
    what: "the last word of a process",
    seconds: 60,
    begin: async (harness) => {
      const role = `role ${(number += 1)}`;
      await tellOnce(harness, role);
      return role;
    },
    isOver: async ({ services }, role) =>
      (await services.keys.processes()).every((each) => each.role !== role),
  }),
];

/** A process with this role is there, as when it was killed: it tells nothing more, however long the test takes. */
async function tellOnce({ services, database }: WebhookHarness, role: string): Promise<void> {
  const telling = services.keys.tellKeys("all");
  const renamed = "update running_processes set role = $1, id = $2 where role = 'all' returning id";
  await untilTrue("it has told", async () => {
    return (await database.query(renamed, [role, randomUUID()])).length > 0;
  });
  // It forgets the row of its own id alone.
  await telling.stop();
}

async function mayDraw(
  { services }: WebhookHarness,
  account: { account: string },
): Promise<boolean> {
  return await services.quotas.draw("stub", account, new AbortController().signal).then(
    () => true,
    () => false,
  );
}

async function mayRefresh({ services }: WebhookHarness, tokenId: string): Promise<boolean> {
  const connection = await services.connections.loadByToken(tokenId);
  if (!connection) throw new Error("the connection is gone");
  const refresh = { version: connection.sessionVersion, leaseSeconds: 30 };
  return (await claimRefresh(services.pool, connection, refresh)) !== undefined;
}

describe("what one process has begun is over at the same moment for another one", () => {
  let database: TestDatabase;
  let clock: TestClock;
  let right: WebhookHarness;
  const wrong = new Map<number, WebhookHarness>();
  beforeAll(async () => {
    database = await createTestDatabase();
    clock = new TestClock();
    clock.lead(database);
    right = await startProcess(database, clock, { aheadSeconds: 0 });
    const masterKeys = right.environment["MASTER_KEYS"] ?? "";
    for (const aheadSeconds of skews)
      wrong.set(aheadSeconds, await startProcess(database, clock, { aheadSeconds, masterKeys }));
    workSignIns(right);
  });
  afterAll(async () => {
    for (const process of wrong.values()) await process.close();
    await right.close();
    await database.drop();
  });

  describe.each(skews)("when the clock of one is wrong by %i seconds", (aheadSeconds) => {
    test.each(limits)("$what", async ({ seconds, before = 1, begin, isOver }) => {
      const other = wrong.get(aheadSeconds)!;
      for (const [by, of] of [
        [right, other],
        [other, right],
      ] as const) {
        const startedAt = clock.now().getTime();
        const first = await begin(by, clock);
        const spent = (clock.now().getTime() - startedAt) / 1_000;
        const second = spent === 0 ? await begin(by, clock) : first;
        clock.advance(seconds - before);
        expect(await isOver(of, first)).toBe(false);
        clock.advance(before);
        expect(await isOver(of, second)).toBe(true);
      }
    });
  });
});

describe("a provider's cookie that lives for half an hour is sent as long", () => {
  let database: TestDatabase;
  let clock: TestClock;
  let right: WebhookHarness;
  let fake: FakeOdoo;
  beforeAll(async () => {
    fake = await FakeOdoo.start({ version: 19, users: odooUsers, tables: odooTables() });
    fake.cookieSeconds = 1_800;
    database = await createTestDatabase();
    clock = new TestClock();
    clock.lead(database);
    right = await startProcess(database, clock, { aheadSeconds: 0 });
  });
  afterAll(async () => {
    await right.close();
    await database.drop();
    await fake.stop();
  });

  /** What the machine says while a process works. */
  async function onMachine<T>(aheadSeconds: number, work: () => Promise<T>): Promise<T> {
    const now = new SkewedClock(clock, aheadSeconds).now();
    vi.useFakeTimers({ toFake: ["Date"], now });
    return await work().finally(() => vi.useRealTimers());
  }

  test.each(skews)("by a worker whose clock is wrong by %i seconds", async (aheadSeconds) => {
    const masterKeys = right.environment["MASTER_KEYS"] ?? "";
    const wrong = await startProcess(database, clock, { aheadSeconds, masterKeys });
    const { token: bearer } = await onMachine(0, () =>
      right.connect({
        provider: "odoo",
        formValues: {
          url: fake.origin,
          database: "people",
          username: "ines@example.com",
          password,
        },
      }),
    );
    const statusOf = async (resource: string): Promise<number> => {
      const path = `${version}/xhr/${resource}`;
      expect((await right.http.get(path, { bearer })).status).toBe(202);
      await onMachine(aheadSeconds, () => wrong.drain());
      return (await right.http.get(path, { bearer })).status;
    };
    clock.advance(1_799);
    expect(await statusOf("company")).toBe(200);
    clock.advance(1);
    expect(await statusOf("employees")).toBe(401);
    await wrong.close();
  });
});
