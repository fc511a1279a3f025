// What this application asks of Rollcall, and how it checks what Rollcall sends.
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export interface Demo {
  base_url: string;
  client_id: string;
  client_secret: string;
}

export type Mode = "xhr" | "official";

export interface LinkOptions {
  redirectUri: string;
  mode: Mode;
  /** The last parts of scopes, such as `employees`. */
  resources: readonly string[];
  /** Undefined for that of the browser. */
  locale: string | undefined;
  state: string;
  /** Stays on this server. Only its digest is in the link. */
  verifier: string;
}

const version = "/2023-03-01";
const toleranceSeconds = 300;

export interface Exchanged {
  access_token: string;
  token: string;
}

export class Rollcall {
  readonly demo: Demo;
  readonly #basic: string;

  constructor(demo: Demo) {
    this.demo = demo;
    const credentials = Buffer.from(`${demo.client_id}:${demo.client_secret}`);
    this.#basic = `Basic ${credentials.toString("base64")}`;
  }

  /** A link that the browser can change. What is read of the redirect is checked all the same. */
  makeLink(options: LinkOptions): string {
    const { client_id } = this.demo;
    const query = new URLSearchParams({ client_id, ...parametersOf(options) });
    return `${this.demo.base_url}/connect?${query.toString()}`;
  }

  /** A link that nobody can change, and that one browser alone can use. */
  async makeOneTimeLink(options: LinkOptions): Promise<string> {
    return await this.#postSession(parametersOf(options));
  }

  /** Leads to the same account again, so that the same access token works again. */
  async makeLinkToSignInAgain(token: string, state: string, redirectUri: string): Promise<string> {
    return await this.#postSession({ token, state, redirect_uri: redirectUri });
  }

  /** `token` is the id of the access token. A webhook names the id, never the access token itself. */
  async exchange(code: string, redirectUri: string, verifier: string): Promise<Exchanged> {
    const { client_id, client_secret } = this.demo;
    const reply = await this.#post("/management/token", undefined, {
      client_id,
      client_secret,
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    return await readBody<Exchanged>(reply);
  }

  /** 200 with the list, 202 with `Retry-After` while it is being fetched, or a refusal. */
  async readEmployees(token: string, mode: Mode, { isFresh = false } = {}): Promise<Response> {
    const url = `${this.demo.base_url}${version}/${mode}/employees`;
    const authorization = `Bearer ${token}`;
    return await fetch(url, {
      headers: { authorization, ...(isFresh && { "cache-control": "no-cache" }) },
    });
  }

  async disconnect(token: string): Promise<void> {
    await readBody(await this.#post("/management/disconnect", `Bearer ${token}`));
  }

  /** `webhook` lets an hour pass in the sandbox; `fail` ends the session there. */
  async changeSandbox(tokenId: string, change: string, body?: object): Promise<Response> {
    const path = `/management/sandbox/connections/${tokenId}/${change}`;
    return await this.#post(path, this.#basic, body);
  }

  /** Adds what this application needs to the client. Whoever runs it in earnest does it once, by hand. */
  async register({ redirectUri, webhookUri }: { redirectUri: string; webhookUri: string }) {
    const url = `${this.demo.base_url}${version}/management/client`;
    const reply = await fetch(url, { headers: { authorization: this.#basic } });
    const client = await readBody<{ redirect_uris: string[]; webhook_uri: string | null }>(reply);
    if (client.webhook_uri === webhookUri && client.redirect_uris.includes(redirectUri)) return;
    const redirects = [...new Set([...client.redirect_uris, redirectUri])];
    const change = { redirect_uris: redirects, webhook_uri: webhookUri };
    await readBody(await this.#post("/management/client", this.#basic, change));
  }

  /** Whether Rollcall sent these bytes, just now. Standard Webhooks says how. */
  isSigned(headers: IncomingHttpHeaders, body: Buffer): boolean {
    const read = (name: string): string => String(headers[name] ?? "");
    const [id, timestamp] = [read("webhook-id"), read("webhook-timestamp")];
    if (id === "" || !/^\d+$/.test(timestamp)) return false;
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
    const hmac = createHmac("sha256", this.demo.client_secret).update(`${id}.${timestamp}.`);
    const expected = Buffer.from(`v1,${hmac.update(body).digest("base64")}`);
    const entries = read("webhook-signature").split(" ").map(Buffer.from);
    return entries.some((entry) => isSame(entry, expected));
  }

  async #postSession(body: object): Promise<string> {
    const reply = await this.#post("/management/connect-session", this.#basic, body);
    return (await readBody<{ connect_url: string }>(reply)).connect_url;
  }

  async #post(path: string, authorization?: string, body?: object): Promise<Response> {
    return await fetch(this.demo.base_url + version + path, {
      method: "POST",
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}

/** For `state` and `code_verifier`: 256 bits that nobody can foresee. */
export function makeRandom(): string {
  return randomBytes(32).toString("base64url");
}

function parametersOf({ redirectUri, mode, resources, locale, state, verifier }: LinkOptions) {
  return {
    redirect_uri: redirectUri,
    mode,
    scope: resources.map((resource) => `${version}/${mode}/${resource}`).join(" "),
    provider: "sandbox",
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...(locale !== undefined && { locale }),
  };
}

async function readBody<Body>(reply: Response): Promise<Body> {
  const body = (await reply.json()) as Body & { message?: string };
  if (!reply.ok) throw new Error(`Rollcall answered ${reply.status}: ${body.message ?? ""}`);
  return body;
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
