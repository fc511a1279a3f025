import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../../support/browser.ts";
import { findViolations, narrow } from "./axe.ts";
import { everyPage } from "./every-page.ts";
import { manyProviders, SlowProvider } from "./providers.ts";
import { fitsItsWidth, Stage } from "./stage.ts";

/** Of the operator, on each page. */
const wideLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 56">
<rect width="56" height="56" rx="14" fill="#123a63"/><text x="70" y="40" font-size="34" fill="#123a63">Northwind</text></svg>`;

const browser = await launchBrowser();

describe.skipIf(!browser)("every page of the sign-in", () => {
  const slow = new SlowProvider();
  let stage: Stage;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rollcall-logo-"));
    const logo = join(folder, "logo.svg");
    await writeFile(logo, wideLogo);
    const env = { OPERATOR_LOGO: logo, SERVICE_NAME: "Northwind", CLIENT_BRANDING: "on" };
    stage = await Stage.open(browser!, { registry: manyProviders(slow), env });
  });
  afterEach(async () => {
    slow.answer();
    await stage.leave();
    slow.reset();
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true });
  });

  test.each(Object.keys(everyPage))(
    "%s: nothing keeps anybody out, light and dark, narrow and wide",
    async (name) => {
      const page = await stage.visitorAgain({ viewport: narrow, reducedMotion: "reduce" });
      await everyPage[name]?.({ stage, slow, page });
      expect(await page.locator("main h1").count()).toBe(1);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await findViolations(page, name)).toEqual([]);
    },
  );
});
