import type { PoolClient } from "pg";
import type { Pool } from "../../src/platform/db/index.ts";

/** What a process that was killed would have said: nothing. It stands for the end of everything that it was doing. */
export class Killed extends Error {}

/**
 * A pool of a process that dies: from a chosen word to the database on, nothing of what it says arrives, until it is started
 * anew. What it had begun is rolled back, as the database does when a connection is lost.
 */
export class KillablePool {
  readonly pool: Pool;
  readonly #real: Pool;
  #wordsLeft = Infinity;

  constructor(real: Pool) {
    this.#real = real;
    this.pool = {
      query: (...words: unknown[]) => this.#say(real, words),
      connect: () => this.#connect(),
    } as unknown as Pool;
  }

  /** So many words arrive, the next one does not. */
  killAfter(words: number): void {
    this.#wordsLeft = words;
  }

  /** True when the process had died. */
  startAnew(): boolean {
    const isDead = this.#wordsLeft < 0;
    if (isDead) this.#wordsLeft = Infinity;
    return isDead;
  }

  async #connect(): Promise<PoolClient> {
    this.#count();
    const client = await this.#real.connect();
    const release = (): void => {
      if (this.#wordsLeft >= 0) return client.release();
      void client.query("rollback").finally(() => client.release());
    };
    return {
      query: (...words: unknown[]) => this.#say(client, words),
      release,
    } as unknown as PoolClient;
  }

  async #say(target: Pool | PoolClient, words: unknown[]): Promise<unknown> {
    this.#count();
    return await (target.query as (...all: unknown[]) => Promise<unknown>).apply(target, words);
  }

  #count(): void {
    if (this.#wordsLeft < 0) throw new Killed("the process was killed");
    this.#wordsLeft -= 1;
    if (this.#wordsLeft < 0) throw new Killed("the process was killed");
  }
}
