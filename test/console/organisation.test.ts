import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { ConsoleSessions } from "../../src/console/index.ts";
import { createSiteSender, HttpTimeout, HttpTooLarge } from "../../src/platform/outbound/index.ts";
import { answerApprover } from "../support/approver/answer-approver.ts";
import { ConnectVisitor, type Seen } from "../support/connect-visitor.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { startOperatorsIssuer, type OperatorsIssuer } from "../support/operators-issuer.ts";

const loads = vi.hoisted(() => ({ count: 0 }));
vi.mock("openid-client", async (importOriginal) => {
  loads.count += 1;
  return await importOriginal();
});

let issuer: OperatorsIssuer;
let harness: Harness;
let sessions: ConsoleSessions;
beforeAll(async () => {
  issuer = await startOperatorsIssuer("https://api.example.com/console/oidc/callback");
  // A start does not wait for it.
  issuer.answers.isAway = true;
  harness = await createHarness({
    env: {
      CONSOLE: "on",
      CONSOLE_OIDC_ISSUER: issuer.origin,
      CONSOLE_OIDC_CLIENT_ID: issuer.client.id,
      CONSOLE_OIDC_CLIENT_SECRET: issuer.client.secret,
      CONSOLE_OIDC_OPERATORS: "Kim@Example.com, group:on call, @example.org+group:ops",
    },
  });
  issuer.reset();
  const { services } = harness;
  sessions = new ConsoleSessions({ ...services, environment: services.config.environment });
});
afterEach(() => issuer.reset());
afterAll(async () => {
  await harness.close();
  await issuer.stop();
});

const visitor = (): ConnectVisitor => new ConnectVisitor(harness.baseUrl);
const begin = (one: ConnectVisitor): Promise<Seen> =>
  one.ask("GET", "/console/oidc?to=/console/system");

/** The path by which the browser comes back from the issuer. */
async function fetchCallback({ headers }: Seen): Promise<string> {
  const { pathname, search } = new URL(await answerApprover(String(headers["location"])));
  return pathname + search;
}

async function signIn(one = visitor()): Promise<Seen> {
  return await one.ask("GET", await fetchCallback(await begin(one)));
}

async function isInside(one: ConnectVisitor): Promise<boolean> {
  return (await one.ask("GET", "/console/system")).status === 200;
}

/** What the log says of the last refusal. */
function lastRefusal(): Record<string, unknown> {
  const line = harness.logLines.findLast((each) =>
    each.includes("by the organisation was refused"),
  );
  return JSON.parse(line ?? "{}") as Record<string, unknown>;
}

/** The status of this way back, and what the log says. */
async function refusalOf(one: ConnectVisitor, path: string): Promise<unknown[]> {
  return [(await one.ask("GET", path)).status, lastRefusal()["reason"]];
}

/** The service asks the issuer anew how it describes itself. */
const forgetIssuer = (): void => harness.clock.advance(3_601);

describe("the library", () => {
  test("is loaded when somebody signs in by it, and not by a start or the page", async () => {
    const page = await visitor().ask("GET", "/console/sign-in?to=/console/system");
    expect(page.html).toMatch(
      /href="\/console\/oidc\?to=%2Fconsole%2Fsystem">Sign in with your org/,
    );
    expect(loads.count).toBe(0);
    await begin(visitor());
    expect(loads.count).toBe(1);
  });
});

const verified = (email: string) => ({ email, email_verified: true, groups: ["ops"] });

