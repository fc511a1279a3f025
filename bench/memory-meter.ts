import { readFileSync } from "node:fs";
import { listTree } from "../test/chaos/process-tree.ts";

/** Megabytes of the process trees. What several of them share counts once. Linux alone tells it. */
export function memoryOf(roots: readonly number[]): number {
  const kilobytes = listTree(roots).map((pid) => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]);
    } catch {
      // It has just ended.
      return 0;
    }
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1_024;
}
