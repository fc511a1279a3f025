import { Client as DatabaseClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/clients/index.ts";
import { checkCredential, mintCredential } from "../../src/platform/crypto/index.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { countLockWaits } from "../support/lock-waits.ts";
import { untilTrue } from "../support/until-true.ts";

const url = "/2023-03-01/management/client";

interface Owner {
  client: Client;
  secret: string;
}

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

const update = ({ client, secret }: Owner, json: unknown) =>
  harness.http.post(url, { basic: [client.clientId, secret], json });
const read = ({ client, secret }: Owner) =>
  harness.http.get(url, { basic: [client.clientId, secret] });
const setStatus = ({ client }: Owner, status: string) =>
  harness.database.query("update webhook_endpoints set status = $2 where client_id = $1", [
    client.clientId,
    status,
  ]);

const rotate = async (owner: Owner) => {
  const reply = await update(owner, { rotate_secret: true });
  expect(reply.status).toBe(200);
  return (reply.body as { new_client_secret: string }).new_client_secret;
};
const statusesOf = (owner: Owner, secrets: readonly string[]) =>
  Promise.all(secrets.map(async (secret) => (await read({ ...owner, secret })).status));

/** All of the updates have read the client before the first of them may write it. */
async function overlap({ client, secret }: Owner, changes: readonly object[]) {
  const holder = new DatabaseClient({ connectionString: harness.database.url });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("select 1 from clients where client_id = $1 for update", [client.clientId]);
    const replies = Promise.all(changes.map((change) => update({ client, secret }, change)));
    await untilTrue(
      "every update waits",
      async () => (await countLockWaits(harness.database)) === changes.length,
    );
    await holder.query("commit");
    return await replies;
  } finally {
    await holder.end();
  }
}

