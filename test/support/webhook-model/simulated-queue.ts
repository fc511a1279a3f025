import type { Log } from "../../../src/platform/log.ts";
import { Killed, type KillablePool } from "../killable-pool.ts";
import type { Journal } from "./journal.ts";

interface QueueEntry {
  queue: string;
  payload: Record<string, string>;
  at: number;
  failures: number;
}

const ignore = (): void => undefined;

export type SimulatedJob = (payload: Record<string, string>) => Promise<void>;

const mostRunsAtOnce = 50;
const mostFailures = 5;
/** When a worker dies, another one gets its job after the lock has expired. */
const lockSeconds = 20;

/**
 * A queue in simulated time that loses jobs, and whose workers die or are stopped in the middle of
 * a job.
 */
export class SimulatedQueue {
  jobs: ReadonlyMap<string, SimulatedJob> = new Map();
  jobsToLose = 0;
  readonly #journal: Journal;
  readonly #killable: KillablePool;
  readonly #entries = new Map<string, QueueEntry>();
  readonly #active = new Set<string>();
  #holdSeconds: number | undefined;
  #added = 0;
  #held: { release: () => void; until: number; run: Promise<void> | undefined } | undefined;
  #tellHeld: (() => void) | undefined;

  constructor(journal: Journal, killable: KillablePool) {
    this.#journal = journal;
    this.#killable = killable;
  }

  /** Replaces the queue's `enqueue`. */
  async enqueue(
    queue: string,
    payload: Record<string, string>,
    afterSeconds = 0,
  ): Promise<boolean> {
    if (this.jobsToLose > 0) {
      this.jobsToLose -= 1;
      return false;
    }
    const delayMs = Math.max(0, Math.ceil(afterSeconds * 1_000));
    this.#add(queue, payload, this.#journal.now + delayMs / 1_000);
    return true;
  }

  /** Runs this kind of job at this moment, as the worker does every few seconds. */
  wake(queue: string): void {
    this.#add(queue, {}, this.#journal.now);
  }

  /** Where leased runs report their failures. The process can be killed during them too. */
  get log(): Log {
    const note = ({ err }: { err: unknown }): void => this.#noteEnd("a leased run", err);
    return { error: note, warn: note, info: ignore, debug: ignore } as unknown as Log;
  }

  /** The times at which a job becomes due or a stopped job continues. */
  get alarms(): number[] {
    const { now } = this.#journal;
    const later = [...this.#entries.values()].map(({ at }) => at).filter((at) => at > now);
    return this.#held ? [...later, Math.max(this.#held.until, now + 1)] : later;
  }

  async runDue(): Promise<void> {
    for (let runs = 0; runs < mostRunsAtOnce; runs += 1) {
      const due = [...this.#entries]
        .filter(([id, { at }]) => at <= this.#journal.now && !this.#active.has(id))
        .sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) return;
      await this.#runJob(...due);
    }
    this.#journal.fail("jobs enqueue each other without end");
  }

  /** Work outside of jobs. The process can be killed during it too. */
  async attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#noteEnd(what, error);
    }
  }

  /** The next job that calls `holdIfAsked` is stopped for so long, while the others continue. */
  holdNext(seconds: number | undefined): void {
    this.#holdSeconds = seconds;
  }

  async holdIfAsked(): Promise<void> {
    if (this.#holdSeconds === undefined || this.#held) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { release: resolve, until: this.#journal.now + this.#holdSeconds, run: undefined };
    this.#holdSeconds = undefined;
    this.#journal.say("the sender is stopped before this request");
    this.#tellHeld?.();
    await promise;
    this.#journal.say("and goes on");
  }

  /** Lets the stopped job continue when its time has come. */
  async release({ now = false } = {}): Promise<void> {
    if (!this.#held || (!now && this.#held.until > this.#journal.now)) return;
    const { run, release } = this.#held;
    this.#held = undefined;
    release();
    await run;
  }

  #add(queue: string, payload: Record<string, string>, at: number): void {
    this.#added += 1;
    this.#entries.set(String(this.#added), { queue, payload, at, failures: 0 });
  }

  async #runJob(id: string, entry: QueueEntry): Promise<void> {
    this.#active.add(id);
    const { promise: held, resolve } = Promise.withResolvers<"held">();
    this.#tellHeld = () => resolve("held");
    const run = this.#finishJob(id, entry);
    const outcome = await Promise.race([run, held]);
    if (outcome === "held" && this.#held) this.#held.run = run;
  }

  async #finishJob(id: string, entry: QueueEntry): Promise<void> {
    const job = this.jobs.get(entry.queue);
    if (!job) throw new Error(`nobody works on ${entry.queue}`);
    try {
      await job(entry.payload);
      this.#entries.delete(id);
    } catch (error) {
      this.#noteEnd(entry.queue, error);
      entry.failures += 1;
      entry.at = this.#journal.now + lockSeconds;
      if (entry.failures >= mostFailures) this.#entries.delete(id);
    } finally {
      this.#active.delete(id);
    }
  }

  #noteEnd(what: string, error: unknown): void {
    if (isOfKill(error)) this.#journal.say(`${what} was killed`);
    else this.#journal.fail(`${what} threw ${String(error)}`);
    this.#killable.restart();
  }
}

/** A sweep throws the failures of its connections together. */
function isOfKill(error: unknown): boolean {
  return (
    error instanceof Killed || (error instanceof AggregateError && error.errors.every(isOfKill))
  );
}
