import { UsageFailure } from "./command-failure.ts";

export function parseTokenId(value: string): string {
  if (!isUuid(value))
    throw new UsageFailure("a token is named by its id, as in: rollcall token list");
  return value;
}

export function parseDeliveryId(value: string): string {
  if (!isUuid(value))
    throw new UsageFailure("a delivery is named by its id, as in: rollcall delivery list");
  return value;
}

export function parseReadId(value: string): string {
  if (!isUuid(value))
    throw new UsageFailure("a read is named by its id, as in: rollcall reads list");
  return value;
}

/** The value of `--limit`. */
export function parseLimit(value: string, { max }: { max: number }): number {
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > max)
    throw new UsageFailure(`--limit has to be a whole number from 1 to ${max}`);
  return limit;
}

/** A position of the chain of the audit record; 0 is before the first. */
export function parsePosition(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new UsageFailure("--after has to be a whole number from 0");
  return Number(value);
}

function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}
