// Preloaded: the clock of the machine, as this process sees it, is so many seconds ahead. The steady clock is not.
const aheadMs = Number(process.env["CLOCK_AHEAD_SECONDS"]) * 1_000;
const now = Date.now.bind(Date);

class WrongDate extends Date {
  constructor(...given: [] | [string]) {
    if (given.length === 0) super(now() + aheadMs);
    else super(...given);
  }

  static override now(): number {
    return now() + aheadMs;
  }
}

globalThis.Date = WrongDate as unknown as DateConstructor;
