import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { en } from "../../../src/connect/texts/en.ts";
import { AskingProvider, helpUrl } from "../../support/asking-provider.ts";
import { launchBrowser } from "../../support/browser.ts";
import { focusedName, press, signInAs, Stage, type VisitorOptions } from "./stage.ts";

const browser = await launchBrowser();
const withAndWithoutScript = [{ javaScriptEnabled: true }, { javaScriptEnabled: false }];

describe.skipIf(!browser)("what a provider asks, in a browser", () => {
  const asking = new AskingProvider();
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!, { registry: asking.registry() });
  });
  afterEach(async () => {
    await stage.leave();
    asking.reset();
  });
  afterAll(() => stage.close());

  async function begin(kinds: string, options: VisitorOptions = {}): Promise<Page> {
    const page = await stage.visitor(options);
    await page.goto(stage.link({ provider: "asking" }));
    await page.getByLabel("Region").selectOption({ label: "America" });
    await signInAs(page, kinds);
    return page;
  }

  async function isBack(page: Page): Promise<void> {
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toHaveProperty("code");
  }

  test.each(withAndWithoutScript)("is answered by keyboard alone (%o)", async (options) => {
    const page = await begin("secret,choose,text", options);
    expect(await focusedName(page)).toBe("answer");
    expect(await page.getByLabel("A colour").getAttribute("type")).toBe("password");
    await page.keyboard.type("blue");
    await page.keyboard.press("Enter");
    const group = page.getByRole("group", { name: "Which company?" });
    await group.waitFor();
    expect(await group.getByRole("radio").count()).toBe(2);
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.getByRole("radio", { name: "Acme <Ltd>" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "A colour" }).fill("blue");
    await press(page, "Continue");
    await isBack(page);
    expect(asking.answers).toEqual(["blue", "b", "blue"]);
  });

  test.each(withAndWithoutScript)("is waited for without a click (%o)", async (options) => {
    asking.everySeconds = 2;
    const page = await begin("wait", options);
    expect(await page.locator("main h1").textContent()).toBe(en.title.approval);
    expect(await page.locator("main p").first().textContent()).toBe("Approve it in your app");
    await isBack(page);
  });

  test("a page of help opens in another tab, which learns nothing of the sign-in", async () => {
    const page = await stage.visitor();
    await page
      .context()
      .route(helpUrl, (route) =>
        route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Help</title>" }),
      );
    await page.goto(stage.link({ provider: "asking" }));
    const address = page.url();
    const opening = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Where to find this" }).click();
    const help = await opening;
    await help.waitForLoadState();
    expect(await help.evaluate("[document.referrer, window.opener]")).toEqual(["", null]);
    expect(page.url()).toBe(address);
  });
});
