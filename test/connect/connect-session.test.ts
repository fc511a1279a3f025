import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeExpiredFlows } from "../../src/connect/index.ts";
import { de } from "../../src/connect/texts/de.ts";
import { en } from "../../src/connect/texts/en.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import {
  carried,
  ConnectVisitor,
  headingOf,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, redirectUri, type Harness } from "../support/harness.ts";
import type { Reply } from "../support/http-client.ts";

const url = "/2023-03-01/management/connect-session";
const usual = {
  redirect_uri: redirectUri,
  mode: "xhr",
  scope: "/2023-03-01/xhr/company /2023-03-01/xhr/employees",
  provider: "sandbox",
};
const anyone = { username: "user_good", password: "anything" };

let harness: Harness;
let owner: Awaited<ReturnType<Harness["createClient"]>>;
beforeAll(async () => {
  harness = await createHarness();
  owner = await harness.createClient();
  workSignIns(harness);
});
afterAll(() => harness.close());

const create = (json: Record<string, unknown>, { client, secret } = owner): Promise<Reply> =>
  harness.http.post(url, { basic: [client.clientId, secret], json });

/** The address of the link, as a browser asks for it. */
async function linkOf(json: Record<string, unknown>): Promise<string> {
  const reply = await create(json);
  expect(reply.status).toBe(201);
  return (reply.body as { connect_url: string }).connect_url.replace("https://api.example.com", "");
}

const browser = (): ConnectVisitor => new ConnectVisitor(harness.baseUrl);

async function openLink(
  json: Record<string, unknown>,
): Promise<Seen & { visitor: ConnectVisitor }> {
  const visitor = browser();
  return { ...(await visitor.open(await linkOf(json))), visitor };
}

