import { readdirSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** The service comes first, once a child has started. On Linux each thread has its own priority. */
export function lowerPriority(pid: number): void {
  for (const thread of listThreads(pid)) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It has ended.
    }
  }
}

function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
