import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { ConnectVisitor, headingOf, textOf } from "../support/connect-visitor.ts";
import { createHarness } from "../support/harness.ts";
import { makeUsedStateDir } from "../support/program-environment.ts";
import { untilTrue } from "../support/until-true.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";
import { findViolations, narrow } from "./browser/axe.ts";
import { fitsItsWidth, signInAs } from "./browser/stage.ts";

const browser = await launchBrowser();
afterAll(() => browser?.close());

describe("in local mode /connect/example plays the part of an application", () => {
  let service: ServiceProcess;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const state = await makeUsedStateDir();
    ({ remove } = state);
    service = await startService({ STATE_DIR: state.stateDir, LOG_LEVEL: "warn" });
  });
  afterAll(async () => {
    await service.stop();
    await remove();
  });

  test("its form is a sign-in link, which leads back to what came of it, and on to an access token that reads data", async () => {
    const visitor = new ConnectVisitor(service.baseUrl);
    // The demo client is made while the service serves already.
    await untilTrue(
      "there is a demo client",
      async () => (await visitor.open("/connect/example")).status === 200,
    );
    const start = await visitor.open("/connect/example");
    expect(headingOf(start)).toBe("Connect an account");
    const fields = [...start.html.matchAll(/<input[^>]* name="([^"]+)" value="([^"]*)"/g)].map(
      (match): [string, string] => [match[1] ?? "", match[2] ?? ""],
    );
    const link = new URLSearchParams([...fields, ["provider", "sandbox"]]);
    const back = await visitor.submit(await visitor.open(`/connect?${link.toString()}`), {
      username: "user_good",
      password: "anything",
    });
    expect(back.left?.startsWith(`${service.baseUrl}/connect/example?code=`)).toBe(true);

    const returned = await visitor.open(back.left?.slice(service.baseUrl.length) ?? "");
    expect(headingOf(returned)).toBe("What came back");
    for (const [name, value] of new URL(back.left ?? "").searchParams)
      expect(textOf(returned)).toContain(`${name} ${value}`.trim());
    expect(link.get("state")).toBe(new URL(back.left ?? "").searchParams.get("state"));

    const code = new URL(back.left ?? "").searchParams.get("code") ?? "";
    const exchanged = await visitor.ask("POST", "/connect/example/exchange", { code });
    expect(returned.html).not.toContain("<details>");
    expect(textOf(exchanged)).toContain("The exchange answered 201");
    const [token = ""] = /rc_at_dev_\w+/.exec(textOf(exchanged)) ?? [];
    expect(
      (
        await service.http.get("/2023-03-01/xhr/company", {
          bearer: token,
          headers: { prefer: "wait=20" },
        })
      ).status,
    ).toBe(200);

    const again = await visitor.ask("POST", "/connect/example/exchange", { code });
    expect(textOf(again)).toContain("The exchange answered 409");
    expect((await visitor.ask("POST", "/connect/example/exchange", {})).status).toBe(400);
  });

  test("it shows what else comes back, and holds nothing that a page of ours may not", async () => {
    const visitor = new ConnectVisitor(service.baseUrl);
    const page = await visitor.open(
      '/connect/example?error=access_denied&error_description="><script>alert(1)</script>&state=%00',
    );
    expect(textOf(page)).toContain("error access_denied");
    const ofTour = await visitor.open("/connect/example?code=rc_ac_dev_x&state=my-state");
    expect(textOf(ofTour)).toContain("If a terminal asks for the code , paste it there");
    expect(ofTour.html).toMatch(/<details><summary>Exchange it here instead[\s\S]*<form/);
    expect(page.html).not.toContain("<script>");
    expect(page.html).not.toContain("rc_cs_");
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  test.skipIf(!browser)("a person can walk it, and nothing keeps anybody out", async () => {
    const page = await (await browser!.newContext({ viewport: narrow, locale: "en-GB" })).newPage();
    await page.goto(`${service.baseUrl}/connect/example`);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await findViolations(page, "example")).toEqual([]);
    await page.setViewportSize(narrow);
    await page.getByLabel("Provider").selectOption("Sandbox");
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("heading", { name: "Sign in to Sandbox" }).waitFor();
    await signInAs(page, "user_good");
    await page.getByRole("heading", { name: "What came back" }).waitFor();
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await findViolations(page, "example-returned")).toEqual([]);
    await page.setViewportSize(narrow);
    await page.getByRole("button", { name: "Exchange it now" }).click();
    await page.getByRole("heading", { name: "The access token" }).waitFor();
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await findViolations(page, "example-token")).toEqual([]);
  });
});

test("anywhere else there is nothing of it", async () => {
  const harness = await createHarness();
  const visitor = new ConnectVisitor(harness.baseUrl);
  const paths = ["/connect/example", "/connect/example?code=x", "/connect/example/exchange"];
  const seen = await Promise.all(
    paths.flatMap((path) => [visitor.ask("GET", path), visitor.ask("POST", path, { code: "x" })]),
  );
  await harness.close();
  expect(
    seen.map(({ status }) => status).filter((status) => status !== 404 && status !== 405),
  ).toEqual([]);
  expect(seen.filter(({ html }) => /demo/i.test(html))).toEqual([]);
});
