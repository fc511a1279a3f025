import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { rounds } from "./options.ts";
import type { Claim } from "./report.ts";

const employees = 100_000;

interface Measured {
  cpuMs: number;
  peakMb: number;
  changed: number;
}

/** The difference of a poll of 100,000 employees, against comparing parsed records deeply. */
export function benchDifference(): Claim[] {
  const measured = Array.from({ length: rounds }, () => ({
    ours: measure("ours"),
    deep: measure("deep"),
  }));
  const [first] = measured;
  if (first?.ours.changed !== first?.deep.changed)
    throw new Error("the variants found different changes");
  return [
    {
      name: "difference at 100,000 employees, 1 % changed: CPU against deep comparison",
      target: 2.4,
      ratios: measured.map(({ ours, deep }) => deep.cpuMs / ours.cpuMs),
    },
    {
      name: "the same: peak memory that comparing adds",
      target: 6,
      ratios: measured.map(({ ours, deep }) => deep.peakMb / ours.peakMb),
    },
  ];
}

function measure(variant: "ours" | "deep"): Measured {
  const output = execFileSync(process.execPath, [
    "--expose-gc",
    join(import.meta.dirname, "difference-child.ts"),
    variant,
    String(employees),
  ]);
  return JSON.parse(output.toString()) as Measured;
}
