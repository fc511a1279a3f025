import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findViolations, narrow } from "../connect/browser/axe.ts";
import { fitsItsWidth } from "../connect/browser/stage.ts";
import { launchBrowser } from "../support/browser.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { freePort } from "../support/redis-server.ts";

const browser = await launchBrowser();
const phone = { width: 390, height: 844 };

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
    "/",
    "/docs/quickstart",
    "/docs/sign-in-popup",
    "/docs/coverage",
    "/docs/sign-in-link",
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

  test("on a phone the header is one row, with the search and a menu of all sections", async () => {
    for (const path of ["/", "/docs/webhooks"]) {
      const page = await open(path, { viewport: phone, javaScriptEnabled: false });
      expect((await page.locator("header.top").boundingBox())?.height).toBeLessThan(70);
      expect(await page.getByRole("searchbox").isVisible()).toBe(true);
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      const menu = page.getByRole("navigation", { name: "Documentation" });
      for (const name of ["Guides", "Reference"])
        expect(await menu.getByRole("link", { name, exact: true }).isVisible()).toBe(true);
      expect(await menu.getByText("For operators").isVisible()).toBe(true);
    }
  });

  test("on a phone the cells of a row stand below each other, with their titles", async () => {
    const page = await open("/docs/sign-in-link", { viewport: phone });
    const cells = page.locator("tbody tr").first().locator("td");
    const boxes = await Promise.all([0, 1, 2].map((index) => cells.nth(index).boundingBox()));
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
    const label = await page.evaluate(
      'getComputedStyle(document.querySelector("tbody td:nth-child(3)"), "::before").content',
    );
    expect(label).toContain("meaning");
    const wide = await page.evaluate(
      '[...document.querySelectorAll(".table")].some((one) => one.scrollWidth > one.clientWidth)',
    );
    expect(wide).toBe(false);
  });

  test("a button copies a block of code, and is not there without a script", async () => {
    const page = await open("/docs/quickstart");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const block = page.locator("pre:not(.output)").first();
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await block.innerText());
    const without = await open("/docs/quickstart", { javaScriptEnabled: false });
    expect(await without.getByRole("button", { name: "Copy" }).count()).toBe(0);
  });

  test("the form of an operation sends it, and breaks no policy, light and dark", async () => {
    const { token } = await harness.connect();
    const page = await open("/docs/reference/list-companies");
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.getByLabel("Access token").fill(token);
    await page.getByLabel("Prefer").fill("");
    await page.getByRole("button", { name: "Send GET" }).click();
    await page.getByRole("heading", { name: /^202 after/ }).waitFor();
    await harness.drain();
    // The next page of the tab knows the token.
    await page.goto(`${harness.baseUrl}/docs/reference/list-companies`);
    await page.getByLabel("Prefer").fill("");
    await page.getByRole("button", { name: "Send GET" }).click();
    await page.getByRole("heading", { name: /^200 after/ }).waitFor();
    expect(await page.getByLabel("Body of the answer").innerText()).toContain("display_name");
    expect(await findViolations(page, "tried")).toEqual([]);
    await page.goto(`${harness.baseUrl}/docs/reference/get-token`);
    const { client, secret } = await harness.createClient();
    await page.getByLabel("client_id (required)").fill(client.clientId);
    await page.getByLabel("client_secret (required)").fill(secret);
    await page.getByLabel("token_id (required)").fill("x/y?z");
    await page.getByRole("button", { name: "Send GET" }).click();
    await page.getByRole("heading", { name: /^404 after/ }).waitFor();
    expect(await page.getByLabel("Body of the answer").innerText()).toContain("x/y?z");
    expect(errors.filter((text) => !text.includes("404"))).toEqual([]);
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

  test("hits are listed while somebody types, and the keyboard alone leads to one", async () => {
    const page = await open("/docs", { viewport: { width: 1280, height: 900 } });
    await page.keyboard.press("/");
    await page.keyboard.type("verify signature");
    const first = page.getByRole("option").first();
    await first.waitFor();
    expect(await findViolations(page, "hits")).toEqual([]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    expect(await first.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await page.getByRole("option").count()).toBe(0);
    await page.keyboard.type("s");
    await first.waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/webhooks#the-signature-of-standard-webhooks");
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
