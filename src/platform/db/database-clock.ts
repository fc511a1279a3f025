import { CarriedClock, type SteadyClock } from "../clock.ts";
import type { Log } from "../log.ts";

/** Sends the statement by a client of the database. */
type Ask = (statement: string) => Promise<{ rows: Record<string, unknown>[] }>;

const statement = "select extract(epoch from service_now()) * 1000 as now";
/** A clock that is off by less is told to nobody. */
export const noticedOffsetSeconds = 2;

/**
 * The time of the database, as it was at the last look. What decides is the time that a statement takes from
 * `service_now()`; this one is for what no statement is at hand for, and wrong by half of a round trip at most.
 */
export class DatabaseClock extends CarriedClock {
  readonly #log: Log;
  #toldSeconds = 0;

  constructor(machine: SteadyClock, log: Log) {
    super(machine);
    this.#log = log;
  }

  /** Looks what time it is there. */
  async look(ask: Ask): Promise<void> {
    const askedMs = this.elapsedMs();
    const { rows } = await ask(statement);
    this.set(Number(rows[0]?.["now"]), askedMs);
    this.#tell(this.aheadSeconds);
  }

  /** Once for each change. */
  #tell(seconds: number): void {
    const isRight = Math.abs(seconds) <= noticedOffsetSeconds;
    const isTold = isRight
      ? this.#toldSeconds === 0
      : Math.abs(seconds - this.#toldSeconds) <= noticedOffsetSeconds;
    if (isTold) return;
    this.#toldSeconds = isRight ? 0 : seconds;
    if (isRight) return this.#log.info("the clock of this process is that of the database again");
    this.#log.warn(
      { seconds: Math.round(seconds * 10) / 10 },
      `the clock of this process is ${describeOffset(seconds)}; the service goes by the database's`,
    );
  }
}

/** Such as "90.0 s ahead of the database's". */
export function describeOffset(seconds: number): string {
  return `${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? "behind" : "ahead of"} the database's`;
}
