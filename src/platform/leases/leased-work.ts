import { once } from "node:events";
import type { z } from "zod";
import { isDatabaseUnavailable } from "../db/index.ts";
import type { Log } from "../log.ts";
import type { JobDefinition } from "../queue/index.ts";
import { repeat, type Repetition } from "../repeat.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Leased, LeaseTable } from "./lease-table.ts";

export interface LeasedWorkOptions<Row extends Leased> {
  table: LeaseTable<Row>;
  /** For log lines, such as `reads`. */
  name: string;
  /** The most rows that this process works on at once. */
  places: number;
  log: Log;
  /**
   * Works on one row and settles it. The signal fires when the lease has ended, or when the process ends. A run
   * that throws keeps its lease until it expires, and is then made again.
   */
  run: (row: Row, signal: AbortSignal) => Promise<void>;
}

interface Run<Row> {
  row: Row;
  abort: AbortController;
  ended: PromiseWithResolvers<void>;
}

const renewEveryMs = 1_000;
const sweepEveryMs = 5_000;

class LeaseEnded extends Error {
  override readonly message = "the lease has ended";
}
class ProcessEnds extends Error {
  override readonly message = "the process ends";
}

/**
 * This process's part of the work of a lease table: it claims rows while it has free places, and renews all of its
 * leases in one statement a second. It counts its places itself, without `Turns`: a wake waits for a place and takes
 * none, because the rows have their turns in the table.
 */
export class LeasedWork<Row extends Leased> {
  readonly #options: LeasedWorkOptions<Row>;
  /** The newest run of each row. */
  readonly #runs = new Map<string, Run<Row>>();
  /** What has not ended, also the runs that a newer one of the same row overtook here. */
  readonly #underWay = new Set<Run<Row>>();
  readonly #repetitions: Repetition[] = [];
  #placeFreed = Promise.withResolvers<void>();
  #claiming: Promise<void> | undefined;
  /** A call came after the last look for rows began. */
  #isAsked = false;
  #isStopped = false;

  constructor(options: LeasedWorkOptions<Row>) {
    this.#options = options;
  }

  /** From now on leases are renewed, and rows that nobody was woken for are found every few seconds. */
  start(): void {
    const { name, log } = this.#options;
    this.#repetitions.push(
      repeat(log, `renewing the leases of ${name}`, renewEveryMs, async () => {
        // A process without a lease finds those that others let expire when it sweeps.
        if (this.#runs.size > 0) await this.#renew();
      }),
      repeat(log, `looking for ${name} that are due`, sweepEveryMs, () => this.sweep()),
    );
  }

  /** The job that wakes this process. Its payload only tells for what. */
  job<Payload>(name: string, payload: z.ZodType<Payload>): JobDefinition<Payload> {
    return { name, payload, concurrency: 1, run: (_payload, signal) => this.wake(signal) };
  }

  /** Over all processes: the rows that are worked on, and those that are due and wait for a place. */
  async count(): Promise<{ leased: number; waiting: number }> {
    return await this.#options.table.count();
  }

