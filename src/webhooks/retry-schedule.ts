import { addSeconds } from "../platform/clock.ts";
import { jittered, type Random } from "../platform/random.ts";

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
 * When to try again after `step` failures of this schedule. Undefined after the last one. The receiver's
 * `Retry-After` can only make it later.
 */
export function nextAttempt({
  step,
  now,
  random,
  retryAfterSeconds = 0,
}: {
  step: number;
  now: Date;
  random: Random;
  retryAfterSeconds?: number | undefined;
}): Date | undefined {
  const delay = delaysSeconds[step];
  if (delay === undefined) return undefined;
  const ownDelay = jittered(delay, spread, random);
  return addSeconds(now, Math.max(ownDelay, Math.min(retryAfterSeconds, longestRetryAfterSeconds)));
}
