import type { TestClock } from "../test-clock.ts";

/** The events of a history, and the first rule that it broke. */
export class Journal {
  violation: string | undefined;
  readonly #clock: TestClock;
  readonly #trace: string[];

  constructor(clock: TestClock, trace: string[]) {
    this.#clock = clock;
    this.#trace = trace;
  }

  /** In seconds. */
  get now(): number {
    return this.#clock.now().getTime() / 1000;
  }

  say(line: string): void {
    this.#trace.push(`${this.#clock.now().toISOString().slice(5, 19)} ${line}`);
  }

  fail(violation: string): void {
    this.violation ??= violation;
    this.say(`VIOLATION ${violation}`);
  }
}
