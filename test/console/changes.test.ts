import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleSessions } from "../../src/console/index.ts";
import { deliveryPage } from "../../src/console/pages/webhooks-page.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { rollcall } from "../support/command-line.ts";
import { formToken, visitAsDeveloper, visitAsOperator } from "../support/console-visitors.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ env: { CONSOLE: "on" } });
});
afterAll(() => harness.close());

describe("a token that is disconnected by a developer", () => {
  test("was ended by the client, as one that the application ends, and one by an operator is the operator's", async () => {
    const owner = await harness.createClient();
    const visitors = [await visitAsDeveloper(harness, owner), await visitAsOperator(harness)];
    const told = [];
    for (const one of visitors) {
      harness.clock.advance(1);
      const { tokenId } = await harness.connect({ client: owner });
      const at = `/console/connections/${tokenId}`;
      const form_token = formToken(await one.ask("GET", at));
      expect((await one.ask("POST", `${at}/disconnect`, { form_token })).status).toBe(303);
      const basic: [string, string] = [owner.client.clientId, owner.secret];
      const { body: receipt } = await harness.http.get(
        `/2023-03-01/management/tokens/${tokenId}/receipt`,
        { basic },
      );
      const [event] = await harness.database.query(
        "select data from events where type = 'connection.ended' and token_id = $1",
        [tokenId],
      );
      const [entry] = await harness.database.query(
        "select detail->>'by' as by from audit_entries where action = 'token.disconnected' and token_id = $1",
        [tokenId],
      );
      told.push([receipt, event?.["data"], entry?.["by"]]);
    }
    expect(told).toEqual([
      [expect.objectContaining({ by: "client" }), { by: "client" }, null],
      [expect.objectContaining({ by: "operator" }), { by: "operator" }, "operator"],
    ]);
  });
});

describe("a client that is made", () => {
  const redirect = "https://app.example.com/callback";
  beforeAll(() =>
    harness.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refuse before update on clients for each row execute function refuse()`,
    ),
  );
  afterAll(() => harness.database.query("drop function refuse cascade"));

  test("is there with all that was asked for, or not at all", async () => {
    const one = await visitAsOperator(harness);
    const form_token = formToken(await one.ask("GET", "/console/clients/new"));
    const form = { form_token, name: "Half", redirect_uris: redirect, require_pkce: "on" };
    expect((await one.ask("POST", "/console/clients", form)).status).toBe(500);
    const asked = ["client", "create", "--name", "Half", "--redirect-uri", redirect];
    const { code } = await rollcall([...asked, "--purpose", "Payroll"], harness.environment);
    expect(code).toBe(1);
    expect(await harness.database.query("select from clients where name = 'Half'")).toEqual([]);
  });
});

test("all sessions end with that of a link which is being used at the moment", async () => {
  const { services } = harness;
  const { environment } = services.config;
  const sessions = new ConsoleSessions({ ...services, environment });
  const { credential } = await sessions.createLink("late");
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waiting = (count: number): Promise<void> =>
    untilTrue(`${count} wait`, async () => {
      const rows = await harness.database.query("select from pg_locks where not granted");
      return rows.length >= count;
    });
  // What uses a link writes its entry last.
  const holding = transaction(services.pool, async (tx) => {
    await tx.query("lock table audit_entries in share mode");
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const using = sessions.useLink(credential);
  await waiting(1);
  const ending = sessions.endAll();
  await waiting(2);
  released.resolve();
  const [cookie] = await Promise.all([using, ending, holding]);
  expect(cookie).toBeDefined();
  expect(await sessions.find(cookie!)).toBeUndefined();
});

test.each([
  "/console/clients?before=%00",
  "/console/connections?q=%00&client=%00",
  "/console/connections?provider=odoo%00",
  "/console/webhooks?client=a%00",
  "/console/try?client=%00",
  "/console/audit?before=%00",
])("%s asks for nothing, as no text of the database has that character", async (path) => {
  const one = await visitAsOperator(harness);
  expect((await one.ask("GET", path)).status).toBe(200);
});

test("the shared sandbox has no button that disconnects it or leads to a sign-in, and the refusal says why", async () => {
  const one = await visitAsOperator(harness);
  const [row] = await harness.database.query(
    "select t.id from tokens t join clients c on c.client_id = t.client_id where c.is_shared_sandbox",
  );
  const at = `/console/connections/${String(row?.["id"])}`;
  const page = await one.ask("GET", at);
  expect(page.html).toContain("Read now");
  expect(page.html).not.toContain(`${at}/disconnect`);
  expect(page.html).not.toContain(`${at}/link`);
  const used =
    "select from audit_entries where detail->>'did' = 'token.disconnected' and token_id = $1";
  const refused = await one.ask("POST", `${at}/disconnect`, { form_token: formToken(page) });
  expect(refused.status).toBe(403);
  expect(refused.html).toContain("The shared sandbox token cannot be disconnected.");
  expect(refused.html).not.toContain("This form wasn");
  expect(await harness.database.query(used, [row?.["id"]])).toEqual([]);
});

test("what is sent again, and where the reply of a receiver is, is said as it is for employees and for events", () => {
  const viewer = { clientId: undefined, name: "jo", formToken: "" };
  const at = new Date();
  const made = { createdAt: at, settledAt: null, nextAttemptAt: at, lastError: "status" as const };
  const counts = { attempts: 1, added: 1, removed: 0, updated: 0 };
  const ids = { id: "d1", clientId: "c1", tokenId: null, connectionId: null };
  const show = (eventType: string | null): string => {
    const delivery = { ...ids, ...made, ...counts, status: "pending", lastStatus: 500, eventType };
    return String(
      deliveryPage(viewer, { delivery: delivery as never, attempts: [], done: undefined }),
    );
  };
  expect(show(null)).toContain("under a new id");
  expect(show(null)).toContain("last_reply");
  expect(show("data.ready")).not.toContain("under a new id");
  expect(show("data.ready")).not.toContain("last_reply");
});
