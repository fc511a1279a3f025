import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { dataEndpointCases, january, signInAgain } from "../support/data-endpoints.ts";
import { createHarness, exchangeBody, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const base = "/2023-03-01/management";
const url = `${base}/disconnect`;
const xhr = "/2023-03-01/xhr";

let harness: Harness;
/** Another process of the same service: its own memory, the same database and keys. */
let elsewhere: Harness;
beforeAll(async () => {
  harness = await createHarness();
  const { MASTER_KEYS, SANDBOX_ACCESS_TOKEN } = harness.environment;
  elsewhere = await createHarness({
    database: harness.database,
    clock: harness.clock,
    env: { MASTER_KEYS: MASTER_KEYS!, SANDBOX_ACCESS_TOKEN: SANDBOX_ACCESS_TOKEN! },
  });
});
afterAll(async () => {
  await elsewhere.close();
  await harness.close();
});

const disconnect = (bearer: string) => harness.http.post(url, { bearer });

/** A connection whose data was fetched, so that there is something to be deleted. */
async function connectAndFetch() {
  const connected = await harness.connect();
  await harness.http.get(`${xhr}/employees`, { bearer: connected.token });
  await harness.http.get(`${xhr}/payruns`, { bearer: connected.token, query: january });
  await harness.drain();
  const payruns = await harness.http.get(`${xhr}/payruns`, {
    bearer: connected.token,
    query: january,
  });
  const payrunId = (payruns.body as { id: string }[])[0]?.id ?? "";
  await harness.http.get(`${xhr}/payruns/${payrunId}`, { bearer: connected.token });
  await harness.drain();
  const [row] = await harness.database.query("select id from connections where token_id = $1", [
    connected.tokenId,
  ]);
  return { ...connected, payrunId, connectionId: row?.["id"] as string };
}

/** In which tables the text occurs, whatever the column. */
async function tablesThatName(value: string): Promise<string[]> {
  const tables = await harness.database.query(
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  );
  const found: string[] = [];
  for (const { tablename } of tables) {
    const rows = await harness.database.query(
      `select 1 from "${String(tablename)}" t where t::text like $1 limit 1`,
      [`%${value}%`],
    );
    if (rows.length > 0) found.push(String(tablename));
  }
  return found;
}

describe("200", () => {
  test("the reply says that it is done", async () => {
    const { token } = await harness.connect();
    const reply = await disconnect(token);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ disconnected: true });
  });

  test("it can be done again, here and in another process, and changes nothing more", async () => {
    const { token, tokenId } = await harness.connect();
    await disconnect(token);
    const [before] = await harness.database.query(
      "select disconnected_at from tokens where id = $1",
      [tokenId],
    );
    harness.clock.advance(10);
    for (const http of [harness.http, elsewhere.http]) {
      const again = await http.post(url, { bearer: token });
      expect([again.status, again.body]).toEqual([200, { disconnected: true }]);
    }
    expect(
      await harness.database.query("select disconnected_at from tokens where id = $1", [tokenId]),
    ).toEqual([before]);
  });

  test("of twenty at once, in two processes, all are answered alike and one does it", async () => {
    const { token, tokenId } = await harness.connect();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        (index % 2 === 0 ? harness : elsewhere).http.post(url, { bearer: token }),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const written = await harness.database.query(
      "select 1 from audit_entries where token_id = $1 and action = 'token.disconnected'",
      [tokenId],
    );
    expect(written).toHaveLength(1);
  });

  test.each<[string, { headers?: Record<string, string>; body?: string }]>([
    ["no body and no content type", {}],
    [
      "an empty body that is said to be JSON",
      { headers: { "content-type": "application/json" }, body: "" },
    ],
    [
      "an empty body that is said to be JSON in UTF-8",
      { headers: { "content-type": "application/json; charset=utf-8" }, body: "" },
    ],
    ["a content type without a body", { headers: { "content-type": "application/json" } }],
    ["an empty object", { headers: { "content-type": "application/json" }, body: "{}" }],
    [
      "parameters that are not asked for",
      { headers: { "content-type": "application/json" }, body: '{"token":"x"}' },
    ],
  ])("%s is fine", async (_name, { headers = {}, body }) => {
    const { token } = await harness.connect();
    const reply = await harness.http.post(url, {
      bearer: token,
      headers,
      ...(body !== undefined && { body }),
    });
    expect(reply.status).toBe(200);
  });

  test.each(["Bearer", "bearer", "BEARER"])(
    "the scheme is matched in any case: %s",
    async (scheme) => {
      const { token } = await harness.connect();
      expect(
        (await harness.http.post(url, { headers: { authorization: `${scheme} ${token}` } })).status,
      ).toBe(200);
    },
  );

  test("a token whose end user has to sign in again can be disconnected", async () => {
    const { token } = await harness.connect({ user: "user_expired" });
    await harness.http.get(`${xhr}/employees`, { bearer: token });
    await harness.drain();
    expect((await disconnect(token)).status).toBe(200);
    expect((await harness.http.get(`${xhr}/employees`, { bearer: token })).status).toBe(403);
  });
});

