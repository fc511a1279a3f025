import { UsageFailure } from "./command-failure.ts";

/** Who tells the ids of each. */
const listedBy = { token: "token list", delivery: "delivery list", read: "reads list" };

export function parseId(what: keyof typeof listedBy, value: string): string {
  if (!isUuid(value))
    throw new UsageFailure(`a ${what} is named by its id, as in: rollcall ${listedBy[what]}`);
  return value;
}

/** The value of `--limit`. */
export function parseLimit(value: string, { max }: { max: number }): number {
  return parseCount("--limit", value, max);
}

export function parseCount(option: string, value: string, max: number): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new UsageFailure(`${option} has to be a whole number from 1 to ${max}`);
  return count;
}

const spans = { m: 60, h: 3_600, d: 86_400 };

/** A moment, or how long ago it was, such as `90m`, `24h` or `7d`. */
function parseMoment(option: string, value: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(value) ?? [];
  if (unit !== undefined)
    return new Date(now.getTime() - Number(count) * spans[unit as keyof typeof spans] * 1_000);
  if (/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value) && !Number.isNaN(Date.parse(value)))
    return new Date(value);
  throw new UsageFailure(
    `${option} has to be a moment, as in 2026-03-02T10:00:00Z, or how long ago, as in 90m, 24h or 7d`,
  );
}

/** The values of `--since` and `--until`. */
export function parsePeriod(
  { since, until }: { since?: string; until?: string },
  now: Date,
): { since: Date | undefined; until: Date | undefined } {
  return {
    since: since === undefined ? undefined : parseMoment("--since", since, now),
    until: until === undefined ? undefined : parseMoment("--until", until, now),
  };
}

/** A position of the chain of the audit record; 0 is before the first. */
export function parsePosition(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new UsageFailure("--after has to be a whole number from 0");
  return Number(value);
}

export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}
