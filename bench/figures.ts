// The figures of the last two runs that were kept (npm run bench -- --keep), of which docs/performance.md is made.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Row {
  /** The median of the rounds, and their spread. */
  ratio: number;
  low: number;
  upperQuarter: number;
  high: number;
  target?: number;
  targetUs?: number;
  us?: { ours: number; reference: number };
}

export interface Run {
  /** The day. */
  at: string;
  machine: string;
  rows: Readonly<Record<string, Row>>;
}

const file = join(import.meta.dirname, "figures.json");

/** The older one first. */
export function committedRuns(): readonly Run[] {
  return (JSON.parse(readFileSync(file, "utf8")) as { runs: Run[] }).runs;
}

/** Keeps a run. One of a few rows alone puts these into the latest run. */
export function keepRun(run: Run, { isWhole }: { isWhole: boolean }): void {
  const [older, latest] = committedRuns().slice(-2);
  const last = latest ?? older;
  const runs =
    isWhole || !last
      ? [...(last ? [last] : []), run]
      : [...(latest && older ? [older] : []), { ...run, rows: { ...last.rows, ...run.rows } }];
  writeFileSync(file, `${JSON.stringify({ runs }, undefined, 2)}\n`);
}
