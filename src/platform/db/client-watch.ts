import { setTimeout as delay } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { BoundedClient } from "./bounded-client.ts";
import { withTimeout } from "../with-timeout.ts";

type Watched = PoolClient & Pick<BoundedClient, "processID" | "waitingSince">;

/** Asked of the server by other clients than those of the pool. */
export interface ServerQuestions {
  /** Without it nobody holds the database for away. */
  isAnswering: (() => Promise<boolean>) | undefined;
  endIdleSessions: (processIds: readonly number[]) => Promise<number[]>;
}

const lookEveryMs = 500;
const doubtAfterMs = 1_000;
const suspectAfterMs = 3_000;

/**
 * Watches the clients that a pool has given away. When none of them hears anything for a second, the database is asked
 * whether it answers at all: if not, nobody waits for them any longer. When one has waited for three seconds, while
 * its session works on nothing, its socket is dead. So may be those of the clients that were idle meanwhile: none of
 * them is used again.
 */
export class ClientWatch {
  readonly #inUse = new Set<Watched>();
  readonly #suspected = new WeakSet<Watched>();
  readonly #heardAt = new WeakMap<PoolClient, number>();
  readonly #questions: ServerQuestions;
  readonly #outage: OutageWatch | undefined;
  readonly #onAway: () => void;
  #lastHeardAt = -Infinity;
  #suspectBefore = -Infinity;
  #looking: NodeJS.Timeout | undefined;

  constructor(questions: ServerQuestions, onAway: () => void) {
    this.#questions = questions;
    this.#onAway = onAway;
    const { isAnswering } = questions;
    this.#outage =
      isAnswering &&
      new OutageWatch({
        ask: isAnswering,
        hasHeardSince: (time) => this.#lastHeardAt > time,
        onAway: () => this.#giveUpClients(),
      });
  }

  get isAway(): boolean {
    return this.#outage?.isAway ?? false;
  }

  doubt(): void {
    this.#outage?.doubt();
  }

  /** False for a client whose socket may be dead. */
  isSound(client: PoolClient): boolean {
    return (this.#heardAt.get(client) ?? Infinity) >= this.#suspectBefore;
  }

  gaveAway(client: PoolClient): void {
    this.#inUse.add(client as Watched);
    this.#looking ??= setInterval(() => this.#look(), lookEveryMs).unref();
  }

  cameBack(client: PoolClient, { isBroken }: { isBroken: boolean }): void {
    this.#inUse.delete(client as Watched);
    this.#suspected.delete(client as Watched);
    if (isBroken) return;
    this.#lastHeardAt = performance.now();
    this.#heardAt.set(client, this.#lastHeardAt);
  }

  #look(): void {
    if (this.#inUse.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
      return;
    }
    if (performance.now() - this.#lastHeardAt > doubtAfterMs && this.#waitingFor(doubtAfterMs)[0])
      this.doubt();
    const silent = this.#waitingFor(suspectAfterMs).filter(
      (client) => !this.#suspected.has(client),
    );
    if (silent.length === 0) return;
    this.#suspectBefore = performance.now();
    for (const client of silent) this.#suspected.add(client);
    void this.#destroyIdle(silent);
  }

  #waitingFor(ms: number): Watched[] {
    const since = performance.now() - ms;
    return [...this.#inUse].filter(({ waitingSince }) => (waitingSince ?? Infinity) < since);
  }

  /** The server does not know of the statements that these clients wait for. Never rejects. */
  async #destroyIdle(clients: readonly Watched[]): Promise<void> {
    const { endIdleSessions } = this.#questions;
    const ids = clients.map(({ processID }) => processID).filter((id) => id !== null);
    const idle = new Set(await endIdleSessions(ids).catch(() => []));
    for (const client of this.#waitingFor(suspectAfterMs))
      if (clients.includes(client) && idle.has(client.processID ?? 0))
        client.connection.stream.destroy();
  }

  #giveUpClients(): void {
    this.#suspectBefore = performance.now();
    for (const client of this.#waitingFor(doubtAfterMs)) client.connection.stream.destroy();
    this.#onAway();
  }
}

interface OutageWatchOptions {
  /** Asks the database by a client of its own; it rejects, or false, when there is no answer. */
  ask: () => Promise<boolean>;
  /** Whether somebody else has heard from the database since this time of performance.now(). */
  hasHeardSince: (time: number) => boolean;
  onAway: () => void;
}

const silentAfterMs = 2_000;
const askAgainMs = 500;

/**
 * Knows whether the database is away. Whoever doubts it has it asked, again and again until there is an answer. A
 * question without an answer goes on beside the next one: the server may be slow, or the socket dead. Meanwhile nobody
 * else has to find out by waiting. `waitUntil` would ask only when the last question has ended.
 */
class OutageWatch {
  readonly #options: OutageWatchOptions;
  #isAway = false;
  #isAsking = false;

  constructor(options: OutageWatchOptions) {
    this.#options = options;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  doubt(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    void this.#askUntilAnswered();
  }

  /** Never rejects. */
  async #askUntilAnswered(): Promise<void> {
    const answer = Promise.withResolvers<true>();
    const ask = async (): Promise<void> => {
      if (await this.#options.ask()) answer.resolve(true);
    };
    for (;;) {
      const askedAt = performance.now();
      ask().catch(() => undefined);
      const isAnswered =
        (await withTimeout(silentAfterMs, () => answer.promise).catch(() => false)) ||
        this.#options.hasHeardSince(askedAt);
      if (isAnswered) break;
      if (!this.#isAway) {
        this.#isAway = true;
        this.#options.onAway();
      }
      await delay(askAgainMs, undefined, { ref: false });
    }
    this.#isAway = false;
    this.#isAsking = false;
  }
}
