import { z } from "zod";
import type { ProviderHttp } from "../../platform/outbound/index.ts";
import type { ProviderContext, Session } from "../contract.ts";
import { AuthError, ProviderBug } from "../errors.ts";
import type { OdooRecord } from "./field-values.ts";
import { isLanguageMissing, isNamed, readReply, toFailure, type OdooReply } from "./odoo-reply.ts";
import { hasNewerCookie, parseSession, type OdooSession } from "./odoo-session.ts";
import { readSessionInfo, type SessionInfo } from "./session-info.ts";

export type Domain = readonly (readonly [field: string, operator: string, value: unknown])[];

const records = z.array(z.looseObject({ id: z.int() }));
const fieldTypes = z.record(
  z.string(),
  z.object({ type: z.string(), relation: z.string().optional() }),
);
const externalIds = z.record(z.string(), z.string());

/**
 * Calls methods of models as the person who signed in, in the language of their account. All of them only
 * read, so a call may be repeated.
 */
export class OdooClient {
  readonly #context: ProviderContext;
  readonly #http: ProviderHttp;
  #session: OdooSession;
  #info: Promise<SessionInfo> | undefined;
  /** In which names are read. Null is English. Undefined before it is known. */
  #language: string | null | undefined;
  #requestId: string | null = null;

  constructor(context: ProviderContext, session: Session) {
    this.#context = context;
    this.#session = parseSession(session);
    this.#http = context.http(this.#session.url, { cookies: this.#session.cookies });
  }

  get uid(): number {
    return this.#session.uid;
  }

  async sessionInfo(): Promise<SessionInfo> {
    this.#info ??= readSessionInfo(this.#http, this.#session.url);
    const info = await this.#info;
    this.#keepCookies();
    return info;
  }

  /**
   * Odoo repeats the id of a request in its answer. With the day as the id, an answer of another day never
   * counts as unchanged: what the mapping makes of the same records depends on the day.
   */
  useRequestId(id: string): void {
    this.#requestId = id;
  }

  /** Those of the named fields that the model has and this account may read. */
  async listFields(model: string, names: readonly string[]): Promise<z.output<typeof fieldTypes>> {
    return this.#expect(
      fieldTypes,
      await this.#call(model, "fields_get", [], {
        allfields: names,
        attributes: ["type", "relation"],
      }),
    );
  }

  /** Includes archived records, because Odoo archives people who left. */
  async search(
    model: string,
    { domain, fields, limit }: { domain: Domain; fields: readonly string[]; limit: number },
  ): Promise<OdooRecord[]> {
    const kwargs = { domain, fields, limit, order: "id", context: { active_test: false } };
    return this.#expect(records, await this.#call(model, "search_read", [], kwargs));
  }

  /** The names that Odoo's modules gave to records, by record id, such as `hr.contract_type_full_time`. */
  async listExternalIds(model: string, ids: readonly number[]): Promise<Map<number, string>> {
    const found = await this.#call(model, "get_external_id", [ids], {});
    return new Map(
      Object.entries(this.#expect(externalIds, found)).map(([id, name]) => [Number(id), name]),
    );
  }

  /** From version 18 on `has_group` is a method of the user; before, it is one of the model. */
  async hasGroup(group: string): Promise<boolean> {
    const reply = await this.#ask("res.users", "has_group", [[this.uid], group], {});
    if ("fault" in reply && isNamed(reply.fault, "TypeError"))
      return (await this.#call("res.users", "has_group", [group], {})) === true;
    if ("fault" in reply) throw toFailure(reply.fault, "res.users");
    return reply.result === true;
  }

  async #call(
    model: string,
    method: string,
    args: readonly unknown[],
    kwargs: object,
  ): Promise<unknown> {
    const reply = await this.#ask(model, method, args, kwargs);
    if ("fault" in reply) throw toFailure(reply.fault, model);
    return reply.result;
  }

  async #ask(
    model: string,
    method: string,
    args: readonly unknown[],
    kwargs: object,
  ): Promise<OdooReply> {
    if (this.#language === undefined) this.#language = (await this.sessionInfo()).language;
    const language = this.#language;
    const reply = await this.#post({ model, method, args, kwargs: inLanguage(kwargs, language) });
    if (language === null || !("fault" in reply) || !isLanguageMissing(reply.fault, language))
      return reply;
    // The language was removed from the server.
    this.#language = null;
    return await this.#post({ model, method, args, kwargs });
  }

  async #post(params: {
    model: string;
    method: string;
    args: readonly unknown[];
    kwargs: object;
  }): Promise<OdooReply> {
    const response = await this.#http.request({
      method: "POST",
      url: `${this.#session.url}/web/dataset/call_kw/${params.model}/${params.method}`,
      json: { jsonrpc: "2.0", id: this.#requestId, method: "call", params },
      isIdempotent: true,
    });
    this.#keepCookies();
    const reply = readReply(response);
    if (reply) return reply;
    // A server with several databases answers 404 when the cookie names none of them.
    if (response.status === 404) throw new AuthError("reauthentication_required");
    throw new ProviderBug("the answer is not JSON-RPC");
  }

  #keepCookies(): void {
    const cookies = this.#http.exportCookies();
    if (!hasNewerCookie(cookies, this.#session.cookies)) return;
    this.#session = { ...this.#session, cookies };
    this.#context.saveSession(this.#session);
  }

  #expect<Schema extends z.ZodType>(schema: Schema, result: unknown): z.output<Schema> {
    const { data } = schema.safeParse(result);
    if (data === undefined)
      throw new ProviderBug("the result does not have the shape that Odoo documents");
    return data;
  }
}

function inLanguage(kwargs: object, language: string | null): object {
  if (language === null) return kwargs;
  const { context } = kwargs as { context?: object };
  return { ...kwargs, context: { ...context, lang: language } };
}
