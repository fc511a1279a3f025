import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { scopesOfMode, type Scope } from "../../src/model/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { signInAgain } from "../support/data-endpoints.ts";
import { createHarness, exchangeBody, signIn, type Harness } from "../support/harness.ts";

const base = "/2023-03-01/management";
const employees = "/2023-03-01/xhr/employees";

interface Entry {
  token: string;
  scopes: string[];
  mode: string;
  provider: string;
  created_at: string;
  valid: boolean;
  status: string;
}
type Owner = Awaited<ReturnType<Harness["createClient"]>>;

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const list = async ({ client, secret }: Owner): Promise<Entry[]> => {
  const reply = await harness.http.get(`${base}/tokens`, { basic: [client.clientId, secret] });
  expect(reply.status).toBe(200);
  return reply.body as Entry[];
};

const page = async ({ client, secret }: Owner, query: string): Promise<Entry[]> =>
  (await harness.http.get(`${base}/tokens?${query}`, { basic: [client.clientId, secret] }))
    .body as Entry[];

/** A token of this client, made a second after the one before, so that the order is known. */
async function makeToken(
  owner: Owner,
  options: { user?: string; scopes?: readonly Scope[]; mode?: "xhr" | "official" } = {},
) {
  harness.clock.advance(1);
  return await harness.connect({ client: owner, ...options });
}

