import { setTimeout as delay } from "node:timers/promises";

export interface OutageWatchOptions {
  /** Asks the database by a client of its own; it rejects, or false, when there is no answer. */
  ask: () => Promise<boolean>;
  onAway: () => void;
}

const askAgainMs = 500;

/**
 * Knows whether the database is away. Whoever doubts it has it asked: by one question at a time, again and again
 * until there is an answer. Meanwhile nobody else has to find out by waiting.
 */
export class OutageWatch {
  readonly #options: OutageWatchOptions;
  #isAway = false;
  #isAsking = false;
  #isStopped = false;

  constructor(options: OutageWatchOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  doubt(): void {
    if (this.#isAsking || this.#isStopped) return;
    this.#isAsking = true;
    void this.#askUntilAnswered();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Never rejects. */
  async #askUntilAnswered(): Promise<void> {
    while (!this.#isStopped && !(await this.#options.ask().catch(() => false))) {
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
