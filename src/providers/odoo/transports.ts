import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { ProviderContext } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { callRpc, faultData, isJson, resultOf, type OdooReply } from "./replies.ts";
import {
  hasNewerCookie,
  type KeySession,
  type OdooSession,
  type PersonSession,
} from "./session.ts";

/** A call of a method of a model. All that this adapter calls only read, so a call may be repeated. */
export interface OdooCall {
  model: string;
  method: string;
  /** The records that the method is called on. */
  ids?: readonly number[];
  /** By their names, in the order of the method. */
  positional?: Readonly<Record<string, unknown>>;
  kwargs?: object;
}

/** What Odoo knows of the account of a session. */
export interface SessionInfo {
  uid: number;
  /** Of the account's interface, such as `de_DE`. */
  language: string | null;
  /** Such as `Europe/Berlin`. Null when the account has none. */
  timeZone: string | null;
  /** Such as 19. Null when the server does not say it. */
  version: number | null;
}

/** How methods of models are called with one kind of session. */
export interface OdooTransport {
  /** The newest. */
  readonly session: OdooSession;
  readInfo(): Promise<SessionInfo>;
  call(call: OdooCall): Promise<OdooReply>;
  /**
   * Makes the answers of another day differ: what the mapping makes of the same records depends on the day
   * where the company is.
   */
  markDay(day: string): Promise<void>;
}

export function openTransport(context: ProviderContext, session: OdooSession): OdooTransport {
  return "key" in session
    ? new KeyTransport(context, session)
    : new SessionTransport(context, session);
}

const text = z.string().min(1).nullable().catch(null);
const userContext = z.object({ lang: text, tz: text });
const uid = z.int().positive();
const keyContext = userContext.extend({ uid });
/** The version begins with a number, or with a text such as `saas~18`. */
const majorVersion = z
  .tuple([z.union([z.number(), z.string()])], z.unknown())
  .transform(([major]) => Number(/\d+/.exec(String(major))?.[0] ?? 0))
  .nullable()
  .catch(null);
const personInfo = z.object({
  uid,
  server_version_info: majorVersion,
  user_context: userContext.catch({ lang: null, tz: null }),
});

/** Odoo's JSON-RPC of version 14 to 19, with the cookie of a person who signed in. */
class SessionTransport implements OdooTransport {
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
    const info = await readPersonInfo(this.#http, this.#session.url);
    this.#keepCookies();
    return info;
  }

  async call({ model, method, ids, positional = {}, kwargs = {} }: OdooCall): Promise<OdooReply> {
    const args = [...(ids ? [ids] : []), ...Object.values(positional)];
    const reply = await callRpc(this.#http, this.#session.url, {
      path: `/web/dataset/call_kw/${model}/${method}`,
      params: { model, method, args, kwargs },
      id: this.#requestId,
    });
    this.#keepCookies();
    return reply;
  }

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

export async function readPersonInfo(http: ProviderHttp, url: string): Promise<SessionInfo> {
  const info = resultOf(await callRpc(http, url, { path: "/web/session/get_session_info" }));
  const { data } = personInfo.safeParse(info);
  if (!data) throw new ProviderBug("Odoo's session information has no user id");
  const { lang, tz } = data.user_context;
  return { uid: data.uid, language: lang, timeZone: tz, version: data.server_version_info };
}

type Place = Pick<KeySession, "url" | "database" | "key">;

const firstVersionWithKeys = 19;

/** Odoo's JSON-2 API of version 19, with an API key. */
class KeyTransport implements OdooTransport {
  readonly session: KeySession;
  readonly #http: ProviderHttp;

  constructor(context: ProviderContext, session: KeySession) {
    this.session = session;
    this.#http = context.http(session.url);
  }

  async readInfo(): Promise<SessionInfo> {
    const info = await readKeyInfo(this.#http, this.session);
    if (!info) throw new AuthError("reauthentication_required");
    return info;
  }

  async call(call: OdooCall): Promise<OdooReply> {
    const reply = await callByKey(this.#http, this.session, call);
    if (!reply) throw new AuthError("reauthentication_required");
    return reply;
  }

  /** The API has no id of requests. The default that a context gives comes back in the answer. */
  async markDay(day: string): Promise<void> {
    const kwargs = { fields: ["name"], context: { default_name: day } };
    resultOf(await this.call({ model: "res.users", method: "default_get", kwargs }));
  }
}

/** Who the key belongs to. Null when the server does not have the database. */
export async function readKeyInfo(http: ProviderHttp, place: Place): Promise<SessionInfo | null> {
  const reply = await callByKey(http, place, { model: "res.users", method: "context_get" });
  if (!reply) return null;
  const { data } = keyContext.safeParse(resultOf(reply));
  if (!data) throw new ProviderBug("Odoo does not tell whose key it is");
  const { lang, tz } = data;
  return { uid: data.uid, language: lang, timeZone: tz, version: firstVersionWithKeys };
}

/** Null when the server does not have the database, or has several and none is named. */
async function callByKey(
  http: ProviderHttp,
  { url, database, key }: Place,
  { model, method, ids, positional, kwargs }: OdooCall,
): Promise<OdooReply | null> {
  const response = await http.request({
    method: "POST",
    url: `${url}/json/2/${model}/${method}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(database !== null && { "x-odoo-database": database }),
    },
    json: { ...(ids && { ids }), ...positional, ...kwargs },
    isIdempotent: true,
  });
  const { status } = response;
  if (status === 401) throw new AuthError("reauthentication_required");
  if (!isJson(response)) {
    if (status === 404) return null;
    throw new ProviderBug("the answer is not JSON");
  }
  if (status === 200) return { result: response.json() };
  const { data } = faultData.safeParse(response.json());
  if (!data) throw new ProviderBug("the answer has no fault that Odoo documents");
  return { fault: { code: status, ...data } };
}
