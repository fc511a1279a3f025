import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * The running processes of a folder: those that name it in their command line or work in it. This
 * process does not count.
 */
export function processesOf(folder: string): string[] {
  const all = existsSync("/proc/self/cmdline") ? fromProc() : fromPs();
  return all
    .filter(({ pid, text }) => pid !== process.pid && text.includes(folder))
    .map(({ pid, text }) => `${pid} ${text.slice(0, 200)}`);
}

/** Throws when a process is left after the limit. */
export async function untilNoProcessOf(folder: string, limitMs = 60_000): Promise<void> {
  const startedAt = performance.now();
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(`still there after ${limitMs / 1000} seconds: ${left.join("\n")}`);
    await delay(50);
  }
}

function fromProc(): { pid: number; text: string }[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((name) => {
    const command = readIfAllowed(() => readFileSync(`/proc/${name}/cmdline`, "utf8"));
    const folder = readIfAllowed(() => readlinkSync(`/proc/${name}/cwd`));
    return { pid: Number(name), text: `${command.replaceAll("\0", " ")} ${folder}` };
  });
}

function fromPs(): { pid: number; text: string }[] {
  const lines = execFileSync("/bin/ps", ["-axww", "-o", "pid=,command="], {
    encoding: "utf8",
  }).split("\n");
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), text: line }));
}

/** Empty when the process has ended or may not be read. */
function readIfAllowed(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/** Whether the process runs; one that has ended and was not waited for does not. */
export function isAlive(pid: number): boolean {
  const status = readIfAllowed(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  return status !== "" && !/\) Z /.test(status);
}
