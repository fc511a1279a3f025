import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { locales, scopesOfMode } from "../../../src/model/index.ts";
import { formatText } from "../../../src/connect/pages/format.ts";
import { textsOf, type Texts } from "../../../src/connect/texts/index.ts";
import { launchBrowser } from "../../support/browser.ts";
import { narrow, takePictures } from "./axe.ts";
import { manyProviders, SlowProvider } from "./providers.ts";
import { fitsItsWidth, press, Stage } from "./stage.ts";

const browser = await launchBrowser();
const provider = "Sandbox";
const client = "Acme Payroll";
/** In these a person walks through. The pages of the others are looked at one by one. */
const walked = ["en", "de", "fr", "es"] as const;
const others = locales.filter((locale) => !walked.some((one) => one === locale));
const credentials = {
  en: "user name or password",
  de: "Benutzername oder Passwort",
  fr: "nom d’utilisateur ou mot de passe",
  es: "nombre de usuario o contraseña",
};

describe.skipIf(!browser)("languages", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!, { registry: manyProviders(new SlowProvider()) });
  });
  afterEach(() => stage.leave());
  afterAll(() => stage.close());

  test("the browser's own language is taken, then what the link asks for, then what the person chooses", async () => {
    const page = await stage.visitor({ locale: "fr-CA" });
    await page.goto(stage.link());
    expect(await languageOf(page)).toBe("fr");
    await page.goto(stage.link({ locale: "es-MX" }));
    expect(await languageOf(page)).toBe("es");
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: `Bei ${provider} anmelden` }).waitFor();
    await page.locator("[name=username]").fill("user_captcha");
    await page.locator("[name=password]").fill("anything");
    await press(page, "Anmelden und verbinden");
    expect(await languageOf(page)).toBe("de");
    expect(page.url()).not.toContain("lang");
    await stage.letTimePass(page.url(), 1_801);
    await page.reload();
    expect(await languageOf(page)).toBe("de");
    expect(await page.locator("main h1").textContent()).toBe(textsOf.de.title.expired);
  });

  test("a language that there is not leaves English", async () => {
    const page = await stage.visitor({ locale: "sv-SE" });
    await page.goto(stage.link({ locale: "tlh" }));
    expect(await languageOf(page)).toBe("en");
  });

  test("a page without a sign-in can be read in another language too, and the link stays what it is", async () => {
    const page = await stage.visitor();
    const link = stage.link({
      client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643",
      locale: "fr",
      state: "%2F+~ä",
    });
    await page.goto(link);
    expect(await languageOf(page)).toBe("fr");
    await page.getByRole("link", { name: "Español" }).click();
    await page.getByRole("heading", { name: textsOf.es.title.link }).waitFor();
    expect(new URL(page.url()).search).toBe(`${new URL(link).search}&lang=es`);
    await page.goto(`${stage.harness.baseUrl}/connect/01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be`);
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: textsOf.de.title.unknown }).waitFor();
  });

  test("what an adapter says in English alone is marked as English", async () => {
    const page = await stage.visitor({ locale: "de-DE" });
    await page.goto(stage.link({ provider: "by-key" }));
    expect(await page.locator("label[for=field-api_key]").textContent()).toBe("API-Schlüssel");
    expect(await page.locator("#field-api_key-help [lang=en]").textContent()).toBe(
      "Made by an administrator, under Settings.",
    );
  });

  test.each(walked)("once through in %s, on a narrow screen", async (locale) => {
    const texts = textsOf[locale];
    const page = await stage.visitor({ locale, viewport: narrow });
    const isRight = async (heading: string, ...sentences: string[]): Promise<void> => {
      expect(await page.locator("main h1").textContent()).toBe(heading);
      for (const sentence of sentences)
        expect(await page.locator("main").textContent()).toContain(
          formatText(sentence, { client, provider, fields: credentials[locale] }),
        );
      expect(await languageOf(page)).toBe(locale);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await page.locator("main [lang=en]").count()).toBe(0);
    };
    await page.goto(stage.link({ provider: undefined, tags: "few" }));
    await isRight(texts.title.choose, texts.consent.asks, texts.consent.wants);
    await page.goto(stage.link());
    await isRight(
      formatText(texts.title.signIn, { provider }),
      texts.consent.asksProvider,
      texts.consent.allows,
      texts.consent.readOnly,
      texts.kept.session,
      texts.form.secret.simulated,
    );
    await page.locator(".kept summary").click();
    await takePictures(page, `language-${locale}`, narrow);
    await signIn(page, texts.form.submit, "user_bad_password");
    await isRight(
      formatText(texts.title.signIn, { provider }),
      texts.refusals.incorrect_username_or_password,
    );
    await signIn(page, texts.form.submit, "user_mfa");
    await isRight(texts.title.question, texts.form.otpWhy);
    await page.getByRole("textbox").fill("000000");
    await press(page, texts.form.answer);
    await isRight(texts.title.question, texts.refusals.incorrect_mfa_or_otp);
    await press(page, formatText(texts.form.decline, { client }));
    expect(stage.app.latest).toMatchObject({ error: "access_denied" });
  });

  test("the longest pages are whole on a narrow screen in the other languages", async () => {
    const page = await stage.visitor({ viewport: narrow });
    const look = async (name: string, sentenceOf: (texts: Texts) => string): Promise<void> => {
      const address = new URL(page.url());
      for (const locale of others) {
        address.searchParams.set("lang", locale);
        await page.goto(address.href);
        await page.evaluate(() => {
          for (const folded of document.querySelectorAll("details")) folded.open = true;
        });
        const sentence = sentenceOf(textsOf[locale]).replace(/\(\{fields\}\).*/s, "");
        const text = await page.locator("main").textContent();
        expect({
          locale: await languageOf(page),
          isTold: text?.includes(formatText(sentence, { client, provider })),
          fits: await fitsItsWidth(page),
          english: await page.locator("[lang=en]:not(a)").count(),
        }).toEqual({ locale, isTold: true, fits: true, english: 0 });
        await takePictures(page, `${name}-${locale}`, narrow);
      }
    };
    const { submit } = textsOf[others.at(-1) ?? "en"].form;
    await page.goto(stage.link({ scope: scopesOfMode("xhr").join(" ") }));
    await look("long-form", ({ kept }) => kept.data);
    await signIn(page, submit, "user_bad_password");
    await look("long-refusal", ({ refusals }) => refusals.incorrect_username_or_password);
    await signIn(page, submit, "user_mfa");
    await look("long-question", ({ form }) => form.otpWhy);
    await stage.letTimePass(page.url(), 1_801);
    await look("long-end", ({ errors }) => errors.expired);
  });
});

async function languageOf(page: Page): Promise<string | null> {
  return await page.locator("html").getAttribute("lang");
}

async function signIn(page: Page, button: string, user: string): Promise<void> {
  await page.locator("[name=username]").fill(user);
  await page.locator("[name=password]").fill("anything");
  await press(page, button);
}
