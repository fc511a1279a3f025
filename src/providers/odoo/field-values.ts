import { ProviderBug } from "../errors.ts";

/**
 * A record as Odoo returns it. An empty value of any type is `false`, so every value is checked
 * before use.
 */
export type OdooRecord = Readonly<Record<string, unknown>> & { readonly id: number };

/** Null where there is no record to read from. */
type Source = OdooRecord | null;

export function toText(record: Source, field: string): string | null {
  const value = record?.[field];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

export function toNumber(record: Source, field: string): number | null {
  const value = record?.[field];
  return typeof value === "number" ? value : null;
}

/** The amount, which must not become nothing unnoticed: throws unless it is a number. An empty amount is zero. */
export function toAmount(record: OdooRecord, field: string): number {
  const value = record[field] === false ? 0 : record[field];
  if (typeof value !== "number" || !Number.isFinite(value))
    throw new ProviderBug(`the field ${field} has no amount`);
  return value;
}

/** YYYY-MM-DD of a date or a timestamp. Odoo stores timestamps in UTC. */
export function toDate(record: Source, field: string): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(toText(record, field) ?? "")?.[0] ?? null;
}

/** RFC 3339 of a timestamp, which Odoo writes in UTC and without a zone. */
export function toTime(record: Source, field: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/.exec(toText(record, field) ?? "");
  return match ? `${match[1]}T${match[2]}Z` : null;
}

/** True only for a boolean field that is present and false. */
export function isFalse(record: Source, field: string): boolean {
  return record?.[field] === false;
}

/** The record that a field points to, when its fields were requested. */
export function toRelated(record: Source, field: string): OdooRecord | null {
  const value = record?.[field];
  return isRecord(value) ? value : null;
}

export function toRelatedList(record: Source, field: string): OdooRecord[] {
  const value = record?.[field];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * The id and the label of the record that a field points to. Odoo writes them as `[3, "Sales"]`.
 */
export function toReference(
  record: Source,
  field: string,
): { id: number; label: string | null } | null {
  const value: unknown = record?.[field];
  if (!Array.isArray(value) || typeof value[0] !== "number") return null;
  return { id: value[0], label: typeof value[1] === "string" ? value[1] : null };
}

function isRecord(value: unknown): value is OdooRecord {
  return (
    typeof value === "object" && value !== null && "id" in value && typeof value.id === "number"
  );
}
