import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { startDocumentedService, type DocumentedService } from "../support/documented-service.ts";
import { codeBlocksOf, readDocument } from "../support/documents.ts";
import { projectDir } from "../support/program-environment.ts";
import { freePort } from "../support/redis-server.ts";
import { untilTrue } from "../support/until-true.ts";
import { openPopup, sendSignIn, signInAs } from "../connect/browser/stage.ts";

const browser = await launchBrowser();
const node = join(projectDir, "node_modules/.bin/node");
/** The files that the guide shows: the first line of each block is its name. */
const files = codeBlocksOf(readDocument("docs/sign-in-popup.md")).flatMap((code) => {
  const [, name] = /^\/\/ ([\w-]+\.m?js)\n/.exec(code) ?? [];
  return name ? [{ name, code }] : [];
});

const sample = (name: string): string => files.find((file) => file.name === name)!.code;

let service: DocumentedService;
let folder: string;
beforeAll(async () => {
  service = await startDocumentedService();
  folder = await mkdtemp(join(service.folder, "popup-"));
  for (const { name, code } of files) await writeFile(join(folder, name), code);
});
afterAll(async () => {
  await service.close();
  await browser?.close();
});

const check = async (code: string): Promise<string> => {
  const types = await service.http.get("/connect/rollcall-connect.d.ts");
  const path = await mkdtemp(join(folder, "types-"));
  await writeFile(join(path, "rollcall-connect.d.ts"), types.bytes);
  await writeFile(join(path, "sample.js"), code);
  const options =
    "--ignoreConfig --noEmit --strict --allowJs --checkJs --target es2024 --lib es2024,dom --types";
  return await new Promise((done) =>
    execFile(
      node,
      [
        join(projectDir, "node_modules/typescript-native/bin/tsc"),
        ...options.split(" "),
        "",
        join(path, "rollcall-connect.d.ts"),
        join(path, "sample.js"),
      ],
      (_error, stdout) => done(stdout),
    ),
  );
};

const clickLink = (page: Page): Promise<Page> =>
  openPopup(page, () => page.getByRole("link", { name: "Connect your HR system" }).click());
/** What the page told its server: a library there refuses a callback without its issuer. */
const fieldsOf = (request: Request) => Object.fromEntries(new URLSearchParams(request.postData()!));
const untilSaid = (page: Page, text: string): Promise<string | null> =>
  page.getByText(text).textContent();

describe.skipIf(!browser)("the sample of the guide to popups, as its reader would copy it", () => {
  let origin: string;
  let owner: Awaited<ReturnType<typeof service.createOwner>>;
  let child: ChildProcess;
  beforeAll(async () => {
    origin = `http://127.0.0.1:${await freePort()}`;
    const redirectUri = `${origin}/callback`;
    owner = await service.services.clients.create({
      name: "Acme",
      redirectUris: [redirectUri],
    });
    child = spawn(node, [join(folder, "server.mjs")], {
      env: {
        ...service.credentialsOf(owner),
        BASE: service.baseUrl,
        REDIRECT_URI: redirectUri,
      },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await untilTrue("the sample serves", async () =>
      fetch(origin).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterEach(async () => {
    for (const context of browser!.contexts()) await context.close();
  });
  afterAll(() => void child.kill("SIGKILL"));

  const visit = async (options = {}): Promise<Page> => {
    const page = await (await browser!.newContext(options)).newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(origin);
    return page;
  };
  test("connects an account in a popup", async () => {
    const page = await visit();
    const popup = await clickLink(page);
    const closed = popup.waitForEvent("close");
    const exchanging = page.waitForRequest("**/exchange");
    await sendSignIn(popup);
    expect(fieldsOf(await exchanging)).toMatchObject({ iss: service.baseUrl });
    expect(await untilSaid(page, "The account is connected.")).toBe("The account is connected.");
    await closed;
  });

  test("says that the end user cancelled, and lets them start again", async () => {
    const page = await visit();
    const popup = await clickLink(page);
    await popup.getByRole("button", { name: "Cancel and go back to Acme" }).click();
    expect(await untilSaid(page, "You cancelled the sign-in.")).toBe("You cancelled the sign-in.");
    await clickLink(page);
    expect(await untilSaid(page, "Please sign in in the other window.")).toBe(
      "Please sign in in the other window.",
    );
  });

  test.each([
    ["without a script", { javaScriptEnabled: false }],
    ["with the redirect that any browser can do", {}],
  ])("connects an account %s", async (_, options) => {
    const page = await visit(options);
    const link = await page.getByRole("link").getAttribute("href");
    await page.goto(link ?? "");
    const exchanging = page.waitForRequest("**/exchange");
    await signInAs(page, "user_good");
    if ("javaScriptEnabled" in options)
      await page.getByRole("button", { name: "Continue" }).click();
    expect(fieldsOf(await exchanging)).toMatchObject({ iss: service.baseUrl });
    expect(await untilSaid(page, "The account is connected.")).toBe("The account is connected.");
  });

  test("opens a one-time link that its server makes at the click", async () => {
    const page = await visit();
    await page.route("**/one-time-link", async (route) => {
      const { body } = await service.http.post("/2023-03-01/management/connect-session", {
        basic: [owner.client.clientId, owner.secret],
        json: {
          redirect_uri: `${origin}/callback`,
          scope: "/2023-03-01/xhr/employees",
          sandbox: true,
          state: route.request().postData(),
        },
      });
      await route.fulfill({ body: (body as { connect_url: string }).connect_url });
    });
    const logged = page.waitForEvent("console");
    const popup = await openPopup(page, () => page.evaluate(`void ${sample("one-time.js")}`));
    await popup.waitForURL(/\/connect\?session=/);
    await sendSignIn(popup);
    expect((await logged).text()).toMatch(/^rc_ac_dev_\w+ [\w-]{32}$/);
  });

  test("refuses what another browser began", async () => {
    const page = await visit();
    const link = await page.getByRole("link").getAttribute("href");
    const stranger = await visit();
    await stranger.goto(link ?? "");
    await signInAs(stranger, "user_good");
    expect(await untilSaid(stranger, "This is not a sign-in of yours, or it was cancelled.")).toBe(
      "This is not a sign-in of yours, or it was cancelled.",
    );
  });
});

describe("the types", () => {
  test.each(["callback.js", "one-time.js"])("are those that %s uses", async (name) => {
    expect(await check(`${sample(name)}\nexport {};`)).toBe("");
  });

  test("find what the script does not take", async () => {
    const found = await check("RollcallConnect.open({ link: 'https://rollcall.example.com' });");
    expect(found).toContain("'link' does not exist in type 'OpenOptions'");
  });
});
