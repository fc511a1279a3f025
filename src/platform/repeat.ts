import type { Log } from "./log.ts";

export interface Repetition {
  /** Resolves when a run that is under way has ended. */
  stop(): Promise<void>;
}

/** Runs the work now and then, the next run only after the last one has ended. A run that fails is logged and tried again. */
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
      log.warn({ err: error }, `${what} failed and will be tried again`);
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
