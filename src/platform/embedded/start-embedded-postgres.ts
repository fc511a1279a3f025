import type { Log } from "../log.ts";
import { waitUntil } from "../wait-until.ts";
import { prepareBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { findPostmaster } from "./postmaster.ts";
import { tryProcessLock, type ProcessLock } from "./process-lock.ts";
import { formatDatabaseUrl, readServerLogin, writeServerLogin } from "./server-login.ts";
import { prepareStateFolder, type StateFolder } from "./state-folder.ts";
import { startSupervisedServer, stopEarlierServer } from "./supervised-server.ts";

export interface EmbeddedPostgres {
  databaseUrl: string;
  /** False while this process uses a server that another process of the state folder owns. */
  readonly isOwner: boolean;
  /** Stops the server if this process owns it. */
  stop(): Promise<void>;
}

interface StartOptions {
  folder: StateFolder;
  log: Log;
  isDurable: boolean;
}

/** What a process finds on its state folder: a server to own, or a server to use. */
type Finding = { ownerLock: ProcessLock } | { runningUrl: string };

const startPollMs = 25;
const waitingNoticeMs = 10_000;
const ownerPollMs = 500;

/**
 * Of all processes that start on one state folder, exactly one owns the server. The others use the server
 * once it is ready. When the owner ends or dies, at any moment, one of the others becomes the owner.
 */
export async function startEmbeddedPostgres({
  stateDir,
  log,
  isDurable = true,
}: {
  stateDir: string;
  log: Log;
  /** False only in tests: faster, without protection against a power cut. */
  isDurable?: boolean;
}): Promise<EmbeddedPostgres> {
  const options = { folder: prepareStateFolder(stateDir), log, isDurable };
  const found = findServer(options.folder) ?? (await waitForServer(options));
  return "ownerLock" in found
    ? await ownServer(found.ownerLock, options)
    : useServer(found.runningUrl, options);
}

/** Undefined while the owner starts its server. */
function findServer(folder: StateFolder): Finding | undefined {
  const ownerLock = tryProcessLock(folder.ownerLockFile);
  if (ownerLock) return { ownerLock };
  // The address is the running server's own: another program may listen on that of the login file.
  const postmaster = findPostmaster(folder.dataDir);
  const login = readServerLogin(folder.loginFile);
  if (!postmaster?.isReady || !login) return undefined;
  return { runningUrl: formatDatabaseUrl(login.password, postmaster) };
}

async function waitForServer({ folder, log }: StartOptions): Promise<Finding> {
  const { stateDir } = folder;
  const logWaiting = (): void =>
    log.info({ stateDir }, "waiting for another process that starts the embedded Postgres");
  logWaiting();
  const notice = setInterval(logWaiting, waitingNoticeMs);
  try {
    return await waitUntil(() => findServer(folder), { everyMs: startPollMs });
  } finally {
    clearInterval(notice);
  }
}

/** Releases the owner lock only when the server has stopped, so the next owner finds nothing in its way. */
async function ownServer(
  ownerLock: ProcessLock,
  { folder, log, isDurable }: StartOptions,
): Promise<EmbeddedPostgres> {
  try {
    await stopEarlierServer(folder, log);
    const binaries = prepareBinaries(folder.home, folder.account);
    const password = await ensureCluster(folder, { binaries, log, isDurable });
    const server = await startSupervisedServer({
      folder,
      program: binaries.postgres,
      // Processes that used the server of an earlier owner find this one at the same address.
      last: readServerLogin(folder.loginFile),
      isDurable,
      log,
    });
    const { host, port } = server.address;
    writeServerLogin(folder.loginFile, { password, host, port });
    log.info({ dataDir: folder.dataDir, host, port }, "the embedded Postgres is ready");

    let stopped: Promise<void> | undefined;
    return {
      databaseUrl: formatDatabaseUrl(password, server.address),
      isOwner: true,
      stop: () => (stopped ??= server.stop().finally(ownerLock.release)),
    };
  } catch (error) {
    ownerLock.release();
    throw error;
  }
}

/**
 * Becomes the owner when the owner ends: a command that happened to start the server first must not end it
 * for the service that came later.
 */
function useServer(runningUrl: string, options: StartOptions): EmbeddedPostgres {
  const { folder, log } = options;
  const { stateDir } = folder;
  log.info({ stateDir }, "using the embedded Postgres that another process owns");
  const stopping = new AbortController();
  let owned: EmbeddedPostgres | undefined;

  const takeOver = async (): Promise<void> => {
    const ownerLock = await waitUntil(() => tryProcessLock(folder.ownerLockFile), {
      everyMs: ownerPollMs,
      signal: stopping.signal,
      isBackground: true,
    });
    log.info(
      { stateDir },
      "the owner of the embedded Postgres ended; this process starts it again",
    );
    owned = await ownServer(ownerLock, options);
    if (owned.databaseUrl !== runningUrl)
      log.error(
        { stateDir },
        "the embedded Postgres has a new address; restart this process to use it",
      );
  };

  const watching = takeOver().catch((error: unknown) => {
    if (!stopping.signal.aborted)
      log.error(
        { err: error, stateDir },
        "the embedded Postgres could not be started again; restart this process",
      );
  });
  return {
    databaseUrl: runningUrl,
    get isOwner() {
      return owned !== undefined;
    },
    stop: async () => {
      stopping.abort();
      await watching;
      await owned?.stop();
    },
  };
}
