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

/**
 * Ends the sessions of removed connections at their providers, in the background of the process that removed them.
 * Each is tried once, and its session is in memory alone.
 */
export class LogOuts {
  readonly #dependencies: LogOutsDependencies;
  readonly #running = new Set<Promise<void>>();

  constructor(dependencies: LogOutsDependencies) {
    this.#dependencies = dependencies;
  }

  start(connection: RemovedConnection): void {
    const { provider, mode } = connection;
    if (!this.#dependencies.registry.findMode(provider, mode)?.canLogOut) return;
    const running = this.#logOut(connection).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when none is under way. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Never rejects. */
  async #logOut(removed: RemovedConnection): Promise<void> {
    const { host, log } = this.#dependencies;
    const { id, clientId, provider, mode } = removed;
    try {
      const session = removed.openSession();
      const isAccountInUse = await removed.isAccountInUse();
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
