import type { TestDatabase } from "./database.ts";
import { systemClock, type SteadyClock } from "../../src/platform/clock.ts";

/** The time goes on as it does, and can be moved on. Waiting takes as long as it says. */
export class MovedClock implements SteadyClock {
  #aheadMs = 0;
  #database: TestDatabase | undefined;

  /** The time of the database is that of this clock. */
  lead(database: TestDatabase): void {
    this.#database = database;
    database.clock = this;
    this.advance(0);
  }

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  elapsedMs(): number {
    return systemClock.elapsedMs() + this.#aheadMs;
  }

  advance(seconds: number): void {
    this.#aheadMs += seconds * 1_000;
    this.#database?.setTime(`${this.#aheadMs} milliseconds`);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await systemClock.sleep(ms, signal);
  }
}
