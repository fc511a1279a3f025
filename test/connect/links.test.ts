import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tellEmployeeData } from "../../src/connect/texts/employee-data.ts";
import { textsOf } from "../../src/connect/texts/index.ts";
import { locales, scopes, scopesOfMode, splitScope } from "../../src/model/index.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import {
  carried,
  ConnectVisitor,
  headingOf,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";

const iss = "https://api.example.com";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

let harness: Harness;
let client: Awaited<ReturnType<Harness["createClient"]>>["client"];
beforeAll(async () => {
  // Beside the simulated provider, one that has one mode alone.
  const ofOneMode = { ...odoo, modes: { xhr: odoo.modes.xhr! } };
  harness = await createHarness({ registry: new ProviderRegistry([sandbox, ofOneMode]) });
  ({ client } = await harness.createClient());
  workSignIns(harness);
});
afterAll(() => harness.close());

const open = (parameters: Record<string, string | undefined>, more = ""): Promise<Seen> =>
  new ConnectVisitor(harness.baseUrl).open(linkPath(client, parameters) + more);

describe("what is wrong with a link whose client and address are right is told to the client", () => {
  const xhr = scopesOfMode("xhr").join(" ");
  test.each<[string, Record<string, string | undefined>, string]>([
    ["no scope", { scope: undefined }, "invalid_request"],
    ["an empty scope", { scope: "" }, "invalid_scope"],
    ["a scope that does not exist", { scope: "/2023-03-01/xhr/salaries" }, "invalid_scope"],
    ["a scope of the wrong case", { scope: "/2023-03-01/XHR/employees" }, "invalid_scope"],
    [
      "scopes of both modes",
      { scope: "/2023-03-01/xhr/employees /2023-03-01/official/employees" },
      "invalid_scope",
    ],
    ["scopes of the other mode", { scope: "/2023-03-01/official/employees" }, "invalid_scope"],
    ["a mode that does not exist", { mode: "hris" }, "invalid_request"],
    ["another response type", { response_type: "token" }, "invalid_request"],
    ["a provider that does not exist", { provider: "nobody" }, "invalid_request"],
    [
      "a provider of the other mode",
      { provider: "odoo", mode: "official", scope: "/2023-03-01/official/employees" },
      "invalid_request",
    ],
    [
      "another provider than the simulated one that it asks for",
      { provider: "odoo", sandbox: "true" },
      "invalid_request",
    ],
    ["sandbox that is neither true nor false", { sandbox: "yes" }, "invalid_request"],
    [
      "the challenge method plain",
      { code_challenge: challenge, code_challenge_method: "plain" },
      "invalid_request",
    ],
    [
      "a challenge without a method, which means plain",
      { code_challenge: challenge },
      "invalid_request",
    ],
    ["a method without a challenge", { code_challenge_method: "S256" }, "invalid_request"],
    [
      "a challenge that is no SHA-256",
      { code_challenge: challenge.slice(1), code_challenge_method: "S256" },
      "invalid_request",
    ],
    [
      "a challenge with padding",
      { code_challenge: `${challenge.slice(1)}=`, code_challenge_method: "S256" },
      "invalid_request",
    ],
    ["a state that is too long", { state: "x".repeat(4_097) }, "invalid_request"],
    ["tags with a NUL", { tags: "payroll\0" }, "invalid_request"],
    ["scopes without end", { scope: `${xhr} `.repeat(20) }, "invalid_request"],
  ])("%s", async (_what, parameters, error) => {
    const seen = await open({ state: "s", ...parameters });
    expect(seen.status).toBe(303);
    expect(seen.left?.startsWith(`${redirectUri}?`)).toBe(true);
    expect(carried(seen)).toEqual([
      ["error", error],
      ["error_description", expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{5,}$/)],
      ["state", parameters["state"] ?? "s"],
      ["iss", iss],
    ]);
  });

  test.each([
    "scope",
    "mode",
    "provider",
    "state",
    "locale",
    "tags",
    "sandbox",
    "response_type",
    "code_challenge",
    "code_challenge_method",
  ])("%s that comes twice", async (name) => {
    const seen = await open({ [name]: "x" }, `&${name}=y`);
    expect(Object.fromEntries(carried(seen))).toMatchObject({
      error: "invalid_request",
      error_description: `${name} comes more than once`,
    });
  });

  test("a client that has to use PKCE and does not", async () => {
    const strict = await harness.createClient();
    await harness.services.clients.update(strict.client, { requirePkce: true });
    const refused = await new ConnectVisitor(harness.baseUrl).open(linkPath(strict.client));
    expect(Object.fromEntries(carried(refused))).toMatchObject({
      error: "invalid_request",
      error_description: "code_challenge is required for this client",
    });
    const taken = await new ConnectVisitor(harness.baseUrl).open(
      linkPath(strict.client, { code_challenge: challenge, code_challenge_method: "S256" }),
    );
    expect(taken.status).toBe(200);
  });
});