/** What is left of a connection: ids and states. */
const told = ["audit_entries", "events"];

describe("from then on", () => {
  test("every data request is 403, with or without stored data, here and in another process", async () => {
    const { token, payrunId } = await connectAndFetch();
    const requests: [string, Record<string, string>][] = [
      ...dataEndpointCases
        .filter(({ mode }) => mode === "xhr")
        .map(({ path, query }): [string, Record<string, string>] => [
          path.replace(":payrun_id", payrunId),
          query,
        ]),
      ["employees", { employment_status: "active" }],
      ["payruns/unknown", {}],
      ["identity", {}],
    ];
    for (const [path, query] of requests) {
      for (const { http } of [harness, elsewhere])
        expect([
          path,
          (await http.get(`${xhr}/${path}`, { bearer: token, query })).status,
        ]).not.toEqual([path, 403]);
    }
    expect((await disconnect(token)).status).toBe(200);
    for (const [path, query] of requests) {
      for (const { http } of [elsewhere, harness]) {
        const reply = await http.get(`${xhr}/${path}`, { bearer: token, query });
        expect([path, reply.status]).toEqual([path, 403]);
        expect(reply.body).toEqual({ message: expect.any(String) });
        expect(reply.headers["www-authenticate"]).toBeUndefined();
      }
    }
  });

  test("a bad parameter, a known version and a wish for other data make no difference", async () => {
    const { token } = await connectAndFetch();
    const before = await harness.http.get(`${xhr}/employees`, { bearer: token });
    await disconnect(token);
    const statuses = [
      await harness.http.get(`${xhr}/employees`, {
        bearer: token,
        query: { employment_status: "nonsense" },
      }),
      await harness.http.get(`${xhr}/payruns`, {
        bearer: token,
        query: { start_date: "x", end_date: "y" },
      }),
      await harness.http.get(`${xhr}/employees`, {
        bearer: token,
        headers: { "if-none-match": String(before.headers["etag"]) },
      }),
      await harness.http.get(`${xhr}/employees`, {
        bearer: token,
        headers: { "cache-control": "no-cache" },
      }),
      await harness.http.get(`${xhr}/employees`, { bearer: token, headers: { prefer: "wait=5" } }),
      await harness.http.get("/2023-03-01/official/employees", { bearer: token }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);
  });

  test("a request that is waiting for its data is 403 as well", async () => {
    const { token, tokenId } = await harness.connect();
    const waiting = elsewhere.http.get(`${xhr}/employees`, {
      bearer: token,
      headers: { prefer: "wait=30" },
    });
    await untilTrue("the request waits", async () => {
      const fetches = await harness.database.query(
        "select 1 from reads f join connections c on c.id = f.connection_id where c.token_id = $1",
        [tokenId],
      );
      return fetches.length === 1;
    });
    await disconnect(token);
    expect((await waiting).status).toBe(403);
  });

  test("a fetch that was asked for before stores nothing", async () => {
    const { token, tokenId } = await harness.connect();
    await harness.http.get(`${xhr}/employees`, { bearer: token });
    const [row] = await harness.database.query("select id from connections where token_id = $1", [
      tokenId,
    ]);
    await disconnect(token);
    await harness.drain();
    expect(await tablesThatName(String(row?.["id"]))).toEqual(told);
  });

  test("the connection, its key, its session, what was fetched and what was pending are gone", async () => {
    const { token, connectionId } = await connectAndFetch();
    expect(await tablesThatName(connectionId)).toEqual(
      expect.arrayContaining([
        "audit_entries",
        "connections",
        "reads",
        "issued_payruns",
        "snapshots",
      ]),
    );
    await disconnect(token);
    expect(await tablesThatName(connectionId)).toEqual(told);
  });

  test("what an end user typed to sign in to it again, and what came of that, is gone", async () => {
    const { token, tokenId, client, secret } = await harness.connect();
    await harness.http.post(`${base}/connect-session`, {
      basic: [client.clientId, secret],
      json: { token: tokenId },
    });
    const filled = await harness.database.query(
      "update connect_flows set sealed_submission = '\\x01', sealed_sign_in = '\\x02' where token_id = $1 returning 1",
      [tokenId],
    );
    expect(filled).toHaveLength(1);
    await disconnect(token);
    expect(
      await harness.database.query(
        "select sealed_submission, sealed_sign_in from connect_flows where token_id = $1 and (sealed_submission is not null or sealed_sign_in is not null)",
        [tokenId],
      ),
    ).toEqual([]);
  });

  test("the token stays known: introspection says that it is not active, the list that it is not valid", async () => {
    const { token, tokenId, client, secret } = await harness.connect();
    await disconnect(token);
    expect((await elsewhere.http.get(`${base}/introspect`, { bearer: token })).body).toMatchObject({
      active: false,
    });
    expect(
      (await elsewhere.http.get(`${base}/tokens`, { basic: [client.clientId, secret] })).body,
    ).toMatchObject([{ token: tokenId, valid: false, status: "disconnected" }]);
  });

  test("its code stays redeemed and gives no new token", async () => {
    const connected = await harness.connect();
    await disconnect(connected.token);
    const replay = await harness.http.post(`${base}/token`, { json: exchangeBody(connected) });
    expect([replay.status, replay.body]).toEqual([
      409,
      {
        error: "conflict",
        message: expect.stringContaining(connected.tokenId) as string,
        code: connected.code,
        token: connected.tokenId,
      },
    ]);
  });

  test("no new sign-in brings it back", async () => {
    const { token, tokenId } = await harness.connect();
    await disconnect(token);
    await expect(signInAgain(harness, tokenId)).rejects.toThrow("disconnected");
    expect((await harness.http.get(`${xhr}/identity`, { bearer: token })).status).toBe(403);
  });

  test("the client's other tokens and other clients' tokens work on", async () => {
    const owner = await harness.createClient();
    const [gone, stays, foreign] = [
      await harness.connect({ client: owner }),
      await harness.connect({ client: owner }),
      await harness.connect(),
    ];
    await disconnect(gone.token);
    for (const { token } of [stays, foreign])
      expect((await harness.http.get(`${xhr}/identity`, { bearer: token })).status).toBe(200);
  });
});

describe("403", () => {
  let known: Awaited<ReturnType<Harness["connect"]>>;
  beforeAll(async () => {
    known = await harness.connect();
  });

  test.each<[string, () => Record<string, string | string[]>]>([
    ["no header", () => ({})],
    ["a scheme alone", () => ({ authorization: "Bearer" })],
    ["a token without a scheme", () => ({ authorization: known.token })],
    ["another scheme", () => ({ authorization: `Token ${known.token}` })],
    [
      "the client's credentials",
      () => ({
        authorization: `Basic ${Buffer.from(`${known.client.clientId}:${known.secret}`).toString("base64")}`,
      }),
    ],
    ["two words", () => ({ authorization: `Bearer ${known.token} x` })],
    [
      "the token in two headers",
      () => ({ authorization: [`Bearer ${known.token}`, `Bearer ${known.token}`] }),
    ],
    [
      "a token that was never issued",
      () => ({ authorization: `Bearer ${mintCredential("at", "dev")}` }),
    ],
    [
      "a token of the other environment",
      () => ({ authorization: `Bearer ${mintCredential("at", "prod")}` }),
    ],
    [
      "a token with another last character",
      () => ({
        authorization: `Bearer ${known.token.slice(0, -1)}${known.token.endsWith("0") ? "1" : "0"}`,
      }),
    ],
    ["the token's id", () => ({ authorization: `Bearer ${known.tokenId}` })],
    ["the token's code", () => ({ authorization: `Bearer ${known.code}` })],
    ["nonsense", () => ({ authorization: "Bearer nonsense" })],
  ])("%s", async (_name, headers) => {
    const reply = await harness.http.post(url, { headers: headers() });
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({ message: expect.any(String) });
  });

  test("a token in the query or in the body is never read", async () => {
    for (const query of [{ access_token: known.token }, { token: known.token }])
      expect((await harness.http.post(url, { query })).status).toBe(403);
    for (const json of [{ access_token: known.token }, { token: known.tokenId }])
      expect((await harness.http.post(url, { json })).status).toBe(403);
  });

  test("none of these has ended the token", async () => {
    expect(
      (await harness.http.get(`${base}/introspect`, { bearer: known.token })).body,
    ).toHaveProperty("active", true);
  });

  test("the shared sandbox token, which one caller must not end for everybody", async () => {
    const reply = await harness.http.post(url, { bearer: harness.sandboxToken });
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({ message: expect.any(String) });
    expect(
      (await harness.http.get(`${base}/introspect`, { bearer: harness.sandboxToken })).body,
    ).toHaveProperty("active", true);
    expect(
      (await harness.http.get(`${xhr}/identity`, { bearer: harness.sandboxToken })).status,
    ).toBe(200);
  });

  test("the shared sandbox token, for the operator too", async () => {
    const [row] = await harness.database.query(
      "select t.id from tokens t join clients c using (client_id) where c.is_shared_sandbox",
    );
    await expect(harness.services.tokens.disconnectById(String(row?.["id"]))).rejects.toMatchObject(
      { kind: "forbidden" },
    );
    expect(
      (await harness.http.get(`${xhr}/identity`, { bearer: harness.sandboxToken })).status,
    ).toBe(200);
  });
});

describe("405", () => {
  test.each(["GET", "PUT", "DELETE"])("%s does not disconnect", async (method) => {
    const { token } = await harness.connect();
    const reply = await harness.http.request(method, url, { bearer: token });
    expect(reply.status).toBe(405);
    expect((await harness.http.get(`${base}/introspect`, { bearer: token })).body).toHaveProperty(
      "active",
      true,
    );
  });
});

test("a body that is not JSON is answered as the description says", async () => {
  const { token } = await harness.connect();
  const reply = await harness.http.post(url, {
    bearer: token,
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect([200, 400]).toContain(reply.status);
});
