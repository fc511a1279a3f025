import { addSeconds } from "../platform/clock.ts";
import { jittered, type Random } from "../platform/random.ts";

/** Seconds before the second, third and fourth try of a read. */
const delaysSeconds = [2, 8, 30];
const spread = 0.2;
const withinSeconds = 120;

/** Every caller gets a failure for this long. Then the next request begins a new read. */
export const failureKeptSeconds = 60;
export const unsupportedKeptSeconds = 24 * 3600;

/** When to try again after this many tries. Undefined means that the read has failed. */
export function nextTry({
  tries,
  requestedAt,
  now,
  random,
  afterSeconds,
}: {
  tries: number;
  requestedAt: Date;
  now: Date;
  random: Random;
  afterSeconds?: number | undefined;
}): Date | undefined {
  const delay = delaysSeconds[tries - 1];
  if (delay === undefined) return undefined;
  const ownDelay = jittered(delay, spread, random);
  const at = addSeconds(now, afterSeconds === undefined ? ownDelay : Math.max(afterSeconds, 1));
  return at <= addSeconds(requestedAt, withinSeconds) ? at : undefined;
}
