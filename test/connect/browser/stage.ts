import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Client } from "../../../src/clients/index.ts";
import { scopesOfMode } from "../../../src/model/index.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { buildWorker, type Worker } from "../../../src/start/worker.ts";
import {
  createHarness,
  redirectUri,
  type Harness,
  type HarnessOptions,
} from "../../support/harness.ts";
import { freePort } from "../../support/redis-server.ts";
import { untilTrue } from "../../support/until-true.ts";

const reportOfStatus = "Failed to load resource: the server responded with a status of";

/** The client's own application: it is where people come from and go back to. */
export class Application {
  readonly #server: Server;
  /** What arrived at its redirect address, in order. */
  readonly arrivals: URLSearchParams[] = [];
  /** Where its redirect address leads on to, when it does. */
  leadsOnTo: string | undefined;
  /** Pages and scripts by their path, instead of the one page that it has everywhere. */
  readonly files = new Map<string, { headers: Record<string, string>; body: string }>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", ({ url = "/" }, response) => {
      const { pathname, searchParams } = new URL(url, this.origin);
      if (pathname === "/callback") {
        this.arrivals.push(searchParams);
        if (this.leadsOnTo !== undefined)
          return void response.writeHead(302, { location: this.leadsOnTo }).end();
      }
      const file = this.files.get(pathname);
      if (file) return void response.writeHead(200, file.headers).end(file.body);
      const status = pathname === "/favicon.ico" ? 204 : 200;
      return void response
        .writeHead(status, { "content-type": "text/html" })
        .end(
          status === 200
            ? "<!doctype html><title>The application</title><h1>The application</h1>"
            : "",
        );
    });
  }

  static async open(): Promise<Application> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Application(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The same, as another origin. */
  get aliasOrigin(): string {
    return this.origin.replace("127.0.0.1", "localhost");
  }

  get redirectUri(): string {
    return `${this.origin}/callback`;
  }

  /** What the last browser brought. */
  get latest(): Record<string, string> {
    return Object.fromEntries(this.arrivals.at(-1) ?? []);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

export interface VisitorOptions extends BrowserContextOptions {
  /** Also what the console says of replies that are errors, and of tests that break the pages on purpose. */
  ignoresProblems?: boolean;
}

export interface StageOptions extends Pick<HarnessOptions, "registry" | "clock" | "env" | "port"> {
  /** Whose pages a browser may also visit. What those do is theirs. */
  vendors?: readonly string[];
}

/** The service with a worker, a client's application, and a browser to go between them. */
export class Stage {
  readonly harness: Harness;
  readonly app: Application;
  readonly client: Client;
  readonly secret: string;
  readonly #browser: Browser;
  readonly #worker: Worker;
  readonly #vendors: readonly string[];
  /** What no page may do: complain in the console, or talk to anybody else. */
  readonly #problems: string[] = [];
  #again: Page | undefined;

  private constructor(parts: {
    harness: Harness;
    app: Application;
    client: Client;
    secret: string;
    browser: Browser;
    worker: Worker;
    vendors: readonly string[];
  }) {
    this.harness = parts.harness;
    this.app = parts.app;
    this.client = parts.client;
    this.secret = parts.secret;
    this.#browser = parts.browser;
    this.#worker = parts.worker;
    this.#vendors = parts.vendors;
  }

  static async open(
    browser: Browser,
    { vendors = [], env, ...options }: StageOptions = {},
  ): Promise<Stage> {
    const { port = await freePort() } = options;
    const harness = await createHarness({
      clock: systemClock,
      ...options,
      port,
      env: { PUBLIC_URL: `http://127.0.0.1:${port}`, ...env },
    });
    const app = await Application.open();
    const { client, secret } = await harness.services.clients.create({
      name: "Acme Payroll",
      redirectUris: [app.redirectUri, "https://app.acme.example/callback", redirectUri],
    });
    return new Stage({
      harness,
      app,
      client,
      secret,
      browser,
      worker: buildWorker(harness.services),
      vendors,
    });
  }

  async close(): Promise<void> {
    await this.#worker.stop();
    await this.harness.close();
    await this.app.close();
    await this.#browser.close();
  }

  /** A browser of its own, without cookies. */
  async visitor({ ignoresProblems = false, ...options }: VisitorOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ locale: "en-GB", ...options });
    context.setDefaultTimeout(20_000);
    if (!ignoresProblems) context.on("page", (page) => this.#watch(page));
    return await context.newPage();
  }

  /**
   * The same page for each test, which costs half of what it costs to open one: with the options of the first, light, and
   * without the cookies of the test before.
   */
  async visitorAgain(
    options: VisitorOptions & { viewport: { width: number; height: number } },
  ): Promise<Page> {
    this.#again ??= await this.visitor(options);
    await this.#again.setViewportSize(options.viewport);
    await this.#again.emulateMedia({ colorScheme: "light" });
    return this.#again;
  }

  /** Closes every visitor's browser, and holds all that they saw to what no page may do. */
  async leave(): Promise<void> {
    await this.#again?.goto("about:blank");
    for (const context of this.#browser.contexts())
      await (context === this.#again?.context() ? context.clearCookies() : context.close());
    this.app.arrivals.length = 0;
    this.app.leadsOnTo = undefined;
    const problems = this.#problems.splice(0);
    if (problems.length > 0)
      throw new Error(`the pages did what no page may do:\n${problems.join("\n")}`);
  }

  /** A sign-in link; a parameter that is undefined is left out. */
  link(parameters: Record<string, string | undefined> = {}): string {
    const all = {
      client_id: this.client.clientId,
      redirect_uri: this.app.redirectUri,
      mode: "xhr",
      scope: scopesOfMode("xhr").join(" "),
      provider: "sandbox",
      state: "af0 ifjs/ldkj",
      ...parameters,
    };
    const given = Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return `${this.harness.baseUrl}/connect?${new URLSearchParams(given).toString()}`;
  }

  /** A one-time link, made on the client's server. */
  async session(body: Record<string, unknown> = {}): Promise<string> {
    const json =
      body["token"] === undefined
        ? {
            redirect_uri: this.app.redirectUri,
            mode: "xhr",
            scope: "/2023-03-01/xhr/employees",
            provider: "sandbox",
            ...body,
          }
        : { redirect_uri: this.app.redirectUri, ...body };
    const reply = await this.harness.http.post("/2023-03-01/management/connect-session", {
      basic: [this.client.clientId, this.secret],
      json,
    });
    if (reply.status !== 201) throw new Error(`no link was made: ${JSON.stringify(reply.body)}`);
    return (reply.body as { connect_url: string }).connect_url;
  }

  async exchange(code: string): Promise<{ status: number; token: string }> {
    const json = {
      client_id: this.client.clientId,
      client_secret: this.secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: this.app.redirectUri,
    };
    const { status, body } = await this.harness.http.post("/2023-03-01/management/token", { json });
    return { status, token: (body as { access_token?: string }).access_token ?? "" };
  }

  /** As it is after changes of a test. */
  async currentClient(): Promise<Client> {
    return (await this.harness.services.clients.find(this.client.clientId)) ?? this.client;
  }

  /** Moves the moments that a flow keeps into the past, as if the person had been away. */
  async letTimePass(address: string, seconds: number): Promise<void> {
    const [, id] = /\/connect\/([0-9a-f-]{36})/.exec(address) ?? [];
    await this.harness.database.query(
      "update connect_flows set expires_at = expires_at - make_interval(secs => $2), finished_at = finished_at - make_interval(secs => $2) where id = $1",
      [id, seconds],
    );
  }

  #watch(page: Page): void {
    const { harness, app } = this;
    const own = new Set([harness.baseUrl, app.origin, app.aliasOrigin, ...this.#vendors]);
    const isVendors = (): boolean => this.#vendors.includes(new URL(page.url()).origin);
    page.on("request", (request) => {
      if (!isVendors() && !own.has(new URL(request.url()).origin))
        this.#problems.push(`a request to ${request.url()}`);
    });
    page.on("response", (response) => {
      const isPage = response.request().isNavigationRequest();
      if (response.status() >= 400 && !isPage)
        this.#problems.push(`${response.status()} for ${response.url()}`);
    });
    page.on("console", (message) => {
      if (
        !isVendors() &&
        ["error", "warning"].includes(message.type()) &&
        !message.text().startsWith(reportOfStatus)
      )
        this.#problems.push(`in the console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.#problems.push(`in the script: ${error.message}`));
  }
}

/** Does what opens a popup, and waits for its page. */
export async function openPopup(page: Page, act: () => Promise<unknown>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), act()]);
  await popup.waitForLoadState("domcontentloaded");
  return popup;
}

/** Opens a link and makes its flow, as the first form does, without what that form holds. Its address. */
export async function begin(page: Page, link: string): Promise<string> {
  await page.goto(link);
  await page.evaluate(
    "(() => { const input = document.querySelector('[name=form_name]'); input.value = 'none'; input.form.submit(); })()",
  );
  await page.waitForURL(/\/connect\/[0-9a-f-]{36}$/);
  return page.url();
}

/** Fills in the sandbox's form and sends it. */
export async function signInAs(
  page: Page,
  user: string,
  button = "Sign in and connect",
): Promise<void> {
  await fillSignIn(page, user);
  await press(page, button);
}

/** The same in a popup, which may close before it shows the next page. */
export async function sendSignIn(
  popup: Page,
  button: string | RegExp = "Sign in and connect",
): Promise<void> {
  await fillSignIn(popup, "user_good");
  await popup.getByRole("button", { name: button }).click();
}

async function fillSignIn(page: Page, user: string): Promise<void> {
  await page.locator("input[name=username]").fill(user);
  await page.locator("input[name=password]").fill("anything");
}

/** Presses a button and sees what page it leads to. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  const next = page.waitForEvent("domcontentloaded");
  await page.getByRole("button", { name }).click();
  await next;
}

/** The name of the field that has the focus, or the id of whatever else has it. A new page gives it after it has come. */
export async function focusedName(page: Page): Promise<unknown> {
  let name: unknown;
  await untilTrue("something has the focus", async () => {
    name = await page.evaluate("document.activeElement.name || document.activeElement.id");
    return name !== "";
  });
  return name;
}

/** Whether it can be read without moving from side to side. */
export async function fitsItsWidth(page: Page): Promise<unknown> {
  return await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
}
