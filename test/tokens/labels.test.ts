import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectVisitor, workSignIns, type Seen } from "../support/connect-visitor.ts";
import { dumpTables } from "../support/dump-tables.ts";
import {
  createHarness,
  exchangeBody,
  redirectUri,
  signIn,
  type Harness,
} from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";
import { signInAgain } from "../support/sign-in-again.ts";

const base = "/2023-03-01/management";
const anyone = { username: "user_good", password: "anything" };
const usual = {
  redirect_uri: redirectUri,
  scope: "/2023-03-01/xhr/employees",
  provider: "sandbox",
};

type Owner = Awaited<ReturnType<Harness["createClient"]>>;
type Labelled = { token: string; reference: unknown; metadata: unknown; status: string };

let harness: Harness;
let owner: Owner;
beforeAll(async () => {
  harness = await createHarness();
  owner = await harness.createClient();
  workSignIns(harness);
});
afterAll(() => harness.close());

const basicOf = ({ client, secret }: Owner): [string, string] => [client.clientId, secret];

async function list(query = "", who = owner): Promise<Labelled[]> {
  const reply = await harness.http.get(`${base}/tokens${query}`, { basic: basicOf(who) });
  expect([reply.status, reply.status === 200 ? "" : reply.body]).toEqual([200, ""]);
  return reply.body as Labelled[];
}

const newest = async (who = owner): Promise<Labelled | undefined> => (await list("", who)).at(-1);

/** Exchanges a code with these further fields. */
async function exchange(code: string, label: object, who = owner): Promise<Reply> {
  harness.clock.advance(1);
  return await harness.http.post(`${base}/token`, {
    json: { ...exchangeBody({ ...who, code }), ...label },
  });
}

/** A token whose exchange has these fields. Returns its id. */
async function make(label: object, who = owner): Promise<string> {
  const { code } = await signIn(harness.services, { client: who });
  const reply = await exchange(code, label, who);
  expect(reply.status).toBe(201);
  return (reply.body as { token: string }).token;
}

const codeOf = ({ left }: Seen): string => new URL(left ?? "").searchParams.get("code") ?? "";

/** Signs in through a one-time link, and returns all its pages and the code. */
async function throughSession(json: object): Promise<{ pages: Seen[]; code: string }> {
  const made = await harness.http.post(`${base}/connect-session`, {
    basic: basicOf(owner),
    json: { ...usual, ...json },
  });
  expect(made.status).toBe(201);
  const { connect_url: url } = made.body as { connect_url: string };
  const visitor = new ConnectVisitor(harness.baseUrl);
  const first = await visitor.open(url.replace("https://api.example.com", ""));
  const last = await visitor.submit(first, anyone);
  return { pages: [first, last], code: codeOf(last) };
}

