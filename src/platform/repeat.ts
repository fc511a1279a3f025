import { isDatabaseUnavailable } from "./db/unavailable.ts";
import type { Log } from "./log.ts";
import { type SteadyClock, systemClock, type Clock } from "./clock.ts";
import type { Metrics } from "./metrics.ts";
import { refuseInTransaction } from "./open-transaction.ts";

export interface Repetition {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

const logEveryMs = 60_000;
const databaseRetryMs = 1_000;

/**
 * Runs the work at once and then `everyMs` after the end of each run. A failure is logged, once a minute at most. When
 * the database is away, the pool says so, and the work runs again a second later. The signal fires when the repetition
 * stops.
 */
export function repeat(
  log: Log,
  what: string,
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
): Repetition {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let loggedAt = -Infinity;
  let isDatabaseAway = false;
  const run = async (): Promise<void> => {
    try {
      await work(stopping.signal);
      isDatabaseAway = false;
    } catch (error) {
      isDatabaseAway = isDatabaseUnavailable(error);
      const isExpected = isDatabaseAway || performance.now() - loggedAt < logEveryMs;
      if (!isExpected) loggedAt = performance.now();
      log[isExpected ? "debug" : "warn"](
        { err: error },
        `${what} failed; it runs again within ${everyMs} ms`,
      );
    }
    const pauseMs = isDatabaseAway ? Math.min(everyMs, databaseRetryMs) : everyMs;
    if (!stopping.signal.aborted) timer = setTimeout(start, pauseMs);
  };
  const start = (): void => {
    running = run();
  };
  start();
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

interface Scheduled {
  what: string;
  everyMs: number;
  /** By the steady clock; the start counts as a success. */
  succeededAtMs: number;
  /** Null before the first time. */
  succeededAt: Date | null;
  repetition: Repetition;
}

const turnsUntilLate = 3;
const patienceSeconds = 60;

/** How long after its last success a schedule is late: it may miss two of its turns, and a minute beside. */
export function secondsUntilLate(everySeconds: number): number {
  return turnsUntilLate * everySeconds + patienceSeconds;
}

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
        ({ everyMs, succeededAtMs }) =>
          (now - succeededAtMs) / 1_000 > secondsUntilLate(everyMs / 1_000),
      )
      .map(({ what }) => what);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#scheduled.map(({ repetition }) => repetition.stop()));
  }
}

/** Calls `tell` every so often while the work goes on. */
export async function tellWhile<Result>(
  everyMs: number,
  tell: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const telling = setInterval(tell, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(telling);
  }
}

interface WaitOptions {
  everyMs: number;
  clock?: Clock;
  /** Ends the wait: it rejects. */
  signal?: AbortSignal;
}

/** Calls `find` at once and then every `everyMs`, until it finds something. `withTimeout` adds a limit. */
export async function waitUntil<Found>(
  find: () => Promise<Found | false> | Found | false | undefined,
  { everyMs, clock = systemClock, signal }: WaitOptions,
): Promise<Found> {
  refuseInTransaction("a wait");
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await clock.sleep(everyMs, signal);
  }
}
