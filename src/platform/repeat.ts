import type { Log } from "./log.ts";

export interface Repetition {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Runs the work at once and then `everyMs` after the end of each run. A run that fails is logged. The signal fires when
 * the repetition stops.
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
  const run = async (): Promise<void> => {
    try {
      await work(stopping.signal);
    } catch (error) {
      log.warn({ err: error }, `${what} failed; it runs again in ${everyMs} ms`);
    }
    if (!stopping.signal.aborted) timer = setTimeout(start, everyMs);
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
