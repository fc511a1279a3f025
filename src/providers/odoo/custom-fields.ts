import { toReference, toText, type OdooRecord } from "./field-values.ts";

/** Types whose values are one text, number or boolean. */
const plainTypes = new Set([
  "boolean",
  "char",
  "date",
  "datetime",
  "float",
  "integer",
  "many2one",
  "monetary",
  "selection",
  "text",
]);

type CustomValue = string | number | boolean | readonly string[] | null;

interface CompanyField {
  name: string;
  type: string;
}

/** The fields that the company added to employees: Odoo's Studio begins their names with `x_`. */
export function listCompanyFields(
  fields: Readonly<Record<string, { type: string }>>,
): CompanyField[] {
  return Object.entries(fields)
    .filter(([name, { type }]) => name.startsWith("x_") && plainTypes.has(type))
    .map(([name, { type }]) => ({ name, type }));
}

/**
 * The company's own fields by their names, and the properties of employees by their labels, which are their
 * only names. Null when there are none.
 */
export function toCustomFields(
  record: OdooRecord,
  companyFields: readonly CompanyField[],
  isCompanyTold: boolean,
): Record<string, unknown> | null {
  const company = toReference(record, "company_id");
  const custom = new Map<string, unknown>(
    companyFields.map(({ name, type }) => [name, toValue(record[name], type)]),
  );
  if (isCompanyTold && company)
    custom.set("company", { remote_id: String(company.id), name: company.label });
  addProperties(custom, record["employee_properties"]);
  return custom.size > 0 ? Object.fromEntries(custom) : null;
}

/**
 * A definition and its value. A property that was deleted has no label. The name tells those of one label
 * apart, and one from `__proto__`, which no JSON of ours has as a field.
 */
function addProperties(custom: Map<string, unknown>, properties: unknown): void {
  for (const property of Array.isArray(properties) ? (properties as unknown[]) : []) {
    if (typeof property !== "object" || property === null) continue;
    const fields = { id: 0, ...property } as OdooRecord;
    const [name, label, type] = ["name", "string", "type"].map((key) => toText(fields, key));
    if (!name || !label || !type || type === "separator") continue;
    const isUnclear = custom.has(label) || label === "__proto__";
    custom.set(isUnclear ? `${label} (${name})` : label, toPropertyValue(fields, type));
  }
}

function toPropertyValue(property: OdooRecord, type: string): CustomValue {
  const value = property["value"];
  if (type === "selection") return findLabel(property["selection"], value);
  if (type === "tags" || type === "many2many") {
    const labels = type === "tags" ? property["tags"] : value;
    const keys: readonly unknown[] = Array.isArray(value) ? (value as unknown[]) : [];
    return keys.flatMap((key) => findLabel(labels, Array.isArray(key) ? key[0] : key) ?? []);
  }
  return toValue(value, type);
}

/** Odoo writes choices as `[["key", "Label"]]`. */
function findLabel(choices: unknown, key: unknown): string | null {
  const pairs: readonly unknown[] = Array.isArray(choices) ? (choices as unknown[]) : [];
  const pair = pairs.find((choice) => Array.isArray(choice) && choice[0] === key);
  const label: unknown = Array.isArray(pair) ? pair[1] : undefined;
  return typeof label === "string" ? label : null;
}

/** An empty value of any type but boolean is `false`. */
function toValue(value: unknown, type: string): CustomValue {
  if (type === "boolean") return value === true;
  if (Array.isArray(value)) return typeof value[1] === "string" ? value[1] : null;
  return typeof value === "string" || typeof value === "number" ? value : null;
}
