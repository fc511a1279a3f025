import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { choosePort } from "./choose-port.ts";
import { clearEarlierServer } from "./clear-earlier-server.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import type { LauncherLog } from "./launcher-log.ts";
import { serverArguments } from "./server-arguments.ts";
import type { StateFolder } from "./state-folder.ts";
import { spawnSupervisor, type SupervisorProcess } from "./supervisor-process.ts";

export interface SupervisedServer {
  port: number;
  stop(): Promise<void>;
}

interface ServerOptions {
  folder: StateFolder;
  program: string;
  preferredPort: number | undefined;
  isDurable: boolean;
  log: LauncherLog;
}

const startAttempts = 5;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** A server that lived this long starts again without a growing pause. */
const healthyMs = 60_000;
const lastLogLines = 10;

/** Returns when the server is ready. There is no limit: after a power cut Postgres may replay its journal for minutes. */
export async function startSupervisedServer(options: ServerOptions): Promise<SupervisedServer> {
  for (let attempt = 1; attempt <= startAttempts; attempt += 1) {
    // A port can be taken between choosing and using it, and children of a killed Postgres may linger for a moment.
    if (attempt > 1) await delay(firstPauseMs * 2 ** (attempt - 1));
    const port = await choosePort(options.preferredPort);
    const supervisor = superviseOn(port, options);
    if (await supervisor.ready) return keepRunning(supervisor, port, options);
    await supervisor.ended;
  }
  const { logFile } = options.folder;
  throw new EmbeddedPostgresError(
    `The embedded Postgres does not start. The end of ${logFile}:\n${lastLines(logFile)}`,
  );
}

function superviseOn(
  port: number,
  { folder, program, isDurable }: ServerOptions,
): SupervisorProcess {
  return spawnSupervisor({
    program,
    serverArguments: serverArguments(folder.dataDir, { port, isDurable }),
    dataDir: folder.dataDir,
    lockFile: folder.supervisorLockFile,
    logFile: folder.logFile,
    account: folder.account,
  });
}

/** Whether Postgres or its supervisor ended by itself, the pair is started again on the same port, ever less often. */
function keepRunning(
  first: SupervisorProcess,
  port: number,
  options: ServerOptions,
): SupervisedServer {
  const stopping = new AbortController();
  let supervisor = first;

  const startAgain = async (pauseMs: number): Promise<void> => {
    options.log.warn({ pauseMs }, "embedded Postgres ended by itself; starting it again");
    await delay(pauseMs, undefined, { signal: stopping.signal, ref: false });
    await clearEarlierServer(options.folder, options.log);
    if (!stopping.signal.aborted) supervisor = superviseOn(port, options);
  };

  const watch = async (): Promise<void> => {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      supervisor.unref();
      await supervisor.ended;
      if (stopping.signal.aborted) break;
      if (performance.now() - startedMs > healthyMs) pauseMs = firstPauseMs;
      await startAgain(pauseMs).catch((error: unknown) => {
        if (!stopping.signal.aborted)
          options.log.error({ err: error }, "embedded Postgres cannot be started again yet");
      });
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };

  const watching = watch();
  return {
    port,
    stop: async () => {
      stopping.abort();
      supervisor.stop();
      await watching;
      await clearEarlierServer(options.folder, options.log);
    },
  };
}

function lastLines(path: string): string {
  return existsSync(path)
    ? readFileSync(path, "utf8").trimEnd().split("\n").slice(-lastLogLines).join("\n")
    : "(empty)";
}
