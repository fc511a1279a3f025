import { readdirSync, readFileSync } from "node:fs";
import { listTree } from "../test/chaos/process-tree.ts";

/** The processor time of the process trees so far, in microseconds, over all of their threads. Linux alone has it. */
export function cpuMicroseconds(roots: readonly number[]): number {
  return listTree(roots).reduce((sum, pid) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"))
      .reduce((sum, stat) => sum + Number(stat.split(" ", 1)[0]) / 1_000, 0);
  } catch {
    // A process that has just ended costs nothing more.
    return 0;
  }
}
