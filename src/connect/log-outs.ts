import type { RemovedConnection } from "../connections/index.ts";
import type { Log } from "../platform/log.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { ProviderRegistry, SignInHost } from "../providers/index.ts";

interface LogOutsDependencies {
  registry: ProviderRegistry;
  host: SignInHost;
  log: Log;
}

const logOutTimeoutMs = 10_000;
/** For all that run, which have begun at about the same time. */
const longestWaitMs = 2 * logOutTimeoutMs;

/** A session that nobody uses any more: of a connection that was removed, or of a sign-in that became none. */
export type EndedSession = Omit<RemovedConnection, "id"> & { id?: RemovedConnection["id"] };

/**
 * Ends sessions that nobody uses any more at their providers, in the background of the process that gave them up. Each
 * is tried once, and is in memory alone.
 */
export class LogOuts {
  readonly #dependencies: LogOutsDependencies;
  readonly #running = new Set<Promise<void>>();

  constructor(dependencies: LogOutsDependencies) {
    this.#dependencies = dependencies;
  }

  start(ended: EndedSession): void {
    const { provider, mode } = ended;
    if (!this.#dependencies.registry.findMode(provider, mode)?.canLogOut) return;
    const running = this.#logOut(ended).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when none is under way. The signal ends the wait alone. */
  async done(signal?: AbortSignal): Promise<void> {
    const ended = Promise.all(this.#running);
    await withTimeout(longestWaitMs, () => ended, { signal }).catch(() => undefined);
  }

  /** Never rejects. */
  async #logOut(ended: EndedSession): Promise<void> {
    const { host, log } = this.#dependencies;
    const { id, clientId, provider, mode } = ended;
    try {
      const session = ended.openSession();
      const isAccountInUse = await ended.isAccountInUse();
      await withTimeout(logOutTimeoutMs, (signal) =>
        host.logOut({ clientId, provider, mode, session, isAccountInUse, signal }),
      );
    } catch (error) {
      log.debug(
        { err: error, connectionId: id, provider },
        "a session could not be ended at its provider; it is not tried again",
      );
    }
  }
}
