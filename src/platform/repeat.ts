import type { Log } from "./log.ts";

export interface Repetition {
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs the work at once and then `everyMs` after the end of each run. A run that fails is logged. */
export function repeat(
  log: Log,
  what: string,
  everyMs: number,
  work: () => Promise<unknown>,
): Repetition {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, `${what} failed; it runs again in ${everyMs} ms`);
    }
    if (!isStopped) timer = setTimeout(start, everyMs);
  };
  const start = (): void => {
    running = run();
  };
  start();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
