import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../../support/browser.ts";
import { projectDir } from "../../support/program-environment.ts";
import { untilTrue } from "../../support/until-true.ts";
import { openPopup, sendSignIn, signInAs, Stage, type VisitorOptions } from "./stage.ts";

const browser = await launchBrowser();

/** What the callbacks of a page were called with, in order. */
type Calls = readonly [name: string, told: Record<string, string>][];

const collect = `globalThis.calls = [];
globalThis.callbacks = Object.fromEntries(["onSuccess", "onExit", "onError"].map((name) =>
  [name, (told) => calls.push([name, told])]));`;
const openerScript = `${collect}
globalThis.begin = (url, options) => globalThis.attempt = RollcallConnect.open({ url, ...options, ...callbacks });`;
const redirectScript = `${collect}
RollcallConnect.finish(callbacks).then((outcome) => globalThis.outcome = outcome);`;

/** What the page passes to `open`, in its own words. */
const beginWith = (page: Page, url: string, options = "{}"): Promise<Page> =>
  openPopup(page, () => page.evaluate(`void begin(${url}, ${options})`));
const beginAt = (page: Page, link: string, options = {}): Promise<Page> =>
  beginWith(page, JSON.stringify(link), JSON.stringify(options));

const callsOf = (page: Page): Promise<Calls> => page.evaluate("calls");
const untilCalled = async (page: Page, times = 1): Promise<Calls> => {
  await untilTrue("a callback was called", async () => (await callsOf(page)).length >= times);
  return await callsOf(page);
};

/** What `finish` says on the redirect page, and its callbacks. */
const untilFinished = async (page: Page): Promise<{ outcome: unknown; calls: Calls }> => {
  await page.waitForURL(/\/callback\?/);
  await untilTrue("the redirect page knows", () => page.evaluate("'outcome' in globalThis"));
  return { outcome: await page.evaluate("outcome"), calls: await callsOf(page) };
};

const cancelWithin = (popup: Page) =>
  popup.getByRole("button", { name: "Cancel and go back to Acme Payroll" }).click();

// A headless browser gives no focus back, so the tests say that the page has it again.
const comeBack = (page: Page) => page.evaluate(`dispatchEvent(new Event("focus"))`);

/** The button of the client library. What stands for React makes elements of the page, as React does of its own. */
const buttonScript = `import { SignInButton } from "./react.js";
const { url } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
document.body.append(SignInButton({ url, ...callbacks, className: "wide", children: "Connect payroll" }));`;
const elementScript = `export const createElement = (type, { onClick, children, ...properties }) => {
  const element = Object.assign(document.createElement(type), properties);
  element.append(children);
  element.addEventListener("click", onClick);
  return element;
};`;

async function serveButton({ app, harness }: Stage): Promise<void> {
  const serve = (path: string, type: string, body: string): void =>
    void app.files.set(path, { headers: { "content-type": type }, body });
  const folder = join(projectDir, "packages/client-typescript/browser");
  const { bytes } = await harness.http.get("/connect/rollcall-connect.js");
  const react = (await readFile(join(folder, "react.js"), "utf8")).replace(
    '"react"',
    '"./element.js"',
  );
  const scripts = {
    "element.js": elementScript,
    "react.js": react,
    "popup.js": await readFile(join(folder, "popup.js"), "utf8"),
    "rollcall-connect.js": bytes.toString(),
    "collect.js": collect,
    "button.js": buttonScript,
  };
  for (const [name, text] of Object.entries(scripts))
    serve(`/react/${name}`, "text/javascript", text);
  serve(
    "/react/",
    "text/html",
    `<!doctype html><title>React</title><script src="collect.js"></script>
<body><script type="module" src="button.js"></script>`,
  );
}

