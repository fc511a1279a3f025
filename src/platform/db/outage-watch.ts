import { setTimeout as delay } from "node:timers/promises";
import { withTimeout } from "../with-timeout.ts";

export interface OutageWatchOptions {
  /** Asks the database by a client of its own; it rejects, or false, when there is no answer. */
  ask: () => Promise<boolean>;
  /** Whether somebody else has heard from the database since this time of performance.now(). */
  hasHeardSince: (time: number) => boolean;
  onAway: () => void;
}

const silentAfterMs = 2_000;
const askAgainMs = 500;

/**
 * Knows whether the database is away. Whoever doubts it has it asked, again and again until there is an answer. A
 * question without an answer goes on beside the next one: the server may be slow, or the socket dead. Meanwhile nobody
 * else has to find out by waiting. `waitUntil` would ask only when the last question has ended.
 */
export class OutageWatch {
  readonly #options: OutageWatchOptions;
  #isAway = false;
  #isAsking = false;

  constructor(options: OutageWatchOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  doubt(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    void this.#askUntilAnswered();
  }

  /** Never rejects. */
  async #askUntilAnswered(): Promise<void> {
    const answer = Promise.withResolvers<true>();
    const ask = async (): Promise<void> => {
      if (await this.#options.ask()) answer.resolve(true);
    };
    for (;;) {
      const askedAt = performance.now();
      ask().catch(() => undefined);
      const isAnswered =
        (await withTimeout(silentAfterMs, () => answer.promise).catch(() => false)) ||
        this.#options.hasHeardSince(askedAt);
      if (isAnswered) break;
      if (!this.#isAway) {
        this.#isAway = true;
        this.#options.onAway();
      }
      await delay(askAgainMs, undefined, { ref: false });
    }
    this.#isAway = false;
    this.#isAsking = false;
  }
}
