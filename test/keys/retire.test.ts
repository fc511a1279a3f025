import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ProviderAccount } from "../../src/connections/index.ts";
import { rollcall } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const newKey = (name: string): string => `${name}:${randomBytes(32).toString("base64")}`;
const [first, second] = [newKey("k1"), newKey("k2")];

let database: TestDatabase;
let old: Harness;
let open: Harness[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  old = await createHarness({ database, env: { MASTER_KEYS: first } });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.close()));
});
afterAll(async () => {
  await old.close();
  await database.drop();
});

async function startWith(MASTER_KEYS: string): Promise<Harness> {
  const harness = await createHarness({
    database,
    clock: old.clock,
    env: { ...old.environment, MASTER_KEYS },
  });
  open = [...open, harness];
  return harness;
}
const identity = async (harness: Harness, bearer: string): Promise<number> =>
  (await harness.http.get("/2023-03-01/xhr/identity", { bearer })).status;

describe("a key is not retired", () => {
  test("when it is the first one", async () => {
    await expect(old.services.keys.retire("k1")).rejects.toThrow("k1 is the first key");
  });

  test("when nobody knows it", async () => {
    await expect(old.services.keys.retire("k9")).rejects.toThrow("no key is named k9");
  });

  test("while a process seals under it, and rows are not sealed again while one lacks the new key", async () => {
    const telling = old.services.keys.tellKeys("api");
    await untilTrue(
      "the process has told",
      async () => (await database.query("select 1 from running_processes")).length === 1,
    );
    const fresh = await startWith(`${second},${first}`);
    await expect(fresh.services.keys.rewrap(() => undefined)).rejects.toThrow(
      "a running process (api) does not have the key k2",
    );
    await expect(fresh.services.keys.retire("k1")).rejects.toThrow(
      "a running process (api) still seals under k1",
    );
    await telling.stop();
    await expect(fresh.services.keys.retire("k1")).rejects.toThrow(
      /rows are still sealed under k1/,
    );
  });

  test("while a code that is not exchanged is bound under it alone", async () => {
    const fresh = await startWith(`${second},${first}`);
    const { http } = fresh;
    await fresh.services.keys.rewrap(() => undefined);
    const counts = async () =>
      (await fresh.services.keys.status()).find(({ id }) => id === "k1")?.rows[
        "authorization_codes"
      ];
    expect(await counts()).toBe(0);
    const signedIn = await signIn(old.services);
    expect(await counts()).toBe(1);
    await expect(fresh.services.keys.retire("k1")).rejects.toThrow("1 in authorization_codes");
    expect((await fresh.services.keys.rewrap(() => undefined)).byTable).toMatchObject({
      authorization_codes: 1,
    });
    const reply = await http.post("/2023-03-01/management/token", { json: exchangeBody(signedIn) });
    expect(reply.status).toBe(201);
    const { access_token: bearer } = reply.body as { access_token: string };
    expect(await identity(fresh, bearer)).toBe(200);
  });
});

test("a change of a client that was read before its secrets were sealed again is refused, and the client goes on", async () => {
  const { client, secret } = await old.createClient();
  const { clients, keys } = (await startWith(`${second},${first}`)).services;
  const read = await clients.find(client.clientId);
  await keys.rewrap(() => undefined);
  await expect(clients.update(read!, { name: "New" })).rejects.toThrow("changed meanwhile");
  const after = await clients.authenticate(client.clientId, secret);
  expect(after).toMatchObject({ name: "Test", isBound: true });
  await clients.update(after!, { name: "New" });
  expect(await clients.authenticate(client.clientId, secret)).toMatchObject({ name: "New" });
});

describe("what somebody else wrote into the database", () => {
  test("is not proved by a new MAC, stops the retirement, and can be disconnected", async () => {
    const { token, tokenId } = await old.connect({ scopes: ["/2023-03-01/xhr/identity"] });
    await database.query(
      "update tokens set scopes = scopes || '{/2023-03-01/xhr/payslips}' where id = $1",
      [tokenId],
    );
    const env = { ...old.environment, MASTER_KEYS: `${second},${first}` };
    const refused = await rollcall(["keys", "rewrap"], env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `rows that do not open under the key that they name, and stay as they are: 1 (tokens ${tokenId})`,
    );
    expect(await identity(old, token)).toBe(401);
    expect((await rollcall(["keys", "retire", "k1"], env)).stderr).toContain("1 in tokens");
    expect((await rollcall(["token", "disconnect", tokenId], env)).code).toBe(0);
    expect((await rollcall(["keys", "rewrap"], env)).code).toBe(0);
  });
});

