import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scopesOfMode } from "../../src/model/index.ts";
import { createPool, grantToRole } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { appendOnlyTables, keptTables } from "../../src/start/open-database.ts";
import { StartRefused } from "../../src/platform/start-refused.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { attackedColumns, harmlessColumns } from "./harmless-columns.ts";
import { nobodysRedirectUri, takeJourneys, type Journeys } from "./journeys.ts";
import { canaries, createTwoTenants, type TwoTenants } from "./two-tenants.ts";

/** Writes the harmless ones too, in each way, and goes all ways for each. */
const isThorough = process.env["EVERY_COLUMN"] !== undefined;

interface Column {
  table: string;
  name: string;
  type: string;
  /** Of arrays. */
  element: string;
}

/** A service closes its sockets for a second, which no attack waits for. */
const closing: Promise<void>[] = [];
let stage: TwoTenants;
/** When the tables were kept. */
let began: Date;
let columns: Column[];
/** Something may have been written since the tables were restored. */
let isTouched = false;
let primaryKeys: Map<string, string[]>;
/** As the service is let in by the database. */
let service: Client;

beforeAll(async () => {
  stage = await createTwoTenants();
  const { database } = stage.harness;
  columns = (await database.query(
    `select c.table_name as "table", c.column_name as name, c.data_type as type, c.udt_name as element
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, c.ordinal_position`,
  )) as unknown as Column[];
  const keys = await database.query(
    `select c.relname as "table", array_agg(a.attname::text) as columns from pg_index i
     join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where i.indisprimary and c.relnamespace = 'public'::regnamespace group by c.relname`,
  );
  primaryKeys = new Map(keys.map((row) => [String(row["table"]), row["columns"] as string[]]));
  await keepTables();
  began = stage.harness.clock.now();
  service = await connectAsService(database.url);
}, 120_000);

afterAll(async () => {
  await Promise.all(closing);
  await service.end();
  await stage.harness.close();
  for (const { receiver } of [stage.victim, stage.thief]) await receiver.close();
  await stage.nobody.close();
});

const tablesOf = (): string[] => [...new Set(columns.map(({ table }) => table))];

async function keepTables(): Promise<void> {
  const copies = tablesOf().map((table) => `create table kept.${table} as table public.${table};`);
  await stage.harness.database.query(`create schema kept; ${copies.join("\n")}`);
}

async function restoreTables(): Promise<void> {
  if (!isTouched) return;
  isTouched = false;
  const names = tablesOf();
  await stage.harness.database.query(
    `set session_replication_role = replica;
     ${names.map((table) => `delete from public.${table};`).join("\n")}
     ${names.map((table) => `insert into public.${table} overriding system value table kept.${table};`).join("\n")}`,
  );
}

async function connectAsService(url: string): Promise<Client> {
  const role = `service_${randomUUID().replaceAll("-", "")}`;
  const log = createLog({ level: "silent" });
  const owner = createPool({ databaseUrl: url, max: 1, patienceMs: 10_000, log });
  await owner.query(`create role ${role}`);
  await grantToRole(owner, role, {
    schemas: ["public"],
    appendOnly: appendOnlyTables,
    kept: keptTables,
  });
  await owner.end();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`set role ${role}`);
  return client;
}

type Row = Record<string, unknown>;
/** With "the other's", the rows of each party get values of the other: what either of them gains by that is seen. */
type Kind = "nothing" | "random" | "the other's" | "earlier";

const kinds: readonly Kind[] = ["nothing", "random", "the other's", "earlier"];

/** Bytes are digests, and what is sealed: of random ones nobody knows what they are of, and they open nothing. */
const kindsFor = ({ type }: Column): readonly Kind[] =>
  type === "bytea" && !isThorough ? kinds.filter((kind) => kind !== "random") : kinds;

/** The value that an attack writes into the column of a row; undefined when there is none. */
function valueFor(kind: Kind, column: Column, row: Row, rows: readonly Row[]): unknown {
  const { name } = column;
  switch (kind) {
    case "nothing":
      return null;
    case "random":
      return randomValue(column);
    case "earlier":
      return stage.earlier
        .toReversed()
        .map((tables) => tables[column.table]?.find((each) => isSameRow(column.table, each, row)))
        .map((before) => before?.[name])
        .find((before) => before !== undefined && !isSame(before, row[name]));
    case "the other's":
      return rows.find(
        (each) => each !== row && mayTake(row, each) && !isSame(each[name], row[name]),
      )?.[name];
  }
}

function randomValue({ name, type, element }: Column): unknown {
  if (name === "webhook_uri") return stage.nobody.url;
  if (name === "redirect_uris") return [nobodysRedirectUri];
  if (name === "redirect_uri") return nobodysRedirectUri;
  if (name === "scopes") return scopesOfMode("xhr");
  switch (type) {
    case "boolean":
      return "negated";
    case "smallint":
    case "integer":
    case "bigint":
    case "real":
      return 7;
    case "uuid":
      return randomUUID();
    case "bytea":
      return `\\x${randomBytes(32).toString("hex")}`;
    case "jsonb":
      return {};
    case "ARRAY":
      return element === "_text" ? ["other"] : [];
    case "timestamp with time zone":
    case "timestamp without time zone":
      return "2036-01-01T00:00:00Z";
    default:
      return "other";
  }
}

/** A row of the thief's also takes values of another one of the thief's. */
const mayTake = (row: Row, from: Row): boolean =>
  partyOf(row) === "thief" || partyOf(from) === "thief";

