import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { ProviderContext } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { readReply, type OdooReply } from "./odoo-reply.ts";
import { hasNewerCookie, type PersonSession } from "./odoo-session.ts";
import type { OdooCall, OdooTransport } from "./odoo-transport.ts";
import { readSessionInfo, type SessionInfo } from "./session-info.ts";

/** Odoo's JSON-RPC of version 14 to 19, with the cookie of a person who signed in. */
export class SessionTransport implements OdooTransport {
  readonly #context: ProviderContext;
  readonly #http: ProviderHttp;
  #session: PersonSession;
  #requestId: string | null = null;

  constructor(context: ProviderContext, session: PersonSession) {
    this.#context = context;
    this.#session = session;
    this.#http = context.http(session.url, { cookies: session.cookies });
  }

  get session(): PersonSession {
    return this.#session;
  }

  async readInfo(): Promise<SessionInfo> {
    const info = await readSessionInfo(this.#http, this.#session.url);
    this.#keepCookies();
    return info;
  }

  async call({ model, method, ids, positional = {}, kwargs = {} }: OdooCall): Promise<OdooReply> {
    const args = [...(ids ? [ids] : []), ...Object.values(positional)];
    const response = await this.#http.request({
      method: "POST",
      url: `${this.#session.url}/web/dataset/call_kw/${model}/${method}`,
      json: {
        jsonrpc: "2.0",
        id: this.#requestId,
        method: "call",
        params: { model, method, args, kwargs },
      },
      isIdempotent: true,
    });
    this.#keepCookies();
    const reply = readReply(response);
    if (reply) return reply;
    // A server with several databases answers 404 when the cookie names none of them.
    if (response.status === 404) throw new AuthError("reauthentication_required");
    throw new ProviderBug("the answer is not JSON-RPC");
  }

  /** Odoo repeats the id of a request in its answer. */
  async markDay(day: string): Promise<void> {
    this.#requestId = day;
  }

  #keepCookies(): void {
    const cookies = this.#http.exportCookies();
    if (!hasNewerCookie(cookies, this.#session.cookies)) return;
    this.#session = { ...this.#session, cookies };
    this.#context.saveSession(this.#session);
  }
}
