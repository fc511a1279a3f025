/** How many times better than the reference, in the same run. */
export interface Claim {
  name: string;
  target: number;
  /** Below this the run fails. */
  guard: number;
  /** A ratio per round; higher is better. */
  ratios: number[];
  /** What they are made of, in microseconds. */
  costs?: { ours: number; reference: number }[];
}

/** Prints medians and their spread. True when no median is below its guard. */
export function report(claims: readonly Claim[]): boolean {
  const rows = claims.map(({ name, target, guard, ratios, costs = [] }) => {
    const sorted = [...ratios].sort((a, b) => a - b);
    const median = medianOf(ratios);
    const ours = medianOf(costs.map((cost) => cost.ours));
    const reference = medianOf(costs.map((cost) => cost.reference));
    const result = median < guard ? "BELOW GUARD" : median < target ? "below target" : "ok";
    return {
      claim: name,
      median: median.toFixed(2),
      spread: `${(sorted[0] ?? 0).toFixed(2)}–${(sorted.at(-1) ?? 0).toFixed(2)}`,
      target,
      guard,
      us: costs.length > 0 ? `${ours.toFixed(0)} / ${reference.toFixed(0)}` : "",
      result,
      holds: median >= guard,
    };
  });
  const columns = ["claim", "median", "spread", "target", "guard", "us", "result"] as const;
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => String(row[column]).length)),
  );
  const print = (cells: readonly (string | number)[]): void =>
    void process.stdout.write(
      `${cells.map((cell, index) => String(cell).padEnd(widths[index] ?? 0)).join("  ")}\n`,
    );
  print(columns);
  for (const row of rows) print(columns.map((column) => row[column]));
  return rows.every(({ holds }) => holds);
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
