import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Claim } from "./report.ts";

const employees = 100_000;
const rounds = 7;

interface Measured {
  cpuMs: number;
  peakMb: number;
  changed: number;
}

/** The difference of a poll of 100,000 employees, against comparing parsed records deeply. */
export function benchDifference(): Claim[] {
  const measured = Array.from({ length: rounds }, () => ({ ours: measure("ours", 0.01), deep: measure("deep", 0.01), unchanged: measure("ours", 0) }));
  const [first] = measured;
  if (first?.ours.changed !== first?.deep.changed || first?.unchanged.changed !== 0) throw new Error("the variants found different changes");
  return [
    { name: "difference at 100,000 employees, 1 % changed: CPU against deep comparison", target: 2.4, guard: 1.9, ratios: measured.map(({ ours, deep }) => deep.cpuMs / ours.cpuMs) },
    { name: "the same: peak memory", target: 6, guard: 4.5, ratios: measured.map(({ ours, deep }) => deep.peakMb / ours.peakMb) },
    { name: "unchanged against changed poll: CPU", target: 11, guard: 8, ratios: measured.map(({ ours, unchanged }) => ours.cpuMs / unchanged.cpuMs) },
  ];
}

function measure(variant: "ours" | "deep", changedPart: number): Measured {
  const output = execFileSync(process.execPath, ["--expose-gc", join(import.meta.dirname, "difference-child.ts"), variant, String(employees), String(changedPart)]);
  return JSON.parse(output.toString()) as Measured;
}