describe.skipIf(!browser)("signing in in a popup", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open(browser!);
    const script = `${stage.harness.baseUrl}/connect/rollcall-connect.js`;
    const { bytes } = await stage.harness.http.get("/connect/rollcall-connect.js");
    const digest = createHash("sha384").update(bytes).digest("base64");
    const checked = `integrity="sha384-${digest}" crossorigin="anonymous"`;
    const policy = `default-src 'none'; script-src 'self' ${script}`;
    const servePage = (path: string, own: string, more = ""): void => {
      const headers = { "content-type": "text/html", "content-security-policy": policy + more };
      const body = `<!doctype html><title>${path}</title><script src="${script}" ${checked}></script>
<script src="${own}"></script><h1>The application</h1>`;
      stage.app.files.set(path, { headers, body });
    };
    const serveScript = (path: string, body: string): void =>
      void stage.app.files.set(path, { headers: { "content-type": "text/javascript" }, body });
    serveScript("/opener.js", openerScript);
    serveScript("/redirect.js", redirectScript);
    servePage("/opener", "/opener.js");
    servePage("/no-popups", "/opener.js", "; sandbox allow-scripts allow-same-origin allow-forms");
    servePage("/callback", "/redirect.js");
    await serveButton(stage);
  });
  afterEach(() => stage.leave());
  afterAll(() => stage.close());

  const visit = async (path = "/opener", options: VisitorOptions = {}): Promise<Page> => {
    const page = await stage.visitor(options);
    await page.goto(stage.app.origin + path);
    return page;
  };

  test("tells the page the code, closes the popup, and the page stays where it is", async () => {
    const page = await visit();
    const popup = await beginAt(page, stage.link({ state: "of my own" }));
    const closed = popup.waitForEvent("close");
    await sendSignIn(popup);
    const [[name, told]] = (await untilCalled(page)) as [Calls[number]];
    expect([name, told]).toEqual([
      "onSuccess",
      { code: told["code"], state: "of my own", iss: stage.harness.baseUrl },
    ]);
    expect(await stage.exchange(told["code"] ?? "")).toMatchObject({ status: 201 });
    await closed;
    expect(page.url()).toBe(`${stage.app.origin}/opener`);
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });

  test("begins with a click on the button for React, which tells the page the code", async () => {
    const link = stage.link({ state: "of the button" });
    const page = await visit(`/react/#${new URLSearchParams({ url: link }).toString()}`);
    const button = page.getByRole("button", { name: "Connect payroll" });
    expect(await button.getAttribute("class")).toBe("wide");
    const popup = await openPopup(page, () => button.click());
    await sendSignIn(popup);
    const [[name, told]] = (await untilCalled(page)) as [Calls[number]];
    expect([name, told["state"]]).toEqual(["onSuccess", "of the button"]);
    expect(await stage.exchange(told["code"] ?? "")).toMatchObject({ status: 201 });
  });

  test("takes a one-time link that the page's own server makes for the state", async () => {
    const page = await visit();
    await page.exposeFunction("makeLink", (state: string) => stage.session({ state }));
    const popup = await beginWith(page, "(state) => makeLink(state)");
    await popup.waitForURL(/\/connect\?session=/);
    await sendSignIn(popup);
    const [[name, told]] = (await untilCalled(page)) as [Calls[number]];
    expect([name, told["state"]]).toEqual(["onSuccess", await page.evaluate("attempt.state")]);
    expect(await stage.exchange(told["code"] ?? "")).toMatchObject({ status: 201 });
  });

  test("makes a state of 192 random bits for each sign-in, and adds it to the link", async () => {
    const page = await visit();
    const link = stage.link({ state: undefined });
    const states: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const popup = await beginAt(page, link);
      const state = new URL(popup.url()).searchParams.get("state") ?? "";
      expect(state).toBe(await page.evaluate("attempt.state"));
      states.push(state);
    }
    for (const state of states) expect(state).toMatch(/^[\w-]{32}$/);
    expect(new Set(states).size).toBe(2);
  });

  test("adds parameters to the link", async () => {
    const page = await visit();
    const popup = await beginAt(page, stage.link(), { params: { locale: "de" } });
    expect(await popup.title()).toBe("Bei Sandbox anmelden · Rollcall");
  });

  test("tells the page that the end user cancelled", async () => {
    const page = await visit();
    const popup = await beginAt(page, stage.link({ state: "mine" }));
    await cancelWithin(popup);
    expect(await untilCalled(page)).toEqual([
      [
        "onExit",
        {
          reason: "cancelled",
          error: "access_denied",
          error_description: "the end user declined",
          state: "mine",
          iss: stage.harness.baseUrl,
        },
      ],
    ]);
  });

  test("tells the page what is wrong with its link", async () => {
    const page = await visit();
    await page.evaluate(
      `void begin(${JSON.stringify(stage.link({ state: "mine", scope: "no-such-scope" }))})`,
    );
    expect(await untilCalled(page)).toMatchObject([
      ["onError", { error: "invalid_scope", state: "mine" }],
    ]);
  });

  test("tells the page that its function made no link, and closes the popup", async () => {
    const page = await visit();
    const closed = page.waitForEvent("popup").then((popup) => popup.waitForEvent("close"));
    await page.evaluate(
      `void begin(() => Promise.reject(new Error("no network")), { state: "mine" })`,
    );
    expect(await untilCalled(page)).toEqual([
      ["onError", { error: "link_failed", error_description: "no network", state: "mine" }],
    ]);
    await closed;
  });

  test("works again after signing in again, which gives no code", async () => {
    const owner = { client: stage.client, secret: stage.secret };
    const { tokenId: token } = await stage.harness.connect({ client: owner });
    const page = await visit();
    await page.exposeFunction("makeLink", (state: string) => stage.session({ token, state }));
    const popup = await beginWith(page, "(state) => makeLink(state)", `{ state: "mine" }`);
    await popup.waitForURL(/\/connect\?session=/);
    await sendSignIn(popup, /^Sign in/);
    expect(await untilCalled(page)).toEqual([
      ["onSuccess", { state: "mine", iss: stage.harness.baseUrl }],
    ]);
  });

  describe("a popup that is closed", () => {
    test("is told when the end user is back on the page, and another sign-in works", async () => {
      const page = await visit();
      const popup = await beginAt(page, stage.link({ state: "first" }));
      await popup.close();
      await comeBack(page);
      expect(await untilCalled(page)).toEqual([["onExit", { reason: "closed", state: "first" }]]);
      await sendSignIn(await beginAt(page, stage.link({ state: "second" })));
      expect((await untilCalled(page, 2))[1]).toMatchObject(["onSuccess", { state: "second" }]);
    });

    test("may only be behind the page: its result comes all the same, and nothing is told twice", async () => {
      const page = await visit();
      const popup = await beginAt(page, stage.link({ state: "mine" }));
      await comeBack(page);
      await untilCalled(page);
      await comeBack(page);
      await sendSignIn(popup);
      await untilCalled(page, 2);
      await comeBack(page);
      await page.waitForTimeout(1_000);
      expect((await callsOf(page)).map(([name]) => name)).toEqual(["onExit", "onSuccess"]);
    });

    test("is told for certain before the link is there, and the link leads nowhere then", async () => {
      const page = await visit();
      const link = stage.link({ state: "mine" });
      const popup = await beginWith(
        page,
        `() => new Promise((made) => globalThis.make = () => made(${JSON.stringify(link)}))`,
        `{ state: "mine" }`,
      );
      await popup.close();
      expect(await callsOf(page)).toEqual([]);
      await page.evaluate("make()");
      expect(await untilCalled(page)).toEqual([["onExit", { reason: "closed", state: "mine" }]]);
      expect(page.url()).toBe(`${stage.app.origin}/opener`);
      expect(await page.evaluate("localStorage.length")).toBe(0);
    });

    test("is not told while the popup is open and shows a page of the browser itself", async () => {
      const page = await visit();
      await beginWith(page, "() => new Promise(() => {})");
      await comeBack(page);
      await page.waitForTimeout(1_000);
      expect(await callsOf(page)).toEqual([]);
    });
  });

  describe("without a popup", () => {
    test.each([
      ["a link", (link: string) => JSON.stringify(link)],
      ["a function", (link: string) => `async () => ${JSON.stringify(link)}`],
    ])("because the browser blocks it, the page goes there itself (%s)", async (_, write) => {
      const page = await visit("/no-popups", { ignoresProblems: true });
      await page.evaluate(`void begin(${write(stage.link({ state: "mine" }))}, { state: "mine" })`);
      await page.waitForURL(/\/connect\?/);
      await signInAs(page, "user_good");
      const { outcome, calls } = await untilFinished(page);
      const [[name, told]] = calls as [Calls[number]];
      expect(outcome).toBe("page");
      expect([name, told["state"]]).toEqual(["onSuccess", "mine"]);
      expect(await stage.exchange(told["code"] ?? "")).toMatchObject({ status: 201 });
      await page.reload();
      expect(await untilFinished(page)).toEqual({ outcome: "unknown", calls: [] });
    });

    test("because there is no storage, the page goes there itself", async () => {
      const page = await stage.visitor();
      await page.addInitScript(
        `Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("none"); } })`,
      );
      await page.goto(`${stage.app.origin}/opener`);
      await page.evaluate(`void begin(${JSON.stringify(stage.link())})`);
      await page.waitForURL(/\/connect\?/);
      await signInAs(page, "user_good");
      expect(await untilFinished(page)).toMatchObject({ outcome: "unknown" });
      expect(page.context().pages()).toHaveLength(1);
    });

    test("a plain link's redirect page goes on by itself", async () => {
      const page = await stage.visitor();
      await page.goto(stage.link());
      await signInAs(page, "user_good");
      expect(await untilFinished(page)).toEqual({ outcome: "unknown", calls: [] });
    });

    test("a popup whose page has gone has the result itself", async () => {
      const page = await visit();
      const popup = await beginAt(page, stage.link({ state: "mine" }));
      await page.close();
      await sendSignIn(popup);
      expect(await untilFinished(popup)).toMatchObject({
        outcome: "page",
        calls: [["onSuccess", { state: "mine" }]],
      });
    });

    test("a page that answers too late leaves the result to the popup, so that no code is used twice", async () => {
      const page = await stage.visitor();
      // As on a phone that lets a page behind another one sleep: it hears the message later.
      await page.addInitScript(`const { addEventListener } = BroadcastChannel.prototype;
        BroadcastChannel.prototype.addEventListener = function (type, listen, options) {
          const wake = (event) => (globalThis.wake = () => listen(event));
          addEventListener.call(this, type, wake, options);
        };`);
      await page.goto(`${stage.app.origin}/opener`);
      const popup = await beginAt(page, stage.link({ state: "mine" }));
      await sendSignIn(popup);
      expect(await untilFinished(popup)).toMatchObject({
        outcome: "page",
        calls: [["onSuccess", { state: "mine" }]],
      });
      await page.evaluate("wake()");
      expect(await callsOf(page)).toEqual([]);
    });
  });

  describe("another state", () => {
    test("is ignored: on the redirect page, and in a message", async () => {
      const page = await visit();
      const popup = await beginAt(page, stage.link({ state: "mine" }));
      const stranger = await page.context().newPage();
      await stranger.goto(`${stage.app.redirectUri}?code=theirs&state=theirs`);
      expect(await untilFinished(stranger)).toEqual({ outcome: "unknown", calls: [] });
      await stranger.evaluate(
        `new BroadcastChannel("rollcall-connect:mine").postMessage({ kind: "result", result: { code: "theirs", state: "theirs" } })`,
      );
      await stranger.waitForTimeout(500);
      expect(await callsOf(page)).toEqual([]);
      await sendSignIn(popup);
      expect(await untilCalled(page)).toMatchObject([["onSuccess", { state: "mine" }]]);
    });

    test("of a sign-in that the page gave up is ignored, too", async () => {
      const page = await visit();
      const popup = await beginAt(page, stage.link({ state: "mine" }));
      await page.evaluate("attempt.cancel()");
      await sendSignIn(popup);
      expect(await untilFinished(popup)).toEqual({ outcome: "unknown", calls: [] });
      expect(await callsOf(page)).toEqual([]);
    });

    test.each([
      ["a link of another", `"http://x.example/?state=a", { state: "b" }`, /another state/],
      ["a one-time link without one", `"http://x.example/?session=a"`, /needs the option state/],
      ["no address of the web", `"javascript:alert(1)"`, /https:/],
    ])("%s is refused before a popup opens", async (_, call, message) => {
      const page = await visit();
      await expect(page.evaluate(`void begin(${call})`)).rejects.toThrow(message);
      expect(page.context().pages()).toHaveLength(1);
    });
  });

  test("two sign-ins at once do not mix, whichever ends first", async () => {
    const page = await visit();
    const first = await beginAt(page, stage.link({ state: "first" }));
    const second = await beginAt(page, stage.link({ state: "second" }));
    const other = await page.context().newPage();
    await other.goto(`${stage.app.origin}/opener`);
    const third = await beginAt(other, stage.link({ state: "third" }));
    await sendSignIn(third);
    await cancelWithin(second);
    await sendSignIn(first);
    await untilCalled(page, 2);
    expect((await callsOf(page)).map(([name, { state }]) => [name, state])).toEqual([
      ["onExit", "second"],
      ["onSuccess", "first"],
    ]);
    const calls = [...(await untilCalled(other)), ...(await callsOf(page))];
    expect(calls[0]).toMatchObject(["onSuccess", { state: "third" }]);
    const codes = calls.flatMap(([, { code }]) => code ?? []);
    expect(new Set(codes).size).toBe(2);
    for (const code of codes) expect(await stage.exchange(code)).toMatchObject({ status: 201 });
  });
});
