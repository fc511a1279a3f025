import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "../repeat.ts";
import { withTimeout } from "../with-timeout.ts";
import { StartRefused } from "../start-refused.ts";
import { socketPort } from "./socket-folder.ts";

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

const smallMachine = {
  max_connections: "100",
  shared_buffers: "64MB",
  maintenance_work_mem: "32MB",
  effective_cache_size: "512MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  io_method: "sync",
  huge_pages: "off",
  jit: "off",
  // Parallel queries need more space in /dev/shm than a container usually has.
  max_parallel_workers_per_gather: "0",
  timezone: "UTC",
};

/**
 * No log may hold personal data, and the text of an ordinary error quotes a value ("invalid input syntax
 * for type date: ..."). The level `log` leaves errors out and keeps starts, stops and crashes.
 */
const logging = {
  log_destination: "stderr",
  logging_collector: "off",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_checkpoints: "off",
  log_autovacuum_min_duration: "-1",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
};

/**
 * Many tests share one server, so it serves more clients. It does not protect against a power cut; a
 * commit still survives a kill -9 of any process.
 */
const forTests = { fsync: "off", full_page_writes: "off", max_connections: "400" };

/** No port is open. */
export function serverSettings(options: {
  socketFolder: string;
  isDurable: boolean;
}): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: `"${options.socketFolder.replaceAll('"', '""')}"`,
    port: String(socketPort),
    ...smallMachine,
    ...logging,
    ...(!options.isDurable && forTests),
  };
}
