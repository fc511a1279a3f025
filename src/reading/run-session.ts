import type { Connection, NumberedSession, Refreshed } from "../connections/index.ts";
import { createFailure, isProviderFailure, type Session } from "../providers/index.ts";
import type { RunReadDependencies } from "./run-dependencies.ts";

/**
 * Ends a run whose read is no longer its own: a newer run has begun, or the connection is gone or was
 * signed in to again. It is no failure.
 */
export class RunOvertaken extends Error {
  override readonly name = "RunOvertaken";
  override readonly message = "the read is no longer this run's";
}

/** The session of a run: what the adapter saves of it, and the newer ones that take its place. */
export class RunSession {
  readonly #dependencies: Pick<RunReadDependencies, "adapters" | "connections">;
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #ending = new AbortController();
  readonly #renewals: Promise<unknown>[] = [];
  #saved: Promise<void> = Promise.resolve();
  #newest: Session | undefined;
  #version: number;

  constructor(
    dependencies: Pick<RunReadDependencies, "adapters" | "connections">,
    connection: Connection,
    signal: AbortSignal,
  ) {
    this.#dependencies = dependencies;
    this.#connection = connection;
    this.#signal = AbortSignal.any([signal, this.#ending.signal]);
    this.#version = connection.sessionVersion;
  }

  /** The number of the newest session that the run has. */
  get version(): number {
    return this.#version;
  }

  /**
   * A session that a run saved is kept whatever becomes of the run: the one before it may work no more. Of those that
   * wait while the database is away, the newest alone is stored, because each of them is tried for long.
   */
  save(replacement: Session): void {
    const { connections } = this.#dependencies;
    const version = this.#version;
    this.#newest = replacement;
    const save = async (): Promise<void> => {
      if (this.#newest === replacement)
        await connections.saveSession(this.#connection, replacement, { version });
    };
    this.#saved = this.#saved.then(save, save);
    this.#saved.catch(() => undefined);
  }

  /** See `ReadServices.renewSession`. */
  async renew(version: number): Promise<NumberedSession> {
    const renewing = this.#renew(version);
    this.#renewals.push(renewing);
    return await renewing;
  }

  /** A refresh that has begun is finished and stored, and what was saved is stored. */
  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#renewals);
    await this.#saved;
  }

  async #renew(version: number): Promise<NumberedSession> {
    const renewed = await this.#dependencies.connections.renewSession(this.#connection, {
      version,
      refresh: (session, signal) => this.#refresh(session, signal),
      timedOut: () =>
        createFailure({ kind: "down", message: "the session was not renewed in time" }),
      signal: this.#signal,
    });
    if (!renewed) throw new RunOvertaken();
    if ("refused" in renewed) throw createFailure({ kind: "auth", code: renewed.refused });
    this.#version = renewed.version;
    return renewed;
  }

  async #refresh(session: Session, signal: AbortSignal): Promise<Refreshed> {
    const { clientId, provider, mode } = this.#connection;
    try {
      const call = { clientId, provider, mode, session, signal };
      return { session: { ...(await this.#dependencies.adapters.refresh(call)) } };
    } catch (error) {
      if (isProviderFailure(error) && error.kind === "auth") return { refused: error.code };
      throw error;
    }
  }
}
