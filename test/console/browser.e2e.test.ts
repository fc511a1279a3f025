import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConsoleSessions } from "../../src/console/index.ts";
import { findViolations, narrow } from "../connect/browser/axe.ts";
import { fitsItsWidth, Stage } from "../connect/browser/stage.ts";
import { signedHeaders } from "../../src/webhooks/index.ts";
import { launchBrowser } from "../support/browser.ts";

const browser = await launchBrowser();

describe.skipIf(!browser)("the console in a browser", () => {
  let stage: Stage;
  let tokenId: string;
  let goodTokenId: string;
  beforeAll(async () => {
    stage = await Stage.open(browser!, { env: { CONSOLE: "on" } });
    const owner = { client: stage.client, secret: stage.secret };
    const { token, tokenId: own } = await stage.harness.connect({
      client: owner,
      user: "user_expired",
    });
    tokenId = own;
    const good = await stage.harness.connect({ client: owner });
    goodTokenId = good.tokenId;
    for (const bearer of [token, good.token])
      await stage.harness.http.get("/2023-03-01/xhr/employees", {
        bearer,
        headers: { prefer: "wait=10" },
      });
    await stage.harness.database.query(
      `insert into console_problems (key, seen_by, kind, client_id, token_id, provider, times, since, found_at, ended_at)
       values ('', 'all', 'sign_in_ended', $1, $2, 'sandbox', 2, now() - interval '3 hours', now(), now())`,
      [stage.client.clientId, tokenId],
    );
  });
  afterAll(() => stage.close());

  async function operator(options: Parameters<Stage["visitor"]>[0] = {}): Promise<Page> {
    const { services, baseUrl } = stage.harness;
    const sessions = new ConsoleSessions({ ...services, environment: services.config.environment });
    const { credential } = await sessions.createLink("jo");
    const page = await stage.visitor(options);
    await page.goto(`${baseUrl}/console/sign-in?link=${credential}`);
    await page.getByRole("button", { name: "Sign in to the console" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    return page;
  }

  test("who clicks twice gets one new secret, and sees it", async () => {
    const { client } = await stage.harness.createClient();
    const { clientId } = client;
    const page = await operator();
    await page.goto(`${stage.harness.baseUrl}/console/clients/${clientId}`);
    let sent = 0;
    const isAnswered = Promise.withResolvers<void>();
    await page.route("**/rotate", async (route) => {
      sent += 1;
      await isAnswered.promise;
      await route.continue().catch(() => undefined);
    });
    await page.getByText("Make a new secret…").click();
    const button = page.getByRole("button", { name: "Make a new secret" });
    await button.evaluate(async (element: HTMLElement) => {
      element.click();
      await new Promise((resolve) => setTimeout(resolve, 100));
      element.click();
    });
    isAnswered.resolve();
    const shown = await page.locator("#client_secret").inputValue();
    expect(await stage.harness.services.clients.authenticate(clientId, shown)).toBeDefined();
    expect(sent).toBe(1);
  });

  test("nothing keeps anybody out of any page, light and dark, narrow and wide", async () => {
    const { baseUrl } = stage.harness;
    const outside = await stage.visitor({ viewport: narrow, reducedMotion: "reduce" });
    await outside.goto(`${baseUrl}/console`);
    expect(await findViolations(outside, "console-sign-in")).toEqual([]);
    const page = await operator({ viewport: narrow, reducedMotion: "reduce" });
    const sections = await page
      .locator("nav.sections a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    const paths = [
      ...sections,
      "/console/problems/ended",
      "/console/clients/new",
      "/console/webhooks/signature",
      "/console/connections/" + tokenId,
      "/console/connections/" + goodTokenId,
    ];
    await page.goto(`${baseUrl}/console/connections/${tokenId}`);
    const read = await page.locator('a[href^="/console/reads/"]').first().getAttribute("href");
    expect(read).toMatch(/^\/console\/reads\/[0-9a-f-]+$/);
    paths.push(read ?? "", `/console/clients/${stage.client.clientId}`);
    expect(paths.length).toBeGreaterThan(11);
    for (const path of paths) {
      await page.setViewportSize(narrow);
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(baseUrl + path);
      expect([path, await page.locator("main h1").count()]).toEqual([path, 1]);
      await page.evaluate(
        "for (const each of document.querySelectorAll('details')) each.open = true",
      );
      expect([path, await fitsItsWidth(page)]).toEqual([path, true]);
      expect([path, await findViolations(page, path.replaceAll("/", "_"))]).toEqual([path, []]);
    }
    await stage.leave();
  });

  test("a narrow navigation shows where one is, and no page leaves a place that was asked for", async () => {
    const page = await operator({ viewport: narrow });
    const isShown = (): Promise<boolean> =>
      page.evaluate(
        "(() => { const { left, right } = document.querySelector('.sections [aria-current]').getBoundingClientRect(); return left >= 0 && right <= innerWidth; })()",
      );
    for (const section of ["", "/webhooks", "/system"]) {
      await page.goto(`${stage.harness.baseUrl}/console${section}`);
      expect([section, await isShown()]).toEqual([section, true]);
    }
    await page.goto(`${stage.harness.baseUrl}/console/providers#odoo`);
    expect(await page.evaluate("scrollY")).toBeGreaterThan(300);
    await stage.leave();
  });

  test("which part of a signature differs is said in the page, and nothing is sent", async () => {
    const page = await operator();
    await page.goto(`${stage.harness.baseUrl}/console/webhooks/signature`);
    const body = JSON.stringify({ added: [], removed: [], updated: [] });
    const signed = signedHeaders({
      id: "msg",
      at: new Date(),
      tokenId: null,
      reference: null,
      body: Buffer.from(body),
      secrets: ["a secret"],
    });
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url()));
    const compare = async (secret: string, text: string): Promise<string> => {
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
        await page.getByLabel(name).fill(signed[name] ?? "");
      await page.getByLabel("Client secret").fill(secret);
      await page.getByLabel("Body, as it arrived").fill(text);
      await page.locator("[role=status]").evaluate((element) => (element.textContent = ""));
      await page.getByRole("button", { name: "Compare" }).click();
      const result = page.locator("[role=status]:not(:empty)");
      await result.waitFor();
      return (await result.textContent()) ?? "";
    };
    expect(await compare("a secret", body)).toBe("It matches, by webhook-signature.");
    expect(await compare("a secret", `${body}\n`)).toContain("a line break at its end");
    const printed = JSON.stringify(JSON.parse(body), null, 2);
    expect(await compare("a secret", printed)).toContain("parsed and written again");
    expect(await compare(" a secret", body)).toContain("spaces around it");
    expect(await compare("another", body)).toContain("It doesn’t match.");
    expect(sent).toEqual([]);
    await stage.leave();
  });

  test("without a script and by the keyboard alone a broken connection gets its link", async () => {
    const page = await operator({ javaScriptEnabled: false });
    const press = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps += 1) {
        await page.keyboard.press("Tab");
        const focused = page.locator(":focus");
        if ((await focused.count()) !== 1) continue;
        if ((await focused.textContent())?.trim() === name)
          return await page.keyboard.press("Enter");
      }
      throw new Error(`nothing that is called ${name} gets the focus`);
    };
    await press("Problems");
    await page.getByRole("heading", { name: "Problems", level: 1 }).waitFor();
    await press("Make the link");
    const link = page.getByLabel("The link");
    await link.waitFor();
    expect(await link.inputValue()).toMatch(/\/connect\?session=rc_ln_dev_\w+$/);
    await stage.leave();
  });
});
