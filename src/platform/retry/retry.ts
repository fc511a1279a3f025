import type { Clock } from "../clock.ts";

interface RetryOptions {
  /** After how many milliseconds to try again; undefined for not at all. It may throw another error. */
  findPause: (error: unknown, tries: number) => Promise<number | undefined> | number | undefined;
  clock: Pick<Clock, "sleep">;
  signal?: AbortSignal | undefined;
}

/** Does the work until it succeeds. Throws its last error when there is no pause, and the signal's reason in one. */
export async function retry<Result>(
  work: () => Promise<Result>,
  { findPause, clock, signal }: RetryOptions,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = await findPause(error, tries);
      if (pauseMs === undefined) throw error;
      await clock.sleep(pauseMs, signal);
      signal?.throwIfAborted();
    }
  }
}
