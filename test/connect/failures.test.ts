import { describe, expect, test } from "vitest";
import type { Refusal } from "../../src/connect/flow.ts";
import { signInPage, type FlowPageContext } from "../../src/connect/pages/flow-pages.ts";
import { enterHandoverPage } from "../../src/connect/pages/handover-pages.ts";
import { textsOf } from "../../src/connect/texts/index.ts";
import { locales, type Locale } from "../../src/model/index.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { originSentences } from "../../src/providers/typed-origin.ts";

const registry = new ProviderRegistry([odoo]);
const declared = registry.find("odoo")!;
const mode = declared.modes.official!;

/** Of the page of Odoo's key, in a language. */
function contextIn(locale: Locale, refusal: Refusal | null): FlowPageContext {
  const providerTexts = locale === "en" ? undefined : declared.texts?.[locale];
  return {
    locale,
    texts: textsOf[locale],
    ...(providerTexts && { providerTexts }),
    here: "/connect/1",
    path: "/connect/1",
    reference: "1",
    brand: {
      serviceName: "Rollcall",
      operatorName: undefined,
      color: undefined,
      logo: undefined,
      marks: new Map(),
      ofClients: "logo",
      privacyUrl: undefined,
      imprintUrl: undefined,
      supportUrl: undefined,
    },
    flow: {
      purpose: "connection",
      clientId: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
      tokenId: null,
      mode: "official",
      scopes: [],
      settings: {},
      allowsHandover: true,
      redirectUri: "https://app.example/callback",
      tags: [],
      isSandbox: false,
      provider: "odoo",
      isProviderFixed: true,
      locale,
      phase: "form",
      step: 1,
      refusal,
    },
    isOfLink: false,
    isHelper: false,
    client: "Acme",
    profile: {},
    provider: declared.title,
    isSimulated: false,
    isElsewhere: false,
    guide: undefined,
    recipe: undefined,
    origin: mode.origin,
    readable: undefined,
    canEndAccess: false,
    formToken: "t",
  };
}

const nameOf = (tag: string): string | undefined => / name="(\w+)"/.exec(tag)?.[1];

/** What a person finds wrong on a page: each sentence with where it stands, and what has the focus. */
function problemsOf(html: string) {
  const tags = html.match(/<(?:input|select)[^>]*>/g) ?? [];
  return {
    atField: [...html.matchAll(/<p class="error" id="([\w-]+)-error"[^>]*>(.*?)<\/p>/g)].map(
      ([, id = "", text = ""]) => [id.replace("field-", ""), toText(text)],
    ),
    notices: [...html.matchAll(/<div class="notice"[^>]*><p>(.*?)<\/p>/g)].map(([, text = ""]) =>
      toText(text),
    ),
    invalid: tags.filter((tag) => tag.includes('aria-invalid="true"')).map(nameOf),
    focus:
      tags.filter((tag) => tag.includes(" autofocus")).map(nameOf)[0] ??
      / id="(\w+)"[^>]* autofocus/.exec(html)?.[1],
  };
}

function toText(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"');
}

const atAddress = { kind: "field", field: "url" } as const;

function pageAfter(locale: Locale, refusal: Refusal, explanation?: string): string {
  const isAtAddress = refusal.kind === "field";
  const prefill = {
    formValues: { url: "https://acme.example", database: "people", username: "ines@acme.example" },
    ...(explanation !== undefined && { explanation }),
    ...(!isAtAddress && { found: { version: "19" } }),
  };
  const { fields, keepsSecret } = mode;
  const options = { fields, prefill, keepsSecret, isAgain: false };
  return signInPage(contextIn(locale, refusal), options).toString();
}

describe.each(locales)("what goes wrong ends at one place, with one sentence: %s", (locale) => {
  test.each([
    ["a mistyped address", originSentences.absent],
    ["a closed port", originSentences.closed],
    ["a server that gives no answer", originSentences.silent],
    ["a certificate that is not valid", originSentences.certificate],
    ["another system at the address", originSentences.foreign],
    ["an address that leads elsewhere", originSentences.moved],
    ["nothing inside of the operator's network", originSentences.inside],
  ])("%s: at the address", (_what, english) => {
    const sentence = locale === "en" ? english : textsOf[locale].adapters[english];
    expect(problemsOf(pageAfter(locale, atAddress, english))).toEqual({
      atField: [["url", sentence]],
      notices: [],
      invalid: ["url"],
      focus: "url",
    });
  });

  test("a wrong key: above the form, and the field of the key has the focus", () => {
    const { atField, notices, focus } = problemsOf(
      pageAfter(locale, { kind: "refused", code: "incorrect_username_or_password" }),
    );
    const [before = ""] = textsOf[locale].refusals.incorrect_username_or_password.split("({fields");
    expect({ atField, focus }).toEqual({ atField: [], focus: "key" });
    expect(notices).toEqual([
      expect.stringContaining(before.split("{fields}")[0]!.replace("{provider}", "Odoo")),
    ]);
  });

  test("a key without rights: above the form, which has the focus itself", () => {
    const found = problemsOf(
      pageAfter(locale, { kind: "refused", code: "insufficient_permission" }),
    );
    const sentence = textsOf[locale].refusals.insufficient_permission
      .replaceAll("{provider}", "Odoo")
      .replaceAll("{client}", "Acme");
    expect(found).toEqual({ atField: [], notices: [sentence], invalid: [], focus: "notice" });
  });

  test("wrong digits of a sign-in that was handed over: at the digits", () => {
    const context = { ...contextIn(locale, null), isHelper: true };
    const page = enterHandoverPage(context, { action: "/connect/1/help", isWrong: true });
    expect(problemsOf(page.toString())).toEqual({
      atField: [["digits", textsOf[locale].handover.wrong]],
      notices: [],
      invalid: ["digits"],
      focus: "digits",
    });
  });
});
