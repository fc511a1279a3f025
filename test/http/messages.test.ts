import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { carried, ConnectVisitor } from "../support/connect-visitor.ts";
import { createHarness, exchangeBody, redirectUri, signIn } from "../support/harness.ts";

let harness: Awaited<ReturnType<typeof createHarness>>;
let connected: Awaited<ReturnType<typeof harness.connect>>;
beforeAll(async () => {
  harness = await createHarness();
  connected = await harness.connect();
});
afterAll(() => harness.close());

const management = (path: string): string => `/2023-03-01/management/${path}`;
const basic = (): [string, string] => [connected.client.clientId, connected.secret];
const dialect = /expected|received|Invalid|Too (?:big|small)|Unrecognized|must match|>=|<=/;

/** RFC 6749, section 5.2. */
const description = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

describe("what is wrong with a request is said in plain words", () => {
  test.each<[string, object, string]>([
    ["client", { name: 1 }, "name: has to be a string"],
    ["client", { rotate_secret: "yes" }, "rotate_secret: has to be true or false"],
    ["client", { nmae: "x" }, 'body: has the unknown field "nmae"'],
    ["client", { redirect_uris: [] }, "redirect_uris: has to have at least 1 entries"],
    ["connect-session", { expires_in: 1 }, "expires_in: has to be at least 60"],
    ["connect-session", { expires_in: 60.5 }, "expires_in: has to be a whole number"],
    ["connect-session", { token: "x" }, "token: has to be a UUID"],
    ["connect-session", { locale: "x".repeat(36) }, "locale: has to have at most 35 characters"],
    ["connect-session", [], "body: has to be a JSON object"],
    [
      "token",
      { grant_type: "authorization_code", code: "x", client_id: "x", client_secret: "x" },
      "invalid_request: redirect_uri: is required",
    ],
    ["token", {}, "grant_type: is required"],
    ["token", [], "invalid_request: body: has to be a JSON object"],
  ])("POST %s %j: %s", async (path, json, said) => {
    const withBasic = path === "token" ? {} : { basic: basic() };
    const reply = await harness.http.post(management(path), { json, ...withBasic });
    expect(reply.status).toBe(400);
    const { validation_error: text } = reply.body as { validation_error: string };
    expect(text).toContain(said);
    expect(text).not.toMatch(dialect);
  });

  test.each<[string, Record<string, string>, string]>([
    [management("tokens"), { limit: "x" }, "limit: has to be a number"],
    [management("tokens"), { limit: "1001" }, "limit: has to be at most 1000"],
    [management("tokens"), { after: "x" }, "after: has to be a UUID"],
    [management("deliveries"), { limit: "0" }, "limit: has to be at least 1"],
  ])("GET %s %j: %s", async (path, query, said) => {
    const reply = await harness.http.get(path, { basic: basic(), query });
    expect(reply.body).toMatchObject({ validation_error: said });
  });
});

const readCompany = async (credential: string | undefined) => {
  const headers = credential === undefined ? {} : { authorization: credential };
  const { status, body } = await harness.http.get("/2023-03-01/xhr/company", { headers });
  expect([status, body]).toMatchObject([401, { code: "reauthentication_required" }]);
  return (body as { message: string }).message;
};

describe("a 401 tells a typo from a session that ended, with the same code", () => {
  test.each<[string, () => string | undefined, RegExp]>([
    ["nothing", () => undefined, /has no access token.*Authorization: Bearer/],
    ["another scheme", () => `Token ${connected.token}`, /another scheme than Bearer/],
    ["the scheme alone", () => "Bearer", /no access token behind the word Bearer/],
    ["a typo", () => `Bearer ${connected.token.slice(0, -1)}!`, /mistyped or cut off.*new sign-in/],
    ["a part", () => `Bearer ${connected.token.slice(0, -9)}`, /mistyped or cut off.*new sign-in/],
    [
      "another one's",
      () => `Bearer ${mintCredential("at", "dev")}`,
      /no such access token.*new sign-in/,
    ],
    ["a code", () => `Bearer ${connected.code}`, /an authorization code/],
    ["a secret", () => `Bearer ${connected.secret}`, /a client secret/],
    ["an id", () => `Bearer ${connected.tokenId}`, /the id of a token/],
  ])("%s", async (_name, credential, said) => {
    const message = await readCompany(credential());
    expect(message).toMatch(said);
    expect(message).not.toMatch(/has to sign in again/);
  });

  test("a session that ended", async () => {
    const ended = await harness.connect({ user: "user_expired" });
    await harness.http.get("/2023-03-01/xhr/company", { bearer: ended.token });
    await harness.drain();
    expect(await readCompany(`Bearer ${ended.token}`)).toMatch(/session.*has to sign in again/);
  });

  test("introspect and disconnect tell it too", async () => {
    for (const [method, path, status] of [
      ["GET", "introspect", 404],
      ["POST", "disconnect", 403],
    ] as const) {
      const reply = await harness.http.request(method, management(path), { bearer: "typo" });
      expect([reply.status, reply.body]).toMatchObject([
        status,
        { message: expect.stringMatching(/mistyped or cut off/) },
      ]);
    }
  });
});

