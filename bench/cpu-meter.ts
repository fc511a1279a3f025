import { readdirSync, readFileSync } from "node:fs";
import { listTree } from "../test/chaos/process-tree.ts";

/** Processor time by thread, in microseconds. */
export type CpuTimes = ReadonlyMap<string, number>;

/** What each thread of the process trees has used so far. Linux alone tells it. */
export function readCpuTimes(roots: readonly number[]): CpuTimes {
  return new Map(listTree(roots).flatMap(threadsOf));
}

/** What was used between the two, without threads that have ended since. */
export function cpuBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [thread, us]) => sum + us - (before.get(thread) ?? 0), 0);
}

function threadsOf(pid: number): [string, number][] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8");
      return [`${pid}/${thread}`, Number(stat.split(" ", 1)[0]) / 1_000];
    });
  } catch {
    // It has just ended.
    return [];
  }
}