  /** The job of a wake: waits for a free place, then claims what is due. */
  async wake(signal: AbortSignal): Promise<void> {
    const isAborted = once(signal, "abort");
    while (this.#runs.size >= this.#options.places && !this.#isStopped && !signal.aborted)
      await Promise.race([this.#placeFreed.promise, isAborted]);
    await this.claimAll();
  }

  /** Finds work that nobody was woken for: rows whose lease has expired, and rows that are due. */
  async sweep(): Promise<void> {
    await this.#renew();
    await this.claimAll();
  }

  /** Claims rows while one is due and a place is free. What became due before the call is not missed. */
  async claimAll(): Promise<void> {
    this.#isAsked = true;
    this.#claiming ??= this.#claimWhileAsked();
    await this.#claiming;
  }

  /** Resolves when no row is due and none is worked on. */
  async drained(): Promise<void> {
    for (;;) {
      await this.sweep();
      while (this.#claiming) await this.#claiming;
      if (this.#underWay.size === 0) return;
      await this.#placeFreed.promise;
    }
  }

  /** Claims no more. Runs that are not done after `graceMs` are aborted, and their rows are due again at once. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    this.#freePlace();
    await this.#claiming?.catch(() => undefined);
    await withTimeout(graceMs, () => this.#allDone()).catch(() => undefined);
    for (const { abort } of this.#runs.values()) abort.abort(new ProcessEnds());
    await this.#allDone();
    await Promise.all(this.#repetitions.splice(0).map((repetition) => repetition.stop()));
  }

  async #claimWhileAsked(): Promise<void> {
    try {
      while (this.#isAsked) {
        this.#isAsked = false;
        await this.#claimWhilePlaces();
      }
    } finally {
      this.#claiming = undefined;
    }
  }

  async #claimWhilePlaces(): Promise<void> {
    const { table, places } = this.#options;
    while (!this.#isStopped && this.#runs.size < places) {
      const row = await table.claim();
      if (!row) return;
      this.#begin(row);
    }
  }

  #begin(row: Row): void {
    this.#runs.get(row.id)?.abort.abort(new LeaseEnded());
    const run = { row, abort: new AbortController(), ended: Promise.withResolvers<void>() };
    this.#runs.set(row.id, run);
    this.#underWay.add(run);
    void this.#workOnce(run);
  }

  /** Never rejects. */
  async #workOnce(run: Run<Row>): Promise<void> {
    await this.#work(run.row, run.abort.signal);
    if (this.#runs.get(run.row.id) === run) this.#runs.delete(run.row.id);
    this.#underWay.delete(run);
    run.ended.resolve();
    this.#freePlace();
  }

  async #work(row: Row, signal: AbortSignal): Promise<void> {
    const { name, log, run, table } = this.#options;
    const ids = { what: name, id: row.id, run: row.run };
    try {
      await run(row, signal);
    } catch (error) {
      if (!signal.aborted)
        log[isDatabaseUnavailable(error) ? "debug" : "error"](
          { err: error, ...ids },
          "a run failed; it is made again when its lease has ended",
        );
    }
    if (!(signal.reason instanceof ProcessEnds)) return;
    await table
      .release(row)
      .catch((error: unknown) =>
        log[isDatabaseUnavailable(error) ? "debug" : "warn"](
          { err: error, ...ids },
          "a lease could not be given back; it ends by itself",
        ),
      );
  }

  /** The freed place takes the next row, in this process or in the one that is woken. */
  #freePlace(): void {
    const freed = this.#placeFreed;
    this.#placeFreed = Promise.withResolvers<void>();
    freed.resolve();
    if (this.#isStopped) return;
    this.claimAll().catch((error: unknown) =>
      this.#options.log[isDatabaseUnavailable(error) ? "debug" : "warn"](
        { err: error, what: this.#options.name },
        "the next row could not be claimed; it is claimed within seconds",
      ),
    );
  }

  /**
   * Its own leases come first: after a standstill of the process, or of the machine, a run that nobody overtook goes
   * on. Then it releases the leases that others let expire, and none of its live runs: the standstill may come
   * between.
   */
  async #renew(): Promise<void> {
    const { table, name, log } = this.#options;
    const runs = [...this.#runs.values()];
    const rows = runs.map(({ row }) => row);
    const ended = rows.length > 0 ? await table.renew(rows) : [];
    for (const { row, abort } of runs) {
      if (!ended.includes(row.id) || this.#runs.get(row.id)?.abort !== abort) continue;
      log.debug({ what: name, id: row.id, run: row.run }, "a lease has ended; its run stops");
      abort.abort(new LeaseEnded());
    }
    const live = [...this.#runs.values()].filter(({ abort }) => !abort.signal.aborted);
    const own = live.map(({ row }) => row.id);
    const released = await table.releaseExpired(own);
    if (released > 0) await this.claimAll();
  }

  async #allDone(): Promise<void> {
    await Promise.all([...this.#underWay].map(({ ended }) => ended.promise));
  }
}
