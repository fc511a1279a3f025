import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

// Trying again what failed. The queue's own delays are those of BullMQ, and the pauses of quotas are doubled in the
// statement that all processes share.

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

/** `first`, doubled so many times, but `longest` at most, in the same unit. */
export function doubled(first: number, times: number, longest = Infinity): number {
  return Math.min(first * 2 ** times, longest);
}

/**
 * Seconds around `seconds`, to the millisecond, so that clients which failed together do not try again together.
 */
export function jittered(seconds: number, spread: number, random: Random): number {
  return Math.round(1_000 * seconds * random.between(1 - spread, 1 + spread)) / 1_000;
}
