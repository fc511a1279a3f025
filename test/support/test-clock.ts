import { setTimeout as delay } from "node:timers/promises";
import { addSeconds, type SteadyClock } from "../../src/platform/clock.ts";
import { refuseInTransaction } from "../../src/platform/open-transaction.ts";
import type { TestDatabase } from "./database.ts";

const shortMs = 5;

/** Shows the same time until `advance`. Sleeping takes a moment and does not change the time. */
export class TestClock implements SteadyClock {
  readonly #start: Date;
  #now: Date;
  #elapsedMs = 0;
  #database: TestDatabase | undefined;

  constructor(now = new Date("2026-03-02T10:00:00Z")) {
    this.#start = now;
    this.#now = now;
  }

  /** The time of the database is that of this clock. */
  lead(database: TestDatabase): void {
    this.#database = database;
    database.clock = this;
    this.#tellDatabase();
  }

  now(): Date {
    return new Date(this.#now);
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  advance(seconds: number): void {
    this.#elapsedMs += Math.round(seconds * 1000);
    this.correct(seconds);
    this.#tellDatabase();
  }

  /** The machine's time is set to another one, forwards or back. That of the database is not. */
  correct(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + Math.round(seconds * 1000));
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    refuseInTransaction("a wait");
    await delay(Math.min(ms, shortMs), undefined, signal ? { signal } : {});
  }

  #tellDatabase(): void {
    this.#database?.setTime(addSeconds(this.#start, this.#elapsedMs / 1_000).toISOString());
  }
}