describe("what a client calls a connection", () => {
  test("is what its exchange says, and null where it says nothing", async () => {
    const label = { reference: "customer 4711", metadata: { plan: "team", seats: [1, null] } };
    await make(label);
    expect(await newest()).toMatchObject(label);
    await make({ reference: "customer-4712" });
    expect(await newest()).toMatchObject({ reference: "customer-4712", metadata: null });
    await make({});
    expect(await newest()).toMatchObject({ reference: null, metadata: null });
  });

  test("is what its connect session says, where the exchange does not say otherwise", async () => {
    const session = { reference: "of-session", metadata: { from: "session" } };
    await exchange((await throughSession(session)).code, {});
    expect(await newest()).toMatchObject(session);
    await exchange((await throughSession(session)).code, { reference: "of-exchange" });
    expect(await newest()).toMatchObject({ ...session, reference: "of-exchange" });
  });

  test("comes with a form body too, metadata as the text of JSON", async () => {
    const { code } = await signIn(harness.services, { client: owner });
    const send = (metadata: string): Promise<Reply> =>
      harness.http.post(`${base}/token`, {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: String(
          new URLSearchParams({
            ...exchangeBody({ ...owner, code }),
            reference: "form",
            metadata,
          }),
        ),
      });
    expect((await send("{")).body).toMatchObject({ error: "invalid_request" });
    expect((await send("[]")).body).toMatchObject({ error: "invalid_request" });
    expect((await send('{"a":1}')).status).toBe(200);
    expect((await list("?reference=form"))[0]).toMatchObject({ metadata: { a: 1 } });
  });

  test("cannot be written by an end user into a plain link", async () => {
    const query = new URLSearchParams({
      ...usual,
      client_id: owner.client.clientId,
      reference: "somebody-else",
      metadata: '{"a":1}',
    });
    const visitor = new ConnectVisitor(harness.baseUrl);
    const page = await visitor.open(`/connect?${query}`);
    expect(page.status).toBe(200);
    await exchange(codeOf(await visitor.submit(page, anyone)), {});
    expect(await newest()).toMatchObject({ reference: null, metadata: null });
  });

  test("stays when the end user signs in again, and goes with the disconnect", async () => {
    const label = { reference: "stays", metadata: { a: 1 } };
    const { code } = await signIn(harness.services, { client: owner });
    const { access_token: bearer, token } = (await exchange(code, label)).body as {
      access_token: string;
      token: string;
    };
    const connection = await harness.services.connections.find({ tokenId: token });
    await signInAgain(harness, connection?.id ?? "");
    expect(await newest()).toMatchObject(label);
    await harness.http.post(`${base}/disconnect`, { bearer });
    expect(await newest()).toMatchObject({ token, reference: null, metadata: null });
    expect(
      await harness.database.query("select from connection_labels where sealed_label is null"),
    ).toEqual([]);
  });

  test("is no field of a link to sign in again: the token's connection has it already", async () => {
    const token = await make({ reference: "once" });
    const reply = await harness.http.post(`${base}/connect-session`, {
      basic: basicOf(owner),
      json: { token, reference: "twice" },
    });
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({ validation_error: expect.stringContaining("reference") }),
    ]);
  });

  test("is on no page that its end user sees", async () => {
    const label = { reference: "never-shown-4711", metadata: { secret: "never-shown-either" } };
    const { pages, code } = await throughSession(label);
    await exchange(code, {});
    expect(await newest()).toMatchObject(label);
    for (const { html, left } of pages) expect(`${html} ${left}`).not.toContain("never-shown");
  });

  test("is readable nowhere in the database", async () => {
    const label = { reference: "plain-in-no-table", metadata: { note: "plain-in-no-table" } };
    await make(label);
    await harness.http.post(`${base}/connect-session`, {
      basic: basicOf(owner),
      json: { ...usual, ...label },
    });
    const dump = await dumpTables(harness.database.url);
    expect(dump).toContain("connection_labels");
    for (const text of ["plain-in-no-table", Buffer.from("plain-in-no-table").toString("hex")])
      expect(dump).not.toContain(text);
  });

  test.each<[string, string, object]>([
    ["reference", "no character", { reference: "" }],
    ["reference", "201 characters", { reference: "x".repeat(201) }],
    ["reference", "other letters", { reference: "Zoë" }],
    ["reference", "spaces at its ends", { reference: " spaces" }],
    ["reference", "another type", { reference: 4711 }],
    ["metadata", "another type", { metadata: "text" }],
    ["metadata", "a list", { metadata: [1] }],
    ["metadata", "more than 2 kB", { metadata: { a: "é".repeat(1_021) } }],
  ])("%s with %s is a 400 that names it, and uses no code up", async (name, _case, label) => {
    const { code } = await signIn(harness.services, { client: owner });
    const refused = await exchange(code, label);
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({ validation_error: expect.stringContaining(`${name}: `) }),
    ]);
    const session = await harness.http.post(`${base}/connect-session`, {
      basic: basicOf(owner),
      json: { ...usual, ...label },
    });
    expect([session.status, session.body]).toEqual([
      400,
      expect.objectContaining({ validation_error: expect.stringContaining(name) }),
    ]);
    const longest = { reference: "~".repeat(200), metadata: { a: "é".repeat(1_020) } };
    expect((await exchange(code, longest)).status).toBe(201);
    expect(await newest()).toMatchObject(longest);
  });

  test("that another connection's row was given in the database is neither shown nor found", async () => {
    const [mine, other] = [await harness.createClient(), await harness.createClient()];
    await make({ reference: "mine" }, mine);
    await make({ reference: "theirs" }, other);
    const copy = (column: string): Promise<unknown> =>
      harness.database.query(
        `update connection_labels l set ${column} = o.${column} from connection_labels o
         where l.client_id = '${mine.client.clientId}' and o.client_id = '${other.client.clientId}'`,
      );
    await copy("sealed_label");
    expect(await list("", mine)).toMatchObject([{ reference: null }]);
    await make({ reference: "first" }, mine);
    await copy("reference_digest");
    expect(await list("?reference=theirs", mine)).toEqual([]);
    await harness.database.query("update connection_labels set client_id = $1", [
      mine.client.clientId,
    ]);
    expect(await list("", mine)).not.toContainEqual(
      expect.objectContaining({ reference: "theirs" }),
    );
  });
});

