/** Less than that is not worth the work. */
const leastBytes = 32_000_000;
const pauseMs = 5_000;

/**
 * Gives back to the system what calls leave behind. V8 keeps the pages of its heap, and a child without work collects
 * nothing by itself. Only the collection of the last resort gives pages back, in about a tenth of a second.
 */
export class MemoryReturn {
  #residentBytes = process.memoryUsage.rss();
  #isPausing = false;

  /** Looks after the call, and once more for all that end within the pause. */
  afterCall(): void {
    if (this.#isPausing || process.memoryUsage.rss() < this.#residentBytes + leastBytes) return;
    this.#isPausing = true;
    setImmediate(() => this.#giveBack());
    setTimeout(() => {
      this.#isPausing = false;
      this.afterCall();
    }, pauseMs).unref();
  }

  /** A list of so many bytes was made whole, and its records are garbage now: much of it goes at once. */
  afterList(bytes: number): void {
    if (bytes >= leastBytes) this.#giveBack();
  }

  #giveBack(): void {
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    this.#residentBytes = process.memoryUsage.rss();
  }
}
