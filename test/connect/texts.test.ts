import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { locales, type Locale } from "../../src/model/index.ts";
import { tooManyAddresses } from "../../src/connect/sign-in-throttle.ts";
import { chooseLocale, textsOf } from "../../src/connect/texts/index.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { listFormFields } from "../../src/providers/form-field.ts";
import { builtInProviders } from "../support/built-in-providers.ts";
import { listRecipeTexts } from "../../src/providers/recipe.ts";
import { originSentences } from "../../src/providers/typed-origin.ts";

const providers = resolve(import.meta.dirname, "../../src/providers");
const translated = locales.filter((locale) => locale !== "en");
/** A recipe is shown in English in the others. */
const withRecipes: ReadonlySet<Locale> = new Set(["de", "es", "fr"]);

describe("what built-in adapters say", () => {
  const ofProviders = builtInProviders.map((provider) => ({
    provider,
    said: new Set([...sentencesOfForms(provider), ...sentencesOfSource(folderOf(provider))]),
    explained: sentencesOfRecipes(provider),
  }));
  const ofHost = [
    ...sentencesOfSource(join(providers, "form-field.ts")),
    ...Object.values(originSentences),
    tooManyAddresses,
  ];
  const sentences = [...ofHost, ...ofProviders.flatMap(({ said }) => [...said])];

  test("is found: titles, help, what is wrong with a field, and what a challenge asks for", () => {
    expect(sentences).toContain("Address of your Odoo");
    expect(sentences).toContain("Please type a web address, such as https://example.odoo.com.");
    expect(sentences).toContain("There is no Odoo at this address.");
    expect(sentences).toContain("Six-digit code from your authenticator app");
    expect(sentences).toContain(
      "This address cannot be used. It has to be public and to begin with https.",
    );
    expect(sentences).toContain("Please fill in this field.");
    expect(sentences.length).toBeGreaterThan(15);
  });

  describe.each(translated)("has a translation in %s", (locale) => {
    const shared = new Set(Object.keys(textsOf[locale].adapters));

    test.each(ofProviders)(
      "each sentence of $provider.name, and no others",
      ({ provider, said, explained }) => {
        const all = new Set([...said, ...(withRecipes.has(locale) ? explained : [])]);
        expect(Object.keys(provider.texts?.[locale] ?? {}).sort()).toEqual(
          [...all].filter((sentence) => !shared.has(sentence)).sort(),
        );
      },
    );

    test("that fills in what the English one does, and is not English itself", () => {
      const translations = ofProviders.flatMap(({ provider, said }) =>
        Object.entries(provider.texts?.[locale] ?? {}).filter(([sentence]) => said.has(sentence)),
      );
      const wrong = [...translations, ...Object.entries(textsOf[locale].adapters)].filter(
        ([sentence, text]) =>
          String(text.match(/\{\w+\}/g)) !== String(sentence.match(/\{\w+\}/g)) ||
          (text === sentence && text.split(" ").length > 2),
      );
      expect(wrong).toEqual([]);
    });

    test("what the host says, and what stands on many forms", () => {
      expect(ofHost.filter((sentence) => !shared.has(sentence))).toEqual([]);
      expect([...shared].filter((sentence) => !sentences.includes(sentence))).toEqual([]);
    });
  });
});

describe("the texts of a language", () => {
  test.each(translated)(
    "%s fills in the same names as the English ones, sentence by sentence",
    (locale) => {
      expect(namesIn(locale)).toEqual(namesIn("en"));
    },
  );

  test.each(locales)("%s has a word for each plural form of a number", (locale) => {
    const { count } = textsOf[locale].choose;
    const rules = new Intl.PluralRules(locale);
    const forms = Array.from({ length: 200 }, (_, index) => rules.select(index + 1));
    expect([...new Set(forms)].filter((form) => count[form] === undefined)).toEqual([]);
  });

  test.each(translated)("%s repeats no English sentence", (locale) => {
    const english = ownTexts("en");
    const same = [...ownTexts(locale)].filter(
      ([path, text]) => english.get(path) === text && text.split(" ").length > 2,
    );
    expect(same).toEqual([]);
  });
});

