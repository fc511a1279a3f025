import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { removeExpiredFlows } from "../../../src/connect/index.ts";
import { en } from "../../../src/connect/texts/en.ts";
import { launchBrowser } from "../../support/browser.ts";
import { begin, signInAs, Stage } from "./stage.ts";

const browser = await launchBrowser();

describe.skipIf(!browser)("links, in a browser", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!);
  });
  afterEach(() => stage.leave());
  afterAll(() => stage.close());

  test.each([
    [
      "a redirect address that is not registered",
      { redirect_uri: "https://elsewhere.example/callback" },
      en.errors.redirectUnknown.replace("{address}", "https://elsewhere.example/callback"),
    ],
    [
      "a client that is not known",
      { client_id: "3FDAEDF9-1DCA4F54-87949F6A-41027643" },
      en.errors.clientUnknown,
    ],
    ["no redirect address", { redirect_uri: undefined }, en.errors.repeated],
  ])("%s leads nowhere", async (_what, parameters, detail) => {
    const page = await stage.visitor();
    const link = stage.link(parameters);
    const response = await page.goto(link);
    expect(response?.status()).toBe(400);
    expect(page.url()).toBe(new URL(link).href);
    expect(await page.locator("main h1").textContent()).toBe(en.title.link);
    expect(await page.locator("main p").allTextContents()).toEqual([
      en.errors.link,
      `${en.errors.detail} ${detail}`,
    ]);
    expect(await page.locator("main a, main form").count()).toBe(0);
  });

  test("a link that lost its end on the way is told as one", async () => {
    const page = await stage.visitor();
    const response = await page.goto((await stage.session()).slice(0, -3));
    expect(response?.status()).toBe(400);
    expect(await page.locator("main p").textContent()).toBe(en.errors.link);
  });

  test("what is wrong with the rest of a link is told to the client", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link({ scope: "/2023-03-01/xhr/nothing" }));
    expect(stage.app.latest).toMatchObject({ error: "invalid_scope", state: "af0 ifjs/ldkj" });
  });

  test("a sign-in that was left open for too long has expired, also for a form that is sent then", async () => {
    const page = await stage.visitor();
    await stage.letTimePass(await begin(page, stage.link()), 1_801);
    await signInAs(page, "user_good");
    expect(await page.locator("main h1").textContent()).toBe(en.title.expired);
    expect(await page.locator("main p").textContent()).toBe(en.errors.expired);
  });

  test("the sign-in of another browser is not shown", async () => {
    const page = await stage.visitor();
    const address = await begin(page, stage.link());
    const other = await stage.visitor();
    const response = await other.goto(address);
    expect(response?.status()).toBe(404);
    expect(await other.locator("main h1").textContent()).toBe(en.title.unknown);
  });

  test("a one-time link works in one browser, as often as that one wants, until it expires", async () => {
    const link = await stage.session();
    const other = await stage.visitor();
    await other.goto(link);
    const page = await stage.visitor();
    const address = await begin(page, link);
    await page.goto(link);
    expect(page.url()).toBe(address);
    expect(await page.locator("main h1").textContent()).toBe("Sign in to Sandbox");
    const response = await other.goto(link);
    expect(response?.status()).toBe(410);
    expect(await other.locator("main h1").textContent()).toBe(en.title.used);
    await stage.letTimePass(page.url(), 1_801);
    await page.goto(link);
    expect(await page.locator("main h1").textContent()).toBe(en.title.expired);
    await removeExpiredFlows(stage.harness.services);
    await page.goto(link);
    expect(await page.locator("main h1").textContent()).toBe(en.title.expired);
  });

  test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    "a form without its cookie shows the page again, and then works (%o)",
    async (options) => {
      const page = await stage.visitor(options);
      const link = stage.link();
      await page.goto(link);
      await page.context().clearCookies();
      await signInAs(page, "user_good");
      expect(page.url()).toBe(new URL(link).href);
      expect(await page.getByRole("alert").textContent()).toBe(en.form.again);
      await signInAs(page, "user_good");
      await page.waitForURL(`${stage.app.redirectUri}**`);
      expect(stage.app.latest).toHaveProperty("code");
    },
  );

  test("a re-authentication makes the same token work again, and gives no code", async () => {
    const { token, tokenId } = await stage.harness.connect({
      client: { client: stage.client, secret: stage.secret },
      user: "user_expired",
      scopes: ["/2023-03-01/xhr/company"],
    });
    const read = () =>
      stage.harness.http.get("/2023-03-01/xhr/company", {
        bearer: token,
        headers: { prefer: "wait=30" },
      });
    expect(await read()).toMatchObject({
      status: 401,
      body: { code: "reauthentication_required" },
    });
    const page = await stage.visitor();
    await page.goto(await stage.session({ token: tokenId, state: "back" }));
    expect(await page.locator(".asks").textContent()).toContain(
      "Acme Payroll asks you to sign in to Sandbox again",
    );
    await signInAs(page, "user_good");
    await page.waitForURL(`${stage.app.redirectUri}**`);
    expect(stage.app.latest).toEqual({ state: "back", iss: stage.harness.baseUrl });
    expect(await read()).toMatchObject({ status: 200 });
  });
});
