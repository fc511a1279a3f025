// Waiting for a turn in one process. Turns over all processes are the leases of a table (leases/) and the quotas of
// providers (reading/quotas/).

interface TurnsOptions {
  /** How many have a place at once, in all and of one client. */
  places: number;
  placesOfOne?: number;
  /** How many may wait, in all and of one client, and what the next one throws. */
  waiting?: { most: number; mostOfOne: number; tooMany: () => Error };
}

/** Without a client, all are the same one. The signal ends the wait. */
interface Turn {
  client?: string;
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
  readonly #options: TurnsOptions;
  /** In the order in which their turns come. Clients that have and want no place are not kept. */
  readonly #clients = new Map<string, Client>();
  #free: number;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#free = options.places;
  }

  /** Does the work when there is a place. Throws as `take` does. */
  async run<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result> {
    const giveBack = await this.take(turn);
    return await work().finally(giveBack);
  }

  /** Returns what gives the place back. Throws when too many wait already, and the signal's reason. */
  async take({ client: name = "", signal }: Turn): Promise<() => void> {
    signal?.throwIfAborted();
    const free = this.takeFree(name);
    if (free) return free;
    const client = this.#clients.get(name) ?? { running: 0, waiting: new Set() };
    await this.#wait(name, client, signal);
    return this.#placeOf(name, client);
  }

  /** As `take`, but undefined when there is no place at once. */
  takeFree(name = ""): (() => void) | undefined {
    const client = this.#clients.get(name) ?? { running: 0, waiting: new Set() };
    if (!this.#mayRun(client)) return undefined;
    this.#admit(name, client);
    return this.#placeOf(name, client);
  }

  #placeOf(name: string, client: Client): () => void {
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
    this.#refuseTooMany(waiting.size);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (!waiting.delete(resolve)) return;
      this.#forgetIdle(name, client);
      reject(signal?.reason as Error);
    };
    this.#clients.set(name, client);
    waiting.add(resolve);
    signal?.addEventListener("abort", leave, { once: true });
    await promise;
    signal?.removeEventListener("abort", leave);
  }

  #refuseTooMany(ofClient: number): void {
    const limit = this.#options.waiting;
    if (!limit) return;
    const all = this.#clients.values().reduce((sum, { waiting }) => sum + waiting.size, 0);
    if (all >= limit.most || ofClient >= limit.mostOfOne) throw limit.tooMany();
  }

  #mayRun({ running }: Client): boolean {
    return this.#free > 0 && running < (this.#options.placesOfOne ?? Infinity);
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
