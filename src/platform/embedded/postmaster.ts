import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** The main process of a Postgres server, as the server itself describes it in postmaster.pid. */
export interface Postmaster {
  pid: number;
  port: number;
  isReady: boolean;
}

const stopOrder = [
  { signal: "SIGTERM", patienceMs: 1_000 },
  { signal: "SIGINT", patienceMs: 20_000 },
  { signal: "SIGQUIT", patienceMs: 15_000 },
] as const;

const pollMs = 10;

/** The live postmaster of this data folder. A pid file left by a dead one, or whose pid is now another program's, does not count. */
export function findPostmaster(dataDir: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(postmasterPidFile(dataDir), "utf8").split("\n");
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isPostmaster(pid, dataDir)) return undefined;
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === "ready" };
}

export function postmasterPidFile(dataDir: string): string {
  return join(dataDir, "postmaster.pid");
}

export function isPostmaster(pid: number, dataDir: string): boolean {
  return readCommandLine(pid).includes(`/postgres -D ${dataDir} -c `);
}

/** Lets clients finish for a second, then disconnects them; gives up the clean shutdown only after twenty more. */
export async function stopPostmaster(pid: number, isRunning: () => boolean): Promise<void> {
  for (const { signal, patienceMs } of stopOrder) {
    if (!isRunning()) return;
    send(pid, signal);
    const deadline = performance.now() + patienceMs;
    while (performance.now() < deadline) {
      if (!isRunning()) return;
      await delay(pollMs);
    }
  }
  throw new EmbeddedPostgresError(`Postgres (process ${pid}) does not stop.`);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Empty for a process that has ended, also for one that nobody has reaped yet. */
function readCommandLine(pid: number): string {
  try {
    if (process.platform === "linux")
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return execFileSync("/bin/ps", ["-ww", "-o", "command=", "-p", String(pid)], {
      encoding: "utf8",
    });
  } catch {
    return "";
  }
}
