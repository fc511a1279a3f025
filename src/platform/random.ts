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