describe("a link that is right", () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ["without a mode, which the scopes tell", { mode: undefined }, "Sign in to Sandbox"],
    [
      "of mode official",
      { mode: undefined, scope: "/2023-03-01/official/employees" },
      "Sign in to Sandbox",
    ],
    [
      "with a scope twice",
      { scope: "/2023-03-01/xhr/company /2023-03-01/xhr/company" },
      "Sign in to Sandbox",
    ],
    [
      "with sandbox instead of a provider",
      { provider: undefined, sandbox: "true" },
      "Sign in to Sandbox",
    ],
    [
      "with sandbox=false and no provider, where one is left to choose",
      { provider: undefined, sandbox: "false" },
      "Sign in to Odoo",
    ],
    ["without a provider, where one is left to choose", { provider: undefined }, "Sign in to Odoo"],
    [
      "with tags that no provider has",
      { provider: undefined, tags: "payroll uk" },
      "Choose your HR or payroll system",
    ],
    ["with a locale that there is not", { locale: "tlh" }, "Sign in to Sandbox"],
    [
      "with optional parameters that have no value",
      {
        mode: "",
        response_type: "",
        code_challenge: "",
        code_challenge_method: "",
        locale: "",
        tags: "",
        sandbox: "",
      },
      "Sign in to Sandbox",
    ],
    [
      "with parameters that are not known",
      { prompt: "consent", nonce: "x", "redirect_uri[]": "x" },
      "Sign in to Sandbox",
    ],
  ])("%s", async (_what, parameters, heading) => {
    const seen = await open(parameters);
    expect(seen.status).toBe(200);
    expect(headingOf(seen)).toBe(heading);
  });

  test("the scopes that it names are the token's, and the page says them in words", async () => {
    const own = await harness.createClient();
    const visitor = new ConnectVisitor(harness.baseUrl);
    const form = await visitor.open(
      linkPath(own.client, {
        scope: "/2023-03-01/xhr/payruns/:payrun_id /2023-03-01/xhr/work-locations",
      }),
    );
    expect(textOf(form)).toContain("Payslips: earnings, taxes and deductions");
    expect(textOf(form)).toContain("Work locations: names and addresses");
    expect(textOf(form)).not.toContain("Employees");
    await visitor.submit(form, { username: "user_good", password: "anything" });
    const [row] = await harness.database.query(
      "select scopes from connections where client_id = $1",
      [own.client.clientId],
    );
    expect(row).toEqual({
      scopes: ["/2023-03-01/xhr/payruns/:payrun_id", "/2023-03-01/xhr/work-locations"],
    });
  });
});

describe("the consent page", () => {
  test.each(scopes)("names what %s opens", async (scope) => {
    const { mode, path } = splitScope(scope);
    const page = await open({ scope, mode, provider: undefined, sandbox: "true" });
    const { en } = textsOf;
    const { name, holds = tellEmployeeData("en", en.employeeData) } = en.scopes[path];
    expect(textOf(page)).toContain(`${name}: ${holds}`);
  });

  test("does not name single employees beside the list of all of them", async () => {
    const both = "/2023-03-01/xhr/employee /2023-03-01/xhr/employees";
    const text = textOf(await open({ scope: both }));
    expect(text).toContain("Employees: ");
    expect(text).not.toContain("Individual employees");
  });
});

describe("the language", () => {
  test.each(locales)(
    "is %s by locale, whatever the browser asks for, and by Accept-Language when the link says nothing",
    async (language) => {
      const other = language === "fr" ? "de" : "fr";
      const byLink = await new ConnectVisitor(harness.baseUrl, { "accept-language": other }).open(
        linkPath(client, { locale: `${language}-XX` }),
      );
      const byBrowser = await new ConnectVisitor(harness.baseUrl, {
        "accept-language": `tlh, ${language};q=0.8, ${other};q=0.7`,
      }).open(linkPath(client));
      for (const page of [byLink, byBrowser]) {
        expect(page.html).toContain(`<html lang="${language}">`);
        expect(textOf(page)).toContain(textsOf[language].form.submit);
      }
    },
  );
});

