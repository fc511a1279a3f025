import type { Log } from "../log.ts";
import { backgroundClock } from "../clock.ts";
import { tellWhile, waitUntil } from "../repeat.ts";
import { prepareBinaries } from "./binaries.ts";
import { ensureCluster, formatDatabaseUrl, readServerLogin, writeServerLogin } from "./cluster.ts";
import { findPostmaster } from "./postmaster.ts";
import { tryProcessLock, trySharedLock, type ProcessLock } from "./process-lock.ts";
import { socketPort } from "./socket-folder.ts";
import { listStateFolders, prepareStateFolder, type StateFolder } from "./state-folder.ts";
import {
  startSupervisedServer,
  stopEarlierServer,
  type SupervisedServer,
} from "./supervised-server.ts";

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
  isBrief: boolean;
}

/** What a process finds on its state folder: a server to own, or a server to use. */
type Finding = { ownerLock: ProcessLock } | { runningUrl: string; useLock?: ProcessLock };

const startPollMs = 25;
/** How long an owner that ends waits for the end of commands. */
const longestCommandMs = 10_000;
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
  isBrief = false,
}: {
  stateDir: string;
  log: Log;
  /** False only in tests: faster, without protection against a power cut. */
  isDurable?: boolean;
  /** True for a command, which ends soon and would fail if the server stopped: an owner that ends waits for it. */
  isBrief?: boolean;
}): Promise<EmbeddedPostgres> {
  const options = { folder: prepareStateFolder(stateDir), log, isDurable, isBrief };
  const found = findServer(options) ?? (await waitForServer(options));
  return "ownerLock" in found
    ? await ownServer(found.ownerLock, options)
    : useServer(found, options);
}

/** The address of the server that a process of the state folder runs; undefined when none does. It changes nothing. */
export function findRunningPostgres(stateDir: string): string | undefined {
  return listStateFolders(stateDir)
    .map(findRunningUrl)
    .find((runningUrl) => runningUrl !== undefined);
}

function findRunningUrl({ dataDir, loginFile }: StateFolder): string | undefined {
  const postmaster = findPostmaster(dataDir);
  const password = readServerLogin(loginFile);
  if (!postmaster?.isReady || password === undefined) return undefined;
  return formatDatabaseUrl(password, postmaster);
}

/** Undefined while the owner starts or stops its server. */
function findServer({ folder, isBrief }: StartOptions): Finding | undefined {
  const ownerLock = tryProcessLock(folder.ownerLockFile);
  if (ownerLock) return { ownerLock };
  // Before the server is looked at: from now on its owner does not stop it.
  const useLock = isBrief ? trySharedLock(folder.useLockFile) : undefined;
  if (isBrief && !useLock) return undefined;
  const runningUrl = findRunningUrl(folder);
  if (runningUrl !== undefined) return { runningUrl, ...(useLock && { useLock }) };
  useLock?.release();
  return undefined;
}

async function waitForServer(options: StartOptions): Promise<Finding> {
  const { folder, log } = options;
  const { stateDir } = folder;
  const logWaiting = (): void =>
    log.info({ stateDir }, "waiting for another process that starts the embedded Postgres");
  logWaiting();
  return await tellWhile(waitingNoticeMs, logWaiting, () =>
    waitUntil(() => findServer(options), { everyMs: startPollMs }),
  );
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
      isDurable,
      log,
    });
    writeServerLogin(folder.loginFile, password);
    const address = { host: server.socketFolder, port: socketPort };
    log.info({ dataDir: folder.dataDir, ...address }, "the embedded Postgres is ready");

    let stopped: Promise<void> | undefined;
    return {
      databaseUrl: formatDatabaseUrl(password, address),
      isOwner: true,
      stop: () => (stopped ??= stopUnused(server, { folder, log }).finally(ownerLock.release)),
    };
  } catch (error) {
    ownerLock.release();
    throw error;
  }
}

/** A command that comes while the server stops waits, and owns the next one. */
async function stopUnused(
  server: SupervisedServer,
  options: Pick<StartOptions, "folder" | "log">,
): Promise<void> {
  const useLock = await waitForCommands(options);
  await server.stop().finally(() => useLock?.release());
}

/** Until no command uses the server any more. Undefined when one still does after the longest wait. */
async function waitForCommands({
  folder,
  log,
}: Pick<StartOptions, "folder" | "log">): Promise<ProcessLock | undefined> {
  const { stateDir, useLockFile } = folder;
  const free = tryProcessLock(useLockFile);
  if (free) return free;
  log.info({ stateDir }, "waiting for a command that uses the embedded Postgres");
  const deadlineMs = performance.now() + longestCommandMs;
  const { useLock } = await waitUntil(
    () => {
      const freed = tryProcessLock(useLockFile);
      return (freed || performance.now() > deadlineMs) && { useLock: freed };
    },
    { everyMs: startPollMs },
  );
  if (!useLock) log.warn({ stateDir }, "a command still uses the embedded Postgres, which stops");
  return useLock;
}

/**
 * Becomes the owner when the owner ends: a command that happened to start the server first must not end it
 * for the service that came later.
 */
function useServer(
  { runningUrl, useLock }: { runningUrl: string; useLock?: ProcessLock },
  options: StartOptions,
): EmbeddedPostgres {
  const { folder, log } = options;
  const { stateDir } = folder;
  log.info({ stateDir }, "using the embedded Postgres that another process owns");
  const stopping = new AbortController();
  let owned: EmbeddedPostgres | undefined;

  const takeOver = async (): Promise<void> => {
    const ownerLock = await waitUntil(() => tryProcessLock(folder.ownerLockFile), {
      everyMs: ownerPollMs,
      clock: backgroundClock,
      signal: stopping.signal,
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
      useLock?.release();
      await watching;
      await owned?.stop();
    },
  };
}
