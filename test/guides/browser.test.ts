import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findViolations, narrow } from "../connect/browser/axe.ts";
import { fitsItsWidth } from "../connect/browser/stage.ts";
import { launchBrowser } from "../support/browser.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";

const browser = await launchBrowser();

describe.skipIf(!browser)("the documentation in a browser", () => {
  let harness: Harness;
  beforeAll(async () => {
    const port = await freePort();
    harness = await createHarness({ port, env: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
  });
  afterEach(async () => {
    for (const context of browser!.contexts()) await context.close();
  });
  afterAll(async () => {
    await harness.close();
    await browser!.close();
  });

  const open = async (
    path: string,
    { viewport = narrow, javaScriptEnabled = true } = {},
  ): Promise<Page> => {
    const context = await browser!.newContext({ viewport, javaScriptEnabled });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(harness.baseUrl + path);
    return page;
  };

  test.each([
    "/docs",
    "/docs/quickstart",
    "/docs/sign-in-popup",
    "/docs/errors-and-limits",
    "/docs/webhooks",
    "/docs/providers",
    "/docs/reference",
    "/docs/reference/create-token",
    "/docs/reference/list-employees",
    "/docs/search?q=webhook",
    "/docs/search?q=nothing-at-all",
    "/docs/missing",
  ])("%s: nothing keeps anybody out, light and dark, narrow and wide", async (path) => {
    const page = await open(path);
    expect(await page.locator("main h1").count()).toBe(1);
    expect(await fitsItsWidth(page)).toBe(true);
    const name = `docs${path.replaceAll(/\W/g, "-")}`;
    expect(await findViolations(page, name)).toEqual([]);
  });

  test("the first key leads past the navigation", async () => {
    const page = await open("/docs/webhooks", { viewport: { width: 1280, height: 900 } });
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
  });

  test("without a script: the menu opens and closes by the keyboard where the page is narrow", async () => {
    const page = await open("/docs/webhooks", { javaScriptEnabled: false });
    const menu = page.getByRole("navigation", { name: "Documentation" });
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu", exact: true }).focus();
    await page.keyboard.press("Enter");
    await menu.waitFor({ state: "visible" });
    expect(await menu.getByRole("link", { name: "Webhooks", exact: true }).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
  });

  test("the navigation stays in sight where the page is wide, and the menu button is gone", async () => {
    const page = await open("/docs/webhooks", { viewport: { width: 1440, height: 900 } });
    await page.mouse.wheel(0, 3_000);
    const menu = page.getByRole("navigation", { name: "Documentation" });
    expect((await menu.boundingBox())?.y).toBeLessThan(100);
    expect(await page.getByRole("button", { name: "Menu", exact: true }).isVisible()).toBe(false);
  });

  test("without a script: the arrow keys choose the language of a sample", async () => {
    const page = await open("/docs/reference/list-employees", { javaScriptEnabled: false });
    const sample = (name: string) => page.getByLabel(`Sample in ${name}`);
    await sample("curl").waitFor({ state: "visible" });
    await page.getByRole("radio", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    await sample("TypeScript").waitFor({ state: "visible" });
    expect(await sample("curl").isVisible()).toBe(false);
  });

  test("without a script: a search leads to the section that it found", async () => {
    const page = await open("/docs", { javaScriptEnabled: false });
    await page.getByRole("searchbox").fill("rotate secrets");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Rotate secrets" }).first().click();
    await page.waitForURL("**/docs/webhooks#rotate-secrets");
    expect(await page.getByRole("heading", { name: "Rotate secrets" }).isVisible()).toBe(true);
  });

  test("on paper there is the text, all samples and no navigation", async () => {
    const page = await open("/docs/reference/list-employees", {
      viewport: { width: 1280, height: 900 },
    });
    await page.emulateMedia({ media: "print" });
    expect(await page.getByLabel("Sample in Python").isVisible()).toBe(true);
    expect(await page.getByRole("navigation", { name: "Documentation" }).isVisible()).toBe(false);
  });
});
