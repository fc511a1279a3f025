import { setTimeout as delay } from "node:timers/promises";
import type { SteadyClock } from "../../src/platform/clock.ts";
import { refuseInTransaction } from "../../src/platform/open-transaction.ts";

const shortMs = 5;

/** Shows the same time until `advance`. Sleeping takes a moment and does not change the time. */
export class TestClock implements SteadyClock {
  #now: Date;
  #elapsedMs = 0;

  constructor(now = new Date("2026-03-02T10:00:00Z")) {
    this.#now = now;
  }

  now(): Date {
    return new Date(this.#now);
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  advance(seconds: number): void {
    this.#elapsedMs += seconds * 1000;
    this.correct(seconds);
  }

  /** The machine's time is set to another one, forwards or back. */
  correct(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1000);
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    refuseInTransaction("a wait");
    await delay(Math.min(ms, shortMs), undefined, signal ? { signal } : {});
  }
}