describe("the language of a page", () => {
  test.each([
    ["de-AT", undefined, "de"],
    ["FR", "de", "fr"],
    ["tlh", "de", "de"],
    [null, "es-MX,es;q=0.9,en;q=0.8", "es"],
    [null, "sv, fr;q=0.3, de;q=0.7", "de"],
    [null, "pt-BR,pt;q=0.9,en;q=0.8", "pt"],
    [null, "de;q=0, fr;q=0.1", "fr"],
    [null, "*", "en"],
    [null, ";;q=,,", "en"],
    [undefined, undefined, "en"],
  ])("asked for %s with Accept-Language %s it is %s", (asked, header, expected) => {
    expect(chooseLocale(asked, header)).toBe(expected);
  });
});

/** What the fields show, and what they say to values that are missing, too long or nonsense. */
function sentencesOfForms({ modes }: ProviderDefinition): string[] {
  return Object.values(modes).flatMap(({ form }) => {
    const shown = listFormFields(form).flatMap(({ title, help, choices = [] }) => [
      title,
      ...(help === undefined ? [] : [help]),
      ...choices.map((choice) => choice.title),
    ]);
    const wrong = ["", "x".repeat(3_000), "::"].flatMap((value) => {
      const parsed = form.safeParse(
        Object.fromEntries(Object.keys(form.shape).map((name) => [name, value])),
      );
      return parsed.success ? [] : parsed.error.issues.map(({ message }) => message);
    });
    return [...shown, ...wrong];
  });
}

function sentencesOfRecipes({ modes }: ProviderDefinition): string[] {
  return Object.values(modes).flatMap(({ recipe }) =>
    recipe ? listRecipeTexts(recipe).map(({ text }) => text) : [],
  );
}

/** Sentences that are thrown at a field or asked at a challenge. They stand in the source word for word, or in a table called `explanations`. */
function sentencesOfSource(path: string): string[] {
  return listFiles(path).flatMap((file) => {
    const source = readFileSync(file, "utf8");
    const thrown = [
      ...source.matchAll(
        /new FieldError\([^,]+,\s*(?:"([^"]+)"|explanations\.\w+(?:\.replace\("\{\w+\}", [^()]+\))?),?\s*\)/g,
      ),
    ];
    const asked = [...source.matchAll(/prompt: (?:"([^"]+)"|explanations\.\w+)/g)];
    expect({ file, fieldErrors: thrown.length }).toEqual({
      file,
      fieldErrors: source.split("new FieldError(").length - 1,
    });
    expect({ file, prompts: asked.length }).toEqual({
      file,
      // The kit asks for a company among several.
      prompts: [...source.matchAll(/\bkind: "(?:otp|text|choose|wait)"|\bchoice: \{|takeOrAsk\(/g)]
        .length,
    });
    const explanations = /const explanations = \{(.*?)\n\};/s.exec(source)?.[1] ?? "";
    return [
      ...thrown.map(([, sentence]) => sentence),
      ...asked.map(([, sentence]) => sentence),
      ...[...source.matchAll(/\b(?:error|other|none):\s+"([^"]+)"/g)].map(
        ([, sentence]) => sentence,
      ),
      ...[...explanations.matchAll(/:\s*"([^"]+)"/g)].map(([, sentence]) => sentence),
    ].filter((sentence) => sentence !== undefined);
  });
}

function folderOf({ name }: ProviderDefinition): string {
  return join(providers, name);
}

function listFiles(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** By their paths, without what is said for adapters. Plural forms differ from language to language. */
function ownTexts(locale: Locale): Map<string, string> {
  const { choose, ...texts } = textsOf[locale];
  const { count, ...others } = choose;
  return leavesOf({ ...texts, choose: others, count: count.other, adapters: {} });
}

function namesIn(locale: Locale): Record<string, string[]> {
  return Object.fromEntries(
    [...ownTexts(locale)].map(([path, text]) => [
      path,
      [...new Set(text.match(/\{\w+\}/g))].sort(),
    ]),
  );
}

function leavesOf(value: object, path = ""): Map<string, string> {
  const entries = Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string"
      ? [[`${path}${key}`, inner] as const]
      : [...leavesOf(inner as object, `${path}${key}.`)],
  );
  return new Map(entries);
}