describe("201", () => {
  test("a link that is made of chance alone, for half an hour, which nobody may keep", async () => {
    const reply = await create(usual);
    expect(reply.status).toBe(201);
    expect(reply.headers["cache-control"]).toContain("no-store");
    expect(reply.body).toEqual({
      connect_url: expect.stringMatching(
        /^https:\/\/api\.example\.com\/connect\?session=rc_ln_dev_[0-9A-Za-z]{49}$/,
      ),
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expires_at: new Date(harness.clock.now().getTime() + 1_800_000).toISOString(),
    });
  });

  test.each([60, 604_800])("expires_in %i is what the link has, to the second", async (seconds) => {
    const reply = await create({ ...usual, expires_in: seconds });
    const { expires_at: expiresAt, connect_url: address } = reply.body as {
      expires_at: string;
      connect_url: string;
    };
    expect(Date.parse(expiresAt) - harness.clock.now().getTime()).toBe(seconds * 1000);
    const path = address.replace("https://api.example.com", "");
    harness.clock.advance(seconds - 1);
    expect((await browser().open(path)).status).toBe(200);
    const other = await linkOf({ ...usual, expires_in: seconds });
    harness.clock.advance(seconds);
    const late = await browser().open(other);
    expect([late.status, headingOf(late)]).toEqual([410, en.title.expired]);
  });

  test("whoever opens it in its last second has half an hour, and not more", async () => {
    const link = await linkOf({ ...usual, expires_in: 60 });
    harness.clock.advance(59);
    const visitor = browser();
    const page = await visitor.begin(link);
    harness.clock.advance(1_799);
    expect((await visitor.open(link)).status).toBe(200);
    expect((await visitor.open(page.path)).status).toBe(200);
    harness.clock.advance(1);
    expect((await visitor.open(page.path)).status).toBe(410);
    expect((await visitor.open(link)).status).toBe(410);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["provider", {}, "Sign in to Sandbox"],
    ["sandbox", { provider: undefined, sandbox: true }, "Sign in to Sandbox"],
    ["sandbox, as a link has it", { provider: undefined, sandbox: "true" }, "Sign in to Sandbox"],
    ["sandbox=false", { sandbox: "false" }, "Sign in to Sandbox"],
    ["client_id", { client_id: "own" }, "Sign in to Sandbox"],
    [
      "tags",
      { provider: undefined, tags: "none-has-this" },
      "There are no systems to choose from.",
    ],
    ["scope", { scope: "/2023-03-01/xhr/groups" }, "Groups: departments and teams"],
    ["mode", { mode: "official", scope: "/2023-03-01/official/groups" }, "API key"],
    ["mode, told by the scopes", { mode: undefined }, "Password"],
    ["locale", { locale: "fr-BE" }, "Mot de passe"],
    ["response_type", { response_type: "code" }, "Password"],
    ["redirect_uri", {}, "Afterwards you’ll return to app.example.com."],
  ])("%s is taken as in a link", async (_field, json, sentence) => {
    const own = json["client_id"] === "own" && { client_id: owner.client.clientId };
    expect(textOf(await openLink({ ...usual, ...json, ...own }))).toContain(sentence);
  });

  test.each(["plain", "", 'with space & = + % " < \u00e9 \u{1f600} \n', "x".repeat(4_096)])(
    "state comes back: %s",
    async (state) => {
      const { visitor, ...page } = await openLink({ ...usual, state });
      expect(Object.fromEntries(carried(await visitor.send(page, "decline")))).toEqual({
        error: "access_denied",
        error_description: "the end user declined",
        state,
        iss: "https://api.example.com",
      });
    },
  );

  test("code_challenge binds the exchange to its verifier", async () => {
    const verifier = "v".repeat(43);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const { visitor, ...page } = await openLink({
      ...usual,
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const { code = "" } = Object.fromEntries(carried(await visitor.submit(page, anyone)));
    const body = exchangeBody({ ...owner, code });
    expect((await harness.http.post("/2023-03-01/management/token", { json: body })).status).toBe(
      400,
    );
    expect(
      (
        await harness.http.post("/2023-03-01/management/token", {
          json: { ...body, code_verifier: verifier },
        })
      ).status,
    ).toBe(201);
  });
});

describe("a one-time link", () => {
  test("belongs to the first browser that sends a form, which may come again", async () => {
    const link = await linkOf(usual);
    const [first, second] = [browser(), browser()];
    const open = await second.open(link);
    const page = await first.begin(link);
    expect((await first.open(link)).path).toBe(page.path);
    for (const late of [await second.open(link), await second.submit(open, anyone)])
      expect([late.status, headingOf(late)]).toEqual([410, en.title.used]);
    expect((await first.open(page.path)).status).toBe(200);
  });

  test("shows its page to every browser that comes, and stays as it was", async () => {
    const link = await linkOf(usual);
    const row = () =>
      harness.database.query(
        "select f::text from connect_flows f order by created_at desc limit 1",
      );
    const before = await row();
    for (let look = 0; look < 20; look += 1)
      expect(textOf(await browser().open(link))).toContain("Password");
    const looked = await harness.http.request("HEAD", link);
    expect([looked.status, looked.headers["allow"], looked.headers["set-cookie"]]).toEqual([
      405,
      "GET, POST",
      undefined,
    ]);
    expect(await row()).toEqual(before);
    const visitor = browser();
    const page = await visitor.begin(link);
    expect(page.status).toBe(200);
    expect((await harness.http.request("HEAD", page.path)).status).toBe(405);
  });

  test("that has expired says so in its own language", async () => {
    const link = await linkOf({ ...usual, locale: "de", expires_in: 60 });
    harness.clock.advance(60);
    const late = await browser().open(link);
    expect([late.status, headingOf(late)]).toEqual([410, de.title.expired]);
  });

  test("that has expired leads back for an hour whom it was open for, and nobody else", async () => {
    const [unclaimed, claimed] = [
      await linkOf({ ...usual, expires_in: 60 }),
      await linkOf({ ...usual, expires_in: 60 }),
    ];
    const visitor = browser();
    await visitor.begin(claimed);
    harness.clock.advance(1_800);
    await removeExpiredFlows(harness.services);
    const looks = [
      await browser().open(unclaimed),
      await visitor.open(claimed),
      await browser().open(claimed),
    ];
    expect(looks.map(({ status }) => status)).toEqual([410, 410, 410]);
    const back = '<a class="button" href="https://app.example.com/">';
    expect(looks.map(({ html }) => html.includes(back))).toEqual([true, true, false]);
    harness.clock.advance(3_601);
    await removeExpiredFlows(harness.services);
    const late = await browser().open(unclaimed);
    expect([late.status, late.html.includes(back)]).toEqual([410, false]);
  });

  test("of twenty browsers that claim it at once one gets it", async () => {
    const link = await linkOf(usual);
    const visits = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const visitor = browser();
        return { visitor, page: await visitor.open(link) };
      }),
    );
    const replies = await Promise.all(
      visits.map(({ visitor, page }) => visitor.send(page, "decline")),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      303,
      ...Array.from({ length: 19 }, () => 410),
    ]);
  });

  test("gives one code, however often it is opened afterwards", async () => {
    const link = await linkOf(usual);
    const visitor = browser();
    const back = await visitor.submit(await visitor.open(link), anyone);
    expect((await visitor.open(link)).left).toBe(back.left);
    harness.clock.advance(61);
    expect(headingOf(await visitor.open(link))).toBe(en.title.done);
  });

  test.each([
    ["cut", (link: string) => link.slice(0, -1)],
    ["changed", (link: string) => link.slice(0, -1) + (link.endsWith("x") ? "y" : "x")],
    ["of the other environment", () => `/connect?session=${mintCredential("ln", "prod")}`],
    ["another credential", () => `/connect?session=${mintCredential("ac", "dev")}`],
    ["there twice", (link: string) => `${link}&${link.split("?")[1] ?? ""}`],
    ["empty", () => "/connect?session="],
  ])("is refused when it is %s", async (_how, change) => {
    const seen = await browser().open(change(await linkOf(usual)));
    expect([seen.status, headingOf(seen)]).toEqual([400, en.title.link]);
  });

  test("takes nothing from its address", async () => {
    const visitor = browser();
    const page = await visitor.open(
      `${await linkOf(usual)}&redirect_uri=https://evil.example&state=evil&scope=${encodeURIComponent("/2023-03-01/xhr/payruns")}`,
    );
    expect(textOf(page)).not.toContain("Pay runs");
    expect((await visitor.send(page, "decline")).left).not.toContain("evil");
  });

  test("leads nowhere when the client has given up its address since", async () => {
    const moved = await harness.createClient();
    const reply = await create(usual, moved);
    await harness.services.clients.update(moved.client, {
      redirectUris: ["https://new.example.com/callback"],
    });
    const seen = await browser().open(
      (reply.body as { connect_url: string }).connect_url.replace("https://api.example.com", ""),
    );
    expect([seen.status, headingOf(seen)]).toEqual([400, en.title.link]);
  });
});

