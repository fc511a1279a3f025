import { longestReadSeconds } from "./retry-policy.ts";

/**
 * The signal of a run: aborts with the lease, and when the longest time of a read is over. A signal with a timeout of
 * its own would hold all that listens to it for that long, a day after the run has ended; this one ends with the run.
 */
export class RunLimit {
  readonly signal: AbortSignal;
  readonly #lease: AbortSignal;
  readonly #onLeaseEnded: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(lease: AbortSignal) {
    const limit = new AbortController();
    this.signal = limit.signal;
    this.#lease = lease;
    this.#onLeaseEnded = () => limit.abort(lease.reason);
    lease.addEventListener("abort", this.#onLeaseEnded, { once: true });
    if (lease.aborted) this.#onLeaseEnded();
    const end = (): void =>
      limit.abort(new DOMException("the read took longer than any may", "TimeoutError"));
    this.#timer = setTimeout(end, longestReadSeconds * 1_000).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#lease.removeEventListener("abort", this.#onLeaseEnded);
  }
}
