import type { RollcallEvent } from "./events.ts";

interface WaitingOptions {
  seconds: number;
  signal: AbortSignal | undefined;
  /** The events that end a wait. Undefined when none are handed in. */
  wakesAt: ((event: RollcallEvent) => boolean) | undefined;
}

/** Of a wait, so that those who were refused together do not come back together. */
const jitter = 0.1;

/** The time of one call: its deadline, its pauses, and what ends both. */
export class Waiting {
  readonly #endMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #wakesAt: WaitingOptions["wakesAt"];
  /** An event came while a reply was under way, which may not know of it. */
  #isNoticed = false;
  #wake: () => void = () => undefined;

  constructor({ seconds, signal, wakesAt }: WaitingOptions) {
    signal?.throwIfAborted();
    this.#endMs = performance.now() + seconds * 1_000;
    this.#signal = signal;
    this.#wakesAt = wakesAt;
  }

  get leftMs(): number {
    return Math.max(0, this.#endMs - performance.now());
  }

  get isOver(): boolean {
    return this.leftMs === 0;
  }

  throwIfAborted(): void {
    this.#signal?.throwIfAborted();
  }

  notice(event: RollcallEvent): void {
    if (!this.#wakesAt?.(event)) return;
    this.#isNoticed = true;
    this.#wake();
  }

  /** False when the deadline comes first: at once, unless an event may come before. */
  async pause(delayMs: number): Promise<boolean> {
    const { leftMs } = this;
    const isInTime = delayMs < leftMs;
    if (!isInTime && !this.#wakesAt) return false;
    const pauseMs = Math.min(delayMs * (1 + jitter * Math.random()), leftMs);
    if (!this.#isNoticed) await this.#sleep(pauseMs);
    const isWoken = this.#isNoticed;
    this.#isNoticed = false;
    return isInTime || isWoken;
  }

  /** Runs the work with a signal that ends with the call, and after so long unless the work says that it has begun. */
  async within<Result>(
    longestMs: number,
    work: (signal: AbortSignal, hasBegun: () => void) => Promise<Result>,
  ): Promise<Result> {
    this.throwIfAborted();
    const ended = new AbortController();
    const end = (): void => ended.abort();
    let timer = setTimeout(end, Math.min(longestMs, this.leftMs));
    const hasBegun = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, this.leftMs);
    };
    this.#signal?.addEventListener("abort", end);
    try {
      return await work(ended.signal, hasBegun);
    } finally {
      clearTimeout(timer);
      this.#signal?.removeEventListener("abort", end);
    }
  }

  async #sleep(ms: number): Promise<void> {
    this.throwIfAborted();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#signal?.addEventListener("abort", this.#wake, { once: true });
    });
    this.#signal?.removeEventListener("abort", this.#wake);
    this.throwIfAborted();
  }
}
