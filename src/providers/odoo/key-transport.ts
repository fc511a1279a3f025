import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { ProviderContext } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import { fault, toFailure, type OdooReply } from "./odoo-reply.ts";
import type { KeySession } from "./odoo-session.ts";
import type { OdooCall, OdooTransport } from "./odoo-transport.ts";
import { toSessionInfo, userContext, type SessionInfo } from "./session-info.ts";

const keyContext = userContext.extend({ uid: z.int().positive() });

type Place = Pick<KeySession, "url" | "database" | "key">;

/** Odoo's JSON-2 API of version 19, with an API key. */
export class KeyTransport implements OdooTransport {
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
    await this.call({
      model: "res.users",
      method: "default_get",
      kwargs: { fields: ["name"], context: { default_name: day } },
    });
  }
}

/** Who the key belongs to. Null when the server does not have the database. */
export async function readKeyInfo(http: ProviderHttp, place: Place): Promise<SessionInfo | null> {
  const reply = await callByKey(http, place, { model: "res.users", method: "context_get" });
  if (!reply) return null;
  if ("fault" in reply) throw toFailure(reply.fault, "res.users");
  const { data } = keyContext.safeParse(reply.result);
  if (!data) throw new ProviderBug("Odoo does not tell whose key it is");
  return toSessionInfo(data.uid, data);
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
  const isJson = (response.headers["content-type"] ?? "").includes("json");
  if (!isJson && status === 404) return null;
  if (!isJson) throw new ProviderBug("the answer is not JSON");
  if (status === 200) return { result: response.json() };
  const { data } = fault.safeParse(response.json());
  if (!data) throw new ProviderBug("the answer has no fault that Odoo documents");
  return { fault: { code: status, ...data } };
}
