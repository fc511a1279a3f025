import { prepareBinaries } from "./binaries.ts";
import { clearEarlierServer } from "./clear-earlier-server.ts";
import { ensureCluster } from "./cluster.ts";
import { databaseUrl, readServerLogin, writeServerLogin } from "./server-login.ts";
import type { LauncherLog } from "./launcher-log.ts";
import type { ProcessLock } from "./process-lock.ts";
import type { EmbeddedPostgres } from "./start-embedded-postgres.ts";
import type { StateFolder } from "./state-folder.ts";
import { startSupervisedServer } from "./supervised-server.ts";

/** The owner lock is held until the server has stopped, so whoever gets it next finds nothing in the way. */
export async function ownServer(options: {
  folder: StateFolder;
  ownerLock: ProcessLock;
  log: LauncherLog;
  isDurable: boolean;
}): Promise<EmbeddedPostgres> {
  const { folder, ownerLock, log, isDurable } = options;
  try {
    await clearEarlierServer(folder, log);
    const binaries = prepareBinaries(folder.home, folder.account);
    const password = await ensureCluster(folder, { binaries, log, isDurable });

    // The port of the last run, so that users of a server whose owner died find the next one.
    const preferredPort = readServerLogin(folder.loginFile)?.port;
    const server = await startSupervisedServer({
      folder,
      program: binaries.postgres,
      preferredPort,
      isDurable,
      log,
    });
    writeServerLogin(folder.loginFile, { password, port: server.port });
    log.info({ dataDir: folder.dataDir, port: server.port }, "embedded Postgres is ready");

    let stopped: Promise<void> | undefined;
    return {
      connectionString: databaseUrl({ password, port: server.port }),
      isOwner: true,
      stop: () => (stopped ??= server.stop().finally(ownerLock.release)),
    };
  } catch (error) {
    ownerLock.release();
    throw error;
  }
}
