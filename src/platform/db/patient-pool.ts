import { callbackify } from "node:util";
import { Pool, type PoolClient, type PoolConfig, type QueryConfig } from "pg";
import { ClientWatch, type ServerQuestions } from "./client-watch.ts";
import { unprepared } from "./prepared.ts";
import { tryAgain } from "./try-again.ts";
import { DatabaseAway } from "./unavailable.ts";

type Callback = Extract<Parameters<Pool["connect"]>[0], (...args: never[]) => unknown>;

/** Somebody who waits for a client. */
interface Waiting {
  begin: () => void;
  fail: (error: Error) => void;
  /** Looks since it began to wait, and since the last time that a client came back. */
  looks: number;
  looksInVain: number;
}

export interface PatienceOptions extends ServerQuestions {
  stalledMs: number;
  patienceMs: number;
  /** Called when a client could not be made, or none came back. */
  onFailed: (error: unknown) => void;
}

/** A standstill of this process costs one look of these. */
const looksUntilStalled = 5;

/**
 * A pool whose clients are handed on in turn. Who waits fails when no client has come back for `stalledMs`, because
 * the database does not answer, and at the latest after `patienceMs`. As long as the database answers, it makes no
 * difference to others how many wait. While it is away, nobody waits at all.
 */
export class PatientPool extends Pool {
  readonly #max: number;
  readonly #lookEveryMs: number;
  readonly #mostLooks: number;
  readonly #waiting: Waiting[] = [];
  readonly #watch: ClientWatch;
  readonly #onFailed: (error: unknown) => void;
  #inUse = 0;
  #isFreed = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(
    config: PoolConfig & { max: number },
    { stalledMs, patienceMs, onFailed, ...questions }: PatienceOptions,
  ) {
    super(config);
    this.#max = config.max;
    this.#lookEveryMs = stalledMs / looksUntilStalled;
    this.#mostLooks = Math.ceil(patienceMs / this.#lookEveryMs);
    this.#watch = new ClientWatch(questions, () => this.#failWaiting());
    this.#onFailed = onFailed;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | void {
    if (!callback) return this.#checkOut();
    callbackify(() => this.#checkOut())((error, client: PoolClient | undefined) =>
      callback(error ?? undefined, client, (failure) => client?.release(failure as Error)),
    );
  }

  /** A single statement is a whole transaction. The overloads of pg cannot be repeated here. */
  override query(...args: unknown[]): never {
    const send = super.query.bind(this) as (...all: unknown[]) => Promise<unknown>;
    if (typeof args.at(-1) === "function") return send(...args) as never;
    const [statement, ...values] = args as [string | QueryConfig, ...unknown[]];
    return tryAgain(({ isPrepared }) =>
      send(isPrepared ? statement : unprepared(statement), ...values),
    ) as never;
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    this.#watch.stop();
    return callback ? super.end(callback) : super.end();
  }

  async #checkOut(): Promise<PoolClient> {
    if (this.#watch.isAway) throw new DatabaseAway();
    try {
      await this.#place();
    } catch (error) {
      this.#onFailed(error);
      throw error;
    }
    try {
      const client = await this.#connectSoundly();
      const release = client.release.bind(client);
      this.#watch.gaveAway(client);
      client.release = (error) => {
        this.#watch.cameBack(client, { isBroken: Boolean(error) });
        release(error);
        this.#freePlace();
      };
      return client;
    } catch (error) {
      this.#onFailed(error);
      this.#watch.doubt();
      this.#freePlace();
      throw error;
    }
  }

  async #connectSoundly(): Promise<PoolClient> {
    for (;;) {
      const client = await super.connect();
      if (this.#watch.isSound(client)) return client;
      client.release(true);
      client.connection.stream.destroy();
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

  #failWaiting(): void {
    for (const { fail } of this.#waiting.splice(0)) fail(new DatabaseAway());
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