/** Whose row it is, as far as that is written in it. */
function partyOf(row: Row): "thief" | "victim" | undefined {
  const text = JSON.stringify(row);
  const names = ({ client }: TwoTenants["thief"]): boolean => text.includes(client.client.clientId);
  if (names(stage.thief)) return "thief";
  if (names(stage.victim)) return "victim";
  const { thiefs } = connectionsOf();
  return thiefs.some((id) => text.includes(id)) ? "thief" : "victim";
}

function connectionsOf(): { thiefs: string[] } {
  const [tables] = stage.earlier;
  const clientId = stage.thief.client.client.clientId;
  const own = (tables?.["connections"] ?? []).filter((row) => row["client_id"] === clientId);
  return { thiefs: own.flatMap((row) => [String(row["id"]), String(row["token_id"])]) };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isSameRow = (table: string, a: Row, b: Row): boolean =>
  (primaryKeys.get(table) ?? []).every((key) => isSame(a[key], b[key]));

/** Returns how many rows the service's role could change. */
async function attack(kind: Kind, column: Column): Promise<number> {
  const { table } = column;
  const { rows: found } = await service.query<{ row: Row }>(
    `select to_jsonb(t) as row from ${table} t`,
  );
  const rows = found.map(({ row }) => row);
  let changed = 0;
  for (const row of rows) {
    const value = valueFor(kind, column, row, rows);
    if (value === undefined) continue;
    changed += await write(column, row, value);
  }
  return changed;
}

async function write({ table, name }: Column, row: Row, value: unknown): Promise<number> {
  const keys = primaryKeys.get(table) ?? [];
  const isThisRow = keys.map((key, index) => `${key}::text = $${index + 1}`).join(" and ");
  const key = keys.map((each) =>
    typeof row[each] === "string" ? row[each] : JSON.stringify(row[each]),
  );
  const given = value === "negated" ? [] : [JSON.stringify(value)];
  const written =
    value === "negated"
      ? `not ${name}`
      : `(jsonb_populate_record(null::${table}, jsonb_build_object('${name}', $${keys.length + 1}::jsonb))).${name}`;
  const change = async (): Promise<number> => {
    const { rowCount } = await service.query(
      `update ${table} set ${name} = ${written} where ${isThisRow}`,
      [...key, ...given],
    );
    isTouched ||= rowCount !== 0;
    return rowCount ?? 0;
  };
  try {
    return await change();
  } catch (error) {
    // What the database itself refuses gains nothing. Of a unique value, its first owner is moved out of the way.
    if ((error as { code?: string }).code !== "23505") return 0;
    const taken = `(jsonb_populate_record(null::${table}, jsonb_build_object('${name}', $1::jsonb))).${name}`;
    isTouched = true;
    await service.query(`delete from ${table} where ${name} = ${taken}`, given).catch(() => 0);
    return await change().catch(() => 0);
  }
}

/** Each client that the database lets in costs it as much as many statements, and each attack has a service. */
const fewClients = { DATABASE_POOL_MAX: "2" };

/** A service on the same database, with nothing in its memory. Undefined when it refuses to start on it. */
async function startAgain(): Promise<Harness | undefined> {
  const { database, environment, clock } = stage.harness;
  isTouched = true;
  clock.correct((began.getTime() - clock.now().getTime()) / 1_000);
  try {
    return await createHarness({
      database,
      env: { ...environment, ...fewClients },
      clock,
      registry: canaries,
    });
  } catch (error) {
    if (error instanceof StartRefused) return undefined;
    throw error;
  }
}

const ofSignIns = new Set(["authorization_codes", "client_logos", "connect_flows"]);
const ofDeliveries = new Set(["deliveries", "polls", "receiver_states", "webhook_endpoints"]);

/** Those that read the table. */
const journeysOf = ({ table }: Column): Journeys => ({
  signsIn: !ofDeliveries.has(table),
  waits: !ofSignIns.has(table),
});

async function gainsOf(kind: Kind, column: Column): Promise<string[]> {
  await restoreTables();
  if ((await attack(kind, column)) === 0) return [];
  const harness = await startAgain();
  if (!harness) return [];
  try {
    const { gains } = await takeJourneys(stage, harness, isThorough ? {} : journeysOf(column));
    return gains.map((gain) => `${column.table}.${column.name} (${kind}): ${gain}`);
  } finally {
    closing.push(harness.close());
  }
}

test("the journeys work, and nobody gains anything, when nothing is written", async () => {
  await restoreTables();
  const harness = await startAgain();
  const { gains, done } = await takeJourneys(stage, harness!);
  expect(gains).toEqual([]);
  const ofBoth = ["GET company", "GET employees", "GET identity", "a webhook at /hook"];
  expect(done).toEqual(
    [
      ...ofBoth.flatMap((what) => [`the thief: ${what}`, `the victim: ${what}`]),
      "the thief: GET company with the token of a code",
      "the victim: GET company with the token of a code",
      "the victim: GET employees with the token of a code",
      "the victim: GET identity with the token of a code",
    ].toSorted(),
  );
  await harness?.close();
});

test("every column is attacked, or named as harmless with a reason", () => {
  const there = columns.map(({ table, name }) => `${table}.${name}`);
  expect([...attackedColumns, ...Object.keys(harmlessColumns)].toSorted()).toEqual(
    there.toSorted(),
  );
});

const attacked = isThorough
  ? [...attackedColumns, ...Object.keys(harmlessColumns)]
  : attackedColumns;

test.each([...new Set(attacked.map((name) => name.split(".", 1)[0] ?? ""))])(
  "whoever writes to %s as the service gains nothing",
  async (table) => {
    const gains: string[] = [];
    for (const column of columns)
      if (column.table === table && attacked.includes(`${table}.${column.name}`))
        for (const kind of kindsFor(column)) gains.push(...(await gainsOf(kind, column)));
    expect(gains).toEqual([]);
  },
);
