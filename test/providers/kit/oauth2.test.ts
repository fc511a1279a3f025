import { describe, expect, test } from "vitest";
import type { ProviderRequest } from "../../../src/platform/outbound/index.ts";
import type { SignInContext } from "../../../src/providers/contract.ts";
import {
  oauth2,
  readApprovedBy,
  type OAuth2Definition,
} from "../../../src/providers/kit/oauth2.ts";
import { readTokenClaims } from "../../../src/providers/request-oauth2-tokens.ts";
import { TestClock } from "../../support/test-clock.ts";

const definition: OAuth2Definition = {
  authorizationUrl: "https://login.example/authorize",
  tokenUrl: "https://login.example/token",
  scopes: {
    always: ["offline_access"],
    of: { employees: ["people"], groups: ["people", "teams"] },
  },
};
const now = "2026-03-02T10:00:00.000Z";
const claims = { sub: "user-1", email: "ann@acme.example" };
const idToken = `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.sig`;
const tokens = { access_token: "access-2", refresh_token: "refresh-2", expires_in: 1_800 };
const session = {
  company: "acme",
  accessToken: "access-1",
  refreshToken: "refresh-1",
  expiresAt: "2026-03-02T10:30:00.000Z",
};

function stage(reply: object = tokens, status = 200) {
  const asked: ProviderRequest[] = [];
  const context = {
    application: { clientId: "rollcall", clientSecret: "secret" },
    authorization: { code: "code", codeVerifier: "verifier", redirectUri: "https://back.example" },
    clock: new TestClock(new Date(now)),
    http: () => ({
      request: async (request: ProviderRequest) => {
        asked.push(request);
        return { status, json: () => reply };
      },
    }),
  } as unknown as SignInContext;
  return { asked, context };
}

describe("the declaration of a mode", () => {
  test("leads to the page, with the scopes of the resources, each once", () => {
    const { mode } = oauth2({ ...definition, parameters: { prompt: "consent" } });
    expect(mode.oauth2.authorizationUrl({})).toBe("https://login.example/authorize");
    expect(mode.oauth2.parameters).toEqual({ prompt: "consent" });
    expect(mode.oauth2.scopes(["employees", "groups", "company"])).toEqual([
      "offline_access",
      "people",
      "teams",
    ]);
  });

  test("leads to the page of what was typed", () => {
    const { mode } = oauth2({
      ...definition,
      authorizationUrl: ({ company = "" }) => `https://${company}.example/authorize`,
    });
    expect(mode.oauth2.authorizationUrl({ company: "acme" })).toBe(
      "https://acme.example/authorize",
    );
  });

  test("says when the session ends, and that a session of another form is none", () => {
    const { mode } = oauth2(definition);
    expect(mode.expiresAt(session)).toEqual(new Date(session.expiresAt));
    expect(() => mode.expiresAt({ key: "x" })).toThrow("the session has no tokens");
  });
});

