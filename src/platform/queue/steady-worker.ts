import type { Worker } from "bullmq";
import { backgroundClock } from "../clock.ts";
import { retry } from "../retry/index.ts";
import { withTimeout } from "../with-timeout.ts";

const retryMs = 1_000;

/**
 * A BullMQ worker that cannot reach its server when it is created never works, and asks without a pause.
 * So it is replaced until one is ready. A close waits only for `graceMs`; another worker runs the remaining
 * jobs again.
 */
export class SteadyWorker {
  readonly #create: () => Worker;
  readonly #closing = new AbortController();
  readonly #starting: Promise<void>;
  #worker: Worker | undefined;

  constructor(create: () => Worker) {
    this.#create = create;
    this.#starting = this.#start();
  }

  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    // A worker that is closed while it connects may keep its socket for ever.
    const closing = this.#starting.then(() => this.#worker?.close());
    await withTimeout(graceMs, () => closing).catch(() =>
      this.#worker?.cancelAllJobs("the process ends"),
    );
  }

  async #start(): Promise<void> {
    const { signal } = this.#closing;
    const again = { findPause: () => retryMs, clock: backgroundClock, signal };
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