describe("200", () => {
  test("a client without tokens has an empty list", async () => {
    expect(await list(await harness.createClient())).toEqual([]);
  });

  test("an entry has the fields of the decision and no credential", async () => {
    const owner = await harness.createClient();
    const { token, code, tokenId } = await makeToken(owner);
    const reply = await harness.http.get(`${base}/tokens`, {
      basic: [owner.client.clientId, owner.secret],
    });
    expect(reply.body).toEqual([
      {
        token: tokenId,
        scopes: scopesOfMode("xhr"),
        mode: "xhr",
        provider: "sandbox",
        created_at: harness.clock.now().toISOString(),
        valid: true,
        status: "active",
        forbidden: [],
        limited: {},
        reference: null,
        metadata: null,
      },
    ]);
    for (const credential of [token, token.slice(0, 24), code, owner.secret])
      expect(reply.bytes.toString()).not.toContain(credential);
  });

  test("a token is named by a version 7 UUID", async () => {
    const { tokenId } = await harness.connect();
    expect(tokenId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test("scopes and mode are those of the sign-in", async () => {
    const owner = await harness.createClient();
    await makeToken(owner, { scopes: [employees] });
    await makeToken(owner, { mode: "official" });
    expect(await list(owner)).toMatchObject([
      { mode: "xhr", scopes: [employees] },
      { mode: "official", scopes: scopesOfMode("official") },
    ]);
  });

  test("the order is that of the exchanges, oldest first, whatever happens to a token later", async () => {
    const owner = await harness.createClient();
    const [early, late] = [
      await signIn(harness.services, { client: owner }),
      await signIn(harness.services, { client: owner }),
    ];
    const tokens: string[] = [];
    for (const signedIn of [late, early]) {
      harness.clock.advance(1);
      const issued = await harness.http.post(`${base}/token`, { json: exchangeBody(signedIn) });
      tokens.push((issued.body as { access_token: string }).access_token);
    }
    const before = await list(owner);
    expect(before.map(({ created_at: at }) => at)).toEqual(
      before.map(({ created_at: at }) => at).toSorted(),
    );
    await harness.http.post(`${base}/disconnect`, { bearer: tokens[0] });
    const after = await list(owner);
    expect(after.map(({ token }) => token)).toEqual(before.map(({ token }) => token));
    expect(after.map(({ valid }) => valid)).toEqual([false, true]);
  });

  test("twenty tokens of one moment keep their order from one reply to the next", async () => {
    const owner = await harness.createClient();
    for (let made = 0; made < 20; made += 1) await harness.connect({ client: owner });
    const first = await list(owner);
    expect(first).toHaveLength(20);
    expect(new Set(first.map(({ token }) => token)).size).toBe(20);
    expect(await list(owner)).toEqual(first);
  });

  test("a code that is not exchanged yet is no token", async () => {
    const owner = await harness.createClient();
    await signIn(harness.services, { client: owner });
    expect(await list(owner)).toEqual([]);
  });

  test("another client's tokens are not in the list", async () => {
    const [owner, other] = [await harness.createClient(), await harness.createClient()];
    const { tokenId } = await makeToken(owner);
    expect((await list(owner)).map(({ token }) => token)).toEqual([tokenId]);
    expect(await list(other)).toEqual([]);
  });

  test("the reply is kept by no cache", async () => {
    const { client, secret } = await harness.connect();
    const reply = await harness.http.get(`${base}/tokens`, { basic: [client.clientId, secret] });
    expect(reply.headers["cache-control"]).toBe("private, no-store");
  });
});

describe("status and valid", () => {
  test("a token is active and valid, and once disconnected neither, and stays in the list", async () => {
    const owner = await harness.createClient();
    const { token, tokenId } = await makeToken(owner);
    expect(await list(owner)).toMatchObject([{ token: tokenId, status: "active", valid: true }]);
    await harness.http.post(`${base}/disconnect`, { bearer: token });
    expect(await list(owner)).toMatchObject([
      {
        token: tokenId,
        status: "disconnected",
        valid: false,
        scopes: scopesOfMode("xhr"),
        provider: "sandbox",
      },
    ]);
  });

  test("a token that the provider refuses needs a new sign-in, is valid all the same, and active after it", async () => {
    const owner = await harness.createClient();
    const { token, tokenId } = await makeToken(owner, { user: "user_expired" });
    await harness.http.get(employees, { bearer: token });
    await harness.drain();
    expect(await list(owner)).toMatchObject([
      { token: tokenId, status: "reauthentication_required", valid: true },
    ]);

    await signInAgain(harness, tokenId);
    expect(await list(owner)).toMatchObject([{ token: tokenId, status: "active", valid: true }]);
  });

  test("a refused token that is disconnected is disconnected, and no more", async () => {
    const owner = await harness.createClient();
    const { token } = await makeToken(owner, { user: "user_expired" });
    await harness.http.get(employees, { bearer: token });
    await harness.drain();
    await harness.http.post(`${base}/disconnect`, { bearer: token });
    expect(await list(owner)).toMatchObject([{ status: "disconnected", valid: false }]);
  });

  test("each token has a status of its own", async () => {
    const owner = await harness.createClient();
    const [good, expired, ended] = [
      await makeToken(owner),
      await makeToken(owner, { user: "user_expired" }),
      await makeToken(owner),
    ];
    await harness.http.get(employees, { bearer: expired.token });
    await harness.drain();
    await harness.http.post(`${base}/disconnect`, { bearer: ended.token });
    expect((await list(owner)).map(({ token, status }) => [token, status])).toEqual([
      [good.tokenId, "active"],
      [expired.tokenId, "reauthentication_required"],
      [ended.tokenId, "disconnected"],
    ]);
  });
});

describe("401", () => {
  test("without credentials the reply asks for them", async () => {
    const reply = await harness.http.get(`${base}/tokens`);
    expect(reply.status).toBe(401);
    expect(reply.headers["www-authenticate"]).toBe('Basic realm="rollcall", charset="UTF-8"');
  });
});

describe("400, 404 and 409", () => {
  test("are in the description, and no unknown parameter brings them about", async () => {
    const document = (await harness.http.get("/openapi.json")).body as {
      paths: Record<string, Record<string, { responses: object }>>;
    };
    expect(Object.keys(document.paths[`${base}/tokens`]?.["get"]?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "400", "404", "409", "429", "500"]),
    );
    const { client, secret, tokenId } = await harness.connect();
    const plain = await harness.http.get(`${base}/tokens`, { basic: [client.clientId, secret] });
    for (const query of [{ token: tokenId }, { client_id: "x" }, { state: "nonsense" }]) {
      const reply = await harness.http.get(`${base}/tokens`, {
        basic: [client.clientId, secret],
        query,
      });
      expect([reply.status, reply.body]).toEqual([200, plain.body]);
    }
  });

  test.each([
    "limit=0",
    "limit=1001",
    "limit=-1",
    "limit=1.5",
    "limit=x",
    "limit=",
    "limit=1&limit=2",
    "after=",
    "after=x",
    "after=%00",
    "after=00000000-0000-7000-8000-000000000000",
  ])("400 for ?%s, which names the parameter", async (query) => {
    const { client, secret } = await harness.connect();
    const reply = await harness.http.get(`${base}/tokens?${query}`, {
      basic: [client.clientId, secret],
    });
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        message: expect.any(String),
        validation_error: expect.stringContaining(query.split("=", 1)[0] ?? ""),
      },
    ]);
  });

  test("400 for a page after the token of another client", async () => {
    const [{ client, secret }, other] = [await harness.connect(), await harness.connect()];
    const reply = await harness.http.get(`${base}/tokens?after=${other.tokenId}`, {
      basic: [client.clientId, secret],
    });
    expect(reply.status).toBe(400);
  });
});

