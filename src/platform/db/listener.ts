import { Client } from "pg";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";

const reconnectDelayMs = 1_000;
const closeTimeoutMs = 2_000;

/**
 * One database connection that hears `pg_notify` on a channel. Notices are hints: one may be missed while the connection
 * is away, so whoever waits for one also looks at the table now and then.
 */
export class Listener {
  readonly #options: { databaseUrl: string; channel: string; clock: Clock; log: Log };
  readonly #waiters = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  #client: Client | undefined;

  constructor(options: { databaseUrl: string; channel: string; clock: Clock; log: Log }) {
    this.#options = options;
  }

  /** Connects in the background and stays connected until closed. */
  start(): void {
    void this.#connect();
  }

  /** Resolves when the payload is heard, when `ms` have passed, or when the signal fires; it never rejects. */
  async waitFor(payload: string, ms: number, signal?: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    const waiters = this.#waiters.get(payload) ?? new Set();
    this.#waiters.set(payload, waiters.add(stop));
    const signals = [waiting.signal, this.#closing.signal, ...(signal ? [signal] : [])];
    await this.#options.clock.sleep(ms, AbortSignal.any(signals)).catch(() => undefined);
    waiters.delete(stop);
    if (waiters.size === 0) this.#waiters.delete(payload);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // A server that is paused never answers to a goodbye.
    await withTimeout(closeTimeoutMs, async () => this.#client?.end()).catch((error: unknown) =>
      this.#options.log.debug({ err: error }, "the listening connection ended badly"),
    );
  }

  async #connect(): Promise<void> {
    const { databaseUrl, channel, clock, log } = this.#options;
    while (!this.#closing.signal.aborted) {
      const client = new Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: 3_000,
        keepAlive: true,
      });
      const lost = new Promise<void>((resolve) => client.once("end", resolve));
      client.on("error", (error) => log.warn({ err: error }, "the listening connection was lost"));
      client.on("notification", ({ payload }) => this.#wake(payload ?? ""));
      try {
        await client.connect();
        this.#client = client;
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
        await lost;
      } catch (error) {
        log.warn({ err: error }, "could not listen to the database");
        await client.end().catch(() => undefined);
      }
      await clock.sleep(reconnectDelayMs, this.#closing.signal).catch(() => undefined);
    }
  }

  #wake(payload: string): void {
    for (const stop of this.#waiters.get(payload) ?? []) stop();
  }
}
