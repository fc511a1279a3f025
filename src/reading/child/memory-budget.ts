import type { Clock } from "../../platform/clock.ts";

interface HeldMemory {
  bytes: number;
  /** When it last went on. */
  progressAt: number;
  isWaiting: boolean;
}

/** A read that holds less than this part of the budget never waits for another one. */
const freePart = 64;
/** Nobody waits for a read that got no page for so long. */
const stalledMs = 10_000;
const lookEveryMs = 50;

/**
 * What the reads of a process have in memory together. When it is more than the budget, the oldest read goes on
 * and the larger of the others wait.
 */
export class MemoryBudget {
  readonly #clock: Clock;
  readonly #budgetBytes: number;
  /** The oldest first. */
  readonly #reads = new Map<number, HeldMemory>();

  constructor(clock: Clock, budgetBytes: number) {
    this.#clock = clock;
    this.#budgetBytes = budgetBytes;
  }

  /** Resolves when the read may get more. Throws the signal's reason when it fires first. */
  async hold(id: number, bytes: number, signal: AbortSignal): Promise<void> {
    const held = this.#reads.get(id) ?? { bytes, progressAt: 0, isWaiting: false };
    this.#reads.set(id, held);
    held.bytes = bytes;
    while (!this.#mayGoOn(id, held)) {
      held.isWaiting = true;
      await this.#clock.sleep(lookEveryMs, signal);
    }
    Object.assign(held, { isWaiting: false, progressAt: this.#now() });
  }

  release(id: number): void {
    this.#reads.delete(id);
  }

  #mayGoOn(id: number, { bytes }: HeldMemory): boolean {
    if (bytes < this.#budgetBytes / freePart || this.#total() <= this.#budgetBytes) return true;
    for (const [other, held] of this.#reads) {
      if (other === id) return true;
      if (held.isWaiting || this.#now() - held.progressAt < stalledMs) return false;
    }
    return true;
  }

  #total(): number {
    return [...this.#reads.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
