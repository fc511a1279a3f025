/** How many times better than the reference, in the same run. */
export interface Claim {
  name: string;
  target: number;
  /** Below this the run fails. */
  guard: number;
  /** A ratio per round; higher is better. */
  ratios: number[];
}

/** Prints medians and their spread. True when no median is below its guard. */
export function report(claims: readonly Claim[]): boolean {
  const rows = claims.map(({ name, target, guard, ratios }) => {
    const sorted = [...ratios].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const result = median < guard ? "BELOW GUARD" : median < target ? "below target" : "ok";
    return {
      claim: name,
      median: median.toFixed(2),
      spread: `${(sorted[0] ?? 0).toFixed(2)}–${(sorted.at(-1) ?? 0).toFixed(2)}`,
      target,
      guard,
      result,
      holds: median >= guard,
    };
  });
  const columns = ["claim", "median", "spread", "target", "guard", "result"] as const;
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
