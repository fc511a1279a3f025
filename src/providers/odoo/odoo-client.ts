import { z } from "zod";
import type { ProviderContext, Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { OdooRecord } from "./field-values.ts";
import { KeyTransport } from "./key-transport.ts";
import { isLanguageMissing, isNamed, toFailure, type OdooReply } from "./odoo-reply.ts";
import { parseSession, type OdooSession } from "./odoo-session.ts";
import type { OdooCall, OdooTransport } from "./odoo-transport.ts";
import type { SessionInfo } from "./session-info.ts";
import { SessionTransport } from "./session-transport.ts";

export type Domain = readonly (readonly [field: string, operator: string, value: unknown])[];

const records = z.array(z.looseObject({ id: z.int() }));
const fieldTypes = z.record(
  z.string(),
  z.object({ type: z.string(), relation: z.string().optional() }),
);
const selections = z.record(
  z.string(),
  z.object({ selection: z.array(z.tuple([z.string(), z.unknown()])).optional() }),
);
const externalIds = z.record(z.string(), z.string());

/**
 * Calls methods of models as the account that signed in, in its language. All of them only read, so a call
 * may be repeated.
 */
export class OdooClient {
  readonly #transport: OdooTransport;
  #info: Promise<SessionInfo> | undefined;
  /** In which names are read. Null is English. Undefined before it is known. */
  #language: string | null | undefined;

  constructor(context: ProviderContext, session: Session) {
    const parsed = parseSession(session);
    this.#transport =
      "key" in parsed ? new KeyTransport(context, parsed) : new SessionTransport(context, parsed);
  }

  get uid(): number {
    return this.session.uid;
  }

  get session(): OdooSession {
    return this.#transport.session;
  }

  async sessionInfo(): Promise<SessionInfo> {
    this.#info ??= this.#transport.readInfo();
    return await this.#info;
  }

  /** With the day in the answers, one of another day never counts as unchanged. */
  async markDay(day: string): Promise<void> {
    await this.#transport.markDay(day);
  }

  /** Those of the named fields that the model has and this account may read. All of them without names. */
  async listFields(model: string, names?: readonly string[]): Promise<z.output<typeof fieldTypes>> {
    const kwargs = { ...(names && { allfields: names }), attributes: ["type", "relation"] };
    return this.#expect(fieldTypes, await this.#call({ model, method: "fields_get", kwargs }));
  }

  /** The values that a field of the type selection can have. */
  async listChoices(model: string, field: string): Promise<string[]> {
    const kwargs = { allfields: [field], attributes: ["selection"] };
    const found = await this.#call({ model, method: "fields_get", kwargs });
    return this.#expect(selections, found)[field]?.selection?.map(([value]) => value) ?? [];
  }

  /** Includes archived records, because Odoo archives people who left. */
  async search(
    model: string,
    { domain, fields, limit }: { domain: Domain; fields: readonly string[]; limit: number },
  ): Promise<OdooRecord[]> {
    const kwargs = { domain, fields, limit, order: "id", context: { active_test: false } };
    return this.#expect(records, await this.#call({ model, method: "search_read", kwargs }));
  }

  /** The names that Odoo's modules gave to records, by record id, such as `hr.contract_type_full_time`. */
  async listExternalIds(model: string, ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const found = await this.#call({ model, method: "get_external_id", ids });
    return new Map(
      Object.entries(this.#expect(externalIds, found)).map(([id, name]) => [Number(id), name]),
    );
  }

  /** From version 18 on `has_group` is a method of the user; before, it is one of the model. */
  async hasGroup(group: string): Promise<boolean> {
    const call = { model: "res.users", method: "has_group", positional: { group_ext_id: group } };
    const reply = await this.#ask({ ...call, ids: [this.uid] });
    if ("fault" in reply && isNamed(reply.fault, "TypeError"))
      return (await this.#call(call)) === true;
    if ("fault" in reply) throw toFailure(reply.fault, "res.users");
    return reply.result === true;
  }

  async #call(call: OdooCall): Promise<unknown> {
    const reply = await this.#ask(call);
    if ("fault" in reply) throw toFailure(reply.fault, call.model);
    return reply.result;
  }

  async #ask(call: OdooCall): Promise<OdooReply> {
    if (this.#language === undefined) this.#language = (await this.sessionInfo()).language;
    const language = this.#language;
    const reply = await this.#send(call, language);
    if (language === null || !("fault" in reply) || !isLanguageMissing(reply.fault, language))
      return reply;
    // The language was removed from the server.
    this.#language = null;
    return await this.#send(call, null);
  }

  /** Without `allowed_company_ids`, all companies of the account count. */
  async #send(call: OdooCall, language: string | null): Promise<OdooReply> {
    const { companyId } = this.session;
    const { context, ...kwargs } = (call.kwargs ?? {}) as { context?: object };
    const whole = {
      ...context,
      ...(language !== null && { lang: language }),
      ...(companyId !== undefined && { allowed_company_ids: [companyId] }),
    };
    if (Object.keys(whole).length === 0) return await this.#transport.call(call);
    return await this.#transport.call({ ...call, kwargs: { ...kwargs, context: whole } });
  }

  #expect<Schema extends z.ZodType>(schema: Schema, result: unknown): z.output<Schema> {
    const { data } = schema.safeParse(result);
    if (data === undefined)
      throw new ProviderBug("the result does not have the shape that Odoo documents");
    return data;
  }
}
