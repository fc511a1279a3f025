import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../log.ts";
import { refuseInTransaction } from "../open-transaction.ts";
import { OutageLog } from "../outage-log.ts";
import { repeat, type Repetition } from "../repeat.ts";
import { withTimeout } from "../with-timeout.ts";
import { BoundedClient } from "./bounded-client.ts";
import type { DatabaseClock } from "./database-clock.ts";
import type { Queryable } from "./sql.ts";

const channel = "settled";
const reconnectEveryMs = 1_000;
const closeTimeoutMs = 2_000;
/** A socket that hears nothing may be dead, so the server is asked for a sign: what time it is. */
const askEveryMs = 5_000;
const answerTimeoutMs = 3_000;

const anyNotice = Symbol("any notice");
const noticeOf = (payload: string): string => `notice ${payload}`;

/** The expression that notifies of a parameter such as `$1`, for a statement that does so by the way. */
export function notification(parameter: string): string {
  return `pg_notify('${channel}', ${parameter})`;
}

/** Wakes whoever waits for the notice at a listener of any process, as soon as the transaction is committed. */
export async function notify(db: Queryable, payload: string): Promise<void> {
  await db.query("select pg_notify($1, $2)", [channel, payload]);
}

/**
 * A database client that listens for what is notified. A notice is a hint: it is missed while the client is away,
 * so a caller that waits for one also reads the table now and then.
 */
export class Listener {
  readonly #options: { databaseUrl: string; clock: DatabaseClock; log: Log };
  readonly #outage: OutageLog;
  readonly #notices = new EventEmitter().setMaxListeners(0);
  readonly #closing = new AbortController();
  #client: BoundedClient | undefined;
  #listening: Repetition | undefined;

  constructor(options: { databaseUrl: string; clock: DatabaseClock; log: Log }) {
    this.#options = options;
    this.#outage = new OutageLog(options.log, "the database that is listened to");
  }

  /** Connects in the background, and again whenever the database was away, until closed. */
  start(): void {
    const { log } = this.#options;
    this.#listening ??= repeat(log, "listening to the database", reconnectEveryMs, () =>
      this.#listen(),
    );
  }

  /** Calls the handler with the payload of every notice. */
  observe(handler: (payload: string) => void): void {
    this.#notices.on(anyNotice, handler);
  }

  /** Resolves when a notice has this payload, after `ms`, or when the signal fires. */
  async waitFor(payload: string, ms: number, signal?: AbortSignal): Promise<void> {
    refuseInTransaction("a wait for a notice");
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    const signals = [waiting.signal, this.#closing.signal, ...(signal ? [signal] : [])];
    this.#notices.on(noticeOf(payload), stop);
    await this.#options.clock.sleep(ms, AbortSignal.any(signals)).catch(() => undefined);
    this.#notices.off(noticeOf(payload), stop);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    void this.#listening?.stop();
    // A paused server never answers.
    await withTimeout(closeTimeoutMs, async () => this.#client?.end()).catch((error: unknown) =>
      this.#options.log.debug(
        { err: error },
        "the database client that listens did not end cleanly; it is dropped",
      ),
    );
  }

  /** Ends when the client is lost. Never rejects. */
  async #listen(): Promise<void> {
    const client = new BoundedClient({
      connectionString: this.#options.databaseUrl,
      socketTimeoutMs: 3_000,
      loginTimeoutMs: 10_000,
      query_timeout: answerTimeoutMs,
    });
    client.on("error", (error) => this.#outage.failed(error));
    client.on("notification", ({ payload }) => this.#wake(payload ?? ""));
    try {
      await client.connect();
      this.#client = client;
      await client.send(`listen ${client.escapeIdentifier(channel)}`);
      this.#outage.recovered();
      await this.#askUntilLost(client);
    } catch (error) {
      this.#outage.failed(error);
      client.connection.stream.destroy();
    }
  }

  /** Rejects when a question has no answer, and ends when the client has ended. */
  async #askUntilLost(client: BoundedClient): Promise<void> {
    const lost = new AbortController();
    client.once("end", () => lost.abort());
    while (!lost.signal.aborted) {
      await this.#options.clock.look((statement) => client.send(statement));
      await delay(askEveryMs, undefined, { signal: lost.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  #wake(payload: string): void {
    this.#notices.emit(noticeOf(payload));
    this.#notices.emit(anyNotice, payload);
  }
}
