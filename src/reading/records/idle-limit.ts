import type { RequestQuotas } from "../../providers/index.ts";

/** Limits the wait for a page. The work on a page that has come does not count. */
export class IdleLimit {
  readonly #abort = new AbortController();
  readonly #ms: number;
  readonly #timedOut: () => Error;
  #timer: NodeJS.Timeout | undefined;
  #isPageAwaited = false;

  /** `timedOut` makes what the signal then says. */
  constructor(
    ms: number,
    timedOut = (): Error => new DOMException("no page came in time", "TimeoutError"),
  ) {
    this.#ms = ms;
    this.#timedOut = timedOut;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The same quotas, whose waits do not count: a request that waits for its turn is no silence of the provider. */
  pausedBy(quotas: RequestQuotas): RequestQuotas {
    return {
      pause: quotas.pause,
      draw: async (draws, signal) => {
        clearTimeout(this.#timer);
        try {
          return await quotas.draw(draws, signal);
        } finally {
          if (this.#isPageAwaited) this.start();
        }
      },
    };
  }

  start(): void {
    this.#isPageAwaited = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#abort.abort(this.#timedOut()), this.#ms);
  }

  stop(): void {
    this.#isPageAwaited = false;
    clearTimeout(this.#timer);
  }
}