describe("400", () => {
  test("parameters in the query string, which count nowhere", async () => {
    const query = new URLSearchParams({ code_challenge: "x".repeat(43), locale: "de" });
    const reply = await harness.http.post(`${url}?${query.toString()}`, {
      basic: [owner.client.clientId, owner.secret],
      json: usual,
    });
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        message: expect.any(String),
        validation_error: 'querystring: has the unknown fields "code_challenge", "locale"',
      },
    ]);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["no redirect_uri", { redirect_uri: undefined }, /^redirect_uri/],
    [
      "a redirect_uri that is not registered",
      { redirect_uri: `${redirectUri}/` },
      /^redirect_uri: is not registered/,
    ],
    ["no scope", { scope: undefined }, /^scope/],
    [
      "a parameter that is misspelt",
      { code_chalenge: "x".repeat(43), codeChallengeMethod: "S256" },
      /^body: has the unknown fields "code_chalenge", "codeChallengeMethod"$/,
    ],
    ["a scope that does not exist", { scope: "none" }, /^invalid_scope: there is no scope none; a/],
    [
      "a path with its parameter in braces",
      { scope: "/2023-03-01/xhr/payruns/{payrun_id}" },
      /did you mean \/2023-03-01\/xhr\/payruns\/:payrun_id\?$/,
    ],
    [
      "no challenge method",
      { code_challenge: "x".repeat(43) },
      /code_challenge_method is missing; beside a code_challenge it has to be S256/,
    ],
    [
      "what comes from the token beside it",
      { token: randomUUID() },
      /^scope: comes from the token.*mode: comes.*provider: comes/,
    ],
    ["scopes of the other mode", { mode: "official" }, /^invalid_scope/],
    ["a mode that does not exist", { mode: "hris" }, /^invalid_request: mode/],
    ["a provider that does not exist", { provider: "nobody" }, /^invalid_request: provider/],
    [
      "another provider than the simulated one",
      { provider: "odoo", sandbox: true },
      /^invalid_request: provider/,
    ],
    [
      "sandbox that is neither true nor false",
      { sandbox: "yes" },
      /sandbox: has to be true or false/,
    ],
    ["tags with a NUL", { tags: "\0" }, /tags/],
    ["another response type", { response_type: "token" }, /^invalid_request: response_type/],
    [
      "the challenge method plain",
      { code_challenge: "x".repeat(43), code_challenge_method: "plain" },
      /^invalid_request: code_challenge_method/,
    ],
    ["a state that is too long", { state: "x".repeat(4_097) }, /state/],
    ["a state that is no text", { state: "\ud800" }, /state/],
    ["expires_in too short", { expires_in: 59 }, /expires_in/],
    ["expires_in too long", { expires_in: 604_801 }, /expires_in/],
    ["expires_in that is no whole number", { expires_in: 60.5 }, /expires_in/],
    ["expires_in as a string", { expires_in: "60" }, /expires_in/],
    [
      "an access token in the place of its id",
      { token: "rc_at_dev_x", scope: undefined, mode: undefined, provider: undefined },
      /^token: has to be the id of the token/,
    ],
    ["another client's id", { client_id: "x" }, /client_id/],
  ])("%s", async (_what, json, validationError) => {
    const reply = await create({ ...usual, ...json });
    expect(reply.status).toBe(400);
    expect((reply.body as { validation_error: string }).validation_error).toMatch(validationError);
  });

  test("no challenge for a client that has to use PKCE", async () => {
    const strict = await harness.createClient();
    await harness.services.clients.update(strict.client, { requirePkce: true });
    expect(await create(usual, strict)).toMatchObject({
      status: 400,
      body: { validation_error: expect.stringContaining("code_challenge") },
    });
  });

  test.each(["", "[]", "null", "{"])("a body that is %s", async (body) => {
    const reply = await harness.http.post(url, {
      basic: [owner.client.clientId, owner.secret],
      headers: { "content-type": "application/json" },
      body,
    });
    expect(reply.status).toBe(400);
  });
});

