import { systemClock, type Clock } from "../platform/clock.ts";

const longestSleepMs = 5;

/** Shows the time, and sleeps for a moment alone, so that waits of an adapter do not slow the checks down. */
export const hurriedClock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, longestSleepMs), signal),
};
