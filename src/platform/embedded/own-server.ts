import { prepareBinaries } from "./prepare-binaries.ts";
import { clearEarlierServer } from "./clear-earlier-server.ts";
import { ensureCluster } from "./ensure-cluster.ts";
import { connectionString, readConnection, writeConnection } from "./connection-file.ts";
import type { LauncherLog } from "./launcher-log.ts";
import type { ProcessLock } from "./process-lock.ts";
import type { EmbeddedPostgres } from "./start-embedded-postgres.ts";
import type { StateLayout } from "./state-layout.ts";
import { startSupervisedServer } from "./supervised-server.ts";

/** The owner lock is held until the server has stopped, so whoever gets it next finds nothing in the way. */
export async function ownServer(options: {
  layout: StateLayout;
  ownerLock: ProcessLock;
  log: LauncherLog;
  isDurable: boolean;
}): Promise<EmbeddedPostgres> {
  const { layout, ownerLock, log, isDurable } = options;
  try {
    await clearEarlierServer(layout, log);
    const binaries = prepareBinaries(layout.home, layout.account);
    const password = await ensureCluster(layout, { binaries, log, isDurable });

    // The port of the last run, so that users of a server whose owner died find the next one.
    const preferredPort = readConnection(layout.connectionFile)?.port;
    const server = await startSupervisedServer({
      layout,
      program: binaries.postgres,
      preferredPort,
      isDurable,
      log,
    });
    writeConnection(layout.connectionFile, { password, port: server.port });
    log.info({ dataDir: layout.dataDir, port: server.port }, "embedded Postgres is ready");

    let stopped: Promise<void> | undefined;
    return {
      connectionString: connectionString({ password, port: server.port }),
      isOwner: true,
      stop: () => (stopped ??= server.stop().finally(ownerLock.release)),
    };
  } catch (error) {
    ownerLock.release();
    throw error;
  }
}
