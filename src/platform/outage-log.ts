import { describeOutage } from "./describe-outage.ts";
import type { Log } from "./log.ts";

const everyMs = 60_000;

/**
 * Logs that a server cannot be used, once a minute at most however often it was tried, and that it is back. It is for
 * the errors of the clients of Postgres and Redis alone: their messages are logged.
 */
export class OutageLog {
  readonly #log: Log;
  readonly #what: string;
  #awayLoggedAt = -Infinity;
  #lossLoggedAt = -Infinity;
  #isAway = false;

  constructor(log: Log, what: string) {
    this.#log = log;
    this.#what = what;
  }

  failed(error: unknown): void {
    if (performance.now() - this.#awayLoggedAt < everyMs) return;
    this.#awayLoggedAt = performance.now();
    this.#isAway = true;
    const { detail, ...told } = describeOutage(error);
    this.#log.warn(
      { err: error, ...(detail !== undefined && { detail }) },
      `${this.#what} ${explain(told)}`,
    );
  }

  /** A deadlock or a serialization failure is no outage. */
  lost(error: unknown): void {
    if (performance.now() - this.#lossLoggedAt < everyMs) return;
    this.#lossLoggedAt = performance.now();
    const { detail } = describeOutage(error);
    this.#log.warn(
      { err: error, detail },
      `a transaction of ${this.#what} lost against another one and is made again`,
    );
  }

  recovered(): void {
    if (this.#isAway) this.#log.info(`${this.#what} is back`);
    this.#isAway = false;
  }
}

function explain({ refusal, shortage }: Omit<ReturnType<typeof describeOutage>, "detail">): string {
  if (shortage !== undefined) return `cannot be reached: ${shortage}`;
  return refusal === undefined
    ? "is away; it is tried again until it is back"
    : `refuses: ${refusal}`;
}
