import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The processes and all that they started, as long as these have a parent. */
export function listTree(roots: readonly number[]): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const parent = parentOf(pid);
    if (parent !== undefined) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const tree: number[] = [];
  const add = (pid: number): void => {
    tree.push(pid);
    for (const child of childrenOf.get(pid) ?? []) add(child);
  };
  for (const root of roots) add(root);
  return tree;
}

/** Resident bytes of the Node processes of the trees, by their ids. Memory that two of them share counts twice. */
export function residentBytes(roots: readonly number[]): Map<number, number> {
  const pids = listTree(roots).filter((pid) => programOf(pid).startsWith("node"));
  return new Map(pids.map((pid) => [pid, residentOf(pid)]));
}

/** Ends what is left of a tree after its root has ended, by process id. */
export async function endLeftovers(pids: readonly number[]): Promise<void> {
  const programs = new Map(pids.map((pid) => [pid, programOf(pid)]));
  for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 100) {
    if (!pids.some(isRunning)) return;
    await delay(100);
  }
  for (const pid of pids.filter(isRunning))
    if (programOf(pid) === programs.get(pid)) process.kill(pid, "SIGKILL");
}

function isRunning(pid: number): boolean {
  return programOf(pid) !== "";
}

/** Empty when the process has ended. */
function programOf(pid: number): string {
  return read(() => basename(readlinkSync(`/proc/${pid}/exe`)));
}

function parentOf(pid: number): number | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  return Number.isInteger(parent) && stat !== "" ? parent : undefined;
}

function residentOf(pid: number): number {
  const status = read(() => readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

function read(from: () => string): string {
  try {
    return from();
  } catch {
    return "";
  }
}
