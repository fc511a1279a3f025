import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../../support/browser.ts";
import { findViolations, narrow } from "./axe.ts";
import { everyPage } from "./every-page.ts";
import { manyProviders, SlowProvider } from "./providers.ts";
import { fitsItsWidth, Stage } from "./stage.ts";

const browser = await launchBrowser();

describe.skipIf(!browser)("every page of the sign-in", () => {
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

  test.each(Object.keys(everyPage))(
    "%s: nothing keeps anybody out, light and dark, narrow and wide",
    async (name) => {
      const page = await stage.visitor({ viewport: narrow, reducedMotion: "reduce" });
      await everyPage[name]?.({ stage, slow, page });
      expect(await page.locator("main h1").count()).toBe(1);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await findViolations(page, name)).toEqual([]);
    },
  );
});
