import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { rollcall } from "../support/command-line.ts";
import { signInAgain } from "../support/data-endpoints.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";

const base = "/2023-03-01/management";
const employees = "/2023-03-01/xhr/employees";

interface Entry {
  action: string;
  client_id: string | null;
  token_id: string | null;
  connection_id: string | null;
  detail: Record<string, unknown>;
  at: Date;
}

const recorded = ["clients", "client_secrets", "tokens", "connections", "master_keys"];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await noteChanges();
});
afterAll(() => harness.close());

/** Notes what the service changes from now on, and in which transactions. A test's own statements have no time limit. */
async function noteChanges(): Promise<void> {
  await harness.database.query(`create table noted (tx xid8, what text);
    create function note_change() returns trigger language plpgsql as $$ begin
      if current_setting('statement_timeout') <> '0' then
        insert into noted select pg_current_xact_id(), tg_table_name || ' ' || lower(tg_op) || coalesce(' ' || (
          select string_agg(c.key, ' ' order by c.key) from jsonb_each(to_jsonb(new)) c
          where tg_op = 'UPDATE' and c.value is distinct from to_jsonb(old) -> c.key), '');
      end if;
      return null;
    end $$`);
  for (const table of [...recorded, "audit_entries"])
    await harness.database.query(
      `create trigger note_change after insert or update or delete on ${table} for each row execute function note_change()`,
    );
}

const entries = async (): Promise<Entry[]> =>
  (await harness.database.query(
    "select action, client_id, token_id, connection_id, detail, at from audit_entries order by id",
  )) as unknown as Entry[];

/** What the work has added to the record. */
async function addedBy(work: () => Promise<unknown>): Promise<Entry[]> {
  const before = (await entries()).length;
  await work();
  return (await entries()).slice(before);
}

const connectionOf = async (tokenId: string): Promise<string> => {
  const [row] = await harness.database.query("select id from connections where token_id = $1", [
    tokenId,
  ]);
  return String(row?.["id"]);
};

async function command(...words: string[]): Promise<Record<string, string>> {
  const result = await rollcall([...words, "--json"], harness.environment);
  expect([result.code, result.stderr]).toEqual([0, ""]);
  return result.json<Record<string, string>>();
}

const sharedToken = async (): Promise<string> => {
  const [row] = await harness.database.query(
    "select t.id from tokens t join clients c using (client_id) where c.is_shared_sandbox",
  );
  return String(row?.["id"]);
};

