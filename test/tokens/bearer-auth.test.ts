import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Scope } from "../../src/model/index.ts";
import { mintCredential } from "../../src/platform/crypto/index.ts";
import { dataEndpointCases, version } from "../support/data-endpoints.ts";
import { describedOperations, type Operation } from "../support/described-operations.ts";
import { createHarness, type Harness } from "../support/harness.ts";

/** The data endpoints of both modes: address, scope and what the address needs. */
const endpoints: [path: string, scope: string, query: Record<string, string>][] = [
  ...dataEndpointCases.map(({ mode, path, query }): [string, string, Record<string, string>] => [
    `${mode}/${path.replace(":payrun_id", "unknown")}`,
    `${mode}/${path}`,
    query,
  ]),
  ["xhr/identity", "xhr/identity", {}],
  ["official/identity", "official/identity", {}],
];

type Headers = Record<string, string | string[]>;
type Connected = Awaited<ReturnType<Harness["connect"]>>;

let harness: Harness;
let operations: Operation[];
let known: Connected;
beforeAll(async () => {
  harness = await createHarness();
  operations = (await describedOperations(harness.http)).filter(({ schemes }) =>
    schemes.includes("bearer"),
  );
  known = await harness.connect();
});
afterAll(() => harness.close());

const spoil = (credential: string): string =>
  credential.slice(0, -1) + (credential.endsWith("0") ? "1" : "0");
const bearer = (credential: string): Headers => ({ authorization: `Bearer ${credential}` });
const ask = (path: string, headers: Headers, query: Record<string, string> = {}) =>
  harness.http.get(`${version}/${path}`, { headers, query });

