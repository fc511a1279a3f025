import type { OdooRecord } from "./client.ts";
import type { FieldTypes } from "./standard-fields.ts";

/** Types whose values are one text, number or boolean. */
const plainTypes = new Set(
  "boolean char date datetime float integer many2one monetary selection text".split(" "),
);

type CustomValue = string | number | boolean | readonly string[] | null;

export interface AddedField {
  name: string;
  type: string;
}

/** The fields that the company added to employees: Odoo's Studio begins their names with `x_`. */
export function listAddedFields(fields: FieldTypes): AddedField[] {
  return Object.entries(fields)
    .filter(([name, { type }]) => name.startsWith("x_") && plainTypes.has(type))
    .map(([name, { type }]) => ({ name, type }));
}

/** Their values, by their names. */
export function readAddedFields(
  record: OdooRecord,
  added: readonly AddedField[],
): Record<string, CustomValue> {
  return Object.fromEntries(added.map(({ name, type }) => [name, toValue(record[name], type)]));
}

/**
 * These fields, and the properties of employees by their labels, which are their only names. Null when there are none.
 * The name tells properties of one label apart, and one from `__proto__`, which no JSON of ours has as a field. A
 * property that was deleted has no label.
 */
export function toCustomFields(
  fields: Readonly<Record<string, unknown>>,
  properties: unknown,
): Record<string, unknown> | null {
  const custom = new Map(Object.entries(fields));
  for (const property of listOf(properties)) {
    const { name, string: label, type } = Object(property) as Record<string, unknown>;
    if (!isText(name) || !isText(label) || !isText(type) || type === "separator") continue;
    const isUnclear = custom.has(label.trim()) || label.trim() === "__proto__";
    const key = isUnclear ? `${label.trim()} (${name.trim()})` : label.trim();
    custom.set(key, toPropertyValue(property as OdooRecord, type));
  }
  return custom.size > 0 ? Object.fromEntries(custom) : null;
}

/** Odoo gives the definition of a property together with its value. */
function toPropertyValue(property: OdooRecord, type: string): CustomValue {
  const value = property["value"];
  if (type === "selection") return findLabel(property["selection"], value);
  if (type !== "tags" && type !== "many2many") return toValue(value, type);
  const labels = type === "tags" ? property["tags"] : value;
  return listOf(value).flatMap((key) => findLabel(labels, Array.isArray(key) ? key[0] : key) ?? []);
}

/** Odoo writes choices as `[["key", "Label"]]`. */
function findLabel(choices: unknown, key: unknown): string | null {
  const pair = listOf(choices).find((choice) => Array.isArray(choice) && choice[0] === key);
  const label = listOf(pair)[1];
  return typeof label === "string" ? label : null;
}

/** An empty value of any type but boolean is `false`. */
function toValue(value: unknown, type: string): CustomValue {
  if (type === "boolean") return value === true;
  if (Array.isArray(value)) return typeof value[1] === "string" ? value[1] : null;
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
