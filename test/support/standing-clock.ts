import { TestClock } from "./test-clock.ts";

/** Whoever sleeps does so until the test wakes everybody. */
export class StandingClock extends TestClock {
  readonly #asleep = new Set<() => void>();

  override async sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#asleep.add(resolve);
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    await promise.finally(() => this.#asleep.delete(resolve));
  }

  get asleep(): number {
    return this.#asleep.size;
  }

  /** The time moves on, and whoever sleeps looks again, in the order in which they fell asleep. */
  wakeAll(seconds: number): void {
    this.advance(seconds);
    for (const wake of this.#asleep) wake();
    this.#asleep.clear();
  }
}