describe("the list of tokens", () => {
  test("has the tokens of a reference, which may be several, and of no other client", async () => {
    const [mine, other] = [await harness.createClient(), await harness.createClient()];
    const [first, second] = [
      await make({ reference: "shared" }, mine),
      await make({ reference: "shared" }, mine),
    ];
    await make({ reference: "Shared" }, mine);
    await make({ reference: "shared" }, other);
    const tokens = async (query: string): Promise<string[]> =>
      (await list(query, mine)).map(({ token }) => token);
    expect(await tokens("?reference=shared")).toEqual([first, second]);
    expect(await tokens("?reference=shared&limit=1")).toEqual([first]);
    expect(await tokens(`?reference=shared&limit=5&after=${first}`)).toEqual([second]);
    expect(await tokens(`?reference=shared&after=${second}`)).toEqual([]);
    expect(await tokens("?reference=nobody")).toEqual([]);
  });

  test("has the tokens of a status and of a provider, page by page", async () => {
    const mine = await harness.createClient();
    const made: Awaited<ReturnType<Harness["connect"]>>[] = [];
    for (const user of ["user_good", "user_expired", "user_expired", "user_good", "user_good"]) {
      harness.clock.advance(1);
      made.push(await harness.connect({ client: mine, user }));
    }
    for (const { token } of made.slice(1, 3))
      await harness.http.get("/2023-03-01/xhr/employees", { bearer: token });
    await harness.drain();
    await harness.http.post(`${base}/disconnect`, { bearer: made[4]?.token });
    const positions = async (query: string): Promise<number[]> =>
      (await list(query, mine)).map(({ token }) =>
        made.findIndex(({ tokenId }) => tokenId === token),
      );
    expect(await positions("?status=active")).toEqual([0, 3]);
    expect(await positions(`?status=active&after=${made[0]?.tokenId}`)).toEqual([3]);
    expect(await positions("?status=reauthentication_required")).toEqual([1, 2]);
    expect(await positions("?status=reauthentication_required&limit=1")).toEqual([1]);
    expect(await positions("?status=disconnected&provider=sandbox")).toEqual([4]);
    expect(await positions("?provider=odoo")).toEqual([]);
    expect(await positions("?provider=sandbox&limit=2")).toEqual([0, 1]);
  });

  test.each(["status=ended", "status=", "provider=", "provider=a%00b", "provider=x&provider=y"])(
    "%s is a 400 that names it",
    async (query) => {
      const reply = await harness.http.get(`${base}/tokens?${query}`, { basic: basicOf(owner) });
      const [name = ""] = query.split("=", 1);
      expect([reply.status, reply.body]).toEqual([
        400,
        expect.objectContaining({ validation_error: expect.stringContaining(name) }),
      ]);
    },
  );

  test.each(["reference=", "reference=%C3%A9", "reference=a&reference=b"])(
    "%s is a 400 that names it, while unknown parameters are ignored",
    async (query) => {
      const refused = await harness.http.get(`${base}/tokens?${query}`, { basic: basicOf(owner) });
      expect([refused.status, refused.body]).toEqual([
        400,
        expect.objectContaining({ validation_error: expect.stringContaining("reference: ") }),
      ]);
      const other = await harness.http.get(`${base}/tokens?ref=x`, { basic: basicOf(owner) });
      expect(other.status).toBe(200);
    },
  );
});
