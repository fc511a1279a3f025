import { giveBackMemory } from "../../platform/give-back-memory.ts";

/** By how much memory has to have grown to be worth the work, which a call that runs waits for. */
const leastBytes = { idle: 32_000_000, busy: 128_000_000 };
const idleMs = 1_000;

/**
 * Gives back to the system what the start and calls leave behind. V8 keeps the pages of its heap, and a child without
 * work collects nothing by itself. It takes a moment, so most of it is done when nothing has run for one.
 */
export class MemoryReturn {
  /** After the last time. */
  #residentBytes = 0;
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
    giveBackMemory();
    this.#residentBytes = process.memoryUsage.rss();
  }
}