describe("the redirect of a success", () => {
  test("is a 303 with the code under both names, the state that was sent, and the issuer, which nobody may keep", async () => {
    const visitor = new ConnectVisitor(harness.baseUrl);
    const seen = await visitor.submit(await visitor.open(linkPath(client, { state: "s" })), {
      username: "user_good",
      password: "anything",
    });
    expect(seen.status).toBe(303);
    const code = expect.stringMatching(/^rc_ac_dev_[0-9A-Za-z]{49}$/);
    expect(carried(seen)).toEqual([
      ["code", code],
      ["authorization_code", code],
      ["state", "s"],
      ["iss", iss],
    ]);
    expect(
      new Set(
        carried(seen)
          .slice(0, 2)
          .map(([, value]) => value),
      ).size,
    ).toBe(1);
    expect(seen.headers["cache-control"]).toContain("no-store");
    expect(seen.headers["referrer-policy"]).toBe("no-referrer");
  });

  test("has no state when none was sent", async () => {
    const visitor = new ConnectVisitor(harness.baseUrl);
    const seen = await visitor.submit(await visitor.open(linkPath(client)), {
      username: "user_good",
      password: "anything",
    });
    expect(carried(seen).map(([name]) => name)).toEqual(["code", "authorization_code", "iss"]);
  });
});

describe("an address that the client gives up while somebody signs in", () => {
  test.each(["decline", "sign-in"])("is not redirected to any more: %s", async (move) => {
    const moved = await harness.createClient();
    const visitor = new ConnectVisitor(harness.baseUrl);
    const form = await visitor.open(linkPath(moved.client));
    await harness.services.clients.update(moved.client, {
      redirectUris: ["https://new.example.com/callback"],
    });
    const seen = await visitor.settle(
      await visitor.send(form, move, { username: "user_good", password: "anything" }),
    );
    expect([seen.status, headingOf(seen), seen.left]).toEqual([
      400,
      "This link doesn’t work",
      undefined,
    ]);
    expect(
      await harness.database.query("select 1 from connections where client_id = $1", [
        moved.client.clientId,
      ]),
    ).toEqual([]);
  });
});

describe("state comes back byte for byte", () => {
  const states = [
    "",
    "abc",
    "a+b",
    "a%2Bb",
    "a%20b",
    "%2f%2F",
    "~!*'()-._",
    "%7e%21",
    "=a==b=",
    "a;b,c:d@e$f",
    "/?:@",
    "%26state=x%26code=y",
    "%23%3F",
    "%00",
    "%0d%0aset-cookie:%20x=y",
    "%22%3E%3Cscript%3E",
    '"><script>alert(1)</script>',
    '{"a":[1]}',
    "\\..\\",
    "^`|{}[]",
    "%C3%A9%F0%9F%98%80",
    "%c3%a9",
    "%FF%FE",
    "%",
    "%zz",
    "%E2%80%AE",
    "eyJhbGciOiJub25lIn0.e30.",
    "x".repeat(4_096),
    "%C3".repeat(2_048) + "%20".repeat(2_048),
  ];

  test.each(states)("%s", async (state) => {
    const visitor = new ConnectVisitor(harness.baseUrl);
    const page = await visitor.open(`${linkPath(client)}&state=${state}`);
    expect(page.status).toBe(200);
    const { left } = await visitor.send(page, "decline");
    expect(left).toBe(
      `${redirectUri}?error=access_denied&error_description=the%20end%20user%20declined&state=${state}&iss=${encodeURIComponent(iss)}`,
    );
  });

  test("4,096 characters that take nine bytes each", async () => {
    const state = "%E2%82%AC".repeat(4_096);
    const visitor = new ConnectVisitor(harness.baseUrl);
    const { left = "" } = await visitor.send(
      await visitor.open(`${linkPath(client)}&state=${state}`),
      "decline",
    );
    expect(left.split("&").includes(`state=${state}`)).toBe(true);
  });

  test.each(states.filter((state) => state.length < 100))("%s, with a code", async (state) => {
    const visitor = new ConnectVisitor(harness.baseUrl);
    const { left = "" } = await visitor.submit(
      await visitor.open(`${linkPath(client)}&state=${state}`),
      { username: "user_good", password: "anything" },
    );
    expect(left.replace(/rc_ac_\w+/g, "C")).toBe(
      `${redirectUri}?code=C&authorization_code=C&state=${state}&iss=${encodeURIComponent(iss)}`,
    );
  });

  test.each(states.filter((state) => state.length < 100))(
    "%s, with an error in the link",
    async (state) => {
      const { left = "" } = await open({ provider: "nobody" }, `&state=${state}`);
      expect(left.replace(/^.*&state=/, "")).toBe(`${state}&iss=${encodeURIComponent(iss)}`);
    },
  );

  test("also when the name of the parameter is encoded", async () => {
    const { left } = await open({ provider: "nobody" }, "&st%61te=a%2Fb");
    expect(left).toContain("&state=a%2Fb&iss=");
  });
});
