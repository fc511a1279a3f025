import { z } from "zod";
import type { ProviderContext, Session } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { fieldType, listStandardFields, pickFields, type FieldTypes } from "./standard-fields.ts";
import { isLanguageMissing, isNamed, resultOf, type OdooReply } from "./replies.ts";
import { parseSession, type OdooSession } from "./session.ts";
import {
  openTransport,
  type OdooCall,
  type OdooTransport,
  type SessionInfo,
} from "./transports.ts";

export type Domain = readonly (readonly [field: string, operator: string, value: unknown])[];

interface Search {
  domain: Domain;
  fields: readonly string[];
  limit: number;
  companyIds?: readonly number[] | undefined;
  hasArchived?: boolean;
}

/** A record as Odoo returns it. An empty value of any type is `false`. */
export type OdooRecord = Readonly<Record<string, unknown>> & { readonly id: number };

const records = z.array(z.looseObject({ id: z.int() }));
const found = z.object({ records });
const fieldTypes = z.record(z.string(), fieldType);
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
  /** All fields of a model, by its name. */
  readonly #fields = new Map<string, Promise<FieldTypes>>();
  /** In which names are read. Null is English. Undefined before it is known. */
  #language: string | null | undefined;

  /** Without the language, the account is asked for its own. */
  constructor(context: ProviderContext, session: Session, language?: string | null) {
    this.#transport = openTransport(context, parseSession(session));
    this.#language = language;
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

  /** Of the names that were read. Null is English. */
  get language(): string | null {
    return this.#language ?? null;
  }

  /** With the day in the answers, one of another day never counts as unchanged. */
  async markDay(day: string): Promise<void> {
    await this.#transport.markDay(day);
  }

  /** All fields that the model has and this account may read. They are asked for once. */
  async listAllFields(model: string): Promise<FieldTypes> {
    const fields = this.#fields.get(model) ?? this.#askFields(model, {});
    this.#fields.set(model, fields);
    return await fields;
  }

  /** Those of the named fields that the model has and this account may read. */
  async listFields(model: string, names: readonly string[]): Promise<FieldTypes> {
    const all = await (this.#fields.get(model) ?? listStandardFields(model, names));
    return all ? pickFields(all, names) : await this.#askFields(model, { allfields: names });
  }

  /** The values that a field of the type selection can have. */
  async listChoices(model: string, field: string): Promise<string[]> {
    const kwargs = { allfields: [field], attributes: ["selection"] };
    const choices = await this.#call(selections, { model, method: "fields_get", kwargs });
    return choices[field]?.selection?.map(([value]) => value) ?? [];
  }

  /**
   * Includes archived records unless it is said otherwise, because Odoo archives people who left. With companies, only
   * of these: refused when the account does not have one of them.
   */
  async search(
    model: string,
    { companyIds, hasArchived = true, ...asked }: Search,
  ): Promise<OdooRecord[]> {
    const ofThem = companyIds && { allowed_company_ids: companyIds };
    const kwargs = { ...asked, order: "id", context: { active_test: !hasArchived, ...ofThem } };
    return await this.#call(records, { model, method: "search_read", kwargs });
  }

  /** As `search`, with what the records point to inside of them. Only from version 17 on. */
  async searchNested(
    model: string,
    { domain, specification, limit }: { domain: Domain; specification: object; limit: number },
  ): Promise<OdooRecord[]> {
    const context = { active_test: false };
    const kwargs = { domain, specification, limit, order: "id", context };
    return (await this.#call(found, { model, method: "web_search_read", kwargs })).records;
  }

  /** The names that Odoo's modules gave to records, by record id, such as `hr.contract_type_full_time`. */
  async listExternalIds(model: string, ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const names = await this.#call(externalIds, { model, method: "get_external_id", ids });
    return new Map(Object.entries(names).map(([id, name]) => [Number(id), name]));
  }

  /** From version 18 on `has_group` is a method of the user; before, it is one of the model. */
  async hasGroup(group: string): Promise<boolean> {
    const call = { model: "res.users", method: "has_group", positional: { group_ext_id: group } };
    const reply = await this.#ask({ ...call, ids: [this.uid] });
    const isOfModel = "fault" in reply && isNamed(reply.fault, "TypeError");
    return resultOf(isOfModel ? await this.#ask(call) : reply) === true;
  }

  async #askFields(model: string, which: object): Promise<FieldTypes> {
    const kwargs = { ...which, attributes: ["type", "relation"] };
    return await this.#call(fieldTypes, { model, method: "fields_get", kwargs });
  }

  async #call<Schema extends z.ZodType>(schema: Schema, call: OdooCall): Promise<z.output<Schema>> {
    const { data } = schema.safeParse(resultOf(await this.#ask(call), call.model));
    if (data === undefined)
      throw new ProviderBug("the result does not have the shape that Odoo documents");
    return data;
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
}
