import type { Random } from "../platform/random.ts";
import { jittered } from "../platform/retry.ts";

const minute = 60;
const hour = 60 * minute;

/** Seconds between an attempt and the next one. */
const delaysSeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
const spread = 0.1;

/** An endpoint is paused after this time in which every attempt failed. */
export const pausedAfterSeconds = 5 * 24 * hour;
const longestRetryAfterSeconds = pausedAfterSeconds;

/**
 * After how many seconds to try again after `step` failures of this schedule. Undefined after the last one. The receiver's
 * `Retry-After` can only make it later.
 */
export function nextAttempt({
  step,
  random,
  retryAfterSeconds = 0,
}: {
  step: number;
  random: Random;
  retryAfterSeconds?: number | undefined;
}): number | undefined {
  const delay = delaysSeconds[step];
  if (delay === undefined) return undefined;
  const ownDelay = jittered(delay, spread, random);
  return Math.max(ownDelay, Math.min(retryAfterSeconds, longestRetryAfterSeconds));
}
