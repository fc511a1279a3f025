import { describeOutage } from "./describe-outage.ts";
import type { Log } from "./log.ts";

const everyMs = 60_000;
/** An outage that follows another one within the minute is told when it lasts as long. */
const soonMs = 3_000;

/**
 * Logs that a server cannot be used, once a minute at most however often it was tried, and that it is back. A server
 * that refuses now and then would fill the log: short outages within a minute of the last one are counted, and their
 * number is told. It is for the errors of the clients of Postgres and Redis alone: their messages are logged.
 */
export class OutageLog {
  readonly #log: Log;
  readonly #what: string;
  #awayLoggedAt = -Infinity;
  #lossLoggedAt = -Infinity;
  /** When the outage that goes on began, and whether it is told; undefined when there is none. */
  #outage: { beganAt: number; isTold: boolean } | undefined;
  /** Outages that were not told. */
  #counted = 0;

  constructor(log: Log, what: string) {
    this.#log = log;
    this.#what = what;
  }

  failed(error: unknown): void {
    const now = performance.now();
    const outage = (this.#outage ??= { beganAt: now, isTold: false });
    const lasts = !outage.isTold && now - outage.beganAt >= soonMs;
    if (now - this.#awayLoggedAt < everyMs && !lasts) return;
    this.#awayLoggedAt = now;
    outage.isTold = true;
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
    if (this.#outage?.isTold) this.#log.info(`${this.#what} is back`);
    else if (this.#outage) this.#count();
    this.#outage = undefined;
  }

  #count(): void {
    this.#counted += 1;
    if (this.#counted > 1) return;
    setTimeout(() => {
      const times = this.#counted === 1 ? "once more" : `${this.#counted} more times`;
      this.#counted = 0;
      this.#log.warn(`${this.#what} could not be used ${times} within a minute`);
    }, everyMs).unref();
  }
}

function explain({ refusal, shortage }: Omit<ReturnType<typeof describeOutage>, "detail">): string {
  if (shortage !== undefined) return `cannot be reached: ${shortage}`;
  return refusal === undefined
    ? "is away; it is tried again until it is back"
    : `refuses: ${refusal}`;
}
