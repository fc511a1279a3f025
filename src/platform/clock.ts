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

export const systemClock = createSystemClock({ ref: true });
/** The same, but the process may end while somebody sleeps. */
export const backgroundClock = createSystemClock({ ref: false });

function createSystemClock({ ref }: { ref: boolean }): SteadyClock {
  return {
    now: () => new Date(),
    elapsedMs: () => performance.now(),
    sleep: async (ms, signal) => {
      refuseInTransaction("a wait");
      try {
        await delay(ms, undefined, { ref, ...(signal && { signal }) });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}

/** The time that somebody else has told, carried on by the steady clock. The clock of the machine may leap. */
export class CarriedClock implements SteadyClock {
  readonly #machine: SteadyClock;
  /** What time it was when the steady clock was zero. That of the machine until another time is told. */
  #zeroMs: number;

  constructor(machine: SteadyClock) {
    this.#machine = machine;
    this.#zeroMs = machine.now().getTime() - machine.elapsedMs();
  }

  now(): Date {
    return new Date(this.#zeroMs + this.elapsedMs());
  }

  elapsedMs(): number {
    return this.#machine.elapsedMs();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#machine.sleep(ms, signal);
  }

  /** How far the clock of the machine is ahead of this one; negative when it is behind. */
  get aheadSeconds(): number {
    return secondsBetween(this.now(), this.#machine.now());
  }

  /**
   * It was this time at some moment since `sinceMs` of the steady clock, or is now. This clock moves no further than
   * it must for that.
   */
  set(toldMs: number, sinceMs = this.elapsedMs()): void {
    const [least, most] = [toldMs - this.elapsedMs(), toldMs - sinceMs];
    this.#zeroMs = Math.min(Math.max(this.#zeroMs, least), most);
  }
}

const longestHurriedMs = 5;

/** Sleeps for a moment alone, so that no wait slows a check down. Without a time, it shows the real one. */
export function createHurriedClock(now?: Date): Clock {
  return {
    now: () => now ?? systemClock.now(),
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, longestHurriedMs), signal),
  };
}

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
