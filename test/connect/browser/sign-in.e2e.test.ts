import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { formatText } from "../../../src/connect/pages/format.ts";
import { en } from "../../../src/connect/texts/en.ts";
import { untilTrue } from "../../support/until-true.ts";
import { launchBrowser } from "../../support/browser.ts";
import { begin, focusedName, press, signInAs, Stage } from "./stage.ts";

const browser = await launchBrowser();
const names = { client: "Acme Payroll", provider: "Sandbox", fields: "user name or password" };
const withAndWithoutScript = [{ javaScriptEnabled: true }, { javaScriptEnabled: false }];

describe.skipIf(!browser)("signing in, in a browser", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!);
  });
  afterEach(() => stage.leave());
  afterAll(() => stage.close());

  async function isBack(page: Page): Promise<Record<string, string>> {
    // Not by waiting for one navigation: a form that is sent again aborts the one before.
    await untilTrue("the browser is back", async () =>
      page.url().startsWith(stage.app.redirectUri),
    );
    await page.waitForLoadState();
    return stage.app.latest;
  }

  test.each(withAndWithoutScript)(
    "leads back with a code that is worth a token (%o)",
    async (options) => {
      const page = await stage.visitor(options);
      await page.goto(stage.link());
      await signInAs(page, "user_good");
      const { code = "", ...rest } = await isBack(page);
      expect(rest).toEqual({
        authorization_code: code,
        state: "af0 ifjs/ldkj",
        iss: stage.harness.baseUrl,
      });
      expect(await stage.exchange(code)).toMatchObject({ status: 201 });
    },
  );

  test.each(withAndWithoutScript)("a second factor may be mistyped (%o)", async (options) => {
    const page = await stage.visitor(options);
    await page.goto(stage.link());
    await signInAs(page, "user_mfa");
    const code = page.getByLabel("Six-digit code from your authenticator app");
    await code.fill("000000");
    await press(page, "Continue");
    expect(await page.getByRole("alert").textContent()).toBe(en.refusals.incorrect_mfa_or_otp);
    expect(await page.title()).toContain("Problem");
    expect(await code.getAttribute("aria-describedby")).toBe("answer-help answer-error");
    expect(await focusedName(page)).toBe("answer");
    await code.fill(" 123456 ");
    await press(page, "Continue");
    expect(await isBack(page)).toHaveProperty("code");
  });

  test.each(withAndWithoutScript)(
    "after a wrong password the name is still there, the password is not, and the keyboard is at it (%o)",
    async (options) => {
      const page = await stage.visitor(options);
      await page.goto(stage.link());
      expect(await page.title()).toBe("Sign in to Sandbox · Rollcall");
      await signInAs(page, "user_bad_password");
      expect(await page.title()).toBe("Problem: Sign in to Sandbox · Rollcall");
      expect(await page.locator("[name=username]").inputValue()).toBe("user_bad_password");
      expect(await page.locator("[name=password]").inputValue()).toBe("");
      expect(await focusedName(page)).toBe("password");
      expect(await page.locator("[name=password]").getAttribute("aria-describedby")).toBe(
        "field-password-help field-password-use notice",
      );
      await signInAs(page, "user_good");
      expect(await isBack(page)).toHaveProperty("code");
    },
  );

  test.each([
    [320, 568, "fr"],
    [360, 640, "de"],
    [390, 844, "en"],
  ])(
    "after a wrong password a screen of %i by %i shows what was wrong together with the field to type in (%s)",
    async (width, height, locale) => {
      const page = await stage.visitor({
        viewport: { width, height },
        isMobile: true,
        hasTouch: true,
      });
      await page.goto(stage.link({ locale }));
      await page.locator("[name=username]").fill("user_bad_password");
      await page.locator("[name=password]").fill("anything");
      await page.locator("button.primary").click();
      const alert = await page.getByRole("alert").boundingBox();
      const field = await page.locator("[name=password]").boundingBox();
      expect(alert?.y).toBeGreaterThanOrEqual(0);
      expect(field?.y).toBeGreaterThan(alert?.y ?? height);
      expect((field?.y ?? height) + (field?.height ?? 0)).toBeLessThanOrEqual(height);
    },
  );

  test.each([
    ["user_bad_password", "incorrect_username_or_password"],
    ["user_captcha", "captcha_challenge"],
    ["user_setup_required", "additional_account_setup_required"],
    ["user_no_permission", "insufficient_permission"],
  ] as const)("%s is told why, and what to do about it", async (user, code) => {
    const page = await stage.visitor();
    await page.goto(stage.link());
    await signInAs(page, user);
    expect(await page.getByRole("alert").textContent()).toBe(
      formatText(en.refusals[code], names) +
        (user === "user_bad_password" ? ` ${en.test.refused}` : ""),
    );
    expect(await focusedName(page)).toBe(user === "user_bad_password" ? "password" : "notice");
  });

  test("an empty field is held back by the browser, and by the service when it is not", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link());
    const address = page.url();
    await page.locator("[name=username]").fill("user_good");
    await page.getByRole("button", { name: "Sign in and connect" }).click();
    expect(await focusedName(page)).toBe("password");
    expect(page.url()).toBe(address);
    await page
      .locator("form:has(#field-password)")
      .evaluate((form) => ((form as unknown as { noValidate: boolean }).noValidate = true));
    await press(page, "Sign in and connect");
    expect(await page.locator("#field-password-error").textContent()).toBe(
      "Please fill in this field.",
    );
    expect(await page.locator("[name=username]").inputValue()).toBe("user_good");
    expect(await focusedName(page)).toBe("password");
    await signInAs(page, "user_good");
    expect(await isBack(page)).toHaveProperty("code");
  });

  test("five refusals end it, and lead back without a code", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link());
    for (let attempt = 1; attempt <= 5; attempt += 1) await signInAs(page, `nobody_${attempt}`);
    expect(await page.locator("main p").first().textContent()).toBe(
      formatText(en.failed.text, names),
    );
    await press(page, "Back to Acme Payroll");
    expect(await isBack(page)).toMatchObject({ error: "access_denied", state: "af0 ifjs/ldkj" });
  });

  test.each(withAndWithoutScript)(
    "whoever cancels goes back without a code, also with two clicks (%o)",
    async (options) => {
      const page = await stage.visitor(options);
      const cancelled = { error: "access_denied", state: "af0 ifjs/ldkj" };
      await page.goto(stage.link());
      await page.getByRole("button", { name: "Cancel and go back" }).dblclick();
      expect(await isBack(page)).toMatchObject(cancelled);
      const address = await begin(page, stage.link());
      await page.getByRole("button", { name: "Cancel and go back" }).dblclick();
      expect(await isBack(page)).toMatchObject(cancelled);
      await page.goto(address);
      expect(await page.locator("main h1").textContent()).toBe("Nothing was shared");
      expect(await page.locator("main p").textContent()).toBe(formatText(en.done.declined, names));
    },
  );

  test("a form that was tampered with reaches no provider", async () => {
    const page = await stage.visitor();
    const address = await begin(page, stage.link());
    await page
      .locator("form[action$=sign-in] [name=form_token]")
      .evaluate((input) => input.setAttribute("value", "forged"));
    await signInAs(page, "user_good");
    expect(await page.locator("main h1").textContent()).toBe("This form can’t be accepted");
    await page.getByRole("link", { name: "Reopen the sign-in" }).click();
    await page.waitForURL(address);
    await page
      .locator("form[action$=sign-in] [name=step]")
      .evaluate((input) => input.setAttribute("value", "7"));
    await signInAs(page, "user_good");
    expect(page.url()).toBe(address);
    expect(await page.locator("[name=username]").inputValue()).toBe("");
    expect(stage.app.arrivals).toEqual([]);
  });

  test.each(withAndWithoutScript)(
    "a form that is sent twice signs in once (%o)",
    async (options) => {
      const countCodes = async (): Promise<number> =>
        (await stage.harness.database.query("select 1 from authorization_codes")).length;
      const before = await countCodes();
      const page = await stage.visitor(options);
      await page.goto(stage.link());
      await page.locator("[name=username]").fill("user_good");
      await page.locator("[name=password]").fill("anything");
      await page.getByRole("button", { name: "Sign in and connect" }).dblclick();
      expect(await isBack(page)).toHaveProperty("code");
      expect(await countCodes()).toBe(before + 1);
    },
  );

  test("going back after success leads forward again, and later says that all is done", async () => {
    const page = await stage.visitor();
    const address = await begin(page, stage.link());
    await signInAs(page, "user_good");
    const { code } = await isBack(page);
    await page.goBack({ waitUntil: "commit" }).catch(() => undefined);
    expect(await isBack(page)).toMatchObject({ code });
    await stage.letTimePass(address, 61);
    await page.goto(address);
    expect(await page.locator("main p").textContent()).toBe(formatText(en.done.text, names));
    expect(stage.app.arrivals.every((arrival) => arrival.get("code") === code)).toBe(true);
  });

  test("going back after a refusal shows where the sign-in stands, and it goes on from there", async () => {
    const page = await stage.visitor();
    await page.goto(stage.app.origin);
    const address = await begin(page, stage.link());
    await signInAs(page, "user_captcha");
    await page.goBack();
    await page.goto(address);
    expect(await page.getByRole("alert").textContent()).toBe(
      formatText(en.refusals.captcha_challenge, names),
    );
    await signInAs(page, "user_good");
    expect(await isBack(page)).toHaveProperty("code");
  });

  test("the client's address may lead on to another one", async () => {
    const page = await stage.visitor();
    stage.app.leadsOnTo = `${stage.app.aliasOrigin}/home`;
    await page.goto(stage.link());
    await signInAs(page, "user_good");
    await page.waitForURL(stage.app.leadsOnTo);
    await page.goto(stage.link());
    await press(page, "Cancel and go back");
    await page.waitForURL(stage.app.leadsOnTo);
    expect(stage.app.latest).toMatchObject({ error: "access_denied" });
  });

  test("a password can be looked at, and goes out as one", async () => {
    const page = await stage.visitor();
    await page.goto(stage.link());
    const password = page.locator("[name=password]");
    await password.fill("anything");
    await page.getByRole("button", { name: "Show Password" }).click();
    expect(await password.getAttribute("type")).toBe("text");
    await page.getByRole("button", { name: "Hide Password" }).click();
    expect(await password.getAttribute("type")).toBe("password");
  });
});
