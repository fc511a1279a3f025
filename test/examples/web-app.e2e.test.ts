import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { pour } from "../support/pour.ts";
import { makeStateDir, makeUsedStateDir, projectDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";
import { untilTrue } from "../support/until-true.ts";
import { findViolations, takePictures } from "../connect/browser/axe.ts";
import { fitsItsWidth, openPopup, sendSignIn } from "../connect/browser/stage.ts";

const browser = await launchBrowser();
const node = join(projectDir, "node_modules/.bin/node");
const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 800 };
const patienceMs = 90_000;

let service: ServiceProcess;
let stateDir: string;
let remove: () => Promise<void>;
let application: ChildProcess | undefined;
let origin: string;
beforeAll(async () => {
  ({ stateDir, remove } = await makeUsedStateDir());
  service = await startService({
    STATE_DIR: stateDir,
    RATE_LIMIT_GATED_CLIENT_5M: "100000",
    RATE_LIMIT_GATED_IP_1M: "100000",
  });
  await service.untilStarted();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  application = spawn(node, ["examples/web-app/server.ts"], {
    cwd: projectDir,
    env: { STATE_DIR: stateDir, PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  await untilTrue("the application serves", () =>
    fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
});
afterAll(async () => {
  application?.kill("SIGKILL");
  await service.stop();
  await remove();
  await browser?.close();
});

/** What no page may do: break its policy, or fail in its script. */
const problems: string[] = [];
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
  const found = problems.splice(0);
  if (found.length > 0) throw new Error(`a page did what none may do:\n${found.join("\n")}`);
});

async function visit(): Promise<Page> {
  const context = await browser!.newContext({ viewport: phone, locale: "en-GB" });
  context.setDefaultTimeout(patienceMs);
  context.on("page", (page) => {
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) problems.push(message.text());
    });
  });
  const page = await context.newPage();
  await page.goto(origin);
  return page;
}

const chooseIn = async (page: Page, choices: Record<string, string>): Promise<void> => {
  for (const [label, value] of Object.entries(choices))
    await page.getByLabel(label).filter({ visible: true }).selectOption(value);
};
const click = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();
const said = (page: Page, hasText: string): Promise<string | null> =>
  page.getByRole("status").filter({ hasText }).textContent();
const rows = (page: Page) => page.locator("#rows tr");
const untilFilled = async (page: Page): Promise<number> => {
  await rows(page).first().waitFor();
  return await rows(page).count();
};
const waitingText = (page: Page): Promise<string | null> =>
  page.locator("#waiting-text").filter({ visible: true, hasText: "202" }).textContent();

