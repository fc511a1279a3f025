import type { Random } from "../random.ts";
import { doubled } from "../retry.ts";
import { HttpRateLimited, HttpServerError, HttpUnreachable } from "./outbound-error.ts";

const longestWaitSeconds = 5;
const firstBackoffMs = 500;
/** A year: more than that means never. */
const longestSeconds = 365 * 86_400;
const passingStatuses = new Set([502, 503, 504]);

/** How long to wait before the request is sent again; undefined when it must not be sent again. */
export function retryDelayMs(
  error: unknown,
  retriesDone: number,
  random: Random,
): number | undefined {
  if (error instanceof HttpRateLimited) {
    return error.afterSeconds <= longestWaitSeconds ? error.afterSeconds * 1_000 : undefined;
  }
  const isPassing =
    error instanceof HttpUnreachable ||
    (error instanceof HttpServerError && passingStatuses.has(error.status));
  if (!isPassing) return undefined;
  const longestMs = doubled(firstBackoffMs, retriesDone);
  return random.between(longestMs / 2, longestMs);
}

/** Reads `Retry-After`, as seconds or as a date. Any other value counts as absent. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestSeconds);
  const time = text.endsWith(" GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now.getTime()) / 1_000));
}
