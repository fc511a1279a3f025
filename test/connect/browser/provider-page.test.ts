import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  linkOf,
  startApproverStage,
  type ApproverStage,
} from "../../support/approver/approver-stage.ts";
import { launchBrowser } from "../../support/browser.ts";
import { findViolations, narrow } from "./axe.ts";
import { fitsItsWidth } from "./stage.ts";

const browser = await launchBrowser();

let stage: ApproverStage;
beforeAll(async () => {
  stage = await startApproverStage();
});
afterAll(async () => {
  await browser?.close();
  await stage.stop();
});

/** A page that goes to this machine alone. The client's address is answered by nobody: its query tells. */
async function openPage(): Promise<{ page: Page; problems: string[]; states: string[] }> {
  const states: string[] = [];
  const context = await browser!.newContext({ viewport: narrow, locale: "en-GB" });
  await context.route("**/*", async (route) => {
    const { origin } = new URL(route.request().url());
    if (origin === new URL(stage.client.redirectUri).origin && origin !== stage.service.baseUrl)
      return await route.fulfill({ body: "The application" });
    return await ([stage.service.baseUrl, stage.approver.origin].includes(origin)
      ? route.continue()
      : route.abort());
  });
  context.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/auth") states.push(searchParams.get("state") ?? "");
  });
  const problems: string[] = [];
  context.on("console", (message) => {
    if (message.text().includes("form-action")) problems.push(message.text());
  });
  return { page: await context.newPage(), problems, states };
}

async function approve(page: Page): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill("ann");
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

describe.skipIf(!browser)("a sign-in on the provider's own page, in a browser", () => {
  test("goes from the client's link to the provider's page and back to the client", async () => {
    const { page, problems } = await openPage();
    await page.goto(stage.service.baseUrl + linkOf(stage));
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await findViolations(page, "provider-page-form")).toEqual([]);
    await page.setViewportSize(narrow);
    await page.getByLabel("Approver address").fill(stage.approver.origin);
    await page.getByRole("button", { name: "Continue to Approver" }).click();
    await page.waitForURL(`${stage.approver.origin}/**`);

    await page.goBack();
    await page.getByRole("heading", { name: "Sign in to Approver" }).waitFor();
    await page.goForward();
    await approve(page);
    await page.waitForURL((url) => url.href.startsWith(stage.client.redirectUri));
    expect(new URL(page.url()).searchParams.get("state")).toBe("of the client");
    expect(new URL(page.url()).searchParams.get("code")).toMatch(/./);
    expect(problems).toEqual([]);
  });

  test("shows the way to the provider's page again, and leads back from a refusal", async () => {
    const { page, states } = await openPage();
    await page.goto(stage.service.baseUrl + linkOf(stage));
    await page.getByLabel("Approver address").fill(stage.approver.origin);
    await page.getByRole("button", { name: "Continue to Approver" }).click();
    await page.waitForURL(`${stage.approver.origin}/**`);
    const [flowId = ""] = (states.at(0) ?? "").split(".");
    await page.goto(`${stage.service.baseUrl}/connect/${flowId}`);
    expect(await findViolations(page, "provider-page-open")).toEqual([]);
    await page.getByRole("link", { name: "Continue to Approver" }).click();
    await page.waitForURL(`${stage.approver.origin}/**`);
    await page.getByRole("link", { name: "[ Cancel ]" }).click();
    await page.waitForURL((url) => url.href.startsWith(stage.client.redirectUri));
    expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
  });
});
