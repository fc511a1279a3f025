import { ProviderBug } from "../errors.ts";
import { isPermissionMissing, whereReadable } from "../kit/rights.ts";
import { defineSource, type Shape } from "../kit/source.ts";
import type { Domain, OdooClient, OdooRecord } from "./client.ts";
import type { FieldTypes } from "./standard-fields.ts";
import type { Many } from "./values.ts";

const pageSize = 200;

/** The fields of a nested call, each with those of the records to which it points. */
export type Specification = Record<string, { fields?: Specification }>;

/** Which records `readPages` gives. */
interface Scope {
  /** Only of these, and refused when the account does not have one of them any more. */
  companyIds?: readonly number[];
  /** True by default. A model without a mark for it has none. */
  hasArchived?: boolean;
}

/**
 * Reads the fields of a shape, with the related records whose fields are in it, in calls that every version since 14
 * has. A field that the server lacks or the account may not read is absent. A related record that the account may not
 * read is null.
 */
export class RecordReader {
  readonly #odoo: OdooClient;
  readonly #scope: Scope;
  /** Both are cached by shape, so that each record is read once. */
  readonly #fields = new Map<Shape, FieldTypes>();
  readonly #known = new Map<Shape, Map<number, OdooRecord>>();

  constructor(odoo: OdooClient, scope: Scope = {}) {
    this.#odoo = odoo;
    this.#scope = scope;
  }

  async listFields(model: string, shape: Shape): Promise<FieldTypes> {
    const known = this.#fields.get(shape);
    if (known) return known;
    const fields = await this.#odoo.listFields(model, defineSource(shape).names);
    this.#fields.set(shape, fields);
    return fields;
  }

  /** Whether the account may read the model and all these fields of it. */
  async canRead(model: string, shape: Shape, needed: readonly string[]): Promise<boolean> {
    const fields = await this.listFields(model, shape);
    if (!needed.every((name) => name in fields)) return false;
    try {
      await this.#odoo.search(model, { domain: [["id", "=", 0]], fields: ["id"], limit: 1 });
      return true;
    } catch (error) {
      if (isPermissionMissing(error)) return false;
      throw error;
    }
  }

  /** In id order. */
  async *readPages(model: string, shape: Shape, domain: Domain = []): AsyncGenerator<OdooRecord[]> {
    const known = await this.listFields(model, shape);
    const fields = [...new Set(["id", ...Object.keys(known)])];
    const asked = { ...this.#scope, fields, limit: pageSize };
    const pages = inIdOrder((after) =>
      this.#odoo.search(model, { ...asked, domain: [...domain, after] }),
    );
    for await (const page of pages) yield await this.#withRelated(page, known, shape);
  }

  /** What `readNested` is asked for to give the records of the shape. Of what may not be read it is the id alone. */
  async specify(model: string, shape: Shape): Promise<Specification> {
    const specification: Specification = {};
    for (const [name, { relation, type }] of Object.entries(await this.listFields(model, shape))) {
      const inner = relatedShape(shape[name]);
      if (inner && relation !== undefined) {
        const fields = await whereReadable(() => this.specify(relation, inner));
        specification[name] = fields ? { fields } : {};
      } else specification[name] = type === "many2one" ? { fields: { display_name: {} } } : {};
    }
    return specification;
  }

  /** With what they point to inside of them, from version 17 on. Refused when the account may not read all of it. */
  async *readNested(model: string, specification: Specification): AsyncGenerator<OdooRecord[]> {
    yield* inIdOrder((after) =>
      this.#odoo.searchNested(model, { domain: [after], specification, limit: pageSize }),
    );
  }

  /** What is read without a domain is known where other records point to it. */
  async readAll(model: string, shape: Shape, domain: Domain = []): Promise<OdooRecord[]> {
    const records: OdooRecord[] = [];
    for await (const page of this.readPages(model, shape, domain)) records.push(...page);
    if (domain.length === 0) this.#remember(shape, records);
    return records;
  }

  /** For optional data. Null when the model is not installed or the account may not read it. */
  async readAllIfAllowed(
    model: string,
    shape: Shape,
    domain: Domain = [],
  ): Promise<OdooRecord[] | null> {
    return (await whereReadable(() => this.readAll(model, shape, domain))) ?? null;
  }

  async #withRelated(
    records: OdooRecord[],
    fields: FieldTypes,
    shape: Shape,
  ): Promise<OdooRecord[]> {
    let expanded = records;
    for (const [name, { relation, type }] of Object.entries(fields)) {
      const inner = relatedShape(shape[name]);
      if (!inner || relation === undefined) continue;
      const ids = records.flatMap((record) => listIds(record[name], type));
      const known = await this.#readRelated(relation, inner, ids);
      expanded = expanded.map((record) => {
        const related = listIds(record[name], type).flatMap((id) => known.get(id) ?? []);
        return { ...record, [name]: type === "many2one" ? (related[0] ?? null) : related };
      });
    }
    return expanded;
  }

  async #readRelated(
    model: string,
    shape: Shape,
    ids: number[],
  ): Promise<ReadonlyMap<number, OdooRecord>> {
    const known = this.#remember(shape, []);
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    if (missing.length === 0) return known;
    const found = await this.readAllIfAllowed(model, shape, [["id", "in", missing]]);
    return this.#remember(shape, found ?? []);
  }

  #remember(shape: Shape, records: readonly OdooRecord[]): ReadonlyMap<number, OdooRecord> {
    const known = this.#known.get(shape) ?? new Map<number, OdooRecord>();
    for (const record of records) known.set(record.id, record);
    this.#known.set(shape, known);
    return known;
  }
}

/** A page starts after the last id of the page before, so that no deletion hides a record. */
async function* inIdOrder(
  ask: (after: Domain[number]) => Promise<OdooRecord[]>,
): AsyncGenerator<OdooRecord[]> {
  for (let lastId = 0; ;) {
    const page = await ask(["id", ">", lastId]);
    const last = page.at(-1);
    if (!last) return;
    if (last.id <= lastId) throw new ProviderBug("the records are not in id order");
    yield page;
    if (page.length < pageSize) return;
    lastId = last.id;
  }
}

/** The fields that are wanted of the records to which a field points; undefined where its value is enough. */
function relatedShape(of: Shape[string] | undefined): Shape | undefined {
  if (of === undefined || typeof of["read"] !== "function") return of as Shape | undefined;
  return (of as Partial<Many<Shape>>).related;
}

/** A field that points to one record is `[3, "Sales"]`, one that points to many is `[3, 4]`. */
function listIds(value: unknown, type: string): number[] {
  if (!Array.isArray(value)) return [];
  return (type === "many2one" ? value.slice(0, 1) : value).filter((id) => typeof id === "number");
}
