import type { SteadyClock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { repeat, type Repetition } from "./repeat.ts";

interface Scheduled {
  what: string;
  everyMs: number;
  /** By the steady clock; the start counts as a success. */
  succeededAtMs: number;
  repetition: Repetition;
}

/** A schedule may miss two of its turns, and a minute beside. */
const turnsUntilLate = 3;
const patienceMs = 60_000;

/** The work that this process does again and again, and when each last succeeded. */
export class Schedules {
  readonly #clock: SteadyClock;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #scheduled: Scheduled[] = [];

  constructor({ clock, log, metrics }: { clock: SteadyClock; log: Log; metrics: Metrics }) {
    this.#clock = clock;
    this.#log = log;
    this.#metrics = metrics;
  }

  add(what: string, everyMs: number, work: (signal: AbortSignal) => Promise<unknown>): void {
    const entry = { what, everyMs, succeededAtMs: this.#clock.elapsedMs() };
    const repetition = repeat(this.#log, what, everyMs, async (signal) => {
      await work(signal);
      entry.succeededAtMs = this.#clock.elapsedMs();
      this.#metrics.scheduleSucceeded.set({ schedule: what }, this.#clock.now().getTime() / 1_000);
    });
    this.#scheduled.push(Object.assign(entry, { repetition }));
  }

  /** What has not succeeded for longer than it should. */
  listLate(): string[] {
    const now = this.#clock.elapsedMs();
    return this.#scheduled
      .filter(
        ({ everyMs, succeededAtMs }) => now - succeededAtMs > turnsUntilLate * everyMs + patienceMs,
      )
      .map(({ what }) => what);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#scheduled.map(({ repetition }) => repetition.stop()));
  }
}
