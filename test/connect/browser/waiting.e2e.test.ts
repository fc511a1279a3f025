import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { formatText } from "../../../src/connect/pages/format.ts";
import { en } from "../../../src/connect/texts/en.ts";
import { launchBrowser } from "../../support/browser.ts";
import { untilTrue } from "../../support/until-true.ts";
import { manyProviders, SlowProvider } from "./providers.ts";
import { focusedName, press, signInAs, Stage, type VisitorOptions } from "./stage.ts";

const browser = await launchBrowser();
const names = { client: "Acme Payroll", provider: "Slow & Steady" };

describe.skipIf(!browser)("while the provider takes its time", () => {
  const slow = new SlowProvider();
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!, { registry: manyProviders(slow) });
  });
  afterEach(async () => {
    slow.answer();
    await stage.leave();
    slow.reset();
  });
  afterAll(() => stage.close());

  /** On the page that waits. */
  async function wait(options: VisitorOptions = {}): Promise<Page> {
    const page = await stage.visitor(options);
    await page.goto(stage.link({ provider: "slow" }));
    await signInAs(page, "ann");
    await slow.reached;
    expect(await page.locator("main h1").textContent()).toBe("Signing in to Slow & Steady");
    return page;
  }

  async function phaseOf(page: Page): Promise<unknown> {
    const [row] = await stage.harness.database.query(
      "select phase from connect_flows where id = $1",
      [new URL(page.url()).pathname.split("/")[2]],
    );
    return row?.["phase"];
  }

  test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    "the page says what happens, and goes on by itself (%o)",
    async (options) => {
      const page = await wait(options);
      expect(await page.locator("main p").allTextContents()).toEqual(
        [en.working.text, en.working.stay].map((text) => formatText(text, names)),
      );
      slow.answer();
      await page.waitForURL(`${stage.app.redirectUri}**`);
      expect(stage.app.latest).toHaveProperty("code");
    },
  );

  test("it goes on although the service answers with errors for a while", async () => {
    const page = await wait({ ignoresProblems: true });
    const replies = [
      { status: 503, body: "<h1>away</h1>" },
      { status: 200, body: "<h1>no JSON</h1>" },
    ];
    await page.route("**/status?*", (route) => {
      const reply = replies.shift();
      return reply ? route.fulfill(reply) : route.continue();
    });
    await page.reload();
    await untilTrue("every error was answered", () => replies.length === 0);
    slow.answer();
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toHaveProperty("code");
  });

  test("it says so by itself when the sign-in is no longer there", async () => {
    const page = await wait({ ignoresProblems: true });
    await page.route("**/status?*", async (route) => {
      await stage.harness.database.query("delete from connect_flows");
      await route.continue();
    });
    await page.reload();
    await page.getByRole("heading", { name: en.title.unknown }).waitFor();
    expect(stage.app.arrivals).toEqual([]);
  });

  test("a sign-in that was cut off can be made again", async () => {
    const page = await wait();
    await stage.harness.database.query(
      "update connect_flows set lease_until = lease_until - interval '11 seconds', run = run + 1",
    );
    await page.reload();
    expect(await page.getByRole("alert").textContent()).toBe(
      formatText(en.problems.interrupted, names),
    );
    slow.answer();
    await signInAs(page, "ann");
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toHaveProperty("code");
  });

  test("whoever cancels while it waits goes back without a code", async () => {
    const page = await wait();
    await press(page, "Cancel and go back");
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toMatchObject({ error: "access_denied" });
  });

  test("so does whoever cancels on a page that the answer has just overtaken", async () => {
    const page = await wait();
    await page.route("**/status?*", () => undefined);
    await page.reload();
    slow.answer();
    await untilTrue("the sign-in is through", async () => (await phaseOf(page)) === "ready");
    await press(page, "Cancel and go back");
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toMatchObject({ error: "access_denied" });
  });

  test.each([
    ["down", formatText(en.problems.unavailable, { provider: "Troubled HR" })],
    [
      "unsupported",
      formatText(en.problems.unsupported, { provider: "Troubled HR", client: "Acme Payroll" }),
    ],
    ["broken", formatText(en.problems.broken, { provider: "Troubled HR", client: "Acme Payroll" })],
  ])("a provider that is %s is told in words", async (user, words) => {
    const page = await stage.visitor();
    await page.goto(stage.link({ provider: "troubled" }));
    await signInAs(page, user);
    expect(await page.getByRole("alert").textContent()).toBe(words);
  });

  test("what the provider says of a field stands at the field, as text", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link({ provider: "troubled" }));
    await signInAs(page, "field");
    const field = page.locator("[name=username]");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("#field-username-error").textContent()).toBe(
      "Only people of the <head office> may sign in here.",
    );
    expect(await focusedName(page)).toBe("username");
  });
});
