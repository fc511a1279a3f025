import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Locale } from "../../src/model/index.ts";
import { textsOf } from "../../src/connect/texts/index.ts";
import { ConnectVisitor, linkPath, textOf, type Seen } from "../support/connect-visitor.ts";
import { createHarness, redirectUri, type Harness } from "../support/harness.ts";
import { makePng } from "../support/png.ts";
import { manyProviders, SlowProvider } from "./browser/providers.ts";

let harness: Harness;
let full: { clientId: string };
let bare: { clientId: string };
beforeAll(async () => {
  harness = await createHarness({
    registry: manyProviders(new SlowProvider()),
    env: { OPERATOR_NAME: "Rollcall <Hosting> Inc." },
  });
  const { clients } = harness.services;
  const { client } = await clients.create({ name: "Acme", redirectUris: [redirectUri] });
  full = await clients.update(client, {
    logo: makePng().toString("base64"),
    purpose: "To plan “holidays” & <shifts>",
    privacyUrl: "https://acme.example/privacy?a=1&b=2",
    supportUrl: "mailto:help@acme.example",
  });
  bare = (await harness.createClient()).client;
});
afterAll(() => harness.close());

const open = (
  client: { clientId: string },
  parameters: Record<string, string> = {},
): Promise<Seen> =>
  new ConnectVisitor(harness.baseUrl).open(linkPath(client, { provider: "alpha", ...parameters }));
const count = (page: Seen, part: string): number => page.html.split(part).length - 1;

describe("the page of a sign-in", () => {
  test("shows the client's picture, its purpose as its own words, and its links", async () => {
    const page = await open(full);
    const [, logo = ""] = /<img src="(\/connect\/logos\/[^"]+)"/.exec(page.html) ?? [];
    expect((await harness.http.get(logo)).headers["content-type"]).toBe("image/png");
    expect(textOf(page)).toContain("What Acme says it’s for: “To plan “holidays” & <shifts>”");
    expect(page.html).toContain(
      'href="https://acme.example/privacy?a=1&amp;b=2" target="_blank" rel="noopener noreferrer"',
    );
    expect(page.html).toContain('<a href="mailto:help@acme.example">Get help from <bdi>Acme</bdi>');
  });

  test("shows nothing of what the client does not say", async () => {
    const page = await open(bare);
    expect(count(page, "/connect/logos/")).toBe(0);
    expect(count(page, 'class="purpose"')).toBe(0);
    expect(count(page, 'class="links"')).toBe(0);
    expect(page.html).toContain('<span class="tile" aria-hidden="true">T</span>');
  });

  test.each([
    ["en", "contact details, job and pay; date of birth, nationality, gender and marital status"],
    ["de", "Kontaktdaten, Tätigkeit und Gehalt; Geburtsdatum, Staatsangehörigkeit, Geschlecht und"],
    ["es", "datos de contacto, puesto y salario; fecha de nacimiento, nacionalidad, sexo y estado"],
    [
      "pl",
      "dane kontaktowe, stanowisko i wynagrodzenie; data urodzenia, obywatelstwo, płeć i stan",
    ],
    ["fr", "coordonnées, poste et rémunération\u00a0; date de naissance, nationalité, sexe et"],
  ])("does not name what the client has switched off, in %s", async (locale, holds) => {
    const { clients } = harness.services;
    const { client } = await harness.createClient();
    const off = ["bank_account", "ethnicity", "relatives", "tax_id"] as const;
    await clients.update(client, { fieldsOff: off });
    const page = await open(client, { locale, scope: "/2023-03-01/xhr/employees" });
    expect(page.html).toContain(holds);
    const all = textsOf[locale as Locale].employeeData;
    const named = off.filter((field) => page.html.includes(all[field]));
    expect(named).toEqual([]);
    expect(page.html).not.toContain(all.emergency);
  });

  test("names who runs the service, on pages of errors too", async () => {
    for (const page of [await open(bare), await open({ clientId: "unknown" })])
      expect(page.html).toContain("Operated by <bdi>Rollcall &lt;Hosting&gt; Inc.</bdi>");
  });

  test("a vendor has a letter, the simulated provider our own mark", async () => {
    expect((await open(bare)).html).toContain('<span class="tile" aria-hidden="true">A</span>');
    const simulated = await open(bare, { provider: "sandbox" });
    expect(simulated.html).toMatch(/class="tile"><svg class="flask"/);
  });
});

const lacking = async (provider: string) =>
  /doesn’t have this data, or can’t give it to us: ([^.]*)\./.exec(
    textOf(await open(bare, { provider })),
  )?.[1];

describe("before anything is typed", () => {
  test("the page names what is asked for and the provider does not have", async () => {
    expect(await lacking("alpha")).toContain("Company, Employees, Groups");
    expect(await lacking("alpha")).not.toContain("Your account");
    expect(await lacking("odoo")).toBeUndefined();
    expect(await lacking("sandbox")).toBeUndefined();
  });

  test("the page leads to the guide of the provider, if there is one, and no recipe", async () => {
    expect((await open(bare, { provider: "by-key" })).html).toContain(
      '<a href="/docs/providers/odoo" target="_blank" rel="noopener noreferrer">How to connect',
    );
    expect((await harness.http.get("/docs/providers/odoo")).status).toBe(200);
    expect(count(await open(bare, { provider: "odoo" }), "How to connect")).toBe(0);
    expect(count(await open(bare), "How to connect")).toBe(0);
  });
});

describe("beside a secret it says where it goes, as the definition has it", () => {
  test.each([
    ["alpha", "Rollcall passes this to Alpha HR once and doesn’t keep it. Test never sees it."],
    [
      "by-key",
      "Rollcall stores this in encrypted form and sends it to Key & Co with every request.",
    ],
    ["sandbox", "Sandbox isn’t a real system: this is neither passed on nor kept."],
  ])("%s: %s", async (provider, sentence) => {
    const page = await open(bare, { provider });
    expect(textOf(page)).toContain(sentence);
    expect(count(page, 'class="private"')).toBe(1);
    expect(page.html).toMatch(/type="password"[^>]* aria-describedby="[^"]*field-\w+-use/);
  });
});
