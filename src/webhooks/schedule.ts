import { randomInt } from "node:crypto";
import { addSeconds } from "../platform/clock.ts";

const minute = 60;
const hour = 60 * minute;

/** Seconds after the attempt before, for the second attempt and on. */
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
const jitter = 0.1;

/** An endpoint at which every attempt failed for so long is paused. */
export const pausedAfterSeconds = 5 * 24 * hour;
const longestRetryAfterSeconds = pausedAfterSeconds;

/** When to try again after `step` failures of this schedule; undefined when it is over. The receiver's `Retry-After` can only make it later. */
export function nextAttempt({
  step,
  now,
  retryAfterSeconds = 0,
}: {
  step: number;
  now: Date;
  retryAfterSeconds?: number | undefined;
}): Date | undefined {
  const delay = delaysSeconds[step];
  if (delay === undefined) return undefined;
  const jittered =
    (delay * randomInt(Math.round((1 - jitter) * 1_000), Math.round((1 + jitter) * 1_000) + 1)) /
    1_000;
  return addSeconds(now, Math.max(jittered, Math.min(retryAfterSeconds, longestRetryAfterSeconds)));
}
