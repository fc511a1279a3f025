import type { SteadyClock } from "../../platform/clock.ts";

interface HeldMemory {
  client: string;
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
 * Bounds the memory that the reads of a process hold together. Above the budget the oldest read goes on, and so do
 * those of a client that holds less than its equal part. The larger reads of other clients wait.
 * These are no places for `Turns`: a read that waits keeps what it holds, and who may go on changes with the sizes and
 * the time. Nor does it wait by `waitUntil`: the child that it is in loads nothing that knows the database.
 */
export class MemoryBudget {
  readonly #clock: SteadyClock;
  readonly #budgetBytes: number;
  /** The oldest first. */
  readonly #reads = new Map<number, HeldMemory>();

  constructor(clock: SteadyClock, budgetBytes: number) {
    this.#clock = clock;
    this.#budgetBytes = budgetBytes;
  }

  /** Resolves when the read may get more. Throws the signal's reason when it fires first. */
  async hold(
    { id, client }: { id: number; client: string },
    bytes: number,
    signal: AbortSignal,
  ): Promise<void> {
    const held = this.#reads.get(id) ?? { client, bytes, progressAt: -Infinity, isWaiting: false };
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

  #mayGoOn(id: number, { client, bytes }: HeldMemory): boolean {
    if (bytes < this.#budgetBytes / freePart || this.#isWithinBudget(client)) return true;
    for (const [other, held] of this.#reads) {
      if (other === id) return true;
      if (held.isWaiting || this.#now() - held.progressAt < stalledMs) return false;
    }
    return true;
  }

  /** The client's reads within its equal part, or all of them within the budget. */
  #isWithinBudget(client: string): boolean {
    const byClient = new Map<string, number>();
    for (const { client: owner, bytes } of this.#reads.values())
      byClient.set(owner, (byClient.get(owner) ?? 0) + bytes);
    const total = byClient.values().reduce((sum, bytes) => sum + bytes, 0);
    const part = this.#budgetBytes / byClient.size;
    return total <= this.#budgetBytes || (byClient.get(client) ?? 0) <= part;
  }

  #now(): number {
    return this.#clock.elapsedMs();
  }
}
