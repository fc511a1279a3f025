import { setTimeout as delay } from "node:timers/promises";
import { refuseInTransaction } from "./open-transaction.ts";

/** The only source of time in the program. A test can replace it. */
export interface Clock {
  now(): Date;
  /** Rejects with the signal's reason when the signal fires first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** For lengths of time within a process: they are the same when the time of the machine is corrected. */
export interface SteadyClock extends Clock {
  /** It never goes back. Its zero means nothing. */
  elapsedMs(): number;
}

export const systemClock: SteadyClock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  sleep: async (ms, signal) => {
    refuseInTransaction("a wait");
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** Not rounded; negative when `to` is before `from`. */
export function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}

/** The day of a moment as YYYY-MM-DD, in UTC. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}
