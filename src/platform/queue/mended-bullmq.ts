// What BullMQ 6.7 has to be helped with, on Redis and on Postgres alike. Each mend names the test that fails without it.
// Where that passes without the mend one day, BullMQ does it itself, and the mend can go.
import { setTimeout as delay } from "node:timers/promises";
import {
  Worker,
  type BackendFactory,
  type Queue,
  type Processor,
  type WorkerOptions,
} from "bullmq";
import { backgroundClock } from "../clock.ts";
import { retry } from "../retry.ts";
import { withTimeout } from "../with-timeout.ts";

/**
 * How long a worker waits for a notice of a new job before it looks for jobs itself. On Redis it waits on a socket, which
 * may not be silent for longer. On Postgres each look is four statements, for each queue of an idle process.
 */
const lookAgainSeconds = { redis: 2, postgres: 5 };
const pauseMs = 1_000;

/**
 * The queue notices a dead worker within seconds and gives its job to another one, without a limit: running
 * a job twice is harmless, losing one is not.
 */
const workerOptions = {
  autorun: false,
  // The pause before a worker asks again when the server of the queue is away.
  runRetryDelay: pauseMs,
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000_000,
} satisfies Partial<WorkerOptions>;

/** A worker of BullMQ that neither waits for long without a look nor asks without a pause. */
export class MendedWorker extends Worker {
  readonly #lookAgainSeconds: number;

  constructor(
    name: string,
    processor: Processor,
    options: WorkerOptions,
    createBackend?: BackendFactory,
  ) {
    const drainDelay = lookAgainSeconds[createBackend ? "postgres" : "redis"];
    super(name, processor, { ...workerOptions, drainDelay, ...options }, createBackend as never);
    this.#lookAgainSeconds = drainDelay;
  }

  /**
   * While a job is due later, a worker of BullMQ waits ten seconds for a notice (taskforcesh/bullmq#4644), which is
   * longer than a socket of `openRedis` may be silent. Test: "a worker looks for jobs every two seconds, also when one is
   * due later".
   */
  override get maximumBlockTimeout(): number {
    return this.#lookAgainSeconds;
  }

  /**
   * A server that refuses is asked again at once (OptimalBits/bull#1304 is the same in its predecessor): only of one
   * that is away does BullMQ know to pause. Test: "a server that refuses is asked again once a second".
   */
  protected override async moveToActive(...args: Parameters<Worker["moveToActive"]>) {
    try {
      return await super.moveToActive(...args);
    } catch (error) {
      await delay(pauseMs);
      throw error;
    }
  }
}

/**
 * A worker whose first try to reach its server failed never works, and is replaced until one is ready. Test: "a worker
 * that was started while its server was away works when it is back".
 */
export class SteadyWorker {
  readonly #create: () => Worker;
  readonly #closing = new AbortController();
  #worker: Worker | undefined;

  constructor(create: () => Worker) {
    this.#create = create;
    void this.#start();
  }

  /** Waits for `graceMs` at most; another worker runs the jobs that have not ended then. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    await withTimeout(graceMs, async () => await this.#worker?.close()).catch(() =>
      this.#worker?.cancelAllJobs("the process ends"),
    );
  }

  async #start(): Promise<void> {
    const { signal } = this.#closing;
    const again = { findPause: () => pauseMs, clock: backgroundClock, signal };
    const worker = await retry(() => this.#createReady(), again).catch(() => undefined);
    if (!signal.aborted) worker?.run().catch((error: Error) => worker.emit("error", error));
  }

  async #createReady(): Promise<Worker> {
    const worker = this.#create();
    this.#worker = worker;
    try {
      await worker.waitUntilReady();
      return worker;
    } catch (error) {
      await worker.close(true);
      throw error;
    }
  }
}

/**
 * A queue whose first try to reach its server failed keeps failing, and is forgotten, so that the next caller makes a
 * new one. Test: "a queue that was asked first while its server was away takes jobs when it is back".
 */
export function forgetUnreached(queue: Queue, forget: () => void): void {
  queue.waitUntilReady().catch(forget);
}
