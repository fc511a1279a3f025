import { Agent } from "undici";
import { vi } from "vitest";
import { workOnSignIns } from "../../src/connect/index.ts";
import { scopesOfMode } from "../../src/model/index.ts";
import type { Queryable } from "../../src/platform/db/index.ts";
import { redirectUri, type Harness } from "./harness.ts";

export interface Seen {
  status: number;
  /** The path of the last request. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  html: string;
  /** The address outside of the sign-in to which the reply redirects, byte for byte. */
  left: string | undefined;
}

type Form = Readonly<Record<string, string | readonly string[]>>;

interface SignInWork {
  stop: () => Promise<void>;
  /** Resolves when every sign-in was tried or has to wait. */
  drained: () => Promise<void>;
}

/** Accepts long redirect addresses, as browsers do. */
const agent = new Agent({ maxHeaderSize: 65_536 });
const patience = 30;
const waiting = /data-watch=/;

/**
 * Visits the pages as a browser without JavaScript does: with cookies, forms and redirects. It
 * follows no redirect that leads out of the sign-in.
 */
export class ConnectVisitor {
  readonly cookies = new Map<string, string>();
  readonly #baseUrl: string;
  readonly #headers: Record<string, string>;

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.#baseUrl = baseUrl;
    this.#headers = headers;
  }

  /** Follows redirects within the service. */
  async open(path: string): Promise<Seen> {
    return await this.#follow(await this.ask("GET", path));
  }

  /** Sends the form whose address ends in `action`, with its hidden fields and `fields`. */
  async send(page: Seen, action: string, fields: Form = {}): Promise<Seen> {
    return await this.#follow(
      await this.ask("POST", addressOf(page, action), { ...hiddenFields(page, action), ...fields }),
    );
  }

  /**
   * Opens a link and makes its flow, as the first form does, without sending what the form holds. The
   * page that is returned is the flow's own.
   */
  async begin(path: string): Promise<Seen> {
    const page = await this.open(path);
    const { form_name: _name, ...fields } = hiddenFields(page, "decline");
    return await this.#follow(await this.ask("POST", page.path, fields));
  }

  /** Opens the page again until the provider has answered. */
  async settle(page: Seen): Promise<Seen> {
    let current = page;
    for (let look = 0; look < patience && waiting.test(current.html); look += 1)
      current = await this.open(current.path);
    return current;
  }

  /** Fills in the form of the provider, with the page before it where the address is asked for first. */
  async submit(page: Seen, fields: Form): Promise<Seen> {
    const asked = hasForm(page, "address") ? await this.#sendAddress(page, fields) : page;
    if (hasForm(asked, "address")) return asked;
    return await this.settle(await this.send(asked, "sign-in", shownOf(asked, fields)));
  }

  async #sendAddress(page: Seen, fields: Form): Promise<Seen> {
    return await this.settle(await this.send(page, "address", shownOf(page, fields)));
  }

  async answer(page: Seen, answer: string): Promise<Seen> {
    return await this.settle(await this.send(page, "answer", { answer }));
  }

  /** Sends one request and follows no redirect. */
  async ask(method: "GET" | "POST" | "HEAD", path: string, form?: Form): Promise<Seen> {
    // Not a client that parses the address, because that would change it.
    const response = await agent.request({
      origin: this.#baseUrl,
      path,
      method,
      headers: {
        ...this.#headers,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      body: form ? encodeForm(form) : null,
    });
    for (const cookie of [response.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    const { location } = response.headers;
    const left =
      typeof location === "string" && !location.startsWith("/connect") ? location : undefined;
    return {
      status: response.statusCode,
      path,
      headers: response.headers,
      html: await response.body.text(),
      left,
    };
  }

  async #follow(seen: Seen): Promise<Seen> {
    const { location } = seen.headers;
    return typeof location === "string" && seen.left === undefined
      ? await this.open(location)
      : seen;
  }
}

/** Works on the sign-ins of the pages in this process until the harness closes. */
export function workSignIns(harness: Harness): SignInWork {
  const { services } = harness;
  const { work, job } = workOnSignIns(services);
  services.queue.work(job);
  const stop = async (): Promise<void> => {
    await Promise.all([work.stop(1_000), services.queue.stopWorking(1_000)]);
  };
  harness.beforeClose(stop);
  return { stop, drained: () => work.drained() };
}

const unknownFlowId = "01a1fd38-4e3b-76f0-aa4b-83ecbf6d43be";
export const unknownFlow = `/connect/${unknownFlowId}`;

/** The next look for the unknown flow fails with this error. */
export function failUnknownFlow({ services }: Harness, error: Error): void {
  const pool: Queryable = services.pool;
  const query = pool.query.bind(pool);
  const spy = vi.spyOn(pool, "query");
  spy.mockImplementation(async (sql, values) => {
    const given = typeof sql === "string" ? values : sql.values;
    if (!given?.includes(unknownFlowId)) return await query(sql, values);
    spy.mockRestore();
    throw error;
  });
}

/** The path of a sign-in link. An undefined parameter is left out. */
export function linkPath(
  client: { clientId: string },
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const all = {
    client_id: client.clientId,
    redirect_uri: redirectUri,
    mode: "xhr",
    scope: scopesOfMode("xhr").join(" "),
    provider: "sandbox",
    ...parameters,
  };
  const given = Object.entries(all).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `/connect?${new URLSearchParams(given).toString()}`;
}

/** The parameters of the redirect, in order. */
export function carried({ left }: Pick<Seen, "left">): [string, string][] {
  if (left === undefined) throw new Error("the page does not redirect to the client");
  return [...new URL(left).searchParams];
}

export function hiddenFields(page: Seen, action: string): Record<string, string> {
  return Object.fromEntries(
    [
      ...findForm(page, action).inner.matchAll(
        /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
      ),
    ].map((match) => [match[1] ?? "", unescape(match[2] ?? "")]),
  );
}

export function headingOf(page: Pick<Seen, "html">): string {
  return plain(/<h1>(.*?)<\/h1>/s.exec(page.html)?.[1] ?? "");
}

/** What the page says is wrong, at a field or above the form. Empty when it says nothing. */
export function problemOf(page: Pick<Seen, "html">): string {
  return plain(
    /(?:class="error"|role="alert")[^>]*>(.*?)<\/(?:p|div)>/s.exec(page.html)?.[1] ?? "",
  );
}

/** The text of the page, without its frame. */
export function textOf(page: Pick<Seen, "html">): string {
  return plain(/<main>(.*?)<\/main>/s.exec(page.html)?.[1] ?? "");
}

/** Where the address has a page of its own, what that page asks for; everything else as it is given. */
function shownOf({ html }: Seen, fields: Form): Form {
  const isStep = html.includes('id="found"') || html.includes('name="form_name" value="address"');
  if (!isStep && !/action="[^"]*\/address"/.test(html)) return fields;
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => html.includes(` name="${name}"`)),
  );
}

function hasForm(page: Seen, action: string): boolean {
  return findForms(page).some((form) => isCalled(form, action));
}

function addressOf(page: Seen, action: string): string {
  return findForm(page, action).address;
}

interface FoundForm {
  address: string;
  inner: string;
}

function findForms({ html }: Seen): FoundForm[] {
  return [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, address = "", inner = ""]) => ({ address: unescape(address), inner }),
  );
}

function isCalled({ address, inner }: FoundForm, action: string): boolean {
  return (
    inner.includes(`name="form_name" value="${action}"`) ||
    (/^\/connect\/[^?]*$/.test(address) && address.endsWith(`/${action}`))
  );
}

/** The address of a flow's form ends in its name. The form of a link's page has a field that names it. */
function findForm(page: Seen, action: string): FoundForm {
  const found = findForms(page).find((form) => isCalled(form, action));
  if (!found)
    throw new Error(`${page.path} (${page.status}) has no form ${action}: ${textOf(page)}`);
  return found;
}

function encodeForm(form: Form): string {
  return new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, each] as [string, string]),
    ),
  ).toString();
}

function plain(markup: string): string {
  return unescape(
    markup
      .replaceAll(/<\/?bdi>/g, "")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

function unescape(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