describe("an operator of the organisation", () => {
  test("comes in where they wanted to, with a session and a cookie of their own, and goes out", async () => {
    const one = visitor();
    await one.ask("GET", "/console/sign-in");
    const before = one.cookies.get("__Host-rollcall-console");
    const away = await begin(one);
    expect(String(away.headers["set-cookie"])).toMatch(
      /^__Host-rollcall-console-oidc=[^;]{200,1000}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const { searchParams } = new URL(String(away.headers["location"]));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      scope: "openid email groups",
      code_challenge_method: "S256",
    });
    const back = await one.ask("GET", await fetchCallback(away));
    expect([back.status, back.headers["location"]]).toEqual([303, "/console/system"]);
    expect(one.cookies.get("__Host-rollcall-console")).not.toBe(before);
    expect(one.cookies.get("__Host-rollcall-console-oidc")).toBe("");
    const page = await one.ask("GET", "/console/system");
    expect(page.html).toContain(`<bdi>${issuer.origin} 4711</bdi>`);
    const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(page.html) ?? [];
    const same = new ConnectVisitor(harness.baseUrl, { origin: "https://api.example.com" });
    for (const cookie of one.cookies) same.cookies.set(...cookie);
    expect((await same.ask("POST", "/console/sign-out", { form_token })).status).toBe(303);
    expect(await isInside(one)).toBe(false);
  });

  test("is named by issuer and sub in the audit record, and by an address nowhere", async () => {
    issuer.answers.subject = "kim@example.com";
    expect((await signIn()).status).toBe(303);
    issuer.answers.subject = "4711";
    expect((await signIn()).status).toBe(303);
    const entries = await harness.services.audit.list(harness.services.pool, { limit: 2 });
    const names = entries.map(({ action, detail }) => `${action} ${String(detail["name"])}`);
    const signedIn = `console.signed-in ${issuer.origin}`;
    expect(names).toEqual([
      `${signedIn} 4711`,
      expect.stringMatching(new RegExp(`^${signedIn} pseudonym [\\w-]{22}$`)),
    ]);
    const sessions = await harness.database.query("select name from console_sessions");
    expect(JSON.stringify([sessions, harness.logLines])).not.toMatch(/kim@example\.com/i);
  });

  test("is signed out by the command that ends sessions", async () => {
    const one = visitor();
    await signIn(one);
    expect(await isInside(one)).toBe(true);
    expect(await sessions.endAll({ name: `${issuer.origin} 4711` })).toBeGreaterThan(0);
    expect(await isInside(one)).toBe(false);
  });

  test.each([
    ["the address", { email: "KIM@example.com", email_verified: true }],
    ["a group", { groups: ["other", "on call"] }],
    ["a group, as a text", { groups: "on call" }],
    ["domain and group", { email: "x@example.org", email_verified: true, groups: ["ops"] }],
  ])("is one by %s: %o", async (_what, claims) => {
    issuer.answers.claims = claims;
    expect((await signIn()).status).toBe(303);
  });

  test.each([
    ["the domain alone", { email: "x@example.org", email_verified: true }, "unlisted"],
    ["its group alone", { groups: ["ops"] }, "unlisted"],
    ["a domain that ends alike", verified("x@an.example.org"), "unlisted"],
    ["an address in an address", verified("x@a.b@example.org"), "unlisted"],
    ["a letter that becomes one of the list", verified("\u212aim@example.com"), "unlisted"],
    ["an address that is not", { email: "kim@example.com", email_verified: false }, "unverified"],
    ["an address of which nothing is said", { email: "kim@example.com" }, "unverified"],
    ["a word for true", { email: "kim@example.com", email_verified: "true" }, "unverified"],
  ])("is nobody by %s: %o is %s", async (_what, claims, reason) => {
    issuer.answers.claims = claims;
    expect((await signIn()).status).toBe(403);
    expect(lastRefusal()).toMatchObject({ reason, operator: `${issuer.origin} 4711` });
  });

  test("is one by the id token, too", async () => {
    issuer.answers.claims = {};
    issuer.answers.changeToken = ({ payload }) => (payload["groups"] = ["on call"]);
    expect((await signIn()).status).toBe(303);
  });
});

describe("a sign-in by the organisation that is refused", () => {
  test.each<[string, string, number, (answers: OperatorsIssuer["answers"]) => void]>([
    [
      "another issuer's token",
      "issuer",
      502,
      (a) => (a.changeToken = ({ payload }) => (payload["iss"] = "https://evil.example")),
    ],
    [
      "a token for another client",
      "issuer",
      502,
      (a) => (a.changeToken = ({ payload }) => (payload["aud"] = "other")),
    ],
    [
      "another nonce",
      "nonce",
      403,
      (a) => (a.changeToken = ({ payload }) => (payload["nonce"] = "other")),
    ],
    ["no nonce", "proof", 403, (a) => (a.changeToken = ({ payload }) => delete payload["nonce"])],
    [
      "a token that has expired",
      "expired",
      403,
      (a) => (a.changeToken = ({ payload }) => (payload["exp"] = 1_000_000_000)),
    ],
    [
      "a token without a signature",
      "proof",
      403,
      (a) => (a.changeToken = ({ header }) => (header["alg"] = "none")),
    ],
    [
      "a token of a key that the issuer has not",
      "proof",
      403,
      (a) => (a.changeToken = ({ header }) => (header["kid"] = "other")),
    ],
    ["no", "declined", 403, (a) => (a.declines = true)],
  ])("is told: %s is %s", async (_what, reason, status, arrange) => {
    arrange(issuer.answers);
    const one = visitor();
    const seen = await signIn(one);
    expect([seen.status, lastRefusal()["reason"]]).toEqual([status, reason]);
    expect(seen.html).toMatch(/<h1>You’re not signed in<\/h1>\s*<p>[A-Z][^<]{20,}\.<\/p>/);
    expect(seen.headers["set-cookie"]).toBeUndefined();
    expect(await isInside(one)).toBe(false);
  });

  test("a token whose signature is another's", async () => {
    const one = visitor();
    const path = await fetchCallback(await begin(one));
    issuer.answers.changeToken = ({ payload }) => (payload["sub"] = "root");
    issuer.answers.isForged = true;
    const seen = await one.ask("GET", path);
    expect([seen.status, lastRefusal()["reason"]]).toEqual([403, "proof"]);
  });

  test("belongs to the browser that began it, for ten minutes and once", async () => {
    const [one, other] = [visitor(), visitor()];
    const away = await begin(one);
    await begin(other);
    const path = await fetchCallback(away);
    expect(await refusalOf(visitor(), path)).toEqual([403, "state"]);
    expect(await refusalOf(other, path)).toEqual([403, "state"]);
    expect(await refusalOf(one, path.replace(/state=[^&]+/, "state=x"))).toEqual([403, "state"]);
    const cookie = one.cookies.get("__Host-rollcall-console-oidc") ?? "";
    expect((await one.ask("GET", path)).status).toBe(303);
    expect(await refusalOf(one, path)).toEqual([403, "state"]);
    one.cookies.set("__Host-rollcall-console-oidc", cookie);
    expect(await refusalOf(one, path)).toEqual([403, "code"]);
    const late = visitor();
    const latePath = await fetchCallback(await begin(late));
    harness.clock.advance(601);
    expect(await refusalOf(late, latePath)).toEqual([403, "state"]);
  });

  test("gives one session, also where the issuer takes a code again", async () => {
    const one = visitor();
    const first = await begin(one);
    const cookie = one.cookies.get("__Host-rollcall-console-oidc") ?? "";
    expect((await one.ask("GET", await fetchCallback(first))).status).toBe(303);
    one.cookies.set("__Host-rollcall-console-oidc", cookie);
    // The issuer takes the same request again, and gives another code for the same state and nonce.
    expect((await one.ask("GET", await fetchCallback(first))).status).toBe(403);
    expect(lastRefusal()["reason"]).toBe("used");
  });
});

