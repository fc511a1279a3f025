import { systemClock, type Clock } from "../platform/clock.ts";

const longestSleepMs = 5;

/** Sleeps for a moment alone, so that waits of an adapter do not slow the checks down. Without a time, it shows the real one. */
export function createHurriedClock(now?: Date): Clock {
  return {
    now: () => now ?? systemClock.now(),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, longestSleepMs), signal),
  };
}
