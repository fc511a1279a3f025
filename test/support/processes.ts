import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The running processes that belong to a folder: it stands in their command line, or they work in it. This process does not count. */
export function processesOf(folder: string): string[] {
  const all = existsSync("/proc/self/cmdline") ? fromProc() : fromPs();
  return all
    .filter(({ pid, text }) => pid !== process.pid && text.includes(folder))
    .map(({ pid, text }) => `${pid} ${text.slice(0, 200)}`);
}

/** Throws when there is still one after the limit. Ending takes a moment, staying takes for ever. */
export async function untilNoProcessOf(folder: string, limitMs = 15_000): Promise<void> {
  const startedAt = performance.now();
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    if (performance.now() - startedAt > limitMs)
      throw new Error(`still there after ${limitMs / 1000} seconds: ${left.join("\n")}`);
    await delay(50);
  }
}

function fromProc(): { pid: number; text: string }[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((name) => ({
    pid: Number(name),
    text: `${attempt(() => readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " "))} ${attempt(() => readlinkSync(`/proc/${name}/cwd`))}`,
  }));
}

function fromPs(): { pid: number; text: string }[] {
  const lines = execFileSync("/bin/ps", ["-axww", "-o", "pid=,command="], {
    encoding: "utf8",
  }).split("\n");
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), text: line }));
}

/** A process may end while it is looked at, and some may not be looked at. */
function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