test("these are all the data endpoints that there are", () => {
  const described = operations
    .map(({ path }) => path.slice(version.length + 1))
    .filter((path) => /^(xhr|official)\//.test(path));
  // The payslips of a range need two scopes: see payslips-of-range.test.ts.
  const all = ["xhr/payslips", ...endpoints.map(([path]) => path)];
  expect(described.toSorted()).toEqual(all.toSorted());
});

describe("401", () => {
  const missing = "Bearer";
  const repeated = 'Bearer error="invalid_request"';
  const invalid = 'Bearer error="invalid_token"';

  test.each<[string, () => Headers, string]>([
    ["no header", () => ({}), missing],
    ["another scheme", () => ({ authorization: `Token ${known.token}` }), missing],
    [
      "the client's credentials",
      () => ({
        authorization: `Basic ${Buffer.from(`${known.client.clientId}:${known.secret}`).toString("base64")}`,
      }),
      missing,
    ],
    ["a token without a scheme", () => ({ authorization: known.token }), missing],
    ["a scheme that starts alike", () => ({ authorization: `Bearers ${known.token}` }), missing],
    ["the header for a proxy", () => ({ "proxy-authorization": `Bearer ${known.token}` }), missing],
    ["a cookie", () => ({ cookie: `access_token=${known.token}` }), missing],
    [
      "the token in two headers",
      () => ({ authorization: [`Bearer ${known.token}`, `Bearer ${known.token}`] }),
      repeated,
    ],
    [
      "the token before another credential",
      () => ({ authorization: [`Bearer ${known.token}`, "Basic eDp5"] }),
      repeated,
    ],
    [
      "the token behind an empty header",
      () => ({ authorization: ["", `Bearer ${known.token}`] }),
      repeated,
    ],
    ["a token that was never issued", () => bearer(mintCredential("at", "dev")), invalid],
    ["a token with another last character", () => bearer(spoil(known.token)), invalid],
    ["a token in another case", () => bearer(known.token.toUpperCase()), invalid],
    ["a token cut off", () => bearer(known.token.slice(0, -1)), invalid],
    ["a token with more behind it", () => bearer(`${known.token}0`), invalid],
    ["two tokens in one header", () => bearer(`${known.token}, Bearer ${known.token}`), invalid],
    ["a quoted token", () => bearer(`"${known.token}"`), invalid],
    ["the id of the token", () => bearer(known.tokenId), invalid],
    ["the code of the token", () => bearer(known.code), invalid],
    ["a client secret", () => bearer(known.secret), invalid],
    ["a link", () => bearer(mintCredential("ln", "dev")), invalid],
    ["nonsense", () => bearer("nonsense"), invalid],
    [
      "a token of the other environment, but for the checksum",
      () => bearer(spoil(mintCredential("at", "prod"))),
      invalid,
    ],
    ["a code of the other environment", () => bearer(mintCredential("ac", "prod")), invalid],
  ])(
    "%s: refused on every data endpoint, with the challenge that says why",
    async (_name, headers, challenge) => {
      for (const [path, , query] of endpoints) {
        const reply = await ask(path, headers(), query);
        expect([path, reply.status]).toEqual([path, 401]);
        expect(reply.headers["www-authenticate"]).toBe(challenge);
        expect(reply.body).toEqual({
          error: "authentication_error",
          code: "reauthentication_required",
          message: expect.any(String),
        });
      }
    },
  );

  test("a scheme without a token is refused too", async () => {
    expect((await ask("xhr/employees", { authorization: "Bearer" })).status).toBe(401);
  });

  test("a token in the query is never read", async () => {
    for (const name of ["access_token", "token", "authorization"]) {
      const reply = await ask("xhr/employees", {}, { [name]: known.token });
      expect([reply.status, reply.headers["www-authenticate"]]).toEqual([401, missing]);
    }
  });

  test("a bad parameter, or a missing one, is not looked at before the token", async () => {
    for (const [path, query] of [
      ["xhr/payruns", {}],
      ["xhr/payruns", { start_date: "x", end_date: "y" }],
      ["xhr/employees", { employment_status: "x" }],
      ["xhr/employee", {}],
    ] as const) {
      expect((await ask(path, {}, query)).status).toBe(401);
      expect((await ask(path, bearer(mintCredential("at", "dev")), query)).status).toBe(401);
      expect((await ask(path, bearer(known.token), query)).status).toBe(400);
    }
  });

  test("what is not of the form, or of the other environment, is refused before any look-up", async () => {
    const look = vi.spyOn(harness.services.pool, "query");
    for (const credential of [
      "nonsense",
      spoil(known.token),
      known.code,
      mintCredential("at", "prod"),
    ]) {
      await ask("xhr/employees", bearer(credential));
      await harness.http.get(`${version}/management/introspect`, { bearer: credential });
      await harness.http.post(`${version}/management/disconnect`, { bearer: credential });
    }
    const lookUps = look.mock.calls.length;
    await ask("xhr/employees", bearer(mintCredential("at", "dev")));
    const lookUpsAfterOneOfTheForm = look.mock.calls.length;
    look.mockRestore();
    expect([lookUps, lookUpsAfterOneOfTheForm]).toEqual([0, 1]);
  });

  test("no credential that was refused appears in the reply or in a log", async () => {
    const credential = mintCredential("at", "dev");
    const reply = await ask("xhr/employees", bearer(credential));
    expect(reply.bytes.toString()).not.toContain(credential);
    expect(harness.logLines.join("")).not.toContain(credential);
    expect(harness.logLines.join("")).not.toContain(known.token);
  });
});

describe("403", () => {
  test("a token of the other environment, on every data endpoint", async () => {
    for (const [path, , query] of endpoints) {
      const reply = await ask(path, bearer(mintCredential("at", "prod")), query);
      expect([path, reply.status]).toEqual([path, 403]);
      expect(reply.body).toEqual({ message: expect.any(String) });
      expect(reply.headers["www-authenticate"]).toBeUndefined();
    }
  });

  test.each(endpoints)(
    "a token without the scope of %s is told which one it lacks",
    async (path, scope, query) => {
      const mode = scope.startsWith("xhr/") ? "xhr" : "official";
      const others = endpoints
        .map(([, candidate]) => `${version}/${candidate}` as Scope)
        .filter(
          (candidate) =>
            candidate.startsWith(`${version}/${mode}/`) && candidate !== `${version}/${scope}`,
        );
      const { token } = await harness.connect({ mode, scopes: others });
      const reply = await ask(path, bearer(token), query);
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual({ message: expect.any(String) });
      expect(reply.headers["www-authenticate"]).toBe(
        `Bearer error="insufficient_scope", scope="${version}/${scope}"`,
      );
    },
  );

  test.each(endpoints)(
    "a token with the scope of %s alone is let in there",
    async (path, scope, query) => {
      const mode = scope.startsWith("xhr/") ? "xhr" : "official";
      const { token } = await harness.connect({ mode, scopes: [`${version}/${scope}` as Scope] });
      expect([200, 202, 404]).toContain((await ask(path, bearer(token), query)).status);
    },
  );

  test("a disconnected token that also lacks the scope is disconnected", async () => {
    const { token } = await harness.connect({ scopes: [`${version}/xhr/company`] });
    await harness.http.post(`${version}/management/disconnect`, { bearer: token });
    const reply = await ask("xhr/employees", bearer(token));
    expect([reply.status, reply.headers["www-authenticate"]]).toEqual([403, undefined]);
  });
});

describe("let in", () => {
  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])(
    "the scheme is matched in any case: %s",
    async (scheme) => {
      expect(
        (await ask("xhr/identity", { authorization: `${scheme} ${known.token}` })).status,
      ).toBe(200);
    },
  );

  test("a token in the query is not a second credential", async () => {
    expect((await ask("xhr/identity", bearer(known.token), { access_token: "x" })).status).toBe(
      200,
    );
  });

  test("the shared sandbox token has every xhr scope and no other", async () => {
    for (const [path, scope, query] of endpoints) {
      const { status } = await ask(path, bearer(harness.sandboxToken), query);
      expect([path, status === 403]).toEqual([path, scope.startsWith("official/")]);
      expect([200, 202, 403, 404]).toContain(status);
    }
  });
});