describe("while the issuer is away", () => {
  test("links work, and the sign-in says so until it is back", async () => {
    issuer.answers.isAway = true;
    forgetIssuer();
    const one = visitor();
    const page = await begin(one);
    expect([page.status, page.headers["retry-after"]]).toEqual([503, "10"]);
    expect(page.html).toContain("can’t be reached");
    const session = await sessions.useLink((await sessions.createLink("jo")).credential);
    one.cookies.set("__Host-rollcall-console", session ?? "");
    expect(await isInside(one)).toBe(true);
    issuer.answers.isAway = false;
    const path = await fetchCallback(await begin(one));
    issuer.answers.isAway = true;
    expect(await refusalOf(one, path)).toEqual([503, "unreachable"]);
    issuer.answers.isAway = false;
    expect((await one.ask("GET", path)).status).toBe(303);
  });

  test.each([
    [
      "names another issuer",
      { changeMetadata: { issuer: "https://evil.example" } },
      [502, "issuer", "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED"],
    ],
    [
      "has its tokens inside",
      { changeMetadata: { token_endpoint: "http://127.0.0.1:9/token" } },
      [503, "unreachable", "127.0.0.1 is not a permitted target: its address is not public."],
    ],
    [
      "does not take the client",
      { rejectsClient: true },
      [502, "client", "OAUTH_WWW_AUTHENTICATE_CHALLENGE"],
    ],
  ])("or %s, nobody comes in", async (_what, answers, told) => {
    Object.assign(issuer.answers, answers);
    forgetIssuer();
    const one = visitor();
    const away = await begin(one);
    const seen = away.status === 303 ? await one.ask("GET", await fetchCallback(away)) : away;
    forgetIssuer();
    const { reason, problem } = lastRefusal();
    expect([seen.status, reason, problem]).toEqual(told);
  });

  test("or is one for the people of every organisation, nobody comes in", async () => {
    const { Issuer } = await import("../../src/console/organisation/issuer.ts");
    const url = "https://login.microsoftonline.com/common/v2.0";
    const settings = { ...harness.services.operatorIssuer!, url };
    const metadata = { issuer: url.replace("common", "{tenantid}") };
    const sender = { send: async () => Response.json(metadata), close: async () => undefined };
    await expect(Issuer.discover(settings, { redirectUri: url, sender })).rejects.toMatchObject({
      kind: "issuer",
    });
  });

  test("its answers are bounded in time and in bytes, and lead nowhere else", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/long") response.end("x".repeat(2_000));
      if (request.url === "/elsewhere") response.writeHead(302, { location: "/long" }).end("moved");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sender = createSiteSender(origin, { maxBytes: 1_000 });
    const ask = (path: string, signal?: AbortSignal): Promise<Response> =>
      sender.send(`${origin}${path}`, { method: "GET", headers: {}, signal });
    await expect(ask("/long")).rejects.toBeInstanceOf(HttpTooLarge);
    await expect(ask("/silent", AbortSignal.timeout(20))).rejects.toBeInstanceOf(HttpTimeout);
    expect((await ask("/elsewhere")).status).toBe(302);
    await sender.close();
    server.closeAllConnections();
    server.close();
  });
});
