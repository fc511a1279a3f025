import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWorker, type Worker } from "../src/start/worker.ts";
import { systemClock } from "../src/platform/clock.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "./support/harness.ts";
import type { Reply } from "./support/http-client.ts";
import { countLockWaits } from "./support/lock-waits.ts";
import { readWhenReady } from "./support/read-when-ready.ts";
import { untilTrue } from "./support/until-true.ts";

const base = "/2023-03-01";

let harness: Harness;
let owner: Awaited<ReturnType<Harness["connect"]>>;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock });
  owner = await harness.connect();
  harness.logLines.length = 0;
});
afterAll(() => harness.close());

/** From now on the first `times` changes of a table in separate transactions end with this SQLSTATE. */
async function failChanges(table: string, state: string, times: number): Promise<void> {
  await harness.database.query(`
    drop trigger if exists fails on ${table};
    drop sequence if exists failures;
    create sequence failures;
    create or replace function fail_at_first() returns trigger language plpgsql as $$
    begin
      if nextval('failures') <= ${times} then
        raise exception 'could not extend file "base/5/1259": No space left on device' using errcode = '${state}';
      end if;
      return new;
    end $$;
    create trigger fails before insert or update on ${table} for each row execute function fail_at_first()`);
}

async function succeed(table: string): Promise<void> {
  await harness.database.query(`drop trigger fails on ${table}`);
}

async function rename(): Promise<Reply> {
  return await harness.http.post(`${base}/management/client`, {
    basic: [owner.client.clientId, owner.secret],
    json: { name: "Renamed" },
  });
}

async function exchange(): Promise<Reply> {
  const signedIn = await signIn(harness.services);
  return await harness.http.post(`${base}/management/token`, { json: exchangeBody(signedIn) });
}

describe.each(["40001", "40P01"])("a transaction that loses with %s", (state) => {
  test("is made again, as a whole: a change, and an exchange", async () => {
    await failChanges("clients", state, 2);
    expect((await rename()).status).toBe(200);
    await succeed("clients");
    await failChanges("tokens", state, 2);
    expect((await exchange()).status).toBe(201);
    await succeed("tokens");
  });

  test("is told once, as what it is, and not as a database that is away", async () => {
    const said = harness.logLines.map((line) => JSON.parse(line) as { level: number; msg: string });
    const words = said.filter(({ level }) => level >= 40).map(({ msg }) => msg);
    expect(words).toEqual([
      "a transaction of the database lost against another one and is made again",
    ]);
  });

  test("is made a few times only, and then the reply is 503", async () => {
    await failChanges("clients", state, 1_000);
    const reply = await rename();
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "2"]);
    const [{ tries }] = (await harness.database.query(
      "select last_value::int as tries from failures",
    )) as [{ tries: number }];
    expect(tries).toBeLessThan(10);
    await succeed("clients");
  });
});

test("a master key is kept in its file once, however often the transaction of its canary is made again", async () => {
  await failChanges("master_keys", "40001", 2);
  const kept: string[] = [];
  const key = { id: "second", key: randomBytes(32) };
  await harness.services.keys.add(key, async () => void kept.push(key.id));
  await succeed("master_keys");
  expect(kept).toEqual(["second"]);
  const found = await harness.database.query("select id from master_keys where id = 'second'");
  expect(found).toHaveLength(1);
});

test("a request that is the victim of a deadlock is answered as if there had been none", async () => {
  const other = new Client({ connectionString: harness.database.url });
  await other.connect();
  const { clientId } = owner.client;
  await other.query("begin");
  // Whoever looks for the deadlock first is its victim.
  await other.query("set local deadlock_timeout = '10min'");
  await other.query("select 1 from client_secrets where client_id = $1 for update", [clientId]);
  const rotating = harness.http.post(`${base}/management/client`, {
    basic: [clientId, owner.secret],
    json: { rotate_secret: true },
  });
  await untilTrue(
    "the request waits for a lock",
    async () => (await countLockWaits(harness.database)) > 0,
  );
  await other.query("update clients set name = name where client_id = $1", [clientId]);
  await other.query("commit");
  await other.end();
  expect((await rotating).status).toBe(200);
  await untilTrue("there was a deadlock", async () => {
    const [counted] = await harness.database.query(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    return Number(counted?.["deadlocks"]) > 0;
  });
});

describe("a server that is out of something, or has a fault of its system", () => {
  beforeAll(() => void (harness.logLines.length = 0));

  test.each(["53100", "53200", "53300", "58030", "57P04"])(
    "%s is 503 with Retry-After",
    async (state) => {
      await failChanges("clients", state, 1_000);
      const replies = await Promise.all([rename(), rename(), rename()]);
      await succeed("clients");
      expect(replies.map(({ status, headers }) => [status, headers["retry-after"]])).toEqual([
        [503, "2"],
        [503, "2"],
        [503, "2"],
      ]);
    },
  );

  test("the log says what it is, in one line", () => {
    const lines = harness.logLines.filter((line) => /"level":(?:40|50)/.test(line));
    expect(lines.filter((line) => line.includes("No space left on device"))).toHaveLength(1);
    expect(lines.length).toBeLessThan(3);
  });
});

const allFine = (replies: Reply[]): boolean => replies.every(({ status }) => status === 200);

/** Every statement has been sent before, and is sent again. */
async function askEverything(): Promise<Reply[]> {
  const {
    token: bearer,
    client,
    secret,
  } = await harness.connect({
    client: { client: owner.client, secret: owner.secret },
  });
  const basic: [string, string] = [client.clientId, secret];
  return [
    await readWhenReady(harness.http, `${base}/xhr/employees`, { bearer }),
    await readWhenReady(harness.http, `${base}/xhr/company`, { bearer }),
    await harness.http.get(`${base}/xhr/identity`, { bearer }),
    await harness.http.get(`${base}/management/introspect`, { bearer }),
    await harness.http.get(`${base}/management/tokens`, { basic }),
    await harness.http.get(`${base}/management/client`, { basic }),
    await harness.http.get(`${base}/management/deliveries`, { basic }),
    await harness.http.post(`${base}/management/disconnect`, { bearer }),
  ];
}

describe("a migration while the program serves", () => {
  let worker: Worker;
  beforeAll(() => {
    worker = buildWorker(harness.services);
  });
  afterAll(() => worker.stop());

  test("that adds columns, or gives them other types, fails no request", async () => {
    expect(allFine(await askEverything())).toBe(true);
    const tables = (await harness.database.query(
      "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migrations'",
    )) as { relname: string }[];
    for (const { relname } of tables)
      await harness.database.query(`alter table ${relname} add column of_a_later_version text`);
    expect(allFine(await askEverything())).toBe(true);
    const [view] = await harness.database.query(
      "select pg_get_viewdef('bound_connections'::regclass) as text",
    );
    await harness.database.query(`
      begin;
      drop view bound_connections;
      alter table connections alter column provider type varchar;
      alter table tokens alter column provider type varchar;
      alter table clients alter column name type varchar;
      alter table reads alter column provider type varchar;
      create view bound_connections as ${String(view?.["text"])};
      commit`);
    expect(allFine(await askEverything())).toBe(true);
    expect(harness.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });

  test("no statement asks for all columns of a table, whichever they are", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const found = files.flatMap((name) =>
      [
        ...readFileSync(join("src", name), "utf8").matchAll(
          /(?:select|returning) \*(?! from unnest)/g,
        ),
      ].map(([text]) => `${name}: ${text}`),
    );
    expect(found).toEqual([]);
  });
});
