import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ProviderRegistry } from "../../../src/providers/registry.ts";
import { sandbox } from "../../../src/providers/sandbox/index.ts";
import { launchBrowser } from "../../support/browser.ts";
import { newestToken } from "../../support/harness.ts";
import type { Reply } from "../../support/http-client.ts";
import { MovedClock } from "../../support/moved-clock.ts";
import { freePort } from "../../support/redis-server.ts";
import { findViolations, narrow } from "./axe.ts";
import { fitsItsWidth, Stage } from "./stage.ts";
import { startVendors, type ReadRecord, type Vendor } from "./vendors.ts";

const browser = await launchBrowser();

describe.skipIf(!browser)("a sign-in on the provider's own page, in a browser", () => {
  const clock = new MovedClock();
  const vendors = new Map<string, Vendor>();
  let stage: Stage;
  beforeAll(async () => {
    const port = await freePort();
    const options = { now: () => clock.now(), serviceUrl: `http://127.0.0.1:${port}` };
    for (const [name, start] of startVendors) vendors.set(name, await start(options));
    const all = [...vendors.values()];
    stage = await Stage.open(browser!, {
      clock,
      port,
      registry: new ProviderRegistry([sandbox, ...all.map(({ definition }) => definition)]),
      env: Object.fromEntries(all.flatMap(describeApplication)),
      vendors: all.map(({ origin }) => origin),
    });
  });
  afterEach(() => stage.leave());
  afterAll(async () => {
    await stage.close();
    for (const vendor of vendors.values()) await vendor.stop();
  });

  const linkOf = ({ definition, mode, paths }: Vendor): string =>
    stage.link({
      provider: definition.name,
      mode,
      scope: paths.map((path) => `/2023-03-01/${mode}/${path}`).join(" "),
    });

  const get = async (bearer: string, { mode }: Vendor, path: string): Promise<Reply> =>
    await stage.harness.http.get(`/2023-03-01/${mode}/${path}`, {
      bearer,
      headers: { "cache-control": "no-cache", prefer: "wait=30" },
    });

  /** The ids of what is read, by its kind. */
  async function readIds(bearer: string, vendor: Vendor): Promise<Record<string, string[]>> {
    const read = await vendor.read(async (path) => {
      const { status, body } = await get(bearer, vendor, path);
      expect([path, status]).toEqual([path, 200]);
      return body as ReadRecord[];
    });
    return Object.fromEntries(
      Object.entries(read).map(([kind, records]) => [kind, records.map(({ id }) => id)]),
    );
  }

  test.each(startVendors)(
    "%s: data are read by it until it is revoked, and by the same access token when it is given again",
    async (name) => {
      const vendor = vendors.get(name)!;
      const page = await stage.visitor({ viewport: narrow });
      await page.goto(linkOf(vendor));
      await goOn(page, vendor);
      await vendor.approve(page);
      await vendor.choose(page);
      await page.waitForURL(`${stage.app.redirectUri}**`);
      expect(stage.app.latest["state"]).toBe("af0 ifjs/ldkj");
      const { token } = await stage.exchange(stage.app.latest["code"] ?? "");
      const ids = await readIds(token, vendor);
      for (const each of Object.values(ids)) expect(each).not.toEqual([]);

      const before = vendor.countRefreshes();
      for (const refreshes of [1, 2]) {
        clock.advance(3_601);
        expect(await readIds(token, vendor)).toEqual(ids);
        expect(vendor.countRefreshes()).toBe(before + refreshes);
      }

      await vendor.revoke();
      clock.advance(61);
      expect(await get(token, vendor, "employees")).toMatchObject({
        status: 401,
        body: { code: "reauthentication_required" },
      });

      const id = await newestToken(stage.harness.services, stage.client);
      await page.goto(await stage.session({ token: id }));
      await goOn(page, vendor);
      await vendor.approve(page);
      await page.waitForURL(`${stage.app.redirectUri}**`);
      expect(Object.keys(stage.app.latest)).toEqual(["iss"]);
      expect(await readIds(token, vendor)).toEqual(ids);
    },
  );

  test.each(startVendors)(
    "%s: the way to its page is shown again, and a refusal leads back to the client",
    async (name) => {
      const vendor = vendors.get(name)!;
      const { title } = vendor.definition;
      const page = await stage.visitor({ viewport: narrow });
      await page.goto(linkOf(vendor));
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await findViolations(page, `provider-page-form-${vendor.definition.name}`)).toEqual(
        [],
      );
      await page.setViewportSize(narrow);
      const flowId = await goOn(page, vendor);

      await page.goBack();
      await page.getByRole("heading", { name: `Sign in to ${title}` }).waitFor();
      await page.goForward();
      await page.waitForURL(`${vendor.origin}/**`);
      await page.goto(`${stage.harness.baseUrl}/connect/${flowId}`);
      expect(await findViolations(page, `provider-page-open-${vendor.definition.name}`)).toEqual(
        [],
      );
      expect(await page.evaluate(offCentre)).toBeLessThan(1);
      await page.getByRole("link", { name: `Continue to ${title}` }).click();
      await page.waitForURL(`${vendor.origin}/**`);
      await vendor.refuse(page);
      await page.waitForURL(`${stage.app.redirectUri}**`);
      expect(stage.app.latest).toMatchObject({ error: "access_denied", state: "af0 ifjs/ldkj" });
    },
  );
});

function describeApplication({ definition, application }: Vendor): [string, string][] {
  const prefix = `PROVIDER_${definition.name.toUpperCase()}_CLIENT`;
  return [
    [`${prefix}_ID`, application.clientId],
    [`${prefix}_SECRET`, application.clientSecret],
  ];
}

/** How far the text of the page's button is from its middle, in pixels. A script for the browser. */
const offCentre = `(() => {
  const button = document.querySelector(".primary");
  const text = document.createRange();
  text.selectNodeContents(button);
  const [inner, outer] = [text, button].map((each) => each.getBoundingClientRect());
  return Math.abs(inner.top + inner.bottom - outer.top - outer.bottom) / 2;
})()`;

/** From the form of Rollcall to the page of the provider. The id of the flow. */
async function goOn(page: Page, { type, definition, origin }: Vendor): Promise<string> {
  await type(page);
  const asked = page.waitForRequest((request) => request.url().startsWith(`${origin}/`));
  await page.getByRole("button", { name: `Continue to ${definition.title}` }).click();
  const { searchParams } = new URL((await asked).url());
  await page.waitForURL(`${origin}/**`);
  return searchParams.get("state")?.split(".")[0] ?? "";
}
