import { randomInt } from "node:crypto";

/** The source of chance in delays, handed in beside the clock so that a test can fix it. Keys and credentials are made with `node:crypto` itself. */
export interface Random {
  /** A number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number;
}

const resolution = 1_000_000;

export const systemRandom: Random = {
  between: (low, high) => low + ((high - low) * randomInt(resolution)) / resolution,
};

/** A delay somewhere within the spread around `value`, so that those who failed together do not come back together. */
export function jittered(value: number, spread: number, random: Random): number {
  return value * random.between(1 - spread, 1 + spread);
}
