import { explainWait } from "./explain-start.ts";
import type { SteadyClock } from "../platform/clock.ts";
import { findTrouble } from "../platform/db/index.ts";
import { describeOutage } from "../platform/outage-log.ts";
import type { Log } from "../platform/log.ts";
import { tellWhile } from "../platform/repeat.ts";
import { retry } from "../platform/retry.ts";
import { StartRefused } from "../platform/start-refused.ts";

/** The process was asked to stop while it started. */
export class StartStopped extends Error {
  override readonly message = "the process stops";
}

interface Patience {
  /** How long a step is repeated, since the last answer of the database, while it is away. */
  awayMs: number;
  /** The same while nobody can tell whether it is away or busy: it gives no sign in time. */
  silentMs: number;
  /** How long a step is repeated in all while the database answers and is busy, slow, or starts. */
  busyMs: number;
}

/** How long a step that failed may still be repeated: 0 for not at all. */
type FindLeftMs = (error: unknown, sinceMs: { begin: number; lastAnswer: number }) => number;

const pauseMs = 500;
/** After a failure that is not about the database. */
const longPauseMs = 5_000;
const logEveryMs = 5_000;

/**
 * The start of a process: it opens what it needs, prepares what has to be there before the first request, and is
 * ready. Each is a step, which is repeated while the database is merely away, slow or busy.
 */
export class StartSteps {
  readonly #clock: SteadyClock;
  readonly #log: Log;
  readonly #patience: Patience;
  readonly #stopping = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  #step = "begins";
  #why = "";
  #loggedAtMs = -Infinity;

  constructor(tools: { clock: SteadyClock; log: Log }, patience: Patience) {
    this.#clock = tools.clock;
    this.#log = tools.log;
    this.#patience = patience;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** How long a step is repeated while the database gives no sign. */
  get silentMs(): number {
    return this.#patience.silentMs;
  }

  /**
   * Does a step that opens something. `what` says it with the service as the subject. Throws at once when no wait mends
   * the failure, and when the patience is over.
   */
  async open<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    return await this.#repeat(what, work, (error, { begin, lastAnswer }) => {
      const trouble = findTrouble(error);
      if (trouble === undefined || trouble === "refusing") return 0;
      const { awayMs, silentMs, busyMs } = this.#patience;
      if (isAnswer(error)) return busyMs - begin;
      return (trouble === "silent" ? silentMs : awayMs) - lastAnswer;
    });
  }

  /** Does a step of a process that listens. It is repeated whatever fails, until it succeeds or the process stops. */
  async prepare<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    return await this.#repeat(what, work, () => Infinity);
  }

  /** From now on requests are served. */
  finish(): void {
    this.#isReady = true;
    this.#ready.resolve();
  }

  /** Ends the waits: a step that has not succeeded throws StartStopped. */
  stop(): void {
    this.#stopping.abort(new StartStopped());
  }

  /** Which step it waits for and why, for an operator. Undefined when it is ready. It names no address. */
  describe(): string | undefined {
    if (this.#isReady) return undefined;
    return `The start is not complete: it ${this.#step}. ${this.#why}`.trim();
  }

  /** Resolves when it is ready: true; or after so long: false. */
  async untilReady(ms: number): Promise<boolean> {
    const over = new AbortController();
    const timeout = this.#clock.sleep(ms, over.signal).catch(() => undefined);
    await Promise.race([this.#ready.promise, timeout]);
    over.abort();
    return this.#isReady;
  }

  async #repeat<Result>(
    what: string,
    work: () => Promise<Result>,
    findLeftMs: FindLeftMs,
  ): Promise<Result> {
    this.#step = what;
    this.#why = "";
    const beganAtMs = this.#clock.elapsedMs();
    let answeredAtMs = beganAtMs;
    const findPause = (error: unknown): number | undefined => {
      const nowMs = this.#clock.elapsedMs();
      if (isAnswer(error)) answeredAtMs = nowMs;
      const since = { begin: nowMs - beganAtMs, lastAnswer: nowMs - answeredAtMs };
      const leftMs = findLeftMs(error, since);
      this.#stopping.signal.throwIfAborted();
      if (leftMs <= 0) return undefined;
      this.#note(error, leftMs);
      return Math.min(findTrouble(error) ? pauseMs : longPauseMs, leftMs);
    };
    const again = { findPause, clock: this.#clock, signal: this.#stopping.signal };
    return await retry(() => this.#told(work), again);
  }

  /** Work that takes its time, or hangs, is told like that which fails. */
  async #told<Result>(work: () => Promise<Result>): Promise<Result> {
    const beganAtMs = this.#clock.elapsedMs();
    const tell = (): void => {
      const seconds = Math.round((this.#clock.elapsedMs() - beganAtMs) / 1_000);
      this.#log.info({ seconds }, `the start waits: it ${this.#step}, and that goes on`);
    };
    return await tellWhile(logEveryMs, tell, work);
  }

  #note(error: unknown, leftMs: number): void {
    this.#why = explainWait(error);
    if (this.#clock.elapsedMs() - this.#loggedAtMs < logEveryMs) return;
    this.#loggedAtMs = this.#clock.elapsedMs();
    const { detail } = describeOutage(error);
    const told = error instanceof StartRefused ? error.message : this.#why;
    this.#log.warn(
      {
        err: error,
        ...(detail !== undefined && { detail }),
        ...(Number.isFinite(leftMs) && { secondsLeft: Math.ceil(leftMs / 1_000) }),
      },
      `the start waits: it ${this.#step}. ${told} It is tried again`,
    );
  }
}

/** Whether the error shows that the database is there and will do its work. */
function isAnswer(error: unknown): boolean {
  const trouble = findTrouble(error);
  return trouble === "starting" || trouble === "busy" || trouble === "slow";
}
