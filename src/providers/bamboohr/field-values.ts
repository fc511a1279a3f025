import { ProviderBug } from "../errors.ts";

/** A record as BambooHR returns it. Numbers and ids come as text or as numbers, so every value is read as both. */
export type BambooRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is BambooRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toRecord(value: unknown): BambooRecord {
  return isRecord(value) ? value : {};
}

/** The records of a list. Anything else in it is left out. */
export function toRecords(value: unknown): BambooRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Throws for anything else: what is left out would look as if it were gone. */
export function requireRecord(value: unknown, what: string): BambooRecord {
  if (!isRecord(value)) throw new ProviderBug(`BambooHR's answer about ${what} is no record`);
  return value;
}

/** Throws for anything else, and for a list with anything else in it. */
export function requireRecords(value: unknown, what: string): BambooRecord[] {
  if (!Array.isArray(value) || !value.every(isRecord))
    throw new ProviderBug(`BambooHR's answer about ${what} is no list of records`);
  return value;
}

/** Throws when an answer does not say how many pages there are, or says that some follow an empty one. */
export function hasMorePages(count: unknown, read: { pages: number; records: number }): boolean {
  const pages = toNumber(count);
  if (pages === null) throw new ProviderBug("BambooHR does not say how many pages there are");
  if (pages <= read.pages) return false;
  if (read.records === 0) throw new ProviderBug("BambooHR's pages go on after an empty one");
  return true;
}

/** Null for an empty text. */
export function toText(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? null : text;
}

/** BambooHR counts from 1: 0 means that there is none. */
export function toId(value: unknown): string | null {
  const id = toText(value);
  return id === "0" ? null : id;
}

export function requireId(record: BambooRecord, field: string): string {
  const id = toId(record[field]);
  if (id === null) throw new ProviderBug(`a record of BambooHR has no ${field}`);
  return id;
}

/** YYYY-MM-DD of a date or a timestamp. An empty date is `""` or `0000-00-00`. */
export function toDate(value: unknown): string | null {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(toText(value) ?? "") ?? [];
  return day === undefined || day.startsWith("0000") ? null : day;
}

/** A number, or the decimal text of one. A comma stands between thousands, and nowhere else. */
export function toNumber(value: unknown): number | null {
  const text = toText(value) ?? "";
  const isDecimal = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(text);
  if (typeof value !== "number" && !isDecimal) return null;
  const number = Number(text.replaceAll(",", ""));
  return text !== "" && Number.isFinite(number) ? number : null;
}

/** The letters alone, in lower case: customers write the values of their lists in many ways. */
export function toLetters(value: unknown): string {
  return (toText(value) ?? "").toLowerCase().replaceAll(/[^a-z]/g, "");
}
