/** A record as Odoo gives it. Every empty value is `false`, whatever its type, so that no field is trusted to have one. */
export type OdooRecord = Readonly<Record<string, unknown>> & { readonly id: number };

/** A field of a record that there is perhaps none of. */
type Source = OdooRecord | null;

export function toText(record: Source, field: string): string | null {
  const value = record?.[field];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

export function toNumber(record: Source, field: string): number | null {
  const value = record?.[field];
  return typeof value === "number" ? value : null;
}

/** YYYY-MM-DD of a date, or of a moment, which Odoo keeps in UTC. */
export function toDate(record: Source, field: string): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(toText(record, field) ?? "")?.[0] ?? null;
}

/** Whether a yes-or-no field says no; one that is not there says nothing. */
export function isFalse(record: Source, field: string): boolean {
  return record?.[field] === false;
}

/** The record that a field points to, when its fields were asked for. */
export function toRelated(record: Source, field: string): OdooRecord | null {
  const value = record?.[field];
  return isRecord(value) ? value : null;
}

export function toRelatedList(record: Source, field: string): OdooRecord[] {
  const value = record?.[field];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** What a field that points to a record says of itself: `[3, "Sales"]`. */
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
