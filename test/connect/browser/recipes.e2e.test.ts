import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { textsOf } from "../../../src/connect/texts/index.ts";
import { builtInProviders } from "../../support/built-in-providers.ts";
import { ProviderRegistry } from "../../../src/providers/registry.ts";
import { launchBrowser } from "../../support/browser.ts";
import { bambooApplication } from "../../support/vendors/fake-bamboohr.ts";
import { findViolations, takePictures } from "./axe.ts";
import { fitsItsWidth, Stage } from "./stage.ts";

const browser = await launchBrowser();
const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 900 };

/** The languages of recipes. */
const locales = ["en", "de", "fr", "es"] as const;

/** Each built-in sign-in that has a recipe. */
const withRecipe = builtInProviders.flatMap(({ name, modes }) =>
  Object.entries(modes).flatMap(([mode, { recipe }]) =>
    recipe ? [{ name, mode, question: recipe.title, steps: recipe.steps.length }] : [],
  ),
);

describe.skipIf(!browser)("the recipe of a provider, in a browser", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!, {
      registry: new ProviderRegistry(builtInProviders),
      env: {
        PROVIDER_BAMBOOHR_CLIENT_ID: bambooApplication.clientId,
        PROVIDER_BAMBOOHR_CLIENT_SECRET: bambooApplication.clientSecret,
        PROVIDER_FACTORIAL_CLIENT_ID: "rollcall",
        PROVIDER_FACTORIAL_CLIENT_SECRET: "secret of rollcall",
        PROVIDER_GUSTO_CLIENT_ID: "rollcall",
        PROVIDER_GUSTO_CLIENT_SECRET: "secret of rollcall",
        PROVIDER_XERO_CLIENT_ID: "rollcall",
        PROVIDER_XERO_CLIENT_SECRET: "secret of rollcall",
      },
    });
  });
  afterEach(() => stage.leave());
  afterAll(() => stage.close());

  const open = async (page: Page, provider: string, mode: string): Promise<void> => {
    await page.goto(stage.link({ provider, mode, scope: `/2023-03-01/${mode}/employees` }));
  };

  test("is there for each mode of each system that exists", () => {
    const real = builtInProviders.filter(({ isSimulated = false }) => !isSimulated);
    const modes = real.flatMap((one) =>
      Object.keys(one.modes).map((mode) => `${one.name} ${mode}`),
    );
    expect(withRecipe.map(({ name, mode }) => `${name} ${mode}`)).toEqual(modes);
  });

  test("stands before the button where nothing is typed, and says what the approval needs", async () => {
    const page = await stage.visitor();
    await open(page, "xero", "official");
    expect(await page.locator("form > .recipe + button.primary").count()).toBe(1);
    await unfold(page);
    expect(await page.getByText("who is payroll administrator too").isVisible()).toBe(true);
    expect(await page.evaluate(gapBeforeButton)).toBeGreaterThan(8);
  });

  test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    "unfolds by mouse and by keyboard, and keeps what was typed (%o)",
    async (options) => {
      const page = await stage.visitor({ ...options, viewport: phone });
      await open(page, "bamboohr", "xhr");
      const steps = page.locator(".recipe ol > li");
      const domain = page.getByLabel("Company domain");
      await domain.fill("lindgren");
      await page.locator("[name=key]").press("Tab");
      if (options.javaScriptEnabled) await page.keyboard.press("Tab");
      expect(await page.locator(":focus").textContent()).toBe("Where do I find the API key?");
      expect(await steps.first().isVisible()).toBe(false);
      await page.keyboard.press("Enter");
      expect(await steps.first().isVisible()).toBe(true);
      await page.keyboard.press("Space");
      expect(await steps.first().isVisible()).toBe(false);
      await unfold(page);
      expect(await steps.first().isVisible()).toBe(true);
      expect(await domain.inputValue()).toBe("lindgren");
    },
  );

  test("follows the label of the field that it explains, and the guide for developers is left out", async () => {
    const page = await stage.visitor();
    await open(page, "bamboohr", "xhr");
    const place = page.locator(".field", { has: page.locator("[name=key]") });
    expect(await place.locator(".recipe").count()).toBe(1);
    expect(await page.locator(".recipe").count()).toBe(1);
    expect(await page.locator("main a[href^='/docs/']").count()).toBe(0);
  });

  test.each(withRecipe)(
    "of $name in $mode keeps nobody out, light and dark, on a phone and on a desktop",
    async ({ name, mode, steps }) => {
      const page = await stage.visitorAgain({ viewport: phone });
      await open(page, name, mode);
      await unfold(page);
      expect(await page.locator(".recipe ol > li").count()).toBe(steps);
      expect(steps).toBeLessThanOrEqual(6);
      expect(await page.locator(".recipe h2").count()).toBe(2);
      expect(await fitsItsWidth(page)).toBe(true);
      await takePictures(page, `recipe-${name}-${mode}`, phone);
      expect(await findViolations(page, `recipe-${name}-${mode}`)).toEqual([]);
      await page.setViewportSize(desktop);
      expect(await fitsItsWidth(page)).toBe(true);
    },
  );

  test.each(locales)("is whole in %s: each label in its box, on a phone", async (locale) => {
    const page = await stage.visitor({ locale, viewport: phone });
    for (const { name, mode, question } of withRecipe) {
      await open(page, name, mode);
      await unfold(page);
      const asked = await page.locator(".recipe summary").textContent();
      const headings = await page.locator(".recipe h2").allTextContents();
      const seen = {
        isInLanguage: (asked === question) === (locale === "en"),
        inOtherLanguages: await page.locator(".recipe [lang]").count(),
        saysRights: headings.includes(textsOf[locale].recipe.rights),
        labelsOutside: await page.evaluate(labelsOutside),
        isReadable: (await page.evaluate<number>(smallestLabel)) >= 11.5,
        fits: await fitsItsWidth(page),
      };
      const whole = { labelsOutside: [], isReadable: true, fits: true };
      const told = { isInLanguage: true, inOtherLanguages: 0, saysRights: true };
      expect.soft(seen, `${name} in ${mode}`).toEqual({ ...told, ...whole });
      await takePictures(page, `recipe-${name}-${mode}-${locale}`, phone);
    }
  });

  test("stands at the form by which somebody sees the accesses to the account, too", async () => {
    const page = await stage.visitor();
    await page.goto(`${stage.harness.baseUrl}/connect/accesses`);
    await page.getByRole("button", { name: /^Odoo \(.*API key/ }).click();
    await unfold(page);
    expect(await page.getByText("Open the “Security” tab.").isVisible()).toBe(true);
    expect(await findViolations(page, "recipe-accesses")).toEqual([]);
  });

  test("is left out where a provider has none", async () => {
    const page = await stage.visitor();
    await open(page, "sandbox", "xhr");
    expect(await page.locator(".recipe, .drawing").count()).toBe(0);
    expect(withRecipe.map(({ name }) => name)).not.toContain("sandbox");
  });

  test("is drawn for forced colours, too", async () => {
    const page = await stage.visitor({ viewport: phone, forcedColors: "active" });
    await open(page, "odoo", "official");
    await unfold(page);
    const [marked, other] = await page.evaluate<[string, string]>(strokes);
    expect(marked).not.toBe(other);
    await takePictures(page, "recipe-forced-colours", phone);
  });

  test("marks by more than colour: a pointer, and the words for those who hear it", async () => {
    const page = await stage.visitor();
    await open(page, "bamboohr", "xhr");
    await unfold(page);
    const drawing = page.getByRole("img", { name: "Drawing. Marked: Add New Key." });
    expect(await drawing.locator(".pointer").count()).toBe(1);
  });
});

async function unfold(page: Page): Promise<void> {
  await page.locator(".recipe summary").click();
}

/** Labels that are cut, or longer than the box that they stand in. A script for the browser. */
const labelsOutside = `[...document.querySelectorAll(".drawing text")].filter((text) => {
  const box = text.parentElement.width.baseVal.value;
  return text.textContent.includes("…") || text.getComputedTextLength() > box;
}).map((text) => text.textContent)`;

/** In pixels of the page. */
const smallestLabel = `Math.min(...[...document.querySelectorAll(".drawing text")].map((text) =>
  12 * text.getScreenCTM().a))`;

/** In pixels of the page. */
const gapBeforeButton = `document.querySelector("button.primary").getBoundingClientRect().top -
  document.querySelector(".recipe").getBoundingClientRect().bottom`;

const strokes = `[".marked > .frame", ".area > .frame"].map((one) =>
  getComputedStyle(document.querySelector(".drawing " + one)).stroke)`;
