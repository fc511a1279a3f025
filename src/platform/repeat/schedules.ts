import type { SteadyClock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { repeat, type Repetition } from "./repeat.ts";

interface Scheduled {
  what: string;
  everyMs: number;
  /** By the steady clock; the start counts as a success. */
  succeededAtMs: number;
  /** Null before the first time. */
  succeededAt: Date | null;
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
    const entry: Omit<Scheduled, "repetition"> = {
      what,
      everyMs,
      succeededAtMs: this.#clock.elapsedMs(),
      succeededAt: null,
    };
    const repetition = repeat(this.#log, what, everyMs, async (signal) => {
      await work(signal);
      entry.succeededAtMs = this.#clock.elapsedMs();
      entry.succeededAt = this.#clock.now();
      this.#metrics.scheduleSucceeded.set({ schedule: what }, entry.succeededAt.getTime() / 1_000);
    });
    this.#scheduled.push(Object.assign(entry, { repetition }));
  }

  /** Every schedule, and when it last succeeded. */
  list(): { schedule: string; everySeconds: number; succeededAt: string | null }[] {
    return this.#scheduled.map(({ what, everyMs, succeededAt }) => ({
      schedule: what,
      everySeconds: everyMs / 1_000,
      succeededAt: succeededAt?.toISOString() ?? null,
    }));
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
