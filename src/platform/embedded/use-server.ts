import { setTimeout as delay } from "node:timers/promises";
import type { EmbeddedPostgres } from "./start-embedded-postgres.ts";
import type { LauncherLog } from "./launcher-log.ts";
import type { ProcessLock } from "./process-lock.ts";

const checkMs = 500;

/**
 * Uses a server that another process owns, and becomes its owner when that process ends: a command line that happened to
 * start the server first must not take it away from the service that came after.
 */
export function useServer(options: {
  connectionString: string;
  log: LauncherLog;
  tryLock: () => ProcessLock | undefined;
  own: (ownerLock: ProcessLock) => Promise<EmbeddedPostgres>;
}): EmbeddedPostgres {
  const { connectionString, log, tryLock, own } = options;
  const stopping = new AbortController();
  let owned: EmbeddedPostgres | undefined;

  const takeOver = async (): Promise<void> => {
    while (!owned) {
      await delay(checkMs, undefined, { signal: stopping.signal, ref: false });
      const ownerLock = tryLock();
      if (!ownerLock) continue;
      log.info({}, "the owner of the embedded Postgres has ended; this process owns it now");
      owned = await own(ownerLock);
      if (owned.connectionString !== connectionString)
        log.error({}, "the embedded Postgres had to move to another port; restart this process");
    }
  };

  const watching = takeOver().catch((error: unknown) => {
    if (!stopping.signal.aborted)
      log.error({ err: error }, "the embedded Postgres could not be taken over");
  });
  return {
    connectionString,
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
