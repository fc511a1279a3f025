import { z } from "zod";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { locales } from "../../src/model/index.ts";
import { defineProvider } from "../../src/providers/contract.ts";
import { FieldError } from "../../src/providers/errors.ts";
import { formField } from "../../src/providers/form-field.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import {
  ConnectVisitor,
  headingOf,
  linkPath,
  textOf,
  workSignIns,
  type Seen,
} from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";

/** Marked, so that it can be told where it comes from. */
const evil = (mark: string): string =>
  `${mark}"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;&amp;{client}\${x}$&`;

/** As a label of a drawing, which is shorter. */
const script = `</svg><script>alert(1)</script>"x='`;

const hostile = defineProvider({
  apiVersion: 1,
  name: "hostile",
  title: evil("T"),
  modes: {
    xhr: {
      form: z.object({
        username: formField({ title: evil("F"), help: evil("H"), placeholder: evil("P") }),
        password: formField({ title: "Password", isSecret: true, autocomplete: evil("A") }),
        region: formField({
          title: evil("R"),
          helpUrl: `https://x.example/?${evil("L")}`,
          choices: [{ value: evil("V"), title: evil("O") }],
        }),
      }),
      recipe: {
        title: evil("Q1"),
        steps: [
          {
            text: evil("Q2"),
            drawing: [
              { x: 0, y: 0, width: 16, height: 10, look: "area", label: script },
              { x: 1, y: 2, width: 14, height: 7, look: "button", label: script, isMarked: true },
            ],
          },
        ],
        rights: [evil("Q3"), evil("Q4")],
        ending: [evil("Q5")],
      },
      login: async (_context, { username = "" }) => {
        const asked = { prompt: evil("C"), state: {} };
        if (username.startsWith("code")) return { challenge: { kind: "otp", ...asked } };
        if (username.startsWith("wait")) return { challenge: { kind: "wait", ...asked } };
        if (username.startsWith("choose")) {
          const options = [{ value: evil("V"), title: evil("O") }];
          return { challenge: { kind: "choose", options, ...asked } };
        }
        throw new FieldError("username", evil("E"));
      },
      check: async () => ({ unsupported: [] }),
      identity: async () => ({ name: "Ann", email: "ann@hostile.example", phone_number: null }),
      resources: {},
    },
  },
  texts: { de: { [evil("Q4")]: evil("Q6"), [script]: `de ${script}` } },
});

let harness: Harness;
let work: ReturnType<typeof workSignIns>;
let client: { clientId: string };
beforeAll(async () => {
  harness = await createHarness({
    registry: new ProviderRegistry([
      sandbox,
      hostile,
      ...Array.from({ length: 8 }, (_, index) => ({
        ...hostile,
        name: `hostile-${index}`,
        title: evil(String(index)),
      })),
    ]),
  });
  ({ client } = await harness.services.clients.create({
    name: evil("N").slice(0, 100),
    redirectUris: [redirectUri, "https://app.example.com/'()*;,"],
  }));
  work = workSignIns(harness);
});
afterAll(() => harness.close());

const visitor = (headers = {}): ConnectVisitor => new ConnectVisitor(harness.baseUrl, headers);

/** All markup of a page is ours: no element and no attribute comes from a text. */
function holdNoForeignMarkup({ html }: Seen): void {
  expect(html).not.toContain("<script>");
  expect(html).not.toMatch(/<img src=x|onerror=[^&]*>/);
  const tags = [
    ...html.matchAll(/<\/?([a-zA-Z!][a-zA-Z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*>/g),
  ];
  expect(tags.length).toBe(html.split("<").length - 1);
}

describe("what others call themselves stays text", () => {
  test.each(locales)("on every page of a sign-in in %s", async (locale) => {
    const one = visitor();
    const link = linkPath(client, { provider: undefined, locale });
    holdNoForeignMarkup(await one.open(link));
    const choice = await one.begin(link);
    holdNoForeignMarkup(choice);
    const found = await one.open(`${choice.path}?q=${encodeURIComponent(evil("Q"))}`);
    holdNoForeignMarkup(found);
    const form = await one.send(found, "provider", { provider: "hostile" });
    holdNoForeignMarkup(form);
    const refused = await one.submit(form, {
      username: evil("U"),
      password: evil("W"),
      region: evil("V"),
    });
    holdNoForeignMarkup(refused);
    const code = await one.submit(refused, {
      username: `code${evil("U")}`,
      password: "x",
      region: evil("V"),
    });
    holdNoForeignMarkup(code);
    const declined = await one.send(code, "decline");
    expect(declined.left?.startsWith(redirectUri)).toBe(true);
    holdNoForeignMarkup(await one.open(form.path));
  });

  test.each(["choose", "wait"])("on the page of a challenge of kind %s", async (kind) => {
    const one = visitor();
    const form = await one.open(linkPath(client, { provider: "hostile" }));
    const fields = { username: kind, password: "x", region: evil("V") };
    const { path } = await one.send(form, "sign-in", fields);
    await work.drained();
    const page = await one.open(path);
    holdNoForeignMarkup(page);
    expect(textOf(page)).toContain(evil("C"));
  });

  test("and is shown as it is, what was typed too, but for the password", async () => {
    const one = visitor();
    const form = await one.open(linkPath(client, { provider: "hostile" }));
    expect(headingOf(form)).toBe(`Sign in to ${evil("T")}`);
    for (const mark of ["Q1", "Q2", "Q3", "Q4", "Q5"]) expect(textOf(form)).toContain(evil(mark));
    expect(form.html).toContain(`aria-label="Drawing. Marked: ${escape(script)}."`);
    expect(form.html).toMatch(/<text [^>]*>&lt;\/svg&gt;&lt;script&gt;/);
    const refused = await one.submit(form, {
      username: evil("U"),
      password: evil("W"),
      region: evil("V"),
    });
    expect(textOf(refused)).toContain(evil("E"));
    expect(refused.html).toContain(`value="${escape(evil("U"))}"`);
    expect(refused.html).not.toContain("W&quot;");
    const code = await one.submit(refused, { username: "code", password: "x", region: evil("V") });
    expect(textOf(code)).toContain(evil("C"));
  });
});

describe("what an address holds stays text", () => {
  test.each([
    [
      "a link that leads nowhere",
      () => linkPath({ clientId: evil("I") }, { state: evil("S"), locale: evil("L") }),
    ],
    [
      "the same, as it is",
      () =>
        `/connect?client_id=${evil("I").replaceAll(" ", "+")}&locale="><script>alert(1)</script>`,
    ],
    ["a sign-in that there is not", () => `/connect/"><script>alert(1)?lang="><script>`],
    [
      "another language",
      () => `/connect/01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be?lang=de&x="><script>alert(1)</script>`,
    ],
  ])("%s", async (_what, path) => {
    const page = await visitor().ask("GET", path());
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    holdNoForeignMarkup(page);
  });

  test.each(['"><script>', "de;q=0.9<script>", "x".repeat(4_000)])(
    "Accept-Language %s",
    async (language) => {
      const page = await visitor({ "accept-language": language }).open(linkPath(client));
      expect(page.status).toBe(200);
      holdNoForeignMarkup(page);
    },
  );
});

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
