import { OperationNotSupported, ProviderBug } from "../errors.ts";
import { isPermissionMissing } from "../kit/rights.ts";
import type { OdooRecord } from "./field-values.ts";
import type { Domain, OdooClient } from "./odoo-client.ts";

/**
 * The fields to read of a model. An object in place of `true` names the fields to read of the
 * related records.
 */
export interface Specification {
  readonly [field: string]: true | Specification;
}

export function plainFields(...names: string[]): Specification {
  return Object.fromEntries(names.map((name) => [name, true]));
}

type Fields = Awaited<ReturnType<OdooClient["listFields"]>>;

const pageSize = 200;

/**
 * Reads records with their related records, in calls that every version since 14 has. A field that
 * the server lacks or the account may not read is absent. A related record that the account may not
 * read is null.
 */
export class RecordReader {
  readonly #odoo: OdooClient;
  /** Both are cached by specification object, so that each record is read once. */
  readonly #fields = new Map<Specification, Fields>();
  readonly #known = new Map<Specification, Map<number, OdooRecord>>();

  constructor(odoo: OdooClient) {
    this.#odoo = odoo;
  }

  async listFields(model: string, specification: Specification): Promise<Fields> {
    const known = this.#fields.get(specification);
    if (known) return known;
    const fields = await this.#odoo.listFields(model, Object.keys(specification));
    this.#fields.set(specification, fields);
    return fields;
  }

  /** Whether the account may read the model and all these fields of it. */
  async canRead(
    model: string,
    specification: Specification,
    needed: readonly string[],
  ): Promise<boolean> {
    const fields = await this.listFields(model, specification);
    if (!needed.every((name) => name in fields)) return false;
    const probe = { domain: [["id", "=", 0]] as const, fields: ["id"], limit: 1 };
    try {
      await this.#odoo.search(model, probe);
      return true;
    } catch (error) {
      if (isPermissionMissing(error)) return false;
      throw error;
    }
  }

  /**
   * In id order. A page starts after the last id of the page before, so that no deletion hides a
   * record.
   */
  async *readPages(
    model: string,
    specification: Specification,
    domain: Domain = [],
  ): AsyncGenerator<OdooRecord[]> {
    const fields = await this.listFields(model, specification);
    for (let lastId = 0; ;) {
      const page = await this.#odoo.search(model, {
        domain: [...domain, ["id", ">", lastId]],
        fields: ["id", ...Object.keys(fields)],
        limit: pageSize,
      });
      const last = page.at(-1);
      if (!last) return;
      if (last.id <= lastId) throw new ProviderBug("the records are not in id order");
      yield await this.#withRelated(page, fields, specification);
      if (page.length < pageSize) return;
      lastId = last.id;
    }
  }

  async readAll(
    model: string,
    specification: Specification,
    domain: Domain = [],
  ): Promise<OdooRecord[]> {
    const records: OdooRecord[] = [];
    for await (const page of this.readPages(model, specification, domain)) records.push(...page);
    return records;
  }

  /** For optional data. Null when the model is not installed or the account may not read it. */
  async readAllIfAllowed(
    model: string,
    specification: Specification,
    domain: Domain = [],
  ): Promise<OdooRecord[] | null> {
    try {
      return await this.readAll(model, specification, domain);
    } catch (error) {
      if (error instanceof OperationNotSupported) return null;
      if (isPermissionMissing(error)) return null;
      throw error;
    }
  }

  async #withRelated(
    records: OdooRecord[],
    fields: Fields,
    specification: Specification,
  ): Promise<OdooRecord[]> {
    let expanded = records;
    for (const [name, { relation, type }] of Object.entries(fields)) {
      const inner = specification[name];
      if (inner === undefined || inner === true || relation === undefined) continue;
      const known = await this.#readRelated(
        relation,
        inner,
        records.flatMap((record) => listIds(record[name], type)),
      );
      const toRecords = (value: unknown) =>
        listIds(value, type).flatMap((id) => known.get(id) ?? []);
      expanded = expanded.map((record) => ({
        ...record,
        [name]:
          type === "many2one" ? (toRecords(record[name])[0] ?? null) : toRecords(record[name]),
      }));
    }
    return expanded;
  }

  async #readRelated(
    model: string,
    specification: Specification,
    ids: number[],
  ): Promise<Map<number, OdooRecord>> {
    const known = this.#known.get(specification) ?? new Map<number, OdooRecord>();
    this.#known.set(specification, known);
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    for (const record of (await this.readAllIfAllowed(model, specification, [
      ["id", "in", missing],
    ])) ?? [])
      known.set(record.id, record);
    return known;
  }
}

/** A field that points to one record is `[3, "Sales"]`, one that points to many is `[3, 4]`. */
function listIds(value: unknown, type: string): number[] {
  if (!Array.isArray(value)) return [];
  return (type === "many2one" ? value.slice(0, 1) : value).filter((id) => typeof id === "number");
}
