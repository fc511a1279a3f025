/** An object of Personio's JSON. Any value may be null or absent, so each one is checked before use. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function toObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : null;
}

export function toObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(toObject).filter((item) => item !== null) : [];
}

export function toText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** Personio writes the same id as a number in v1 and as text in v2. */
export function toId(value: unknown): string | null {
  return typeof value === "number" ? String(value) : toText(value);
}

/** Personio writes numbers as numbers and as text, such as "40". */
export function toNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** YYYY-MM-DD. The day is the one that is written: `2014-11-09T00:00:00+01:00` is the day before in UTC. */
export function toDay(value: unknown): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(toText(value) ?? "")?.[0] ?? null;
}
