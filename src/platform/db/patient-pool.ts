import { callbackify } from "node:util";
import { Pool, type PoolClient, type PoolConfig } from "pg";

type Callback = Extract<Parameters<Pool["connect"]>[0], (...args: never[]) => unknown>;

/** Somebody who waits for a client. */
interface Waiting {
  begin: () => void;
  fail: (error: Error) => void;
  /** Looks since it began to wait, and since the last time that a client came back. */
  looks: number;
  looksInVain: number;
}

/** A standstill of this process costs one look of these. */
const looksUntilStalled = 5;

/**
 * A pool whose clients are handed on in turn. Who waits fails when no client has come back for `stalledMs`, because
 * the database does not answer, and at the latest after `patienceMs`. As long as the database answers, it makes no
 * difference to others how many wait.
 */
export class PatientPool extends Pool {
  readonly #max: number;
  readonly #lookEveryMs: number;
  readonly #mostLooks: number;
  readonly #waiting: Waiting[] = [];
  #inUse = 0;
  #isFreed = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(
    config: PoolConfig & { max: number },
    { stalledMs, patienceMs }: { stalledMs: number; patienceMs: number },
  ) {
    super(config);
    this.#max = config.max;
    this.#lookEveryMs = stalledMs / looksUntilStalled;
    this.#mostLooks = Math.ceil(patienceMs / this.#lookEveryMs);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | void {
    if (!callback) return this.#checkOut();
    callbackify(() => this.#checkOut())((error, client: PoolClient | undefined) =>
      callback(error ?? undefined, client, (failure) => client?.release(failure as Error)),
    );
  }

  async #checkOut(): Promise<PoolClient> {
    await this.#place();
    try {
      const client = await super.connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        release(error);
        this.#freePlace();
      };
      return client;
    } catch (error) {
      this.#freePlace();
      throw error;
    }
  }

  async #place(): Promise<void> {
    if (this.#inUse < this.#max) {
      this.#inUse += 1;
      return;
    }
    const { promise, resolve: begin, reject: fail } = Promise.withResolvers<void>();
    this.#waiting.push({ begin, fail, looks: 0, looksInVain: 0 });
    this.#looking ??= setInterval(() => this.#look(), this.#lookEveryMs).unref();
    await promise;
  }

  /** The place goes to who has waited longest. */
  #freePlace(): void {
    this.#isFreed = true;
    const next = this.#waiting.shift();
    if (next) next.begin();
    else this.#inUse -= 1;
  }

  #look(): void {
    for (const waiting of this.#waiting.splice(0)) {
      waiting.looks += 1;
      waiting.looksInVain = this.#isFreed ? 0 : waiting.looksInVain + 1;
      const isOver = waiting.looksInVain >= looksUntilStalled || waiting.looks >= this.#mostLooks;
      if (isOver)
        waiting.fail(new Error("timeout exceeded when trying to connect: every client is in use"));
      else this.#waiting.push(waiting);
    }
    this.#isFreed = false;
    if (this.#waiting.length > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
