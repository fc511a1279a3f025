import { ProviderBug } from "../errors.ts";

/** An object of an answer. Xero leaves fields out, or sends null in them, so every value is checked before use. */
export type XeroRecord = Readonly<Record<string, unknown>>;

/** Null where there is no record to read from. */
type Source = XeroRecord | null;

export function toText(record: Source, field: string): string | null {
  const value = record?.[field];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

export function toNumber(record: Source, field: string): number | null {
  const value = record?.[field];
  return typeof value === "number" ? value : null;
}

/** YYYY-MM-DD of a day, which Xero sends with a time and mostly without a zone. */
export function toDate(record: Source, field: string): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(toText(record, field) ?? "")?.[0] ?? null;
}

export function toRecord(value: unknown): XeroRecord | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as XeroRecord)
    : null;
}

/**
 * Empty for a list that Xero left out. Throws ProviderBug for what is no list of objects: who is passed over looks as
 * if they had left.
 */
export function toRecords(value: unknown): XeroRecord[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new ProviderBug("Xero answered with something else than a list");
  return value.map((entry: unknown) => {
    const record = toRecord(entry);
    if (!record) throw new ProviderBug("Xero answered with a list of something else than objects");
    return record;
  });
}

/** What the table has for the word of this field, and null for any other word. */
export function translate<Value>(
  record: Source,
  field: string,
  table: Readonly<Record<string, Value>>,
): Value | null {
  const word = toText(record, field);
  return word !== null && Object.hasOwn(table, word) ? (table[word] ?? null) : null;
}