describe("401", () => {
  test.each<[string, () => Parameters<Harness["http"]["post"]>[1]]>([
    ["no credentials", () => ({ json: usual })],
    [
      "a wrong secret",
      () => ({ json: usual, basic: [owner.client.clientId, mintCredential("cs", "dev")] }),
    ],
    [
      "an unknown client",
      () => ({ json: usual, basic: ["3FDAEDF9-1DCA4F54-87949F6A-41027643", owner.secret] }),
    ],
    ["a token", () => ({ json: usual, bearer: harness.sandboxToken })],
  ])("%s", async (_what, options) => {
    expect(await harness.http.post(url, options())).toMatchObject({
      status: 401,
      body: { error: "authentication_error", code: "incorrect_username_or_password" },
    });
  });
});

describe("what is stored", () => {
  test("holds neither the link nor the state, and goes an hour after the link expires", async () => {
    const reply = await create({ ...usual, state: "marker-of-the-state" });
    const { connect_url: address, session_id: id } = reply.body as {
      connect_url: string;
      session_id: string;
    };
    const [row] = await harness.database.query(
      "select f::text as text from connect_flows f where id = $1",
      [id],
    );
    const credential = new URL(address).searchParams.get("session") ?? "";
    for (const secret of [credential, "marker-of-the-state"]) {
      expect(row?.["text"]).not.toContain(secret);
      expect(row?.["text"]).not.toContain(Buffer.from(secret).toString("hex"));
    }
    harness.clock.advance(1_800);
    await removeExpiredFlows(harness.services);
    harness.clock.advance(3_601);
    await removeExpiredFlows(harness.services);
    expect(await harness.database.query("select 1 from connect_flows where id = $1", [id])).toEqual(
      [],
    );
  });
});
