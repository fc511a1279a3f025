import { setTimeout as delay } from "node:timers/promises";
import { databaseUrl, readServerLogin } from "./server-login.ts";
import { silentLog, type LauncherLog } from "./launcher-log.ts";
import { ownServer } from "./own-server.ts";
import { findPostmaster } from "./postmaster.ts";
import { tryProcessLock, type ProcessLock } from "./process-lock.ts";
import { prepareStateFolder, type StateFolder } from "./state-folder.ts";
import { useServer } from "./use-server.ts";

export interface EmbeddedPostgres {
  connectionString: string;
  /** True when this process owns the server, false while it uses one that another process of the same state folder owns. */
  readonly isOwner: boolean;
  /** Stops the server when this process owns it, and does nothing otherwise. */
  stop(): Promise<void>;
}

const pollMs = 25;
const waitingNoticeMs = 10_000;

/**
 * Of any number of starters on one state folder exactly one owns the server; the others return once it is ready.
 * When the owner fails or dies meanwhile, one of those who wait takes its place.
 */
export async function startEmbeddedPostgres(options: {
  stateDir: string;
  log?: LauncherLog;
  /** For tests only: false gives up safety against a power cut for speed. */
  isDurable?: boolean;
}): Promise<EmbeddedPostgres> {
  const log = options.log ?? silentLog;
  const folder = prepareStateFolder(options.stateDir);
  const tryLock = (): ProcessLock | undefined => tryProcessLock(folder.ownerLockFile);
  const own = (ownerLock: ProcessLock): Promise<EmbeddedPostgres> =>
    ownServer({ folder, ownerLock, log, isDurable: options.isDurable ?? true });
  let saidWaitingMs = -Infinity;
  for (;;) {
    const ownerLock = tryLock();
    if (ownerLock) return own(ownerLock);
    const running = findReadyServer(folder);
    if (running !== undefined) {
      log.info(
        { stateDir: folder.stateDir },
        "using the embedded Postgres that another process owns",
      );
      return useServer({ connectionString: running, log, tryLock, own });
    }
    if (performance.now() - saidWaitingMs > waitingNoticeMs) {
      log.info(
        { stateDir: folder.stateDir },
        "another process is starting the embedded Postgres; waiting for it",
      );
      saidWaitingMs = performance.now();
    }
    await delay(pollMs);
  }
}

/** The port comes from the live server's own pid file, so a password is never sent to whoever took an old port. */
function findReadyServer(folder: StateFolder): string | undefined {
  const postmaster = findPostmaster(folder.dataDir);
  if (!postmaster?.isReady) return undefined;
  const connection = readServerLogin(folder.loginFile);
  return connection && databaseUrl({ password: connection.password, port: postmaster.port });
}
