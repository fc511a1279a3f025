import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../clock.ts";

/** How often a key was counted in its window, with this time, and how many ms the window still lasts. */
export interface WindowCount {
  current: number;
  ttl: number;
}

interface CountedWindow {
  current: number;
  endsAt: number;
}

const mostForgettable = 200_000;
const leastSwept = 1_000;

/**
 * Windows that this process counts by itself. Strangers can make any number of them, so beyond a bound the least
 * recently used one is forgotten. A window that is kept is never forgotten before its end.
 */
export class InProcessWindows {
  readonly #clock: SteadyClock;
  readonly #isKept: (key: string) => boolean;
  /** Room is taken as it is needed: a bound by `max` takes all of it at once. */
  readonly #forgettable = new LRUCache<string, CountedWindow>({
    maxSize: mostForgettable,
    sizeCalculation: () => 1,
  });
  readonly #kept = new Map<string, CountedWindow>();
  #sweepsAt = leastSwept;

  constructor({ clock, isKept }: { clock: SteadyClock; isKept: (key: string) => boolean }) {
    this.#clock = clock;
    this.#isKept = isKept;
  }

  count(key: string, windowMs: number): WindowCount {
    const now = this.#clock.elapsedMs();
    const isKept = this.#isKept(key);
    const windows = isKept ? this.#kept : this.#forgettable;
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : { current: 0, endsAt: now + windowMs };
    window.current += 1;
    windows.set(key, window);
    if (isKept && this.#kept.size > this.#sweepsAt) this.#sweep(now);
    return { current: window.current, ttl: window.endsAt - now };
  }

  #sweep(now: number): void {
    for (const [key, { endsAt }] of this.#kept) if (endsAt <= now) this.#kept.delete(key);
    this.#sweepsAt = Math.max(leastSwept, 2 * this.#kept.size);
  }
}