describe("the exchange of a code", () => {
  test("gives the session with what is its own, and who approved", async () => {
    const { asked, context } = stage({ ...tokens, id_token: idToken });
    const found = await oauth2(definition).exchange(context, { company: "acme" });
    expect(found).toEqual({
      session: { ...session, accessToken: "access-2", refreshToken: "refresh-2" },
      claims,
    });
    expect(asked).toMatchObject([
      {
        url: "https://login.example/token",
        headers: { authorization: "Basic cm9sbGNhbGw6c2VjcmV0" },
        form: { grant_type: "authorization_code", code: "code", code_verifier: "verifier" },
      },
    ]);
  });

  test("asks where the session says, with the application in the body", async () => {
    const { asked, context } = stage();
    const approval = oauth2({
      ...definition,
      authentication: "body",
      tokenUrl: ({ company }) => `https://${String(company)}.example/token`,
    });
    await approval.exchange(context, { company: "acme" });
    expect(asked).toMatchObject([
      { url: "https://acme.example/token", form: { client_id: "rollcall" } },
    ]);
  });

  test("sends all of it as JSON, to a provider that takes it so", async () => {
    const { asked, context } = stage();
    await oauth2({ ...definition, authentication: "json" }).exchange(context, {});
    expect(asked[0]?.form).toBeUndefined();
    expect(asked[0]?.json).toEqual({
      grant_type: "authorization_code",
      code: "code",
      code_verifier: "verifier",
      redirect_uri: "https://back.example",
      client_id: "rollcall",
      client_secret: "secret",
    });
  });

  test("of a provider that does not say how long the token lives takes the declared time", async () => {
    const { context } = stage({ access_token: "access-2" });
    await expect(oauth2(definition).exchange(context, {})).rejects.toMatchObject({ kind: "bug" });
    const { session: made } = await oauth2({ ...definition, lifetimeSeconds: 60 }).exchange(
      context,
      {},
    );
    expect(made).toEqual({ accessToken: "access-2", expiresAt: "2026-03-02T10:01:00.000Z" });
  });

  test("is none without a code", async () => {
    const { context } = stage();
    const { authorization: _code, ...without } = context;
    await expect(oauth2(definition).exchange(without, {})).rejects.toMatchObject({ kind: "bug" });
  });
});

describe("a refresh", () => {
  test("gives the session with new tokens, and keeps what is its own", async () => {
    const { asked, context } = stage();
    expect(await oauth2(definition).mode.refresh(context, session)).toEqual({
      ...session,
      accessToken: "access-2",
      refreshToken: "refresh-2",
    });
    expect(asked).toMatchObject([
      { form: { grant_type: "refresh_token", refresh_token: "refresh-1" } },
    ]);
  });

  test("keeps the refresh token of a provider that gives no new one", async () => {
    const { context } = stage({ access_token: "access-2", expires_in: 1_800 });
    expect(await oauth2(definition).renew(context, session)).toMatchObject({
      refreshToken: "refresh-1",
    });
  });

  const { refreshToken: _token, ...unrefreshed } = session;
  test.each([
    ["without a refresh token", unrefreshed],
    ["whose refresh token was used", session],
  ])("of a session %s needs the person", async (_name, ended) => {
    const { context } = stage({ error: "invalid_grant" }, 400);
    await expect(oauth2(definition).mode.refresh(context, ended)).rejects.toMatchObject({
      code: "reauthentication_required",
    });
  });

  test.each([
    ["10:29:01", 1],
    ["10:28:59", 0],
  ])("at the end of a connection is made at %s: %i", async (time, requests) => {
    const { asked, context } = stage();
    const at = { ...context, clock: new TestClock(new Date(`2026-03-02T${time}Z`)) };
    const { accessToken } = await oauth2(definition).makeFresh(at, session);
    expect(asked).toHaveLength(requests);
    expect(accessToken).toBe(requests === 1 ? "access-2" : "access-1");
  });
});

test.each([
  [idToken, claims],
  ["e30.bm8.sig", undefined],
  ["opaque", undefined],
])("the claims of the token %s are %j", (token, expected) => {
  expect(readTokenClaims(token)).toEqual(expected);
});

describe("who approved", () => {
  test.each([
    [{ name: "Ann Lee" }, { name: "Ann Lee" }],
    [
      { given_name: "Ann", family_name: "Lee" },
      { name: "Ann Lee", email: "" },
    ],
    [{ email: "ann@acme.example" }, { name: "ann@acme.example", email: "ann@acme.example" }],
    [{}, { sub: "user-1", name: "user-1", email: "" }],
  ])("by the claims %j is %j", (given, expected) => {
    expect(readApprovedBy({ sub: "user-1", ...given })).toMatchObject(expected);
  });

  test.each([[undefined], [{ name: "Ann" }]])("is not told by %j", (given) => {
    expect(() => readApprovedBy(given)).toThrow("the provider does not tell who approved");
  });
});
