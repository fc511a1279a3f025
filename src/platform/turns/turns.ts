export interface TurnsOptions {
  /** How many have a place at once. */
  places: number;
  /** How many of the places one client may have. */
  placesOfOne?: number;
  /** How many may wait, in all and of one client. */
  mostWaiting?: number;
  mostWaitingOfOne?: number;
  /** What who comes then throws. */
  tooMany?: () => Error;
}

interface Turn {
  /** Whose turn it is. Without one, all are the same client. */
  client?: string;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

interface Client {
  running: number;
  /** Each admits one that waits, in the order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Places for work, in one process. Who finds none free waits: first come, first served, and the clients in turn. So
 * the many of one client leave places for others.
 */
export class Turns {
  readonly #options: Required<TurnsOptions>;
  /** In the order in which their turns come. Clients that have and want no place are not kept. */
  readonly #clients = new Map<string, Client>();
  #free: number;

  constructor(options: TurnsOptions) {
    const { places, mostWaiting = Infinity } = options;
    const tooMany = (): Error => new Error("too many wait for a place");
    this.#options = {
      placesOfOne: places,
      mostWaiting,
      mostWaitingOfOne: mostWaiting,
      tooMany,
      ...options,
    };
    this.#free = places;
  }

  /** Does the work when there is a place. Throws as `take` does. */
  async run<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.take(turn);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Returns what gives the place back. Throws when too many wait already, and the signal's reason. */
  async take({ client: name = "", signal }: Turn = {}): Promise<() => void> {
    signal?.throwIfAborted();
    const client = this.#clients.get(name) ?? { running: 0, waiting: new Set() };
    if (this.#mayRun(client)) this.#admit(name, client);
    else await this.#wait(name, client, signal);
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      client.running -= 1;
      this.#free += 1;
      this.#admitNext();
      this.#forgetIdle(name, client);
    };
  }

  async #wait(name: string, client: Client, signal: AbortSignal | undefined): Promise<void> {
    const { waiting } = client;
    const { mostWaiting, mostWaitingOfOne, tooMany } = this.#options;
    const all = this.#clients.values().reduce((sum, other) => sum + other.waiting.size, 0);
    if (all >= mostWaiting || waiting.size >= mostWaitingOfOne) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (!waiting.delete(resolve)) return;
      this.#forgetIdle(name, client);
      reject(signal?.reason as Error);
    };
    waiting.add(resolve);
    this.#clients.set(name, client);
    signal?.addEventListener("abort", leave, { once: true });
    await promise;
    signal?.removeEventListener("abort", leave);
  }

  #mayRun({ running }: Client): boolean {
    return this.#free > 0 && running < this.#options.placesOfOne;
  }

  #admit(name: string, client: Client): void {
    client.running += 1;
    this.#free -= 1;
    this.#clients.set(name, client);
  }

  #admitNext(): void {
    for (const [name, client] of this.#clients) {
      const [next] = client.waiting;
      if (!next || !this.#mayRun(client)) continue;
      client.waiting.delete(next);
      this.#clients.delete(name);
      this.#admit(name, client);
      return next();
    }
  }

  #forgetIdle(name: string, { running, waiting }: Client): void {
    if (running === 0 && waiting.size === 0) this.#clients.delete(name);
  }
}