describe("after a key was retired", () => {
  let account: ProviderAccount;
  let token: string;
  let tokenId: string;
  let client: { clientId: string };
  let retirements: boolean[];
  let foundByRunning: (string | null)[];
  let exchanged: Record<string, string>;

  beforeAll(async () => {
    const label = { reference: "customer-4711", metadata: null };
    const connected = await old.connect({ label });
    ({ token, tokenId, client } = connected);
    exchanged = exchangeBody(connected);
    const { connections } = old.services;
    const connection = await connections.loadByToken(tokenId);
    const signedIn = await connections.accountOf(connection!);
    account = { provider: "sandbox", ...signedIn! };
    const fresh = await startWith(`${second},${first}`);
    await fresh.services.keys.rewrap(() => undefined);
    retirements = [await fresh.services.keys.retire("k1"), await fresh.services.keys.retire("k1")];
    const telling = fresh.services.keys.tellKeys("api");
    await untilTrue("the key is forgotten", () => !fresh.services.keyring.has("k1"));
    await telling.stop();
    const found = await fresh.services.connections.listOfAccount(account);
    foundByRunning = found.map((connection) => connection.tokenId);
  });

  test("a process that ran meanwhile finds the connections of an account", () => {
    expect(foundByRunning).toContain(tokenId);
  });

  test("a code that was exchanged before is known as that", async () => {
    const fresh = await startWith(second);
    const again = await fresh.http.post("/2023-03-01/management/token", { json: exchanged });
    expect([again.status, again.body]).toMatchObject([409, { token: tokenId }]);
  });

  test("a code of before that an earlier version left under it is nobody's change, and stops nothing", async () => {
    const fresh = await startWith(second);
    const ended = await fresh.connect();
    await database.query(
      "update authorization_codes set terms_mac = 'k1 ' || split_part(terms_mac, ' ', 2) where token_id = $1",
      [ended.tokenId],
    );
    const { keys } = fresh.services;
    const rowsOf = async () =>
      (await keys.status()).find(({ id }) => id === "k1")?.rows["ended_codes"];
    expect(await rowsOf()).toBe(1);
    expect(await keys.rewrap(() => undefined)).toMatchObject({ unopened: [] });
    expect(await rowsOf()).toBe(0);
  });

  test("a second time changes nothing", () => {
    expect(retirements).toEqual([true, false]);
  });

  test("the connections of an account are found without it", async () => {
    const fresh = await startWith(second);
    expect(await identity(fresh, token)).toBe(200);
    const found = await fresh.services.connections.listOfAccount(account);
    expect(found.map((connection) => connection.tokenId)).toContain(tokenId);
  });

  test("what a client calls a connection is found without it", async () => {
    const fresh = await startWith(second);
    const found = await fresh.services.tokens.list(client.clientId, { reference: "customer-4711" });
    expect(JSON.parse(found.join(""))).toMatchObject([{ token: tokenId }]);
  });

  test("a process that has it still as its first seals nothing under it", async () => {
    await expect(old.createClient()).rejects.toThrow("the master key k1 is retired");
    await expect(old.connect()).rejects.toThrow("the master key k1 is retired");
  });

  test("a process that runs forgets it", async () => {
    const key = newKey("k4");
    const running = await startWith(`${second},${key}`);
    expect(running.services.keyring.has("k4")).toBe(true);
    await running.services.keys.retire("k4");
    const telling = running.services.keys.tellKeys("api");
    await untilTrue("the key is forgotten", () => !running.services.keyring.has("k4"));
    await telling.stop();
  });

  test("each change of a key is recorded once, with its name alone", async () => {
    const rows = await database.query(
      "select action, detail->>'key' as key from audit_entries where action like 'key.%' and detail->>'key' in ('k1', 'k2') order by id",
    );
    expect(rows.filter(({ action }) => action !== "key.rewrapped")).toEqual([
      { action: "key.activated", key: "k1" },
      { action: "key.activated", key: "k2" },
      { action: "key.retired", key: "k1" },
    ]);
  });

  test("and the key after that one was retired too, accounts are still found", async () => {
    const third = newKey("k3");
    const fresh = await startWith(`${third},${second}`);
    await fresh.services.keys.rewrap(() => undefined);
    expect(await fresh.services.keys.retire("k2")).toBe(true);
    const later = await startWith(third);
    const found = await later.services.connections.listOfAccount(account);
    expect(found.map((connection) => connection.tokenId)).toContain(tokenId);
    expect(await identity(later, token)).toBe(200);
  });
});
