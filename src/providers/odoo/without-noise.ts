/** A number of days or hours without the last digits of a sum of fractions, such as 22.799999999999997. */
export function withoutNoise(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}
