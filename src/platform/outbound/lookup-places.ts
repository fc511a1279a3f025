import { NameNotResolved } from "./query-dns.ts";

const mostAtOnce = 64;
const mostOfOneSource = 8;
const mostWaiting = 1_024;
const mostWaitingOfOneSource = 128;

interface Source {
  running: number;
  /** Each admits one that waits, in the order of arrival. */
  waiting: (() => void)[];
}

/**
 * The places for look-ups of the process. One source gets a part of them, and those that wait get a place in
 * turn by source. So names of one source that never resolve leave places for others.
 */
export class LookupPlaces {
  /** In the order in which their turns come. Sources without look-ups are not kept. */
  readonly #sources = new Map<string, Source>();
  #running = 0;
  #waiting = 0;

  /** Does the work when there is a place. Throws when too many wait already, or with the signal's reason. */
  async run<Result>(
    name: string,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const source = this.#sources.get(name) ?? { running: 0, waiting: [] };
    this.#sources.set(name, source);
    try {
      if (this.#running < mostAtOnce && source.running < mostOfOneSource) this.#admit(source);
      else await this.#wait(source, signal);
      return await work().finally(() => {
        source.running -= 1;
        this.#running -= 1;
        this.#admitNext();
      });
    } finally {
      if (source.running === 0 && source.waiting.length === 0) this.#sources.delete(name);
    }
  }

  async #wait(source: Source, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting >= mostWaiting || source.waiting.length >= mostWaitingOfOneSource)
      throw new NameNotResolved("TOO_MANY_LOOKUPS");
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      const index = source.waiting.indexOf(resolve);
      if (index === -1) return;
      source.waiting.splice(index, 1);
      this.#waiting -= 1;
      reject(signal.reason as Error);
    };
    this.#waiting += 1;
    source.waiting.push(resolve);
    signal.addEventListener("abort", giveUp, { once: true });
    await promise;
    signal.removeEventListener("abort", giveUp);
  }

  #admit(source: Source): void {
    source.running += 1;
    this.#running += 1;
  }

  #admitNext(): void {
    for (const [name, source] of this.#sources) {
      if (source.running >= mostOfOneSource) continue;
      const next = source.waiting.shift();
      if (!next) continue;
      this.#waiting -= 1;
      this.#admit(source);
      this.#sources.delete(name);
      this.#sources.set(name, source);
      next();
      return;
    }
  }
}
