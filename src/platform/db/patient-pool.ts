import { callbackify } from "node:util";
import { Pool, type PoolClient, type PoolConfig, type QueryConfig } from "pg";
import type { BoundedClient, BoundedConfig } from "./bounded-client.ts";
import { ClientWatch, type ServerQuestions } from "./client-watch.ts";
import { unprepared } from "./sql.ts";
import { tryAgain } from "./transaction.ts";
import { beginOutsideOfSpans } from "../tracing/index.ts";
import { Turns } from "../turns.ts";
import { withTimeout } from "../with-timeout.ts";
import { DatabaseAway, NoClientFree } from "./unavailable.ts";

type Callback = Extract<Parameters<Pool["connect"]>[0], (...args: never[]) => unknown>;

/** A caller that waits for a client. */
interface Waiting {
  abort: AbortController;
  /** Looks since it began to wait, and since the last time that a client came back. */
  looks: number;
  looksInVain: number;
}

export interface PatienceOptions extends ServerQuestions {
  stalledMs: number;
  patienceMs: number;
  /** How long a caller waits for a new client to get its socket and its login. */
  connectMs: number;
  /** Called when a client could not be made, or none came back. */
  onFailed: (error: unknown) => void;
}

/** A standstill of this process costs one look of these. */
const looksUntilStalled = 5;

/**
 * A pool whose clients are handed on in turn. A caller that waits fails when no client has come back for `stalledMs`,
 * because the database does not answer, and at the latest after `patienceMs`. As long as the database answers, it makes
 * no difference to others how many wait. While it is away, nobody waits at all.
 *
 * A new client whose caller has given up may still get its login, and is then there for the next one: so a database
 * whose logins are slow can be used. It is one client at a time, because its socket may be dead.
 */
export class PatientPool extends Pool {
  readonly #turns: Turns;
  readonly #lookEveryMs: number;
  readonly #mostLooks: number;
  readonly #connectMs: number;
  readonly #waiting = new Set<Waiting>();
  readonly #watch: ClientWatch;
  readonly #onFailed: (error: unknown) => void;
  #isFreed = false;
  /** Of the error of a caller that has given up: settles when its client needs no place any more. */
  readonly #late = new WeakMap<Error, Promise<void>>();
  #isOneLate = false;
  /** The last one that began to connect. */
  #connecting: BoundedClient | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(
    config: PoolConfig & BoundedConfig & { max: number },
    { stalledMs, patienceMs, connectMs, onFailed, ...questions }: PatienceOptions,
  ) {
    super(config);
    const onConnecting = (client: BoundedClient): void => void (this.#connecting = client);
    Object.assign(this.options, { onConnecting });
    this.#connectMs = connectMs;
    this.#turns = new Turns({ places: config.max });
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

  async #checkOut(): Promise<PoolClient> {
    if (this.#watch.isAway) throw new DatabaseAway();
    const giveBack = this.#turns.takeFree() ?? (await this.#waitForPlace());
    const freePlace = (): void => {
      this.#isFreed = true;
      giveBack();
    };
    try {
      return this.#giveAway(await this.#connectSoundly(), freePlace);
    } catch (error) {
      this.#onFailed(error);
      this.#watch.doubt();
      void Promise.resolve(this.#late.get(error as Error)).then(freePlace);
      throw error;
    }
  }

  #giveAway(client: PoolClient, freePlace: () => void): PoolClient {
    const release = client.release.bind(client);
    this.#watch.gaveAway(client);
    client.release = (error) => {
      this.#watch.cameBack(client, { isBroken: Boolean(error) });
      release(error);
      freePlace();
    };
    return client;
  }

  async #connectSoundly(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#connectInTime();
      if (this.#watch.isSound(client)) return client;
      client.release(true);
      client.connection.stream.destroy();
    }
  }

  async #connectInTime(): Promise<PoolClient> {
    this.#connecting = undefined;
    const made = beginOutsideOfSpans(() => super.connect());
    const client = this.#connecting as BoundedClient | undefined;
    if (client === undefined) return await made;
    const timedOut = (): Error => {
      const error = client.explainDelay();
      this.#late.set(error, this.#goOn(client, made));
      return error;
    };
    return await withTimeout(this.#connectMs, () => made, { timedOut });
  }

  /** Ends the client where another one is late already. Never rejects. */
  async #goOn(client: BoundedClient, made: Promise<PoolClient>): Promise<void> {
    if (this.#isOneLate) client.connection.stream.destroy(client.explainDelay());
    const isOne = !this.#isOneLate;
    this.#isOneLate = true;
    try {
      const late = await made;
      this.#watch.cameBack(late, { isBroken: false });
      late.release();
    } catch (error) {
      this.#onFailed(error);
    } finally {
      if (isOne) this.#isOneLate = false;
    }
  }

  /** Returns what gives the place back. */
  async #waitForPlace(): Promise<() => void> {
    const waiting = { abort: new AbortController(), looks: 0, looksInVain: 0 };
    this.#waiting.add(waiting);
    this.#looking ??= setInterval(() => this.#look(), this.#lookEveryMs).unref();
    try {
      return await this.#turns.take({ signal: waiting.abort.signal });
    } catch (error) {
      this.#onFailed(error);
      throw error;
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  #failWaiting(): void {
    for (const { abort } of this.#waiting) abort.abort(new DatabaseAway());
  }

  #look(): void {
    for (const waiting of this.#waiting) {
      waiting.looks += 1;
      waiting.looksInVain = this.#isFreed ? 0 : waiting.looksInVain + 1;
      const isOver = waiting.looksInVain >= looksUntilStalled || waiting.looks >= this.#mostLooks;
      if (isOver) waiting.abort.abort(new NoClientFree());
    }
    this.#isFreed = false;
    if (this.#waiting.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
