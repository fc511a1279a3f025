import { Client, type ClientConfig, type QueryResult } from "pg";
import { nameSession } from "./program-name.ts";

/** Called when a statement has got its answer or has failed. */
export type OnSettled = (error?: unknown) => void;

export interface BoundedConfig extends ClientConfig {
  query_timeout: number;
  onSettled?: OnSettled;
}

/** Before the first probe; a socket whose other end is gone is then noticed even when nothing is sent. */
const keepAliveAfterMs = 10_000;

/**
 * A client whose socket is destroyed as soon as a statement got no answer in time: the socket may be dead without a
 * sign, so nobody may wait on it again. Whoever holds the client is told by its events.
 */
export class BoundedClient extends Client {
  /** Of its session; null before it is connected. */
  declare readonly processID: number | null;
  readonly #onSettled: OnSettled | undefined;
  #unanswered = 0;
  #waitingSince: number | undefined;

  constructor(config: BoundedConfig) {
    super({
      ...config,
      ...(config.connectionString !== undefined && nameSession(config.connectionString)),
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
    });
    this.#onSettled = config.onSettled;
  }

  /** Since when it has heard nothing of a statement, as performance.now() tells; undefined when it waits for none. */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  async send(text: string, values: unknown[] = []): Promise<QueryResult<Record<string, unknown>>> {
    const answer: Promise<QueryResult<Record<string, unknown>>> = this.query(text, values);
    return await answer;
  }

  // The overloads of pg cannot be repeated here.
  override query(...args: unknown[]): never {
    const send = super.query.bind(this) as (...all: unknown[]) => unknown;
    const callback = args.at(-1);
    this.#unanswered += 1;
    this.#waitingSince ??= performance.now();
    if (typeof callback === "function")
      return send(...args.slice(0, -1), (error: unknown, result: unknown) => {
        this.#note(error);
        (callback as (error: unknown, result: unknown) => void)(error, result);
      }) as never;
    const result = send(...args);
    if (result instanceof Promise)
      result.then(
        () => this.#note(undefined),
        (error: unknown) => this.#note(error),
      );
    return result as never;
  }

  #note(error: unknown): void {
    this.#unanswered -= 1;
    this.#waitingSince = this.#unanswered === 0 ? undefined : performance.now();
    if (error instanceof Error && error.message === "Query read timeout")
      this.connection.stream.destroy();
    this.#onSettled?.(error ?? undefined);
  }
}
