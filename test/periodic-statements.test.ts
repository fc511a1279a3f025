import { afterAll, beforeAll, expect, test } from "vitest";
import type { QueryConfig } from "pg";
import { ConsoleSessions } from "../src/console/index.ts";
import { buildWorker } from "../src/start/worker.ts";
import type { Pool } from "../src/platform/db/index.ts";
import { systemClock } from "../src/platform/clock.ts";
import { fillTables, largeTables } from "./support/fill-tables.ts";
import { createHarness, type Harness } from "./support/harness.ts";
import { untilTrue } from "./support/until-true.ts";

interface Recorded {
  text: string;
  values: unknown[];
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Plan Rows": number;
  "Actual Rows"?: number;
  Plans?: Plan[];
}

const connections = 30_000;
const recorded = new Map<string, Recorded>();

const cleanedUp = [
  "authorization_codes",
  "connect_flows",
  "connections",
  "console_problems",
  "deliveries",
  "known_sources",
  "quota_counts",
  "quota_pauses",
  "quota_places",
  "quota_waits",
  "reads",
  "receiver_states",
  "sign_in_hours",
  "sign_in_throttle",
  "snapshots",
];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock, env: { CONSOLE: "on" } });
  record(harness.services.pool);
  const client = await harness.services.pool.connect();
  try {
    await client.query("set session_replication_role = replica");
    await fillTables(client, connections);
  } finally {
    client.release(true);
  }
  recorded.clear();
  const worker = buildWorker(harness.services);
  await harness.services.metrics.registry.metrics();
  // Every repetition runs once when it starts.
  await untilTrue(
    "each repetition has run",
    () =>
      touched().length === largeTables.length - 1 &&
      cleanedUp.every((table) => deletesFrom(table).length > 0),
  );
  await worker.stop();
});
afterAll(() => harness.close());

/** Notes a statement that reads or writes rows, once. */
function note(statement: string | QueryConfig, values: unknown[] = []): void {
  const text = typeof statement === "string" ? statement : statement.text;
  const sent = typeof statement === "string" ? values : (statement.values ?? []);
  if (/^\s*(?:select|insert|update|delete|with)\b/.test(text))
    recorded.set(text, { text, values: sent });
}

/** Notes what every client of the pool sends. */
function record(pool: Pool): void {
  pool.on("acquire", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      note(args[0] as string, args[1] as unknown[]);
      return query(...args);
    }) as typeof client.query;
  });
}

function touched(): string[] {
  const texts = [...recorded.keys()];
  return largeTables.filter((table) => texts.some((text) => text.includes(table)));
}

function deletesFrom(table: string): Recorded[] {
  return [...recorded.values()].filter(({ text }) =>
    new RegExp(`\\bdelete from ${table}\\b`).test(text),
  );
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

async function planOf({ text, values }: Recorded, options = ""): Promise<Plan[]> {
  const { rows } = await harness.services.pool.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
    `explain (${options}format json) ${text}`,
    values,
  );
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
  return plan ? nodesOf(plan) : [];
}

test("a worker's repetitions and metrics send these statements", () => {
  expect(touched()).toEqual(largeTables.filter((table) => table !== "read_parts"));
  expect(recorded.size).toBeGreaterThan(25);
});

test("they have linked the audit entries of the start", async () => {
  const { rows } = await harness.services.pool.query(
    "select entry_id::integer as entry from audit_links order by position limit 3",
  );
  expect(rows).toEqual([{ entry: 1 }, { entry: 2 }, { entry: 3 }]);
});

async function findScans(): Promise<string[]> {
  const scans: string[] = [];
  for (const statement of recorded.values())
    for (const { "Node Type": type, "Relation Name": table } of await planOf(statement))
      if (type === "Seq Scan" && largeTables.some((large) => large === table))
        scans.push(`${table}: ${statement.text}`);
  return scans;
}

test("none of them reads a whole table that grows", async () => {
  expect(await findScans()).toEqual([]);
});

test.each(cleanedUp)("what is old in %s is deleted in batches", async (table) => {
  const deletes = deletesFrom(table);
  // Of deliveries, those that were settled and those whose events are gone.
  expect(deletes).toHaveLength(table === "deliveries" ? 2 : 1);
  for (const statement of deletes)
    expect((await planOf(statement)).map((node) => node["Node Type"])).toContain("Limit");
});

test("what goes with a row that is deleted is found by an index", async () => {
  const { rows } = await harness.services.pool.query(
    `select conrelid::regclass::text as table, conname as key from pg_constraint k
     where contype = 'f' and conrelid::regclass::text = any($1) and confrelid::regclass::text = any($1) and not exists (
       select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1])`,
    [[...largeTables, "issued_payruns", "delivery_attempts"]],
  );
  expect(rows).toEqual([]);
});

test("no list of an operator reads a whole table that grows", async () => {
  const { reads, webhooks, pool } = harness.services;
  await pool.query("analyze reads, deliveries");
  recorded.clear();
  const limit = 50;
  const clientId = "client-7";
  const provider = "odoo";
  const since = new Date(Date.now() - 600_000);
  const ofReads = [{}, { clientId }, { provider }, { since }, { clientId, provider, since }];
  for (const status of [undefined, "pending", "running", "stored", "broken"] as const)
    for (const filter of ofReads) await reads.lists.list({ ...filter, status, limit });
  const ofDeliveries = [{}, { clientId }, { since }, { clientId, since, until: since }];
  for (const status of [undefined, "pending", "delivered", "failed"] as const)
    for (const filter of ofDeliveries) await webhooks.list({ ...filter, status, limit });
  expect(recorded.size).toBeGreaterThan(40);
  expect(await findScans()).toEqual([]);
});

const pages = [
  "",
  "/problems",
  "/problems/ended",
  "/connections",
  "/connections?provider=odoo",
  "/connections?client=client-7",
  "/connections?client=client-7&provider=odoo",
  "/connections?state=refused",
  "/connections?state=forbidden",
  "/connections?state=limited",
  "/reads",
  "/reads?state=failed",
  "/webhooks",
  "/webhooks?state=failed",
  "/webhooks?client=client-7",
  "/clients",
  "/providers",
  "/audit",
  "/system",
];

test("no page of the console reads a whole table that grows, or much more of it than it shows", async () => {
  const { services, http } = harness;
  const sessions = new ConsoleSessions({ ...services, environment: services.config.environment });
  const cookie = await sessions.useLink((await sessions.createLink("jo")).credential);
  recorded.clear();
  for (const page of pages) {
    const headers = { cookie: `__Host-rollcall-console=${cookie}` };
    expect((await http.get(`/console${page}`, { headers })).status).toBe(200);
  }
  const asked = [...recorded.values()].filter(({ text }) => /^\s*(?:select|with)\b/.test(text));
  expect(asked.length).toBeGreaterThan(15);
  const wide: string[] = [];
  for (const statement of asked)
    for (const node of await planOf(statement, "analyze, "))
      if (
        largeTables.some((large) => large === node["Relation Name"]) &&
        (node["Node Type"] === "Seq Scan" || (node["Actual Rows"] ?? 0) > 1_000)
      )
        wide.push(`${node["Relation Name"]}, ${node["Actual Rows"]} rows: ${statement.text}`);
  expect(wide).toEqual([]);
});
