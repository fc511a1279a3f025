import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const company = "/2023-03-01/xhr/company";
const employees = "/2023-03-01/xhr/employees";
const introspect = "/2023-03-01/management/introspect";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ clock: systemClock });
});
afterAll(() => harness.close());

const statusOf = async (bearer: string, path = introspect): Promise<number> =>
  (await harness.http.get(path, { bearer })).status;
const change = async (statement: string, ...values: unknown[]): Promise<unknown> =>
  await harness.database.query(statement, values);

describe("whoever writes to the database gives a token access to nothing else", () => {
  test.each<[string, string]>([
    [
      "by more scopes",
      "update tokens set scopes = scopes || '{/2023-03-01/xhr/groups}' where id = $1",
    ],
    ["by another mode", "update tokens set mode = 'official' where id = $1"],
    ["by another provider", "update tokens set provider = 'odoo' where id = $1"],
    [
      "by another client",
      "update tokens set client_id = (select client_id from tokens where id = $2) where id = $1",
    ],
    [
      "by the scopes of another token, with its MACs",
      `update tokens t set scopes = o.scopes, code_digest = o.code_digest, grant_mac = o.grant_mac, digest_mac = o.digest_mac
       from tokens o where t.id = $1 and o.id = $2`,
    ],
    [
      "by the scopes of another token, with the MAC of its grant",
      "update tokens t set scopes = o.scopes, grant_mac = o.grant_mac from tokens o where t.id = $1 and o.id = $2",
    ],
    [
      "by the connection of another token",
      `with theirs as (update connections set token_id = gen_random_uuid() where token_id = $2 returning id),
       mine as (delete from connections where token_id = $1)
       select * from theirs`,
    ],
    ["by a MAC of an unknown form", "update tokens set grant_mac = 'test' where id = $1"],
  ])("%s", async (_, statement) => {
    const mine = await harness.connect({ scopes: [company] });
    const theirs = await harness.connect({ scopes: [company, employees] });
    expect(await statusOf(mine.token)).toBe(200);
    const values = [mine.tokenId, theirs.tokenId].slice(0, statement.includes("$2") ? 2 : 1);
    await change(statement, ...values);
    if (statement.startsWith("with theirs"))
      await change(
        `update connections set token_id = $1 where client_id = $2`,
        mine.tokenId,
        theirs.client.clientId,
      );
    expect([await statusOf(mine.token), await statusOf(mine.token, employees)]).toEqual([404, 401]);
    expect(harness.logLines.join("")).toContain(`"tokenId":"${mine.tokenId}"`);
  });

  test("by the digest of a token that has less", async () => {
    const mine = await harness.connect({ scopes: [company] });
    const theirs = await harness.connect();
    await change("update tokens set digest = sha256(digest) where id = $1", mine.tokenId);
    await change(
      "update tokens set digest = sha256(convert_to($2, 'UTF8')) where id = $1",
      theirs.tokenId,
      mine.token,
    );
    expect(await statusOf(mine.token, employees)).toBe(401);
  });

  test("by a code that leads to somebody else's sign-in", async () => {
    const client = await harness.createClient();
    const [mine, theirs] = [
      await signIn(harness.services, { client, scopes: [company] }),
      await signIn(harness.services, { client }),
    ];
    await change(
      `update authorization_codes set token_id = (select token_id from authorization_codes
         where digest = sha256(convert_to($2, 'UTF8'))) where digest = sha256(convert_to($1, 'UTF8'))`,
      mine.code,
      theirs.code,
    );
    const { body } = await harness.http.post("/2023-03-01/management/token", {
      json: exchangeBody(mine),
    });
    const { access_token: bearer } = body as { access_token: string };
    expect(await statusOf(bearer, employees)).toBe(401);
  });
});

describe("a token that is not bound gives access to nothing, also to whoever owns the tables", () => {
  test.each<[string, string]>([
    ["without MACs", "code_digest = null, grant_mac = null, digest_mac = null"],
    ["without the MAC of its grant", "grant_mac = null"],
    ["without the MAC of its digest", "digest_mac = null"],
  ])("%s, now and after a restart", async (_, unbound) => {
    await change("alter table tokens drop constraint if exists tokens_are_bound");
    const { token, tokenId } = await harness.connect({ scopes: [company] });
    await change(`update tokens set ${unbound}, scopes = scopes || $2 where id = $1`, tokenId, [
      employees,
    ]);
    expect([await statusOf(token), await statusOf(token, employees)]).toEqual([404, 401]);
    const restarted = await createHarness({
      clock: systemClock,
      database: harness.database,
      env: harness.environment,
    });
    const { status } = await restarted.http.get(employees, { bearer: token });
    await restarted.close();
    expect(status).toBe(401);
  });
});

test("a token that has ended stays so, also when its row and that of its connection are written back", async () => {
  const { database, services } = harness;
  const { token, tokenId } = await harness.connect();
  const [before] = await database.query(
    "select to_jsonb(c) as connection from connections c where token_id = $1",
    [tokenId],
  );
  await services.tokens.disconnectById(tokenId);
  await expect(
    change("update tokens set disconnected_at = null where id = $1", tokenId),
  ).rejects.toThrow("has ended");
  await expect(
    change("update tokens set id = gen_random_uuid() where id = $1", tokenId),
  ).rejects.toThrow("has ended");
  await change(
    "insert into connections select (jsonb_populate_record(null::connections, $1::jsonb)).*",
    JSON.stringify(before?.["connection"]),
  );
  expect(await statusOf(token, employees)).toBe(403);
  expect(await services.connections.loadByToken(tokenId)).toBeUndefined();
});

test("tokens stay bound under a key that is not the active one any more, until it is forgotten", async () => {
  const { token } = await harness.connect();
  const { MASTER_KEYS = "" } = harness.environment;
  const rotated = `next:${randomBytes(32).toString("base64")},${MASTER_KEYS}`;
  const other = await createHarness({
    database: harness.database,
    env: { ...harness.environment, MASTER_KEYS: rotated },
  });
  const statusOfOther = async (): Promise<number> =>
    (await other.http.get(introspect, { bearer: token })).status;
  expect(await statusOfOther()).toBe(200);
  const [, earlier = ""] = other.services.keyring.keyIds;
  other.services.keyring.forget(earlier);
  await untilTrue("a copy of the admission has ended", async () => (await statusOfOther()) === 404);
  await other.close();
});
