import type { SteadyClock } from "../clock.ts";
import type { Log } from "../log.ts";

/** Sends the statement by a client of the database. */
type Ask = (statement: string) => Promise<{ rows: Record<string, unknown>[] }>;

const statement = "select extract(epoch from service_now()) * 1000 as now";
/** A difference of less than this is told to nobody. */
const noticedSeconds = 2;

/**
 * The time of the database, as it was at the last look, carried on by the steady clock: the clock of the machine may
 * leap. What decides is the time that a statement takes from `service_now()`; this one is for what no statement is at
 * hand for, and wrong by half of a round trip at most.
 */
export class DatabaseClock implements SteadyClock {
  readonly #machine: SteadyClock;
  readonly #log: Log;
  /** The database's time when the steady clock was zero. That of the machine until the first look. */
  #zeroMs: number;
  #toldSeconds = 0;

  constructor(machine: SteadyClock, log: Log) {
    this.#machine = machine;
    this.#log = log;
    this.#zeroMs = machine.now().getTime() - machine.elapsedMs();
  }

  now(): Date {
    return new Date(this.#zeroMs + this.#machine.elapsedMs());
  }

  elapsedMs(): number {
    return this.#machine.elapsedMs();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#machine.sleep(ms, signal);
  }

  /** How far the clock of the machine is ahead of the database's; negative when it is behind. */
  get aheadSeconds(): number {
    return (this.#machine.now().getTime() - this.now().getTime()) / 1_000;
  }

  /**
   * Looks at the time of the database, which lies between the question and the answer: a slow answer moves this clock
   * no further than it must.
   */
  async look(ask: Ask): Promise<void> {
    const askedMs = this.#machine.elapsedMs();
    const { rows } = await ask(statement);
    const answeredMs = this.#machine.elapsedMs();
    const toldMs = Number(rows[0]?.["now"]);
    this.#zeroMs = Math.min(Math.max(this.#zeroMs, toldMs - answeredMs), toldMs - askedMs);
    this.#tell(this.aheadSeconds);
  }

  /** Once for each change. */
  #tell(seconds: number): void {
    if (Math.abs(seconds - this.#toldSeconds) <= noticedSeconds) return;
    const isRight = Math.abs(seconds) <= noticedSeconds;
    this.#toldSeconds = isRight ? 0 : seconds;
    if (isRight) return this.#log.info("the clock of this process is that of the database again");
    this.#log.warn(
      { seconds: Math.round(Math.abs(seconds) * 10) / 10 },
      `the clock of this process is ${seconds > 0 ? "ahead of" : "behind"} that of the database, and the service goes ` +
        "by the database's; set it by a time server",
    );
  }
}
