import { randomInt } from "node:crypto";
import { addSeconds } from "../platform/clock.ts";

/** Seconds before the second, third and fourth try of a fetch. */
const delaysSeconds = [2, 8, 30];
const jitter = 0.2;
const withinSeconds = 120;

/** So long a failure is answered to every caller before a request starts anew. */
export const failureKeptSeconds = 60;
export const unsupportedKeptSeconds = 24 * 3600;

/** When to try again after `tries` tries, or undefined when it is time to give up. */
export function nextTry({
  tries,
  requestedAt,
  now,
  afterSeconds,
}: {
  tries: number;
  requestedAt: Date;
  now: Date;
  afterSeconds?: number | undefined;
}): Date | undefined {
  const delay = delaysSeconds[tries - 1];
  if (delay === undefined) return undefined;
  const jittered =
    (delay * 1000 * randomInt(Math.round((1 - jitter) * 1000), Math.round((1 + jitter) * 1000))) /
    1_000_000;
  const at = addSeconds(now, afterSeconds === undefined ? jittered : Math.max(afterSeconds, 1));
  return at <= addSeconds(requestedAt, withinSeconds) ? at : undefined;
}