describe("200", () => {
  test.each<[string, object, object]>([
    ["the name", { name: "Acme" }, { name: "Acme" }],
    [
      "the webhook address",
      { webhook_uri: "https://app.example.com/hooks" },
      { webhook_uri: "https://app.example.com/hooks", webhook_status: "active" },
    ],
    [
      "the redirect addresses",
      { redirect_uris: ["https://a.example/1", "https://a.example/2"] },
      { redirect_uris: ["https://a.example/1", "https://a.example/2"] },
    ],
    [
      "all of them at once",
      {
        name: "Acme",
        webhook_uri: "https://app.example.com/hooks",
        redirect_uris: ["https://a.example/1"],
      },
      {
        name: "Acme",
        webhook_uri: "https://app.example.com/hooks",
        webhook_status: "active",
        redirect_uris: ["https://a.example/1"],
      },
    ],
  ])(
    "%s can be changed by itself, the rest stays, and GET answers alike",
    async (_name, change, expected) => {
      const owner = await harness.createClient();
      const before = (await read(owner)).body as object;
      const reply = await update(owner, change);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ ...before, ...expected });
      expect((await read(owner)).body).toEqual(reply.body);
    },
  );

  test("the reply is kept by no cache", async () => {
    const reply = await update(await harness.createClient(), { name: "Acme" });
    expect(reply.headers["cache-control"]).toBe("private, no-store");
  });

  test("one update after the other is no conflict", async () => {
    const owner = await harness.createClient();
    const replies = [
      await update(owner, { name: "One" }),
      await update(owner, { name: "Two" }),
      await update(owner, { name: "Two" }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("another client is not touched", async () => {
    const [owner, other] = [await harness.createClient(), await harness.createClient()];
    const before = (await read(other)).body;
    await update(owner, {
      name: "Acme",
      webhook_uri: "https://app.example.com/hooks",
      redirect_uris: ["https://a.example/1"],
      client_secret: mintCredential("cs", "dev"),
    });
    expect((await read(other)).body).toEqual(before);
  });
});

describe("the list of secrets", () => {
  const [first, second, third] = ["1111", "2222", "3333"].map(
    (end) => mintCredential("cs", "dev").slice(0, -4) + end,
  ) as [string, string, string];

  test("is replaced whole: each secret of the new one works at once, none of the old one does", async () => {
    const owner = await harness.createClient();
    const reply = await update(owner, { client_secret: [first, second] });
    expect(reply.body).toHaveProperty("client_secret", ["********1111", "********2222"]);
    expect((await read({ ...owner, secret: first })).status).toBe(200);
    expect((await read({ ...owner, secret: second })).status).toBe(200);
    expect((await read(owner)).status).toBe(401);
  });

  test("keeps an old secret that it names", async () => {
    const owner = await harness.createClient();
    await update(owner, { client_secret: [first, owner.secret] });
    expect((await read(owner)).body).toHaveProperty("client_secret", [
      "********1111",
      `********${owner.secret.slice(-4)}`,
    ]);
  });

  test("of three is as good as of one", async () => {
    const owner = await harness.createClient();
    await update(owner, { client_secret: [first, second, third] });
    const statuses = await Promise.all(
      [first, second, third].map(async (secret) => (await read({ ...owner, secret })).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
  });

  test("can be shortened to one string", async () => {
    const owner = await harness.createClient();
    await update(owner, { client_secret: [first, second, third] });
    const reply = await update({ ...owner, secret: third }, { client_secret: second });
    expect(reply.body).toHaveProperty("client_secret", ["********2222"]);
    const statuses = await Promise.all(
      [first, second, third].map(async (secret) => (await read({ ...owner, secret })).status),
    );
    expect(statuses).toEqual([401, 200, 401]);
  });

  test("starts with the one that signs: the order of the list is kept", async () => {
    const owner = await harness.createClient();
    await update(owner, { client_secret: [first, second, third] });
    await update({ ...owner, secret: first }, { client_secret: [third, first, second] });
    expect((await read({ ...owner, secret: first })).body).toHaveProperty("client_secret", [
      "********3333",
      "********1111",
      "********2222",
    ]);
    const client = await harness.services.clients.find(owner.client.clientId);
    expect(harness.services.clients.revealSecrets(client!)).toEqual([third, first, second]);
  });

  test("stays when only something else is changed", async () => {
    const owner = await harness.createClient();
    await update(owner, { client_secret: [first, owner.secret] });
    await update(owner, { name: "Acme" });
    expect((await read({ ...owner, secret: first })).status).toBe(200);
    expect((await read(owner)).status).toBe(200);
  });

  test("may hold what another client has too, without a way into that one", async () => {
    const [owner, other] = [await harness.createClient(), await harness.createClient()];
    await update(owner, { client_secret: first });
    await update(other, { client_secret: [first, second] });
    expect((await read({ ...owner, secret: first })).body).toHaveProperty(
      "client_id",
      owner.client.clientId,
    );
    expect((await read({ ...owner, secret: second })).status).toBe(401);
  });

  test("names current secrets also by what a read shows of them", async () => {
    const owner = await harness.createClient();
    await update(owner, { client_secret: [first, owner.secret] });
    const [maskedFirst, maskedSecond] = (
      (await read(owner)).body as { client_secret: [string, string] }
    ).client_secret;
    await update(owner, { client_secret: [second, maskedSecond, maskedFirst] });
    const client = await harness.services.clients.find(owner.client.clientId);
    expect(harness.services.clients.revealSecrets(client!)).toEqual([second, owner.secret, first]);
    await update(owner, { client_secret: maskedSecond });
    expect((await read({ ...owner, secret: first })).status).toBe(401);
    expect((await read(owner)).status).toBe(200);
  });

  test("with a masked secret that no current one has is refused by its place and changes nothing", async () => {
    const owner = await harness.createClient();
    const before = (await read(owner)).body;
    for (const [client_secret, place] of [
      ["********none", "client_secret: "],
      [["********none"], "client_secret.0: "],
      [[owner.secret, "********none"], "client_secret.1: "],
      [[owner.secret, `********${owner.secret.slice(-4)}`], "client_secret: "],
    ] as const) {
      const reply = await update(owner, { name: "Acme", client_secret });
      expect(reply.status).toBe(400);
      expect((reply.body as Record<string, string>)["validation_error"]).toContain(place);
    }
    expect((await read(owner)).body).toEqual(before);
  });

  test("with a masked secret that two current ones have is refused, but not when nothing was changed", async () => {
    const owner = await harness.createClient();
    const twin = first.slice(0, -4) + owner.secret.slice(-4);
    const { body } = await update(owner, { client_secret: [owner.secret, twin] });
    const { client_secret: masked } = body as { client_secret: string[] };
    expect((await update(owner, { client_secret: masked })).status).toBe(200);
    expect((await update(owner, { client_secret: masked[0] })).status).toBe(400);
    expect((await read({ ...owner, secret: twin })).status).toBe(200);
  });
});

describe("what a read gave", () => {
  test("is sent back whole without a change, also of a paused webhook, and leaves no entry", async () => {
    const owner = await harness.createClient();
    await update(owner, { webhook_uri: "https://app.example.com/hooks" });
    await setStatus(owner, "paused");
    const before = (await read(owner)).body as Record<string, unknown>;
    const countUpdates = async () =>
      (
        await harness.database.query("select 1 from audit_entries where client_id = $1", [
          owner.client.clientId,
        ])
      ).length;
    const entries = await countUpdates();
    const { client_secret, client_id, webhook_status } = before;
    expect((await update(owner, { client_secret, client_id, webhook_status })).body).toEqual(
      before,
    );
    expect(await countUpdates()).toBe(entries);
    expect((await update(owner, before)).body).toEqual(before);
    expect((await update(owner, { ...before, name: "Acme" })).body).toEqual({
      ...before,
      name: "Acme",
    });
    expect((await read(owner)).status).toBe(200);
  });

  test.each([
    ["client_id", "3FDAEDF9-1DCA4F54-87949F6A-41027643"],
    ["webhook_status", "active"],
    ["client_secret", ["********none"]],
  ])("but a changed %s is refused by its name and changes nothing", async (field, value) => {
    const owner = await harness.createClient();
    const before = (await read(owner)).body as object;
    const reply = await update(owner, { ...before, name: "Acme", [field]: value });
    expect(reply.status).toBe(400);
    expect(reply.body).toHaveProperty("validation_error", expect.stringContaining(field));
    expect((await read(owner)).body).toEqual(before);
  });
});

describe("rotate_secret", () => {
  test("mints a secret that signs from now on, shows it this once, and cuts nobody off", async () => {
    const owner = await harness.createClient();
    const minted = await rotate(owner);
    expect(checkCredential(minted, "cs", "dev")).toBe("valid");
    expect(await statusesOf(owner, [minted, owner.secret])).toEqual([200, 200]);
    expect((await read(owner)).body).not.toHaveProperty("new_client_secret");
    const client = await harness.services.clients.find(owner.client.clientId);
    expect(harness.services.clients.revealSecrets(client!)).toEqual([minted, owner.secret]);
  });

  test("keeps the latest two of those that were", async () => {
    const owner = await harness.createClient();
    const minted: string[] = [];
    for (let turn = 0; turn < 3; turn += 1)
      minted.push(await rotate({ ...owner, secret: minted.at(-1) ?? owner.secret }));
    expect(await statusesOf(owner, [...minted, owner.secret])).toEqual([200, 200, 200, 401]);
  });

  test("goes with other fields, and with secrets as they were read", async () => {
    const owner = await harness.createClient();
    const before = (await read(owner)).body as object;
    const reply = await update(owner, { ...before, name: "Acme", rotate_secret: true });
    expect(reply.body).toMatchObject({
      name: "Acme",
      new_client_secret: expect.stringMatching(/^rc_cs_/),
    });
    expect((await update(owner, { rotate_secret: false, name: "B" })).body).not.toHaveProperty(
      "new_client_secret",
    );
  });

  test("does not go with another list of secrets", async () => {
    const owner = await harness.createClient();
    const reply = await update(owner, {
      rotate_secret: true,
      client_secret: mintCredential("cs", "dev"),
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toHaveProperty(
      "validation_error",
      expect.stringMatching(/^client_secret: .*rotate_secret/),
    );
    expect(await statusesOf(owner, [owner.secret])).toEqual([200]);
  });
});

describe("webhook_status", () => {
  const address = "https://app.example.com/hooks";

  test("is null until there is an address, and again when it is switched off", async () => {
    const owner = await harness.createClient();
    expect((await read(owner)).body).toMatchObject({ webhook_uri: null, webhook_status: null });
    expect((await update(owner, { webhook_uri: address })).body).toMatchObject({
      webhook_uri: address,
      webhook_status: "active",
    });
    expect((await update(owner, { webhook_uri: null })).body).toMatchObject({
      webhook_uri: null,
      webhook_status: null,
    });
    expect((await update(owner, { webhook_uri: null })).body).toMatchObject({
      webhook_uri: null,
      webhook_status: null,
    });
  });

  test.each(["paused", "gone"])(
    "%s becomes active when the address is updated, be it to the same one",
    async (status) => {
      const owner = await harness.createClient();
      await update(owner, { webhook_uri: address });
      for (const webhook_uri of [address, `${address}/2`]) {
        await setStatus(owner, status);
        expect((await read(owner)).body).toMatchObject({ webhook_status: status });
        expect((await update(owner, { webhook_uri })).body).toMatchObject({
          webhook_uri,
          webhook_status: "active",
        });
      }
    },
  );

  test.each(["active", "paused", "gone"])(
    "%s stays when something else is updated",
    async (status) => {
      const owner = await harness.createClient();
      await update(owner, { webhook_uri: address });
      await setStatus(owner, status);
      const reply = await update(owner, {
        name: "Acme",
        redirect_uris: [redirectUri],
        client_secret: [owner.secret],
      });
      expect(reply.body).toMatchObject({ webhook_uri: address, webhook_status: status });
    },
  );

  test.each(["paused", "gone"])("%s is over when the address is switched off", async (status) => {
    const owner = await harness.createClient();
    await update(owner, { webhook_uri: address });
    await setStatus(owner, status);
    expect((await update(owner, { webhook_uri: null })).body).toMatchObject({
      webhook_uri: null,
      webhook_status: null,
    });
  });
});

describe("400", () => {
  test.each([
    ["is empty", ""],
    ["is blank", "  \r\n\t"],
    ["names no field", "{}"],
    ["is null", "null"],
    ["is a list", "[]"],
    ["is a list that holds an update", '[{"name":"Acme"}]'],
    ["is a string", '"name"'],
    ["is a number", "1"],
    ["is not JSON", "{name:'Acme'}"],
    ["ends too early", '{"name":"Acme"'],
    ["goes on after its end", '{"name":"Acme"}{}'],
    ["has a trailing comma", '{"name":"Acme",}'],
    ["has a comment", '{"name":"Acme"/* */}'],
    ["repeats a field", '{"name":"Acme","name":"Emca"}'],
    ["repeats a field in another spelling", '{"name":"Acme","n\\u0061me":"Emca"}'],
    ["holds a raw control character", '{"name":"Ac\nme"}'],
    ["holds a raw zero byte", '{"name":"Ac\u0000me"}'],
  ])("a body that %s is refused with the reason, and changes nothing", async (_name, body) => {
    const owner = await harness.createClient();
    const reply = await harness.http.post(url, {
      basic: [owner.client.clientId, owner.secret],
      headers: { "content-type": "application/json" },
      body,
    });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      message: expect.any(String),
      validation_error: expect.stringMatching(/^body: ./),
    });
    expect((await read(owner)).body).toHaveProperty("name", "Test");
  });

  test("no body at all is refused as an empty one is", async () => {
    const owner = await harness.createClient();
    const reply = await harness.http.post(url, { basic: [owner.client.clientId, owner.secret] });
    expect(reply.status).toBe(400);
    expect(reply.body).toHaveProperty("validation_error", expect.stringMatching(/^body: ./));
  });

  test.each([
    ["a typo", "nmae"],
    ["another case", "Name"],
    ["one that only the reply has", "new_client_secret"],
    ["one that only the operator sets", "require_pkce"],
    ["the name of another convention", "webhookUri"],
    ["the empty name", ""],
    ["a name of every object", "constructor"],
    ["a name with a zero character", "na\u0000me"],
  ])(
    "an unknown field is refused by its name, also beside a known one: %s",
    async (_name, field) => {
      const owner = await harness.createClient();
      for (const json of [{ [field]: "x" }, { name: "Acme", [field]: "x" }]) {
        const reply = await update(owner, json);
        expect(reply.status).toBe(400);
        expect(reply.body).toHaveProperty(
          "validation_error",
          expect.stringContaining(`"${field}"`),
        );
      }
      expect((await read(owner)).body).toHaveProperty("name", "Test");
    },
  );

  test.each(['{"name":"Acme","__proto__":{"a":1}}', '{"__proto__":null,"name":"Acme"}'])(
    "__proto__ is an unknown field like any other: %s",
    async (body) => {
      const owner = await harness.createClient();
      const reply = await harness.http.post(url, {
        basic: [owner.client.clientId, owner.secret],
        headers: { "content-type": "application/json" },
        body,
      });
      expect(reply.status).toBe(400);
      expect(reply.body).toHaveProperty("validation_error", expect.stringContaining("__proto__"));
    },
  );

  test("one bad field refuses the good ones beside it", async () => {
    const owner = await harness.createClient();
    const before = (await read(owner)).body;
    const reply = await update(owner, {
      name: "Acme",
      client_secret: mintCredential("cs", "dev"),
      webhook_uri: "https://app.example.com/hooks",
      redirect_uris: [],
    });
    expect(reply.status).toBe(400);
    expect((await read(owner)).body).toEqual(before);
  });

  test("every bad field is named at once", async () => {
    const reply = await update(await harness.createClient(), {
      name: "",
      client_secret: "short",
      webhook_uri: "ftp://x",
      redirect_uris: [],
    });
    const { validation_error: named } = reply.body as { validation_error: string };
    for (const field of ["name", "client_secret", "webhook_uri", "redirect_uris"])
      expect(named).toMatch(new RegExp(`(^|; )${field}: `));
  });
});

describe("401", () => {
  test("comes before anything about the body", async () => {
    for (const body of ["{", '{"nmae":1}', '{"name":"Acme"}', ""]) {
      const reply = await harness.http.post(url, {
        headers: { "content-type": "application/json" },
        body,
      });
      expect(reply.status).toBe(401);
      expect(reply.headers["www-authenticate"]).toBe('Basic realm="rollcall", charset="UTF-8"');
    }
  });
});

describe("409", () => {
  test("of two overlapping updates one is made and the other conflicts", async () => {
    const owner = await harness.createClient();
    const replies = await overlap(owner, [
      { name: "One" },
      { webhook_uri: "https://app.example.com/hooks" },
    ]);
    const [made, refused] = replies.toSorted((a, b) => a.status - b.status);
    expect([made?.status, refused?.status]).toEqual([200, 409]);
    expect(refused?.body).toEqual({
      error: "conflict",
      message: "The client was changed meanwhile. Read it and update it again.",
    });
    expect((await read(owner)).body).toEqual(made?.body);
  });

  test("of five overlapping rotations one list of secrets is valid, whole, and no other is", async () => {
    const owner = await harness.createClient();
    const lists = Array.from({ length: 5 }, () => [
      mintCredential("cs", "dev"),
      mintCredential("cs", "dev"),
    ]);
    const replies = await overlap(
      owner,
      lists.map((client_secret) => ({ client_secret })),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    const expected = lists.map((_list, index) =>
      replies[index]?.status === 200 ? [200, 200] : [401, 401],
    );
    const works = await Promise.all(
      lists.map((list) =>
        Promise.all(list.map(async (secret) => (await read({ ...owner, secret })).status)),
      ),
    );
    expect(works).toEqual(expected);
    expect((await read(owner)).status).toBe(401);
  });

  test("the one that was refused can be sent again", async () => {
    const owner = await harness.createClient();
    await overlap(owner, [{ name: "One" }, { name: "Two" }]);
    expect((await update(owner, { name: "Three" })).status).toBe(200);
    expect((await read(owner)).body).toHaveProperty("name", "Three");
  });

  test("updates of two clients never conflict", async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => harness.createClient()));
    const replies = await Promise.all(owners.map((owner) => update(owner, { name: "Acme" })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("413 and 415", () => {
  test("a body that is too large is refused before it is looked at", async () => {
    const reply = await update(await harness.createClient(), { name: "x".repeat(210_000) });
    expect(reply.status).toBe(413);
  });

  test.each(["event_types", "poll_resources"])(
    "a list that is longer than %s can be is refused in a sentence, not in one for each of its values",
    async (name) => {
      const reply = await update(await harness.createClient(), { [name]: Array(90_000).fill(1) });
      expect(reply.status).toBe(400);
      expect(reply.bytes.length).toBeLessThan(500);
    },
  );

  test("only JSON is taken", async () => {
    const { client, secret } = await harness.createClient();
    for (const [type, body] of [
      ["application/x-www-form-urlencoded", "name=Acme"],
      ["text/plain", "name: Acme"],
      ["multipart/form-data; boundary=x", '{"name":"Acme"}'],
    ] as const) {
      const reply = await harness.http.post(url, {
        basic: [client.clientId, secret],
        headers: { "content-type": type },
        body,
      });
      expect(reply.status).toBe(415);
    }
  });
});
