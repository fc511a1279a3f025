import { rmSync } from "node:fs";
import type { LauncherLog } from "./launcher-log.ts";
import { findPostmaster, isPostmaster, postmasterPidFile, stopPostmaster } from "./postmaster.ts";
import { waitForProcessLock } from "./process-lock.ts";
import type { StateFolder } from "./state-folder.ts";

/** Longer than a supervisor whose owner died needs to stop Postgres. */
const supervisorPatienceMs = 60_000;

/**
 * After it returns, no server runs on this data folder and no pid file keeps the next one from starting. A server
 * that has lost its supervisor is stopped in good order and not taken over: nobody knows its settings.
 */
export async function clearEarlierServer(folder: StateFolder, log: LauncherLog): Promise<void> {
  const supervisorLock = await waitForProcessLock(folder.supervisorLockFile, supervisorPatienceMs);
  try {
    const orphan = findPostmaster(folder.dataDir);
    if (orphan) {
      log.warn({ pid: orphan.pid }, "stopping a Postgres that lost its supervisor");
      await stopPostmaster(orphan.pid, () => isPostmaster(orphan.pid, folder.dataDir));
    }
    rmSync(postmasterPidFile(folder.dataDir), { force: true });
  } finally {
    supervisorLock.release();
  }
}
