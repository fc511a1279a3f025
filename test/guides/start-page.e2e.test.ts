import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPage } from "../../src/guides/pages/start-page.ts";
import { launchBrowser } from "../support/browser.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { makeUsedStateDir } from "../support/program-environment.ts";
import { startService, type ServiceProcess } from "../support/service-process.ts";
import { findViolations, narrow } from "../connect/browser/axe.ts";
import { fitsItsWidth } from "../connect/browser/stage.ts";

const browser = await launchBrowser();
afterAll(() => browser?.close());

const linksOf = (markup: string): string[] =>
  [...markup.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map(([, address = ""]) => address);

describe("in local mode", () => {
  let service: ServiceProcess;
  let stateDir: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ stateDir, remove } = await makeUsedStateDir());
    service = await startService({ STATE_DIR: stateDir });
    await service.untilStarted();
  });
  afterAll(async () => {
    await service.stop();
    await remove();
  });

  const open = async (): Promise<string> => (await service.http.get("/")).bytes.toString();

  test("/ leads to the example of a sign-in, the demo client, the sandbox token and the guides", async () => {
    const page = await open();
    const demo = (await import(`${stateDir}/demo.json`, { with: { type: "json" } })) as {
      default: Record<string, string>;
    };
    const { client_id, client_secret, redirect_uri, sandbox_token } = demo.default;
    expect(page).toContain(client_id);
    expect(page).toContain(redirect_uri);
    expect(page).toContain(`${stateDir}/demo.json`);
    expect([page.includes(client_secret ?? ""), page.includes(sandbox_token ?? "")]).toEqual([
      false,
      false,
    ]);
    expect(linksOf(page)).toEqual(expect.arrayContaining(["/connect/example", "/docs"]));
    // The forms of the reference fill it in.
    expect((await service.http.get("/docs/demo")).body).toEqual({ token: sandbox_token });
    const reference = await service.http.get("/docs/reference/list-employees");
    expect(reference.bytes.toString()).toContain('data-demo="yes"');
    expect(reference.bytes.toString()).not.toContain(sandbox_token);
  });

  test("the command that it shows reads the employees of the sandbox", async () => {
    const [, block = ""] = /<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(await open()) ?? [];
    const command = block.replaceAll("&#39;", "'").replaceAll("&quot;", '"');
    const { execFile } = await import("node:child_process");
    const output = await new Promise<string>((done, fail) =>
      execFile("bash", ["-e", "-c", command], (error, stdout) =>
        error ? fail(new Error(error.message)) : done(stdout),
      ),
    );
    expect(output).toMatch(/^HTTP\/1\.1 20[02] /);
  });

  test.skipIf(!browser)("nothing keeps anybody out, light and dark, narrow and wide", async () => {
    const page = await (await browser!.newContext({ viewport: narrow })).newPage();
    await page.goto(`${service.baseUrl}/`);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await findViolations(page, "start-local")).toEqual([]);
  });
});

describe("elsewhere", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness();
  });
  afterAll(() => harness.close());

  const get = (headers: Record<string, string> = {}) => harness.http.get("/", { headers });

  test("nobody is given a token", async () => {
    expect((await harness.http.get("/docs/demo")).status).toBe(404);
    const reference = await harness.http.get("/docs/reference/list-employees");
    expect(reference.bytes.toString()).not.toContain("data-demo");
  });

  test("/ names the operator, and leads to the guides, the reference and the status, each of them there", async () => {
    const { status, headers, bytes } = await get({ accept: "text/html,*/*;q=0.8" });
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    const page = bytes.toString();
    expect(page).toMatch(/<h1>Rollcall<\/h1>/);
    expect(page).not.toContain("/connect/example");
    const links = linksOf(page);
    expect(links).toEqual(expect.arrayContaining(["/docs", "/openapi.json", "/healthz"]));
    const statuses = await Promise.all(
      [...new Set(links)].map(async (link) => [link, (await harness.http.get(link)).status]),
    );
    expect(statuses.filter(([, found]) => found !== 200)).toEqual([]);
  });

  test("a configured operator is named, as text, in the heading and the title", () => {
    const site = { operatorName: "Acme <HR>", navigation: [] };
    const page = startPage(site, "https://api.example.com").toString();
    expect(page).toContain("<h1>Rollcall, operated by Acme &lt;HR&gt;</h1>");
    expect(page).toContain(
      "<title>Start · Rollcall, operated by Acme &lt;HR&gt; · API documentation</title>",
    );
    expect(page).toContain("<strong>Rollcall</strong>");
  });

  test("shows a request to this service, and status links that say what they are", async () => {
    const page = (await get()).bytes.toString();
    expect(page).toContain("curl https://api.example.com/2023-03-01/xhr/employees");
    expect(page).toContain('<a href="/readyz">Ready to serve requests (JSON)</a>');
  });

  test("runs no script of its own, loads nothing from elsewhere and shows in no frame", async () => {
    const { headers, bytes } = await get();
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(bytes.toString()).not.toMatch(
      /<script(?! type="module" src="\/docs\/assets\/[\w-]+\/(?:copy-code|search).js"><\/script>)|<style|\son[a-z]+=|\sstyle=/i,
    );
  });

  test.each([
    ["application/json", 404, "application/json; charset=utf-8"],
    ["application/json, text/plain, */*", 404, "application/json; charset=utf-8"],
    ["application/problem+json", 404, "application/json; charset=utf-8"],
    ["text/html, application/json", 200, "text/html; charset=utf-8"],
    ["*/*", 200, "text/html; charset=utf-8"],
  ])("a caller who accepts %s gets %i in %s", async (accept, status, type) => {
    const { headers, ...reply } = await get({ accept });
    expect([reply.status, headers["content-type"]]).toEqual([status, type]);
    expect(headers["vary"]).toBe("Accept-Encoding, Accept");
  });
});
