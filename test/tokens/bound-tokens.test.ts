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

type Connected = Awaited<ReturnType<Harness["connect"]>>;

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

describe("tokens of a version that bound none", () => {
  const unbind =
    "update tokens set code_digest = null, grant_mac = null, digest_mac = null where id = $1";
  const macOf = async ({ tokenId }: Connected): Promise<unknown> => {
    const [row] = await harness.database.query("select grant_mac from tokens where id = $1", [
      tokenId,
    ]);
    return row?.["grant_mac"];
  };
  let before: Connected;

  beforeAll(async () => {
    await change("alter table tokens drop constraint tokens_are_bound");
    before = await harness.connect();
    await change(unbind, before.tokenId);
  });

  test("are admitted until they are bound", async () => {
    expect(await statusOf(before.token)).toBe(200);
    await harness.services.tokens.bindOlder();
    expect(await macOf(before)).toEqual(expect.any(String));
    expect(await statusOf(before.token)).toBe(200);
  });

  test("may come for an hour after the change of the database, and then no more", async () => {
    const late = await harness.connect();
    await change(unbind, late.tokenId);
    await harness.services.tokens.bindOlder();
    expect(await macOf(late)).toEqual(expect.any(String));
    await change("update migrations set run_on = now() - interval '61 minutes'");
    await harness.services.tokens.bindOlder();
    await expect(change(unbind, late.tokenId)).rejects.toThrow("tokens_are_bound");
    expect(await statusOf(late.token)).toBe(200);
  });
});