/** While it works, no row can be written. */
async function withoutRecord(work: () => Promise<void>): Promise<void> {
  await harness.database.query(
    `create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
  );
  await harness.database.query(
    "create trigger refuse_entry before insert on audit_entries for each row execute function refuse_entry()",
  );
  try {
    await work();
  } finally {
    await harness.database.query("drop trigger refuse_entry on audit_entries");
    await harness.database.query("drop function refuse_entry");
  }
}

/** While it works, a transaction that changes a row of the table fails at its very end. */
async function withoutCommit(table: string, work: () => Promise<unknown>): Promise<void> {
  await harness.database.query(
    "create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'no end'; end $$",
  );
  await harness.database.query(
    `create constraint trigger refuse_commit after insert or update or delete on ${table} deferrable initially deferred for each row execute function refuse_commit()`,
  );
  try {
    await work();
  } finally {
    await harness.database.query(`drop trigger refuse_commit on ${table}`);
    await harness.database.query("drop function refuse_commit");
  }
}

describe("every change writes its row, with the ids of what was changed and the time", () => {
  test("a client is registered", async () => {
    let clientId = "";
    const added = await addedBy(
      async () =>
        ({ client_id: clientId = "" } = await command(
          "client",
          "create",
          "--name",
          "Acme",
          "--redirect-uri",
          redirectUri,
        )),
    );
    expect(added).toMatchObject([
      { action: "client.created", client_id: clientId, token_id: null, connection_id: null },
    ]);
  });

  test.each<[string, object, string[]]>([
    ["its name", { name: "Acme" }, ["name"]],
    ["its secrets", { client_secret: mintCredential("cs", "dev") }, ["secrets"]],
    ["its webhook address", { webhook_uri: "https://app.example.com/hooks" }, ["webhookUri"]],
    ["that there is no webhook address", { webhook_uri: null }, ["webhookUri"]],
    ["its redirect addresses", { redirect_uris: ["https://app.example.com/a"] }, ["redirectUris"]],
    ["several things", { name: "Acme", redirect_uris: [redirectUri] }, ["name", "redirectUris"]],
  ])("a client changes %s", async (_name, json, fields) => {
    const { client, secret } = await harness.createClient();
    const added = await addedBy(() =>
      harness.http.post(`${base}/client`, { basic: [client.clientId, secret], json }),
    );
    expect(added).toMatchObject([
      { action: "client.updated", client_id: client.clientId, detail: { fields } },
    ]);
    expect(added[0]?.at).toEqual(harness.clock.now());
  });

  test("the operator changes a client", async () => {
    const { client } = await harness.createClient();
    const added = await addedBy(() =>
      command("client", "update", client.clientId, "--rotate-secret", "--require-pkce"),
    );
    expect(added).toMatchObject([
      {
        action: "client.updated",
        client_id: client.clientId,
        detail: { fields: expect.arrayContaining(["secrets", "requirePkce"]) },
      },
    ]);
    expect(added).toHaveLength(1);
  });

  test("an end user signs in", async () => {
    const owner = await harness.createClient();
    const added = await addedBy(() => signIn(harness.services, { client: owner }));
    expect(added).toMatchObject([
      {
        action: "connection.created",
        client_id: owner.client.clientId,
        detail: { provider: "sandbox", mode: "xhr" },
      },
    ]);
    expect(added[0]?.connection_id).not.toBeNull();
    expect(added[0]?.token_id).not.toBeNull();
  });

  test("a code is exchanged, and the token is the one of the sign-in", async () => {
    const signedIn = await signIn(harness.services);
    const created = (await entries()).at(-1);
    const added = await addedBy(() =>
      harness.http.post(`${base}/token`, { json: exchangeBody(signedIn) }),
    );
    expect(added).toMatchObject([
      {
        action: "token.issued",
        client_id: signedIn.client.clientId,
        token_id: created?.token_id,
        connection_id: created?.connection_id,
      },
    ]);
  });

  test("a redeemed code is replayed, as often as it is", async () => {
    const connected = await harness.connect();
    const replay = () => harness.http.post(`${base}/token`, { json: exchangeBody(connected) });
    const expected = {
      action: "code.replayed",
      client_id: connected.client.clientId,
      token_id: connected.tokenId,
    };
    expect(await addedBy(async () => [await replay(), await replay()])).toMatchObject([
      expected,
      expected,
    ]);
  });

  test("a token is disconnected, once", async () => {
    const { token, tokenId, client } = await harness.connect();
    const connectionId = await connectionOf(tokenId);
    const end = () => harness.http.post(`${base}/disconnect`, { bearer: token });
    expect(await addedBy(async () => [await end(), await end()])).toMatchObject([
      {
        action: "token.disconnected",
        client_id: client.clientId,
        token_id: tokenId,
        connection_id: connectionId,
      },
    ]);
  });

  test("the operator disconnects a token", async () => {
    const { tokenId, client } = await harness.connect();
    const connectionId = await connectionOf(tokenId);
    const added = await addedBy(() => command("token", "disconnect", tokenId));
    expect(added).toMatchObject([
      {
        action: "token.disconnected",
        client_id: client.clientId,
        token_id: tokenId,
        connection_id: connectionId,
      },
    ]);
  });

  test("a provider refuses a connection, once for many fetches, and its end user signs in again", async () => {
    const { token, tokenId, client } = await harness.connect({ user: "user_expired" });
    const ids = {
      client_id: client.clientId,
      token_id: tokenId,
      connection_id: await connectionOf(tokenId),
    };
    const refused = await addedBy(async () => {
      for (const path of ["employees", "company", "groups"])
        await harness.http.get(`/2023-03-01/xhr/${path}`, { bearer: token });
      await harness.drain();
      await harness.http.get(employees, { bearer: token });
      await harness.drain();
    });
    expect(refused).toMatchObject([
      { action: "connection.refused", ...ids, detail: { code: "reauthentication_required" } },
    ]);
    expect(await addedBy(() => signInAgain(harness, tokenId))).toMatchObject([
      { action: "connection.reauthenticated", ...ids },
    ]);
  });

  test("a connection whose code nobody exchanged is removed", async () => {
    const owner = await harness.createClient();
    await signIn(harness.services, { client: owner });
    const created = (await entries()).at(-1);
    harness.clock.advance(301);
    const added = await addedBy(() => harness.services.connections.removeUnclaimed());
    expect(added).toContainEqual(
      expect.objectContaining({
        action: "connection.expired",
        client_id: owner.client.clientId,
        connection_id: created?.connection_id,
      }),
    );
  });

  test("the operator moves a simulated account on", async () => {
    const { tokenId, client } = await harness.connect();
    const connectionId = await connectionOf(tokenId);
    const added = await addedBy(() => command("sandbox", "advance", "--token", tokenId));
    expect(added).toMatchObject([
      {
        action: "sandbox.changed",
        client_id: client.clientId,
        token_id: tokenId,
        connection_id: connectionId,
      },
    ]);
  });
});

describe("the shared sandbox token", () => {
  test("and its client are in the record from the first start on", async () => {
    const tokenId = await sharedToken();
    const [client] = await harness.database.query(
      "select client_id from clients where is_shared_sandbox",
    );
    const written = (await entries())
      .filter((entry) => entry.token_id === tokenId || entry.client_id === client?.["client_id"])
      .map(({ action }) => action);
    expect(written.toSorted()).toEqual(["client.created", "connection.created", "token.issued"]);
  });

  test("changes in the record when another credential takes its place, and not when a process starts with the same", async () => {
    const { MASTER_KEYS = "", SANDBOX_ACCESS_TOKEN = "" } = harness.environment;
    const startWith = async (credential: string) => {
      const other = await createHarness({
        database: harness.database,
        env: { MASTER_KEYS, SANDBOX_ACCESS_TOKEN: credential },
      });
      await other.close();
    };
    const tokenId = await sharedToken();
    expect(await addedBy(() => startWith(SANDBOX_ACCESS_TOKEN))).toEqual([]);
    const added = await addedBy(() => startWith(mintCredential("at", "dev")));
    await startWith(SANDBOX_ACCESS_TOKEN);
    expect(added).toMatchObject([{ token_id: tokenId }]);
  });
});

describe("what changes nothing writes nothing", () => {
  test("refused updates", async () => {
    const { client, secret } = await harness.createClient();
    const added = await addedBy(async () => {
      await harness.http.post(`${base}/client`, {
        basic: [client.clientId, secret],
        json: { name: "" },
      });
      await harness.http.post(`${base}/client`, {
        basic: [client.clientId, "wrong"],
        json: { name: "Acme" },
      });
      await expect(
        harness.services.clients.update({ ...client, revision: 99 }, { name: "Acme" }),
      ).rejects.toMatchObject({ kind: "conflicting-update" });
    });
    expect(added).toEqual([]);
  });

  test("refused exchanges and disconnects", async () => {
    const signedIn = await signIn(harness.services);
    const added = await addedBy(async () => {
      await harness.http.post(`${base}/token`, {
        json: { ...exchangeBody(signedIn), client_secret: "wrong" },
      });
      await harness.http.post(`${base}/token`, {
        json: { ...exchangeBody(signedIn), redirect_uri: `${redirectUri}/` },
      });
      await harness.http.post(`${base}/token`, {
        json: { ...exchangeBody(signedIn), code: mintCredential("ac", "dev") },
      });
      await harness.http.post(`${base}/disconnect`, { bearer: mintCredential("at", "dev") });
      await harness.http.post(`${base}/disconnect`, { bearer: harness.sandboxToken });
    });
    expect(added).toEqual([]);
  });

  test("reads", async () => {
    const { client, secret, token } = await harness.connect();
    const added = await addedBy(async () => {
      await harness.http.get(`${base}/client`, { basic: [client.clientId, secret] });
      await harness.http.get(`${base}/tokens`, { basic: [client.clientId, secret] });
      await harness.http.get(`${base}/introspect`, { bearer: token });
      await harness.http.get(employees, { bearer: token });
      await harness.drain();
      await harness.http.get(employees, { bearer: token });
    });
    expect(added).toEqual([]);
  });
});

describe("a change and its row are one: when the row cannot be written, the change is not made", () => {
  test("an update of a client", async () => {
    const { client, secret } = await harness.createClient();
    const update = () =>
      harness.http.post(`${base}/client`, {
        basic: [client.clientId, secret],
        json: { name: "Acme", client_secret: mintCredential("cs", "dev") },
      });
    await withoutRecord(async () => expect((await update()).status).toBe(500));
    expect(
      (await harness.http.get(`${base}/client`, { basic: [client.clientId, secret] })).body,
    ).toHaveProperty("name", "Test");
    expect((await update()).status).toBe(200);
  });

  test("an exchange, whose code can be used again", async () => {
    const signedIn = await signIn(harness.services);
    const exchange = () => harness.http.post(`${base}/token`, { json: exchangeBody(signedIn) });
    await withoutRecord(async () => expect((await exchange()).status).toBe(500));
    expect(
      await harness.database.query("select 1 from tokens where client_id = $1", [
        signedIn.client.clientId,
      ]),
    ).toEqual([]);
    expect((await exchange()).status).toBe(201);
  });

  test("a disconnect", async () => {
    const { token } = await harness.connect();
    await withoutRecord(async () =>
      expect((await harness.http.post(`${base}/disconnect`, { bearer: token })).status).toBe(500),
    );
    expect((await harness.http.get("/2023-03-01/xhr/identity", { bearer: token })).status).toBe(
      200,
    );
  });

  test("a sign-in", async () => {
    const owner = await harness.createClient();
    await withoutRecord(async () => {
      await expect(signIn(harness.services, { client: owner })).rejects.toThrow("no room");
    });
    expect(
      await harness.database.query("select 1 from connections where client_id = $1", [
        owner.client.clientId,
      ]),
    ).toEqual([]);
  });
});

describe("a row and its change are one: when the change cannot be kept, the row is not written", () => {
  test("an update of a client", async () => {
    const { client, secret } = await harness.createClient();
    const added = await addedBy(() =>
      withoutCommit("clients", async () => {
        expect(
          (
            await harness.http.post(`${base}/client`, {
              basic: [client.clientId, secret],
              json: { name: "Acme" },
            })
          ).status,
        ).toBe(500);
      }),
    );
    expect(added).toEqual([]);
  });

  test("an exchange", async () => {
    const signedIn = await signIn(harness.services);
    const added = await addedBy(() =>
      withoutCommit("tokens", async () => {
        expect(
          (await harness.http.post(`${base}/token`, { json: exchangeBody(signedIn) })).status,
        ).toBe(500);
      }),
    );
    expect(added).toEqual([]);
  });

  test("a disconnect", async () => {
    const { token } = await harness.connect();
    const added = await addedBy(() =>
      withoutCommit("connections", async () => {
        expect((await harness.http.post(`${base}/disconnect`, { bearer: token })).status).toBe(500);
      }),
    );
    expect(added).toEqual([]);
  });

  test("a sign-in, the first and the next", async () => {
    const { tokenId } = await harness.connect();
    const owner = await harness.createClient();
    const added = await addedBy(() =>
      withoutCommit("connections", async () => {
        await expect(signIn(harness.services, { client: owner })).rejects.toThrow("no end");
        await expect(signInAgain(harness, tokenId)).rejects.toThrow("no end");
      }),
    );
    expect(added).toEqual([]);
  });

  test("the registration of a client", async () => {
    const added = await addedBy(() =>
      withoutCommit("clients", async () => {
        await expect(harness.createClient()).rejects.toThrow("no end");
      }),
    );
    expect(added).toEqual([]);
  });
});

describe("rows are added and never changed", () => {
  test.each([
    ["updated", "update audit_entries set action = 'nothing'"],
    [
      "updated one by one",
      "update audit_entries set at = at where id = (select min(id) from audit_entries)",
    ],
    ["updated where there is none", "update audit_entries set detail = '{}' where false"],
    ["deleted", "delete from audit_entries"],
    [
      "deleted one by one",
      "delete from audit_entries where id = (select max(id) from audit_entries)",
    ],
    ["emptied", "truncate audit_entries"],
    ["emptied with what hangs on them", "truncate audit_entries cascade"],
    [
      "merged",
      "merge into audit_entries e using (select min(id) as id from audit_entries) m on e.id = m.id when matched then delete",
    ],
    [
      "given a place of their own choice",
      "insert into audit_entries (id, at, action) values (1, now(), 'forged')",
    ],
  ])("they cannot be %s", async (_name, statement) => {
    const before = await harness.database.query("select * from audit_entries order by id");
    expect(before.length).toBeGreaterThan(0);
    await expect(harness.database.query(statement)).rejects.toThrow(/append-only|cannot insert/);
    expect(await harness.database.query("select * from audit_entries order by id")).toEqual(before);
  });

  test("they outlive the client that they are about", async () => {
    const { client, tokenId } = await harness.connect();
    await harness.database.query("delete from clients where client_id = $1", [client.clientId]);
    const left = (await entries()).filter((entry) => entry.client_id === client.clientId);
    expect(left.map(({ action }) => action)).toEqual([
      "client.created",
      "connection.created",
      "token.issued",
    ]);
    expect(left.at(-1)?.token_id).toBe(tokenId);
  });
});

describe("rows hold ids and words of ours", () => {
  test("and none of the values that were sent or made on the way", async () => {
    const marker = "Marker4711";
    const owner = await harness.services.clients.create({
      name: `${marker} GmbH`,
      redirectUris: [redirectUri],
    });
    const secret = `secret-${marker}-`.padEnd(40, "s");
    const address = `https://${marker.toLowerCase()}.example/${marker}`;
    await harness.http.post(`${base}/client`, {
      basic: [owner.client.clientId, owner.secret],
      json: {
        name: `${marker} AG`,
        client_secret: [secret],
        webhook_uri: address,
        redirect_uris: [redirectUri, address],
      },
    });
    const client = await harness.services.clients.find(owner.client.clientId);
    const connected = await harness.connect({
      client: { client: client!, secret },
      formValues: { username: "user_good", password: marker },
    });
    await harness.http.post(`${base}/token`, { json: exchangeBody(connected) });
    await harness.http.post(`${base}/disconnect`, { bearer: connected.token });

    const text = JSON.stringify(
      await harness.database.query("select * from audit_entries where client_id = $1", [
        owner.client.clientId,
      ]),
    );
    expect(text).toContain("token.disconnected");
    for (const value of [
      marker,
      marker.toLowerCase(),
      owner.secret,
      secret,
      connected.code,
      connected.token,
      "user_good",
      "app.example.com",
    ])
      expect(text).not.toContain(value);
  });

  test("also by their columns: nothing but ids, a time, an action and its detail", async () => {
    const written = await harness.database.query("select * from audit_entries");
    for (const { action, detail } of written) {
      expect(action).toMatch(/^[a-z]+\.[a-z]+$/);
      for (const value of Object.values(detail as Record<string, unknown>).flat())
        expect(String(value)).toMatch(/^[A-Za-z0-9_ /:.-]{1,60}$/);
    }
  });
});

