import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { textsOf } from "../../../src/connect/texts/index.ts";
import { endpointPaths, locales, scopesOfMode, splitScope } from "../../../src/model/index.ts";
import { launchBrowser } from "../../support/browser.ts";
import { takePictures } from "./axe.ts";
import { manyProviders, SlowProvider } from "./providers.ts";
import { fitsItsWidth, Stage } from "./stage.ts";

const browser = await launchBrowser();
/** Ten kinds of data: single employees are among the list of all. */
const scope = scopesOfMode("xhr")
  .filter((one) => splitScope(one).path !== "employee")
  .join(" ");
const phone = { width: 390, height: 844 };
const smallPhone = { width: 320, height: 640 };

describe.skipIf(!browser)("on a small screen", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!, { registry: manyProviders(new SlowProvider()) });
  });
  afterEach(() => stage.leave());
  afterAll(() => stage.close());

  test("the form of the provider is on the first one, whole, although ten kinds of data are asked for", async () => {
    const page = await stage.visitor({ viewport: phone, isMobile: true, hasTouch: true });
    const bottom = async (selector: string): Promise<number> => {
      const box = await page.locator(selector).first().boundingBox();
      return box ? box.y + box.height : Infinity;
    };
    for (const locale of locales) {
      await page.goto(stage.link({ scope, locale }));
      const lowest = [await bottom("[name=username]"), await bottom("form button.primary")];
      expect({ locale, isWhole: Math.max(...lowest) < phone.height, lowest }).toMatchObject({
        isWhole: true,
      });
      await takePictures(page, `form-${locale}`, phone);
    }
  });

  test("the first field is on a very small one too", async () => {
    const page = await stage.visitor({ viewport: smallPhone, isMobile: true, hasTouch: true });
    await page.goto(stage.link({ scope }));
    const box = await page.locator("[name=username]").boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(smallPhone.height);
    await takePictures(page, "form", smallPhone);
  });

  test.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    "who asks, for which kinds, read-only and where it leads stand open; what they hold opens (%o)",
    async (options) => {
      const page = await stage.visitor({ ...options, viewport: phone });
      await page.goto(stage.link({ scope }));
      const { consent, scopes } = textsOf.en;
      const paths = endpointPaths.filter((path) => path !== "employee");
      const essentials = [
        paths.map((path) => scopes[path].name).join(", "),
        consent.readOnly,
        "Afterwards you’ll return to",
      ];
      for (const sentence of essentials)
        expect(await page.getByText(sentence).filter({ visible: true }).count()).toBe(1);
      const holds = page.getByText(scopes.payruns.holds ?? "missing").filter({ visible: true });
      expect(await holds.count()).toBe(0);
      await page.locator(".folded summary").click();
      expect(await holds.count()).toBe(1);
      expect(await page.getByText("Access lasts until").filter({ visible: true }).count()).toBe(1);
      expect(await fitsItsWidth(page)).toBe(true);
    },
  );

  test.each([320, 390, 768, 1440])(
    "a page %i pixels wide needs no moving from side to side",
    async (width) => {
      const page = await stage.visitor({ viewport: { width, height: 900 } });
      const links = {
        form: stage.link({ scope }),
        choice: stage.link({ scope, provider: undefined, tags: "many" }),
        error: stage.link({ scope, redirect_uri: "https://elsewhere.example/" }),
      };
      for (const [name, link] of Object.entries(links)) {
        await page.goto(link);
        expect(await fitsItsWidth(page)).toBe(true);
        await takePictures(page, `width-${name}`, { width, height: 900 });
      }
    },
  );

  test("that it is a test stands beside who asks whom, in each language", async () => {
    const page = await stage.visitor({ viewport: smallPhone });
    for (const locale of locales) {
      await page.goto(stage.link({ scope, locale, sandbox: "true", provider: undefined }));
      const [band, marks] = [
        await page.locator(".test-band").boundingBox(),
        await page.locator(".between").boundingBox(),
      ];
      const gap = marks!.x - (band!.x + band!.width);
      expect({ locale, isBeside: gap >= 0, gap }).toMatchObject({ isBeside: true });
      expect(await fitsItsWidth(page)).toBe(true);
      await takePictures(page, `test-${locale}`, smallPhone);
    }
  });

  test("a wide one shows the whole list beside the form, once", async () => {
    const page = await stage.visitor({ viewport: { width: 1440, height: 900 } });
    await page.goto(stage.link({ scope }));
    const holds = page
      .getByText(textsOf.en.scopes.payruns.holds ?? "missing")
      .filter({ visible: true });
    expect(await holds.count()).toBe(1);
    expect(await page.getByText("Access lasts until").filter({ visible: true }).count()).toBe(1);
    expect(await page.locator(".folded").isVisible()).toBe(false);
  });

  test("what the client says of itself opens with the kinds of data, and stands open on a wide one, once", async () => {
    const purpose = "To plan holidays and shifts for your teams.";
    await stage.harness.services.clients.update(await stage.currentClient(), {
      purpose,
      privacyUrl: "https://app.acme.example/privacy",
    });
    const page = await stage.visitor({ viewport: phone });
    await page.goto(stage.link({ scope }));
    const countShown = async (): Promise<number[]> => [
      await page.getByText(purpose).filter({ visible: true }).count(),
      await page.getByRole("link", { name: "Acme Payroll’s privacy policy" }).count(),
    ];
    expect(await countShown()).toEqual([0, 0]);
    await page.locator(".folded summary").click();
    expect(await countShown()).toEqual([1, 1]);
    expect(await fitsItsWidth(page)).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await countShown()).toEqual([1, 1]);
  });
});
