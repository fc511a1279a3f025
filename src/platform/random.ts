import { randomInt } from "node:crypto";

/**
 * The source of randomness in delays. A test can replace it. Keys and credentials do not use it: they are
 * made with `node:crypto`.
 */
export interface Random {
  /** At least `low` and less than `high`. */
  between(low: number, high: number): number;
}

const resolution = 1_000_000;

export const systemRandom: Random = {
  between: (low, high) => low + ((high - low) * randomInt(resolution)) / resolution,
};

/**
 * Seconds around `seconds`, to the millisecond, so that clients which failed together do not try again together.
 */
export function jittered(seconds: number, spread: number, random: Random): number {
  return Math.round(1_000 * seconds * random.between(1 - spread, 1 + spread)) / 1_000;
}