async function letReadsFail(tokenId: string, code: string): Promise<void> {
  const demo = JSON.parse(await readFile(join(stateDir, "demo.json"), "utf8")) as {
    client_id: string;
    client_secret: string;
  };
  const credentials = Buffer.from(`${demo.client_id}:${demo.client_secret}`).toString("base64");
  const path = `2023-03-01/management/sandbox/connections/${tokenId}/fail`;
  const { status } = await fetch(`${service.baseUrl}/${path}`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}`, "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  expect(status).toBe(200);
}

/** It fits a phone, is open to everybody, and a folder for pictures gets some. */
async function expectGoodLooks(page: Page, name: string): Promise<void> {
  await page.setViewportSize(phone);
  expect([name, await fitsItsWidth(page)]).toEqual([name, true]);
  await takePictures(page, `web-app-${name}`, phone);
  await page.setViewportSize(desk);
  await takePictures(page, `web-app-${name}`, desk);
  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await findViolations(page, `web-app-${name}-all`)).toEqual([]);
  await page.setViewportSize(phone);
}

describe.skipIf(!browser)("the example application, in a browser", () => {
  test("by redirect: the table fills after 202, a webhook arrives, signing in again, the end", async () => {
    const page = await visit();
    await expectGoodLooks(page, "start");
    await chooseIn(page, { Language: "de", Link: "one-time" });
    await click(page, "Connect");
    await page.waitForURL(/\/connect\?session=/);
    expect(await page.title()).toBe("Bei Sandbox anmelden · Rollcall");
    await sendSignIn(page, "Anmelden und verbinden");
    expect(await waitingText(page)).toMatch(/answered 202, the next one follows in \d+ s/);
    await takePictures(page, "web-app-waiting", phone);
    const before = await untilFilled(page);
    expect(before).toBeGreaterThan(10);

    await click(page, "Let an hour pass");
    const change = page.locator("#change-list li");
    expect(await change.textContent()).toMatch(
      /^Added (?!nobody).+ Updated (?!nobody).+ Removed (?!nobody).+signature checked$/,
    );
    expect(await page.locator("#rows tr.changed").count()).toBe(3);
    expect(await rows(page).count()).toBe(before);
    await expectGoodLooks(page, "connected");

    await click(page, "End the provider’s session");
    expect(await said(page, "Please sign in to your HR system again.")).toBeTruthy();
    await expectGoodLooks(page, "ended");
    await chooseIn(page, { Where: "popup" });
    const popup = await openPopup(page, () => click(page, "Sign in again"));
    await popup.waitForURL(/\/connect\?session=/);
    await sendSignIn(popup, /^Sign in/);
    expect(await said(page, "The account is connected.")).toBeTruthy();
    await page.getByRole("button", { name: "Sign in again" }).waitFor({ state: "hidden" });
    expect(await untilFilled(page)).toBe(before);

    await click(page, "Disconnect");
    expect(await said(page, "The account is disconnected.")).toBeTruthy();
    await page.getByRole("button", { name: "Connect", exact: true }).waitFor();
    expect(await rows(page).count()).toBe(0);
  });

  test("a password that the provider refuses leads to the form to sign in again, as an ended session does", async () => {
    const page = await visit();
    await click(page, "Connect");
    await page.waitForURL(/\/connect\?client_id=/);
    await sendSignIn(page, "Sign in and connect");
    await untilFilled(page);
    await page.route("**/session-end", async (route) => {
      const account = await page.request.get(`${origin}/account`);
      const { tokenId } = (await account.json()) as { tokenId: string };
      await letReadsFail(tokenId, "incorrect_username_or_password");
      await route.fulfill({ json: null });
    });
    await click(page, "End the provider’s session");
    expect(await said(page, "Please sign in to your HR system again.")).toBeTruthy();
    await page.getByRole("button", { name: "Sign in again" }).waitFor();
  });

  test("in a popup: the page stays, says that somebody cancelled, and shows the account", async () => {
    const page = await visit();
    await chooseIn(page, { Where: "popup", Mode: "official" });
    const cancelled = await openPopup(page, () => click(page, "Connect"));
    await cancelled.waitForURL(/\/connect\?/);
    await cancelled.getByRole("button", { name: "Cancel and go back to Demo" }).click();
    expect(await said(page, "You cancelled the sign-in.")).toBeTruthy();
    const popup = await openPopup(page, () => click(page, "Connect"));
    await popup.waitForURL(/\/connect\?/);
    await popup.locator("input[name=username]").fill("user_good");
    await popup.locator("input[name=api_key]").fill("anything");
    await popup.getByRole("button", { name: "Sign in and connect" }).click();
    expect(await said(page, "The account is connected.")).toBeTruthy();
    expect(await untilFilled(page)).toBeGreaterThan(10);
    expect(await page.locator("#account-text").textContent()).toBe("Sandbox, mode official.");
    expect(page.url()).toBe(`${origin}/`);
  });

  test("a redirect that another browser began connects nothing, whoever has begun one here", async () => {
    const page = await visit();
    await click(page, "Connect");
    await page.waitForURL(/\/connect\?client_id=/);
    await page.goto(`${origin}/callback?code=theirs&state=theirs`);
    expect(await said(page, "This is not a sign-in that this browser began.")).toBeTruthy();
  });
});

test("without a service it says how to start one", async () => {
  const empty = await makeStateDir();
  const child = spawn(node, ["examples/web-app/server.ts"], {
    cwd: projectDir,
    env: { STATE_DIR: empty.stateDir },
  });
  const [[code], output] = await Promise.all([once(child, "close"), text(child.stderr)]);
  await empty.remove();
  expect(code).toBe(1);
  expect(output).toBe(
    `${empty.stateDir}/demo.json cannot be read. Start the service first, in another terminal: npm start\n`,
  );
});

test("a code that is not worth a token leads back to the page, which says so", async () => {
  const first = await fetch(`${origin}/sign-in`, {
    method: "POST",
    headers: { origin, accept: "application/json" },
    body: new URLSearchParams({ state: "mine" }),
  });
  const cookie = first.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const reply = await fetch(`${origin}/callback`, {
    method: "POST",
    redirect: "manual",
    headers: { origin, cookie, accept: "text/html" },
    body: new URLSearchParams({ state: "mine", code: "none" }),
  });
  expect([reply.status, reply.headers.get("location")]).toEqual([303, "/?problem=server_error"]);
});

test("the redirect page hands on all that came back, also who sent it", async () => {
  const query = { code: "c", state: "s", iss: "https://rollcall.example.com" };
  const page = await (await fetch(`${origin}/callback?${new URLSearchParams(query)}`)).text();
  for (const [name, value] of Object.entries(query))
    expect(page).toContain(`name="${name}" value="${value}"`);
});

test("a webhook that Rollcall did not sign, and a form of another site, are refused", async () => {
  const body = JSON.stringify({ added: [], updated: [], removed: [] });
  const forged = await fetch(`${origin}/webhooks`, {
    method: "POST",
    body,
    headers: {
      "webhook-id": "1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": "v1,AAAA",
    },
  });
  const foreign = await fetch(`${origin}/disconnect`, {
    method: "POST",
    headers: { origin: "https://evil.example" },
  });
  expect([forged.status, foreign.status]).toEqual([401, 403]);
});

test("a webhook is read to 64 MB, however its sender says its length", async () => {
  for (const framing of ["Content-Length: 1000000000", "Transfer-Encoding: chunked"]) {
    const taken = await pour(`${origin}/webhooks`, { framing });
    expect(taken).toBeGreaterThanOrEqual(64);
    expect(taken).toBeLessThan(100);
  }
  expect((await fetch(origin)).status).toBe(200);
});

test("it runs no inline script and loads nothing but the service's script from elsewhere", async () => {
  const policy = (await fetch(origin)).headers.get("content-security-policy");
  expect(policy).toBe(
    `default-src 'none'; script-src 'self' ${service.baseUrl}/connect/rollcall-connect.js; style-src 'self'; ` +
      `connect-src 'self'; form-action 'self' ${service.baseUrl}; frame-ancestors 'none'; base-uri 'none'`,
  );
});
