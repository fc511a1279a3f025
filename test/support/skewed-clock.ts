import { addSeconds, type SteadyClock } from "../../src/platform/clock.ts";
import type { TestClock } from "./test-clock.ts";

/** The clock of a machine that is so far ahead of the one that leads the database; behind when it is negative. */
export class SkewedClock implements SteadyClock {
  readonly #leader: TestClock;
  readonly #aheadSeconds: number;

  constructor(leader: TestClock, aheadSeconds: number) {
    this.#leader = leader;
    this.#aheadSeconds = aheadSeconds;
  }

  now(): Date {
    return addSeconds(this.#leader.now(), this.#aheadSeconds);
  }

  elapsedMs(): number {
    return this.#leader.elapsedMs();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#leader.sleep(ms, signal);
  }
}
