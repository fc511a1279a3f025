import { describe, expect, test } from "vitest";
import { describeRefusalAtForm } from "../../src/connect/pages/refusal.ts";
import { translateText } from "../../src/connect/pages/translate.ts";
import { textsOf } from "../../src/connect/texts/index.ts";
import { listFormFields } from "../../src/providers/form-field.ts";
import { odoo } from "../../src/providers/odoo/index.ts";
import { findCsrfToken } from "../../src/providers/odoo/second-factor.ts";
import { signInForm } from "../../src/providers/odoo/form.ts";

describe("the token of the page for the second factor", () => {
  test.each([
    [
      "a page",
      '<form><input type="hidden" name="csrf_token" value="abc"/><input name="x"></form>',
      "abc",
    ],
    [
      "several lines",
      '<input\n  type="hidden"\n  name="csrf_token"\n  value="a&amp;b=="\n>',
      "a&amp;b==",
    ],
    ["a value before the name", '<input value="first" name="csrf_token">', "first"],
    [
      "another field before it",
      '<input name="db" value="x"><input name="csrf_token" value="y">',
      "y",
    ],
    [
      "the first of two",
      '<input name="csrf_token" value="1"><input name="csrf_token" value="2">',
      "1",
    ],
    ["a field that is not closed", '<input <input name="csrf_token" value="z">', "z"],
    ["an empty value before another", '<input name="csrf_token" value="" data-value="v">', "v"],
    ["no value", '<input name="csrf_token">', null],
    ["an empty value", '<input name="csrf_token" value="">', null],
    ["a value without end", '<input name="csrf_token" value="abc>', null],
    ["a value after the field", '<input name="csrf_token"><input value="abc">', null],
    ["a field without end", '<input name="csrf_token" value="abc"', null],
    ["another element", '<meta name="csrf_token" value="abc">', null],
    ["no page", "", null],
  ])("is found or not: %s", (_case, html, token) => {
    expect(findCsrfToken(html)).toBe(token);
  });

  test.each([
    ["fields that are not closed", (size: number) => "<input ".repeat(size / 7)],
    ["a name in each of them", (size: number) => '<input name="csrf_token" '.repeat(size / 25)],
    ["forms in forms", (size: number) => "<form".repeat(size / 5)],
    ["closed fields", (size: number) => "<input >".repeat(size / 8)],
    ["empty values", (size: number) => `<input name="csrf_token" ${'value=""'.repeat(size / 8)}>`],
    [
      "quotes without end",
      (size: number) => `<input name="csrf_token" ${'value="'.repeat(size / 7)}`,
    ],
    [
      "one value without end",
      (size: number) => `<input name="csrf_token" value="${"value=".repeat(size / 6)}>`,
    ],
  ])("takes linear time to find on a page made against it: %s", (_case, makePage) => {
    const [short, long] = [makePage(64 * 1024), makePage(256 * 1024)];
    shortestMs(short);
    expect(shortestMs(long)).toBeLessThan(10 * Math.max(shortestMs(short), 0.02));
  });
});

describe("the form after a wrong password", () => {
  test("leads to the password, past a database that may stay empty", () => {
    const refusal = { kind: "refused", code: "incorrect_username_or_password" };
    const context = { texts: textsOf.en, client: "Test", provider: "Odoo", flow: { refusal } };
    const prefill = { formValues: { url: "acme.odoo.com", username: "ines" }, network: "" };
    const fields = listFormFields(signInForm);
    const { focus } = describeRefusalAtForm(context as never, fields, prefill);
    expect(focus).toBe("password");
  });
});

describe("the form after an Odoo that is too old", () => {
  test.each([
    ["de", "Dieses Odoo hat die Version 12. Die älteste, die gelesen werden kann, ist Version 14."],
    ["es", "Este Odoo es la versión 12. La más antigua que se puede leer es la versión 14."],
    ["fr", "Cet Odoo est en version 12. La plus ancienne qui puisse être lue est la version 14."],
  ] as const)("names the version in the language of the page: %s", (locale, expected) => {
    const providerTexts = odoo.texts?.[locale] ?? {};
    const said = "This Odoo is version 12. The oldest that can be read is version 14.";
    const context = { texts: textsOf[locale], locale, providerTexts };
    expect(translateText(context as never, said)).toEqual({ text: expected });
  });

  test.each(["This Odoo is version 12.", "is version 12. The oldest", ""])(
    "leaves another sentence as it is: %j",
    (said) => {
      const providerTexts = odoo.texts?.de ?? {};
      const context = { texts: textsOf.de, locale: "de", providerTexts };
      expect(translateText(context as never, said)).toEqual({ text: said, lang: "en" });
    },
  );
});

function shortestMs(page: string): number {
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    findCsrfToken(page);
    return performance.now() - start;
  });
  return Math.min(...times);
}