describe("pages", () => {
  test("one after the other they are the list, tokens of one moment included", async () => {
    const owner = await harness.createClient();
    for (let made = 0; made < 7; made += 1)
      await (made < 4 ? harness.connect({ client: owner }) : makeToken(owner));
    await harness.connect();
    const whole = await list(owner);
    const pages: Entry[] = [];
    for (let after = ""; ;) {
      const next = await page(owner, `limit=2${after}`);
      if (next.length === 0) break;
      expect(next.length).toBeLessThanOrEqual(2);
      pages.push(...next);
      after = `&after=${next.at(-1)?.token}`;
    }
    expect(pages).toEqual(whole);
    expect(await page(owner, `after=${whole[4]?.token}`)).toEqual(whole.slice(5));
    expect(await page(owner, "limit=1000")).toEqual(whole);
  });

  test("an entry of a page has the status and the rights that it has in the list", async () => {
    const owner = await harness.createClient();
    await makeToken(owner);
    const { token } = await makeToken(owner, { user: "user_expired" });
    await harness.http.get(employees, { bearer: token });
    await harness.drain();
    const [first, second] = await list(owner);
    expect(second).toMatchObject({ status: "reauthentication_required" });
    expect(await page(owner, `limit=5&after=${first?.token}`)).toEqual([second]);
  });

  test("a client without tokens has an empty page", async () => {
    expect(await page(await harness.createClient(), "limit=10")).toEqual([]);
  });
});

describe("a long list", () => {
  const count = 10_000;
  let owner: Owner;
  let statements: { name?: string; text: string; values: unknown[] }[];

  beforeAll(async () => {
    owner = await harness.createClient();
    await harness.database.query(
      `insert into tokens (id, client_id, digest, provider, mode, scopes, created_at,
         code_digest, grant_mac, digest_mac)
       select gen_random_uuid(), $1::text, sha256(convert_to($1 || n::text, 'UTF8')), 'odd "name"', 'xhr', $2,
         '2026-03-02T10:00:00Z'::timestamptz + make_interval(secs => n % 97), '', '', ''
       from generate_series(1, ${count}) as n`,
      [owner.client.clientId, [employees]],
    );
    await harness.database.query("analyze tokens");
    const query = vi.spyOn(harness.services.pool, "query");
    await list(owner);
    await harness.http.get(`${base}/tokens?limit=10`, {
      basic: [owner.client.clientId, owner.secret],
    });
    statements = (query.mock.calls as unknown[][])
      .map(([statement]) => statement as (typeof statements)[number])
      .filter(({ text }) => text?.includes("from tokens"));
    query.mockRestore();
  });

  test("is complete, in its order, and valid JSON whatever a provider's name is", async () => {
    const entries = await list(owner);
    expect(entries).toHaveLength(count);
    expect(entries[0]).toMatchObject({ provider: 'odd "name"', status: "active", forbidden: [] });
    const keys = entries.map(({ created_at: at, token }) => at + token);
    expect(keys).toEqual(keys.toSorted());
  });

  test("reaches this process in few parts, not as rows that it has to put together", async () => {
    const { text, values } = statements.find(({ name }) => name === "all-tokens")!;
    const { rows } = await harness.services.pool.query<{ text: string }>(text, values);
    expect(rows).toHaveLength(count / 250);
    expect(Math.max(...rows.map((row) => row.text.length))).toBeLessThan(200_000);
  });

  test("comes in the order of an index, and so does a page", async () => {
    const page = statements.find(({ name }) => name === "page-of-tokens")!;
    const whole = statements.find(({ name }) => name === "all-tokens")!;
    for (const [{ text, values }, setting] of [
      [page, "on"],
      [whole, "off"],
    ] as const) {
      const plan = await transaction(harness.services.pool, async (tx) => {
        // Of one client with nearly all tokens, the whole table is read faster than by an index.
        await tx.query(`set local enable_seqscan = ${setting}`);
        return (await tx.query(`explain ${text}`, values)).rows;
      });
      expect(JSON.stringify(plan)).toContain("tokens_client");
      expect(JSON.stringify(plan)).not.toMatch(/Sort Key: [^"]*created_at/);
    }
  });
});
