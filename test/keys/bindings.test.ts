import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { rollcall } from "../support/command-line.ts";

const client = "/2023-03-01/management/client";

type Owner = Awaited<ReturnType<Harness["createClient"]>>;

let database: TestDatabase;
let harness: Harness;
let unchanged: Owner;
let changed: Owner;

/** A database that a version has used which bound neither clients nor sign-ins, and the first start after it. */
beforeEach(async () => {
  database = await createTestDatabase();
  const before = await createHarness({ database });
  [unchanged, changed] = [await before.createClient(), await before.createClient()];
  await before.close();
  await database.query(`drop trigger binding_moments_append_only on binding_moments;
    delete from binding_moments; update clients set row_mac = null`);
  harness = await createHarness({ database, env: before.environment });
});
afterEach(async () => {
  await harness.close();
  await database.drop();
});

const statusOf = async (owner: Owner): Promise<number> =>
  (await harness.http.get(client, { basic: [owner.client.clientId, owner.secret] })).status;

const change = (owner: Owner): Promise<unknown> =>
  database.query(
    "update clients set revision = revision + 1, purpose = 'other' where client_id = $1",
    [owner.client.clientId],
  );

const isBound = async (owner: Owner): Promise<boolean> =>
  (await harness.services.clients.find(owner.client.clientId))?.isBound === true;

const bind = (): Promise<void> => harness.services.boundSince.bindEarlier(harness.services.keyring);

/** For so long no program of an earlier version may be seen. */
async function waitAlone(): Promise<void> {
  await bind();
  harness.clock.advance(35 * 60);
  await bind();
}

test("rows that nobody has changed since the upgrade began are bound; others are used, counted, and stay as they are", async () => {
  await change(changed);
  expect([await statusOf(unchanged), await statusOf(changed)]).toEqual([200, 200]);
  await bind();
  expect([await isBound(unchanged), await isBound(changed)]).toEqual([true, false]);
  expect(await harness.services.boundSince.countUnbound()).toContainEqual({
    table: "clients",
    rows: 1,
  });
});

test("a change of one field over the API binds no row that somebody else may have written", async () => {
  await change(changed);
  const basic: [string, string] = [changed.client.clientId, changed.secret];
  expect((await harness.http.post(client, { basic, json: { name: "New" } })).status).toBe(200);
  await bind();
  expect(await isBound(changed)).toBe(false);
});

test("a change by a program of an earlier version takes the MAC away, and the row is used while such a program runs", async () => {
  await bind();
  await change(unchanged);
  expect(await isBound(unchanged)).toBe(false);
  expect(await statusOf(unchanged)).toBe(200);
});

test("it ends 35 minutes after the database saw the last session of an earlier program, whatever processes say", async () => {
  await change(changed);
  const older = new Client({ connectionString: database.url });
  await older.connect();
  await waitAlone();
  expect(await statusOf(changed)).toBe(200);
  await older.end();
  await waitAlone();
  expect([await statusOf(unchanged), await statusOf(changed)]).toEqual([200, 401]);
  expect(harness.logLines.join("")).toContain(`"clientId":"${changed.client.clientId}"`);
});

test("then no restart brings it back, and the moment cannot be taken away by who may only write rows", async () => {
  await waitAlone();
  await database.query("update clients set row_mac = null where client_id = $1", [
    unchanged.client.clientId,
  ]);
  const restarted = await createHarness({
    database,
    env: harness.environment,
    clock: harness.clock,
  });
  await restarted.services.boundSince.bindEarlier(restarted.services.keyring);
  const { status } = await restarted.http.get(client, {
    basic: [unchanged.client.clientId, unchanged.secret],
  });
  await restarted.close();
  expect(status).toBe(401);
});

test("a moment that somebody else wrote proves nothing: every row has to be bound", async () => {
  await database.query(
    "update binding_moments set xid = xid + 1000000 where table_name = 'clients'",
  );
  const restarted = await createHarness({
    database,
    env: harness.environment,
    clock: harness.clock,
  });
  expect(await restarted.services.clients.find(changed.client.clientId)).toBeUndefined();
  expect(restarted.logLines.join("")).toContain("a signed moment was changed by somebody else");
  await restarted.close();
});

test("one-time links of before are sealed where nobody has changed them, and lead on afterwards", async () => {
  const { body } = await harness.http.post("/2023-03-01/management/connect-session", {
    basic: [unchanged.client.clientId, unchanged.secret],
    json: {
      redirect_uri: redirectUri,
      scope: "/2023-03-01/xhr/company",
      sandbox: true,
      expires_in: 604_800,
    },
  });
  const link = new URL((body as { connect_url: string }).connect_url);
  // As that version made it, before this one started.
  await database.query("update connect_flows set sealed_terms = null");
  await database.query("delete from binding_moments");
  const { environment } = harness;
  await harness.close();
  harness = await createHarness({ database, env: environment });
  await waitAlone();
  const page = await harness.http.get(link.pathname + link.search);
  expect(page.status).toBe(200);
  expect(page.bytes.toString()).toContain("form_token");
});

const runClient = async (...words: string[]) =>
  await rollcall(["client", ...words], harness.environment);

test("an operator takes a client as its row says", async () => {
  await change(changed);
  await waitAlone();
  expect((await runClient("confirm")).stdout).toContain(changed.client.clientId);
  expect(await statusOf(changed)).toBe(401);
  expect((await runClient("confirm", changed.client.clientId, "--yes")).code).toBe(0);
  expect(await statusOf(changed)).toBe(200);
});
