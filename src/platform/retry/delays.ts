import type { Random } from "../random.ts";

/** `first`, doubled so many times, but `longest` at most, in the same unit. */
export function doubled(first: number, times: number, longest = Infinity): number {
  return Math.min(first * 2 ** times, longest);
}

/**
 * Seconds around `seconds`, to the millisecond, so that clients which failed together do not try again together.
 */
export function jittered(seconds: number, spread: number, random: Random): number {
  return Math.round(1_000 * seconds * random.between(1 - spread, 1 + spread)) / 1_000;
}
