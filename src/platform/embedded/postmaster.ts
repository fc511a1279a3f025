import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "../repeat.ts";
import { withTimeout } from "../with-timeout.ts";
import { StartRefused } from "../start-refused.ts";

/** The main process of a Postgres server, as the server describes it in its file postmaster.pid. */
export interface Postmaster {
  pid: number;
  /** The folder of its socket. */
  host: string;
  port: number;
  isReady: boolean;
}

/** Postgres shuts down when its clients have left, then by disconnecting them, then without a clean end. */
const shutdowns = [
  { signal: "SIGTERM", limitMs: 1_000 },
  { signal: "SIGINT", limitMs: 20_000 },
  { signal: "SIGQUIT", limitMs: 15_000 },
] as const;

const pollMs = 10;

/** Only a running postmaster of this data folder counts: a pid file can outlive its process. */
export function findPostmaster(dataDir: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(postmasterPidFile(dataDir), "utf8").split("\n");
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isPostmaster(pid, dataDir)) return undefined;
  const [port, host = "", , , state = ""] = lines.slice(3);
  return { pid, host, port: Number(port), isReady: state.trim() === "ready" };
}

export function postmasterPidFile(dataDir: string): string {
  return join(dataDir, "postmaster.pid");
}

/** Arguments override the configuration files, so the server always has the settings of this version. */
export function postmasterArguments(dataDir: string, settings: Record<string, string>): string[] {
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", dataDir, ...options];
}

export function isPostmaster(pid: number, dataDir: string): boolean {
  return readCommandLine(pid).includes(`/postgres -D ${dataDir} -c `);
}

export async function stopPostmaster(pid: number, isRunning: () => boolean): Promise<void> {
  for (const { signal, limitMs } of shutdowns) {
    if (!isRunning()) return;
    send(pid, signal);
    await withTimeout(limitMs, (timedOut) =>
      waitUntil(() => !isRunning(), { everyMs: pollMs, signal: timedOut }),
    ).catch(() => undefined);
  }
  if (isRunning())
    throw new StartRefused(
      `Postgres (process ${pid}) does not stop. End it by hand, then start again.`,
    );
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Empty for a process that has ended, even if its parent has not reaped it yet. */
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
