import type { Row, Run } from "./figures.ts";

export interface Cost {
  ours: number;
  reference: number;
}

/** How many times better than the reference, in the same run. */
export interface Claim {
  name: string;
  /** Missed, it is told as missed and no error. */
  target?: number | undefined;
  /** The same of what ours costs, in microseconds. */
  targetUs?: number;
  /** What each round has taken, in microseconds. */
  costs?: Cost[];
  /** A ratio per round, where it is not that of the costs; higher is better. */
  ratios?: number[];
}

/** A median below this share of what it was is worse, when three of four rounds are below what it was too. */
const worseBelow = 0.8;

/**
 * Prints medians and their spread, and for each what the committed runs had. Returns the names of those that are worse
 * than they were; only ratios count, which are of one run alone.
 */
export function report(claims: readonly Claim[], committed: readonly Run[]): string[] {
  const rows = claims.map((claim) => {
    const row = rowOf(claim);
    const was = committed.flatMap((run) => run.rows[claim.name] ?? []).map(({ ratio }) => ratio);
    const result = tellResult(row, was);
    const cells = cellsOf(claim, row, { was, result });
    return { name: claim.name, cells, isWorse: result === "WORSE" };
  });
  const columns = ["claim", "median", "spread", "target", "was", "us", "result"];
  const lines = [columns, ...rows.map(({ cells }) => cells)];
  const widths = columns.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  for (const cells of lines)
    process.stdout.write(
      `${cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
  return rows.filter(({ isWorse }) => isWorse).map(({ name }) => name);
}

/** Whether one of the claims that were worse is so when it is measured once more. Others are so by chance. */
export function isWorseAgain(worse: readonly string[], again: readonly string[]): boolean {
  return worse.some((name) => again.includes(name));
}

/** What is committed of a claim. */
export function rowOf({ costs = [], target, targetUs, ...claim }: Claim): Row {
  const ratios = claim.ratios ?? costs.map(({ ours, reference }) => reference / ours);
  const sorted = [...ratios].sort((a, b) => a - b);
  return {
    ratio: round(medianOf(ratios)),
    low: round(sorted[0] ?? 0),
    upperQuarter: round(sorted[Math.floor(0.75 * sorted.length)] ?? 0),
    high: round(sorted.at(-1) ?? 0),
    ...(target !== undefined && { target }),
    ...(targetUs !== undefined && { targetUs }),
    ...(costs.length > 0 && {
      us: {
        ours: Math.round(medianOf(costs.map(({ ours }) => ours))),
        reference: Math.round(medianOf(costs.map(({ reference }) => reference))),
      },
    }),
  };
}

function tellResult(row: Row, was: readonly number[]): string {
  const before = Math.min(...was);
  if (was.length > 0 && row.ratio < worseBelow * before && row.upperQuarter < before)
    return "WORSE";
  if (isMissed(row)) return "target missed";
  return was.length === 0 ? "new" : "ok";
}

export function isMissed({ ratio, target, us, targetUs }: Row): boolean {
  return (
    (target !== undefined && ratio < target) || (targetUs !== undefined && us!.ours > targetUs)
  );
}

function cellsOf(
  { name }: Claim,
  row: Row,
  { was, result }: { was: readonly number[]; result: string },
): string[] {
  const { ratio, low, high, us } = row;
  return [
    name,
    String(ratio),
    `${low}–${high}`,
    tellTarget(row),
    was.join(", "),
    us ? `${us.ours} / ${us.reference}` : "",
    result,
  ];
}

export function tellTarget({ target, targetUs }: Row): string {
  return targetUs === undefined ? String(target ?? "") : `${targetUs} us`;
}

function round(ratio: number): number {
  return Number(ratio.toPrecision(3));
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