describe("error_description has the characters of RFC 6749", () => {
  test.each([
    ["a repeated parameter of another name", 'ü"\\=1&ü"\\=2'],
    ["another grant type", "grant_type=ü%22"],
    ["nothing", "grant_type=authorization_code"],
    ["bytes that are not UTF-8", "code=\xff"],
  ])("on the exchange: %s", async (_name, body) => {
    const reply = await harness.http.post(management("token"), {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(body, "latin1"),
    });
    const { error_description: text, validation_error: error } = reply.body as Record<
      string,
      string
    >;
    expect(text ?? error).toMatch(description);
  });

  test.each([
    ["tags", "a\0b"],
    ["sandbox", 'ü"'],
    ["scope", 'ü"'],
    ["mode", 'ü"'],
    ["provider", 'ü"\\'],
    ["response_type", 'ü"'],
  ])("in the redirect: %s", async (name, value) => {
    const query = new URLSearchParams({
      client_id: connected.client.clientId,
      redirect_uri: redirectUri,
      scope: "/2023-03-01/xhr/company",
      mode: "xhr",
      [name]: value,
    });
    const visitor = new ConnectVisitor(harness.baseUrl);
    const ended = await visitor.open(`/connect?${query.toString()}`);
    expect(new Map(carried(ended)).get("error_description")).toMatch(description);
  });
});

test("what was sent as a code is repeated only when it has the form of one", async () => {
  const signedIn = await signIn(harness.services);
  const ask = async (code: string) => {
    const { status, body } = await harness.http.post(management("token"), {
      json: { ...exchangeBody(signedIn), code },
    });
    return [status, (body as { id: string }).id];
  };
  const unknown = mintCredential("ac", "dev");
  const mistyped = unknown.slice(0, -1) + (unknown.endsWith("0") ? "1" : "0");
  for (const code of [unknown, mistyped, mintCredential("ac", "prod")])
    expect(await ask(code)).toEqual([404, code]);
  for (const code of [connected.token, connected.secret, "nonsense", `${unknown}x`, ` ${unknown}`])
    expect(await ask(code)).toEqual([404, ""]);
});

describe("a credential in the place of an id is not repeated", () => {
  test.each<[string, string, () => string]>([
    ["GET", "a sandbox connection", () => management(`sandbox/connections/${connected.token}`)],
    ["GET", "a delivery", () => management(`deliveries/${connected.secret}`)],
    ["POST", "a replay", () => management(`deliveries/${connected.code}/replay`)],
    ["GET", "a cut-off one", () => management(`deliveries/${connected.token.slice(0, 30)}`)],
    ["GET", "an unknown path", () => `/nowhere/${connected.token}`],
    ["GET", "an encoded one", () => `/nowhere/${connected.token.replaceAll("_", "%5F")}`],
  ])("%s %s", async (method, _name, path) => {
    const reply = await harness.http.request(method, path(), { basic: basic() });
    expect([reply.status, reply.body]).toEqual([
      404,
      { message: expect.stringMatching(/^An id is needed here, not an? /), id: "" },
    ]);
  });

  test.each([
    ["xhr/payruns/", (token: string) => `xhr/payruns/${token}`],
    ["xhr/employee", (token: string) => `xhr/employee?id=${token}`],
  ])("%s", async (_name, path) => {
    const url = `/2023-03-01/${path(connected.token)}`;
    await harness.http.get(url, { bearer: connected.token });
    await harness.drain();
    const reply = await harness.http.get(url, { bearer: connected.token });
    expect(reply.status).toBe(404);
    expect(reply.bytes.toString()).not.toContain(connected.token);
  });
});

test("a code that is mistyped, cut off, or something else is told so", async () => {
  const signedIn = await signIn(harness.services);
  const ask = async (code: string) => {
    const { body } = await harness.http.post(management("token"), {
      json: { ...exchangeBody(signedIn), code },
    });
    return (body as { message: string }).message;
  };
  const cutOff = signedIn.code.slice(0, -3);
  const mistyped = signedIn.code.slice(0, -1) + (signedIn.code.endsWith("0") ? "1" : "0");
  for (const code of [cutOff, mistyped])
    expect(await ask(code)).toMatch(/is mistyped or cut off: its checksum is wrong/);
  expect(await ask(connected.token)).toMatch(/is an access token/);
  expect(await ask(mintCredential("ac", "prod"))).toMatch(/of another environment/);
  expect(await ask("nonsense")).toMatch(/begins with rc_ac_/);
});

test("a missing scope is named", async () => {
  const narrow = await harness.connect({ scopes: ["/2023-03-01/xhr/company"] });
  const reply = await harness.http.get("/2023-03-01/xhr/employee", { bearer: narrow.token });
  expect([reply.status, reply.body]).toEqual([
    403,
    { message: "This endpoint needs the scope /2023-03-01/xhr/employee, which the token lacks." },
  ]);
});

test("a Bearer token where the client's credentials belong is told so", async () => {
  const reply = await harness.http.get(management("client"), { bearer: connected.token });
  expect([reply.status, reply.body]).toMatchObject([
    401,
    { message: expect.stringMatching(/send the client.s id and secret as Basic/) },
  ]);
});

test("the exchange names the token as the tokens list does", async () => {
  const signedIn = await signIn(harness.services);
  const reply = await harness.http.post(management("token"), { json: exchangeBody(signedIn) });
  const { body } = await harness.http.get(management("tokens"), {
    basic: [signedIn.client.clientId, signedIn.secret],
  });
  const tokens = (body as { token: string }[]).map(({ token }) => token);
  expect(tokens).toContain((reply.body as { token: string }).token);
});

test("the page for a wrong redirect names the usual causes", async () => {
  const query = new URLSearchParams({
    client_id: connected.client.clientId,
    redirect_uri: `${redirectUri}/`,
    scope: "/2023-03-01/xhr/company",
  });
  const page = await new ConnectVisitor(harness.baseUrl).open(`/connect?${query.toString()}`);
  expect(page.html).toMatch(/a slash at the end.*localhost instead of 127\.0\.0\.1/);
});
