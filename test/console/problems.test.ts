import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findProblems, noteProblems } from "../../src/console/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { ConnectVisitor } from "../support/connect-visitor.ts";
import { visitAsOperator } from "../support/console-visitors.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
let one: ConnectVisitor;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock, env: { CONSOLE: "on" } });
});
beforeEach(async () => {
  one = await visitAsOperator(harness);
});
afterAll(() => harness.close());

async function open(path: string): Promise<string> {
  const { html, status } = await one.ask("GET", path);
  expect(status).toBe(200);
  return html;
}

const ofProvider = (page: string, name: string): string =>
  new RegExp(`<section id="${name}">(.*?)</section>`, "s").exec(page)?.[1] ?? "";
const name = (): string => new URL(harness.database.url).pathname.slice(1);

const openRows = (): Promise<Record<string, unknown>[]> =>
  harness.database.query(
    "select client_id from console_problems where ended_at is null and kind like 'receiver_%'",
  );
const note = async (): Promise<void> => {
  await harness.database.query("update console_looks set looked_at = '-infinity'");
  await noteProblems(harness.services);
};
const fail = (table: string, where = "true"): Promise<unknown> =>
  harness.database.query(
    `insert into ${table} (client_id, status, has_changed, failing_since)
     select client_id, 'active', false, service_now() from clients where ${where}`,
  );

describe("more reads that fail than are looked at", () => {
  test("leave the health of other providers not known, and the list of problems says so", async () => {
    const { client, token } = await harness.connect();
    await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    await harness.drain();
    expect(ofProvider(await open("/console/providers"), "odoo")).toContain("No read failed");
    await harness.database.query(
      `insert into reads select made.* from reads r, generate_series(0, 1000) number,
         jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'parameters', number::text,
           'provider', case number when 0 then 'odoo' else 'sandbox' end, 'outcome', 'unavailable',
           'settled_at', service_now() - case number when 0 then interval '1 hour' else '0' end)) made
       where r.client_id = $1`,
      [client.clientId],
    );
    const providers = await open("/console/providers");
    expect(ofProvider(providers, "sandbox")).toContain("Reads fail");
    expect(ofProvider(providers, "odoo")).not.toContain("No read failed");
    expect(ofProvider(providers, "odoo")).toContain("Not known");
    const problems = await open("/console/problems");
    expect(problems).toContain("other providers may have problems");
    expect(problems).not.toContain("more connections of a kind");
    await harness.database.query("delete from reads");
  });
});

describe("while the database takes no writes", () => {
  beforeAll(async () => {
    await harness.database.query(
      `insert into running_processes (id, role, key_ids, active_key, seen_at, version, started_at)
       select gen_random_uuid(), role, '{test}', 'test', service_now() - interval '10 minutes', '0.1.0', now()
       from unnest('{api,worker}'::text[]) role`,
    );
  });
  afterAll(() => harness.database.query("delete from running_processes"));

  test("no process can tell that it runs, so it is not said that no worker does", async () => {
    expect(await open("/console/problems")).toContain("No worker runs");
    await harness.database.query(`alter database ${name()} set default_transaction_read_only = on`);
    try {
      expect(await open("/console/problems")).not.toContain("No worker runs");
    } finally {
      await harness.database.query(
        `begin read write; alter database ${name()} reset default_transaction_read_only; commit`,
      );
    }
    expect(await open("/console/problems")).toContain("No worker runs");
  });
});

describe("receivers that fail", () => {
  beforeEach(async () => {
    for (const table of ["webhook_endpoints", "event_endpoints", "console_problems"])
      await harness.database.query(`delete from ${table}`);
  });

  test("are all in the history, and the list says that it is cut", async () => {
    for (let made = 0; made < 101; made += 1) await harness.createClient();
    await fail("webhook_endpoints", "name = 'Test'");
    const count = (await harness.database.query("select from webhook_endpoints")).length;
    expect(count).toBeGreaterThan(100);
    expect((await findProblems(harness.services)).cut).toEqual(["receivers"]);
    expect(await open("/console/problems")).toContain("more receivers that fail than a hundred");
    expect(await open("/console/webhooks")).toContain("Only the first 100 are listed");
    await note();
    expect(await openRows()).toHaveLength(count);
  });

  test("are two of a client whose both addresses do", async () => {
    const { client } = await harness.createClient();
    const own = `client_id = '${client.clientId}'`;
    await fail("webhook_endpoints", own);
    await fail("event_endpoints", own);
    expect((await findProblems(harness.services)).cut).toEqual([]);
    await note();
    expect(await openRows()).toHaveLength(2);
    await harness.database.query("delete from event_endpoints");
    await note();
    expect(await openRows()).toHaveLength(2);
    const [row] = await harness.database.query(
      "select key from console_problems order by found_at desc limit 1",
    );
    // An earlier version has written it like this.
    expect(row?.["key"]).toBe(
      JSON.stringify(["all", "receiver_failing", client.clientId, null, null, null]),
    );
  });
});
