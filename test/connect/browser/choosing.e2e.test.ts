import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../../support/browser.ts";
import { manyProviders, SlowProvider } from "./providers.ts";
import { begin, fitsItsWidth, focusedName, press, Stage } from "./stage.ts";

const browser = await launchBrowser();
const many = { provider: undefined, tags: "many" };
const few = { provider: undefined, tags: "few" };

describe.skipIf(!browser)("choosing a provider, and getting there by other means", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!, { registry: manyProviders(new SlowProvider()) });
  });
  afterEach(() => stage.leave());
  afterAll(() => stage.close());

  test("the list narrows while one types, whatever the case and the accents, and says how many are left", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link(many));
    const status = page.getByRole("status");
    expect(await status.textContent()).toBe("60 systems");
    await page.getByRole("searchbox", { name: "Find your system" }).fill("PAYROLL system 1");
    await status.filter({ hasText: /^10 systems$/ }).waitFor();
    await page.getByRole("searchbox").fill("lohne");
    await status.filter({ hasText: /^1 system$/ }).waitFor();
    expect(
      await page
        .getByRole("listitem")
        .filter({ visible: true, has: page.getByRole("button") })
        .allTextContents(),
    ).toEqual(["LLöhne & Gehälter"]);
    await page.getByRole("searchbox").fill("$& {count} <b>");
    await status.filter({ hasText: "No results for “$& {count} <b>”." }).waitFor();
    await page.getByRole("searchbox").fill("zurich");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign in to Zürich Payroll" }).waitFor();
  });

  test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    "a name is found however its words are joined (%o)",
    async (options) => {
      const page = await stage.visitor(options);
      await page.goto(stage.link(many));
      for (const typed of ["Ärzte Haus", "arztehaus-personal", "ärztehauspersonal"]) {
        await page.getByRole("searchbox").fill(typed);
        if (!options.javaScriptEnabled) await press(page, "Search");
        await page
          .getByRole("status")
          .filter({ hasText: /^1 system$/ })
          .waitFor();
        expect(await page.getByRole("button", { name: "Ärztehaus Personal" }).isVisible()).toBe(
          true,
        );
      }
    },
  );

  test("how many are left is said in the plural form that the language has for the number", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link({ ...many, locale: "pl" }));
    const status = page.getByRole("status");
    expect(await status.textContent()).toBe("60 systemów");
    await page.getByRole("searchbox").fill("an");
    await status.filter({ hasText: /^2 systemy$/ }).waitFor();
  });

  test("without a script the search is a form", async () => {
    const page = await stage.visitor({ javaScriptEnabled: false });
    await page.goto(stage.link(many));
    await page.getByRole("searchbox").fill("lohne");
    await press(page, "Search");
    expect(await page.getByRole("status").textContent()).toBe("1 system");
    expect(await focusedName(page)).toBe("q");
    await press(page, "Löhne & Gehälter");
    expect(await page.locator("main h1").textContent()).toBe("Sign in to Löhne & Gehälter");
    await press(page, "Choose another system");
    expect(await page.getByRole("status").textContent()).toBe("60 systems");
  });

  test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    "the accesses to an account are found by the same search (%o)",
    async (options) => {
      const page = await stage.visitor(options);
      await page.goto(`${stage.harness.baseUrl}/connect/accesses?lang=de`);
      await page.getByRole("searchbox", { name: "Ihr System suchen" }).fill("lohne");
      if (!options.javaScriptEnabled) await press(page, "Suchen");
      await page
        .getByRole("status")
        .filter({ hasText: /^1 System$/ })
        .waitFor();
      expect(await page.getByRole("button", { name: "Zürich Payroll" }).isVisible()).toBe(false);
      await press(page, "Löhne & Gehälter");
      expect(await page.locator("main h1").textContent()).toBe("Bei Löhne & Gehälter anmelden");
    },
  );

  test("what was searched for without a script is found with one too, and so is the rest", async () => {
    const page = await stage.visitor();
    await page.goto(`${await begin(page, stage.link(many))}?q=lohne`);
    expect(await page.getByRole("button", { name: "Löhne & Gehälter" }).isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Zürich Payroll" }).isVisible()).toBe(false);
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "Zürich Payroll" }).waitFor();
  });

  test("a short list has no search", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link(few));
    expect(await page.getByRole("searchbox").count()).toBe(0);
    expect(await page.locator(".provider").allTextContents()).toEqual([
      "AAlpha HR",
      "BBeta Payroll",
    ]);
  });

  test("the whole way goes by keyboard alone, in the order of the page, and every stop shows", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link(few));
    const stops = async (count: number): Promise<string[]> => {
      const seen: string[] = [];
      for (let stop = 0; stop < count; stop += 1) {
        await page.keyboard.press("Tab");
        const { name, outline } = await page.evaluate<{ name: string; outline: string }>(
          "({ name: (document.activeElement.name || '') + ':' + document.activeElement.textContent, outline: getComputedStyle(document.activeElement).outlineStyle })",
        );
        expect(outline).toBe("solid");
        seen.push(name);
      }
      return seen;
    };
    expect(await stops(7)).toEqual([
      "provider:AAlpha HR",
      "provider:BBeta Payroll",
      ":Cancel and go back to Acme Payroll",
      ":See and end access (opens in a new tab)",
      ":Deutsch",
      ":Français",
      ":Español",
    ]);
    await page.keyboard.press("Shift+Tab");
    for (let stop = 0; stop < 4; stop += 1) await page.keyboard.press("Shift+Tab");
    const form = page.waitForEvent("domcontentloaded");
    await page.keyboard.press("Enter");
    await form;
    expect(await stops(8)).toEqual([
      ":See and end access (opens in a new tab)",
      "username:",
      "password:",
      ":Show Password",
      ":Sign in and connect",
      ":Choose another system",
      ":Cancel and go back to Acme Payroll",
      ":What we store, for how long, and how to disconnect",
    ]);
    await page.keyboard.press("Enter");
    expect(await page.getByText("To disconnect, ask").isVisible()).toBe(true);
    for (let stop = 0; stop < 6; stop += 1) await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("ann");
    await page.keyboard.press("Tab");
    await page.keyboard.type("anything");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toHaveProperty("code");
  });

  test("a phone will do", async () => {
    const page = await stage.visitor({
      viewport: { width: 360, height: 640 },
      isMobile: true,
      hasTouch: true,
      deviceScaleFactor: 2,
    });
    await page.goto(stage.link(few));
    await page.getByRole("button", { name: "Beta Payroll" }).tap();
    await page.getByRole("heading", { name: "Sign in to Beta Payroll" }).waitFor();
    await page.locator("[name=username]").fill("ann");
    await page.locator("[name=password]").fill("anything");
    await page.getByRole("button", { name: "Sign in and connect" }).tap();
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toHaveProperty("code");
  });

  test("names from elsewhere stay what they are: long, from right to left, or full of marks", async () => {
    const { clients } = stage.harness.services;
    const { client } = await clients.create({
      name: `\u202Eevil\u2066<b>شركة ${"x".repeat(70)}`,
      redirectUris: ["https://xn--bcher-kva.example/callback"],
    });
    const page = await stage.visitor({ viewport: { width: 320, height: 640 } });
    await page.goto(
      stage.link({
        ...many,
        client_id: client.clientId,
        redirect_uri: "https://xn--bcher-kva.example/callback",
      }),
    );
    expect(await page.locator(".asks bdi").first().textContent()).toBe(
      `evil<b>شركة ${"x".repeat(70)}`,
    );
    expect(await page.locator(".returns").textContent()).toBe(
      "Afterwards you’ll return to xn--bcher-kva.example.",
    );
    expect(await fitsItsWidth(page)).toBe(true);
    await press(page, "نظام الرواتب");
    expect(await page.locator("main h1 bdi").textContent()).toBe("نظام الرواتب");
  });
});
