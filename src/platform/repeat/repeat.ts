import { isDatabaseUnavailable } from "../db/unavailable.ts";
import type { Log } from "../log.ts";

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