describe("the command line", () => {
  test("lists the newest first, of all or of one client, also where the numbers grow by a digit", async () => {
    await harness.database.query(
      "select setval(pg_get_serial_sequence('audit_entries', 'id'), 9998)",
    );
    const { client, token } = await harness.connect();
    await harness.http.post(`${base}/disconnect`, { bearer: token });
    const listed = async (...words: string[]) =>
      (await rollcall(["audit", "list", ...words, "--json"], harness.environment)).json<
        { action: string; client_id: string }[]
      >();
    const newest = await listed("--limit", "2");
    expect(newest.map(({ action, client_id: id }) => [action, id])).toEqual([
      ["token.disconnected", client.clientId],
      ["token.issued", client.clientId],
    ]);
    const ofClient = await listed("--client", client.clientId);
    expect(ofClient.map(({ action }) => action)).toEqual([
      "token.disconnected",
      "token.issued",
      "connection.created",
      "client.created",
    ]);
  });
});

test("every transaction that changed a client, a secret, a token, a connection or a key has written an entry", async () => {
  const { keys } = harness.services;
  await keys.add({ id: "next", key: randomBytes(32) }, async () => undefined);
  const changes = await harness.database.query("select distinct what from noted order by what");
  const tables = new Set(changes.map(({ what }) => String(what).split(" ")[0]));
  expect(recorded.filter((table) => !tables.has(table))).toEqual([]);
  const without = await harness.database.query(
    `select distinct what from noted change where what not like 'audit_entries %' and not exists (
       select from noted entry where entry.tx = change.tx and entry.what like 'audit_entries %') order by what`,
  );
  expect(without.map(({ what }) => what)).toEqual([]);
});
