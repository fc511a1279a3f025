import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log.ts";
import {
  findPostmaster,
  isPostmaster,
  postmasterArguments,
  postmasterPidFile,
  stopPostmaster,
  serverSettings,
} from "./postmaster.ts";
import { diskFull, type StateFolder } from "./state-folder.ts";
import { waitForProcessLock } from "./process-lock.ts";
import { readLastLines, sizeOfLog } from "./server-log.ts";
import { prepareSocketFolder } from "./socket-folder.ts";
import { spawnSupervisor, type SupervisorProcess } from "./supervisor-process.ts";
import { doubled } from "../retry.ts";
import { StartRefused } from "../start-refused.ts";

export interface SupervisedServer {
  socketFolder: string;
  stop(): Promise<void>;
}

interface ServerOptions {
  folder: StateFolder;
  program: string;
  isDurable: boolean;
  log: Log;
}

const maxStarts = 5;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** After a server ran this long, the pauses begin with the shortest one again. */
const healthyMs = 60_000;
/** More than a supervisor needs to stop Postgres after its owner died. */
const supervisorLockLimitMs = 60_000;

/**
 * Resolves when the server is ready, and starts it again whenever it ends by itself. There is no time
 * limit: after a power cut Postgres can replay its journal for minutes.
 */
export async function startSupervisedServer(options: ServerOptions): Promise<SupervisedServer> {
  const { logFile } = options.folder;
  const since = sizeOfLog(logFile);
  for (let starts = 0; starts < maxStarts; starts += 1) {
    // Children of a killed Postgres can stay for a moment.
    if (starts > 0) await delay(doubled(firstPauseMs, starts));
    const socketFolder = await prepareSocketFolder(options.folder);
    const supervisor = superviseOn(socketFolder, options);
    if (await supervisor.ready) return keepRunning(supervisor, socketFolder, options);
    await supervisor.ended;
  }
  const lines = readLastLines(logFile, since);
  const explained = `The embedded Postgres does not start. The last lines of ${logFile}:\n${lines}`;
  throw diskFull(options.folder, "postgres", lines) ?? new StartRefused(explained);
}

/**
 * After it returns, no server runs on this data folder, and no pid file keeps the next one from starting.
 * A server without a supervisor is stopped, not used: it may have the settings of another version.
 */
export async function stopEarlierServer(folder: StateFolder, log: Log): Promise<void> {
  const { dataDir, supervisorLockFile } = folder;
  const supervisorLock = await waitForProcessLock(supervisorLockFile, supervisorLockLimitMs);
  try {
    const orphan = findPostmaster(dataDir);
    if (orphan) {
      log.warn({ pid: orphan.pid, dataDir }, "stopping a Postgres that has no supervisor any more");
      await stopPostmaster(orphan.pid, () => isPostmaster(orphan.pid, dataDir));
    }
    rmSync(postmasterPidFile(dataDir), { force: true });
  } finally {
    supervisorLock.release();
  }
}

function superviseOn(
  socketFolder: string,
  { folder, program, isDurable }: ServerOptions,
): SupervisorProcess {
  return spawnSupervisor({
    program,
    serverArguments: postmasterArguments(
      folder.dataDir,
      serverSettings({ socketFolder, isDurable }),
    ),
    dataDir: folder.dataDir,
    lockFile: folder.supervisorLockFile,
    logFile: folder.logFile,
    account: folder.account,
  });
}

/** When Postgres or its supervisor ends by itself, both start again with the same socket, ever more slowly. */
function keepRunning(
  first: SupervisorProcess,
  socketFolder: string,
  options: ServerOptions,
): SupervisedServer {
  const { folder, log } = options;
  const { dataDir } = folder;
  const stopping = new AbortController();
  let supervisor = first;

  const startAgain = async (pauseMs: number): Promise<void> => {
    log.warn({ dataDir, pauseMs }, "the embedded Postgres ended by itself; it starts again");
    await delay(pauseMs, undefined, { signal: stopping.signal, ref: false });
    await stopEarlierServer(folder, log);
    // What a killed Postgres left of its socket goes.
    await prepareSocketFolder(folder);
    if (!stopping.signal.aborted) supervisor = superviseOn(socketFolder, options);
  };

  const watch = async (): Promise<void> => {
    let restarts = 0;
    while (!stopping.signal.aborted) {
      const startedMs = performance.now();
      supervisor.unref();
      await supervisor.ended;
      if (stopping.signal.aborted) break;
      if (performance.now() - startedMs > healthyMs) restarts = 0;
      await startAgain(doubled(firstPauseMs, restarts, longestPauseMs)).catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.error(
            { err: error, dataDir },
            "the embedded Postgres did not start; it is tried again",
          );
      });
      restarts += 1;
    }
  };

  const watching = watch();
  return {
    socketFolder,
    stop: async () => {
      stopping.abort();
      supervisor.stop();
      await watching;
      await stopEarlierServer(folder, log);
    },
  };
}
