import type { PoolClient } from "pg";
import type { Pool } from "../../src/platform/db/index.ts";

/** Ends the work of a process that was killed. */
export class Killed extends Error {}

/**
 * The pool of a process that can be killed. After a chosen number of queries none reaches the
 * database any more, until the process is restarted. Its open transaction is rolled back, as
 * Postgres does when a client is lost.
 */
export class KillablePool {
  readonly pool: Pool;
  readonly #real: Pool;
  #queriesLeft = Infinity;

  constructor(real: Pool) {
    this.#real = real;
    this.pool = {
      query: (...args: unknown[]) => this.#query(real, args),
      connect: () => this.#connect(),
    } as unknown as Pool;
  }

  /** The next query after so many is lost. `connect` counts as one. */
  killAfter(queries: number): void {
    this.#queriesLeft = queries;
  }

  /** Restarts the process if it was killed, and returns whether it was. */
  restart(): boolean {
    const wasKilled = this.#isKilled;
    if (wasKilled) this.#queriesLeft = Infinity;
    return wasKilled;
  }

  get #isKilled(): boolean {
    return this.#queriesLeft < 0;
  }

  async #connect(): Promise<PoolClient> {
    this.#count();
    const client = await this.#real.connect();
    const release = (): void => {
      if (!this.#isKilled) return client.release();
      void client.query("rollback").finally(() => client.release());
    };
    return {
      query: (...args: unknown[]) => this.#query(client, args),
      release,
    } as unknown as PoolClient;
  }

  async #query(target: Pool | PoolClient, args: unknown[]): Promise<unknown> {
    this.#count();
    return await (target.query as (...all: unknown[]) => Promise<unknown>).apply(target, args);
  }

  #count(): void {
    this.#queriesLeft -= 1;
    if (this.#isKilled) throw new Killed("the process was killed");
  }
}
