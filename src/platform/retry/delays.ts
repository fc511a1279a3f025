import type { Random } from "../random.ts";

/** `first`, doubled so many times, but `longest` at most, in the same unit. */
export function doubled(first: number, times: number, longest = Infinity): number {
  return Math.min(first * 2 ** times, longest);
}

/**
 * The delay of a list after so many failures, to the millisecond and spread around it, so that clients which failed
 * together do not try again together. In seconds; undefined after the last one.
 */
export function spreadDelay(
  failures: number,
  { delaysSeconds, spread }: { delaysSeconds: readonly number[]; spread: number },
  random: Random,
): number | undefined {
  const delay = delaysSeconds[failures];
  if (delay === undefined) return undefined;
  return Math.round(1_000 * delay * random.between(1 - spread, 1 + spread)) / 1_000;
}
