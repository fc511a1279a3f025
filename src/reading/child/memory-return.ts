/** By how much memory has to have grown to be worth the work, which a call that runs waits for. */
const leastBytes = { idle: 32_000_000, busy: 128_000_000 };
const idleMs = 1_000;

/**
 * Gives back to the system what calls leave behind. V8 keeps the pages of its heap, and a child without work collects
 * nothing by itself. Only the collection of the last resort gives pages back, in about a tenth of a second, so most of
 * it is done when nothing has run for a moment.
 */
export class MemoryReturn {
  #residentBytes = process.memoryUsage.rss();
  readonly #idle: NodeJS.Timeout;

  constructor(runsNothing: () => boolean) {
    this.#idle = setTimeout(() => {
      if (runsNothing()) this.#giveBackAbove(leastBytes.idle);
    }, idleMs).unref();
  }

  afterCall(): void {
    this.#idle.refresh();
    setImmediate(() => this.#giveBackAbove(leastBytes.busy));
  }

  /** A list of so many bytes was made whole, and its records are garbage now: much of it goes at once. */
  afterList(bytes: number): void {
    if (bytes >= leastBytes.idle) this.#giveBack();
  }

  #giveBackAbove(bytes: number): void {
    if (process.memoryUsage.rss() >= this.#residentBytes + bytes) this.#giveBack();
  }

  #giveBack(): void {
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    this.#residentBytes = process.memoryUsage.rss();
  }
}
