import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { verifyRecord } from "../../src/audit/index.ts";
import { rollcall } from "../support/command-line.ts";
import { queryOnce } from "../support/database.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const suffix = randomBytes(6).toString("hex");
const [owner, service] = [`owner_${suffix}`, `service_${suffix}`];
const password = "p/@:? word";
const ownsTables =
  /the role of DATABASE_URL owns the tables, so whoever has it can change the audit record and the time/;

let harness: Harness;
let asService: Client;
beforeAll(async () => {
  await queryOnce(
    inject("postgresUrl"),
    `create role ${owner} login password '${password}'; create role ${service} login password '${password}'`,
  );
  await queryOnce(inject("postgresUrl"), `create database ${owner} owner ${owner}`);
  harness = await createHarness({
    database: {
      url: urlOf(service),
      query: query(urlOf(owner)),
      setTime: () => undefined,
      drop: async () => undefined,
    },
    env: {
      DATABASE_URL: urlOf(service, ""),
      DATABASE_PASSWORD: password,
      DATABASE_MIGRATION_URL: urlOf(owner, ""),
      DATABASE_MIGRATION_PASSWORD: password,
    },
  });
  asService = new Client({ connectionString: urlOf(service) });
  await asService.connect();
});
afterAll(async () => {
  await asService.end();
  await harness.close();
  await queryOnce(inject("postgresUrl"), `drop database ${owner} with (force)`);
  await queryOnce(inject("postgresUrl"), `drop role ${owner}; drop role ${service}`);
});

function urlOf(role: string, secret = password): string {
  const url = new URL(inject("postgresUrl"));
  url.username = role;
  url.password = encodeURIComponent(secret);
  url.pathname = `/${owner}`;
  return url.toString();
}

function query(url: string) {
  return (text: string, values?: unknown[]) => queryOnce(url, text, values);
}

/** A process that does not know the owner. */
const withoutOwner = (): Record<string, string> => ({
  ...harness.environment,
  DATABASE_MIGRATION_URL: "",
  DATABASE_MIGRATION_PASSWORD: "",
});

async function checkWrites(): Promise<unknown> {
  const { stdout } = await rollcall(["doctor", "--json"], withoutOwner());
  const checks = JSON.parse(stdout) as { check: string }[];
  return checks.find(({ check }) => check === "database writes");
}

describe("a service whose role owns nothing", () => {
  test("may write what it has to, and its doctor names what it may not", async () => {
    expect(await checkWrites()).toMatchObject({ result: "ok" });
    await harness.database.query(`revoke insert on tokens from ${service}`);
    expect(await checkWrites()).toMatchObject({
      result: "failed",
      found: "the role may not write to: tokens",
    });
    await harness.database.query(`grant insert on tokens to ${service}`);
  });

  test("signs in, exchanges, reads, disconnects and links", async () => {
    const { token } = await harness.connect();
    const company = "/2023-03-01/xhr/company";
    expect((await harness.http.get(company, { bearer: token })).status).toBe(202);
    await harness.drain();
    expect((await harness.http.get(company, { bearer: token })).status).toBe(200);
    const ended = await harness.http.post("/2023-03-01/management/disconnect", { bearer: token });
    expect(ended.status).toBe(200);
    const { auditChain, audit, pool } = harness.services;
    await auditChain.link();
    const { findings, linked, unlinked } = await verifyRecord({ pool, key: audit.key }, []);
    expect({ findings, unlinked }).toEqual({ findings: [], unlinked: 0 });
    expect(linked).toBeGreaterThan(5);
  });

  test("is told of no danger", () => {
    expect(harness.logLines.join("")).not.toMatch(ownsTables);
  });

  test.each([
    "update audit_entries set action = 'nothing'",
    "delete from audit_entries",
    "truncate audit_entries",
    "update audit_links set chain = ''",
    "delete from audit_links",
    "truncate audit_links",
    "truncate audit_head",
    "delete from audit_head",
    "delete from audit_keys",
    "merge into audit_entries e using (select 1 as id) m on e.id = m.id when matched then delete",
    "insert into audit_links (position, entry_id, chain) values (1, 1, '') on conflict (position) do update set chain = ''",
    "alter table audit_entries disable trigger all",
    "alter table audit_entries drop column mac",
    "drop trigger audit_entries_append_only on audit_entries",
    "drop table audit_links cascade",
    "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'",
    "create rule no_entries as on insert to audit_entries do instead nothing",
    "set session_replication_role = replica",
    "select setval('audit_entries_id_seq', 1)",
    `alter table audit_entries owner to ${service}`,
    `set role ${owner}`,
    "insert into migrations (name, run_on) values ('9999_later', now())",
    "create table public.mine (id integer)",
    "create or replace function service_now() returns timestamptz language sql stable as 'select now()'",
    "create function public.service_now(shift interval default '1 hour') returns timestamptz language sql as 'select now()'",
    "alter function service_now() set timezone = 'UTC'",
    "alter function service_now() rename to service_later",
    "drop function service_now() cascade",
    "create schema of_mine",
  ])("may not: %s", async (statement) => {
    await expect(asService.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  test("tells every client the database's time, whatever it does to its own", async () => {
    const later = "timestamptz '2100-01-01Z'";
    await asService.query(
      `create function pg_temp.service_now() returns timestamptz language sql as $$ select ${later} $$;
       create function pg_temp.date_trunc(text, timestamptz) returns timestamptz language sql as $$ select ${later} $$;
       alter role current_user set timezone = 'Pacific/Kiritimati';
       set search_path = pg_temp, public; set timezone = 'Pacific/Kiritimati'`,
    );
    const { rows } = await asService.query<{ isTrue: boolean }>(
      `select abs(extract(epoch from service_now() - clock_timestamp())) < 60 as "isTrue"`,
    );
    await asService.query(
      "reset search_path; reset timezone; alter role current_user reset timezone",
    );
    expect(rows).toEqual([{ isTrue: true }]);
  });

  test("starts without the owner's address when the schema is current", async () => {
    const result = await rollcall(["database", "migrate", "--json"], withoutOwner());
    expect([result.code, result.stderr]).toEqual([0, ""]);
  });

  test("does not start without it on an older schema, and says why", async () => {
    const [last] = await harness.database.query(
      "delete from migrations where id = (select max(id) from migrations) returning name",
    );
    const refused = await rollcall(["audit", "list"], withoutOwner());
    await harness.database.query("insert into migrations (name, run_on) values ($1, now())", [
      last?.["name"],
    ]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(
        `The database lacks migrations (${String(last?.["name"])}), and the role of this process may not make them. ` +
          "Set DATABASE_MIGRATION_URL",
      ),
    ]);
  });
});

test("one role for both is told at the start, once", async () => {
  const one = await createHarness();
  expect(one.logLines.filter((line) => ownsTables.test(line))).toHaveLength(1);
  await one.close();
});
