import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "bullmq";
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
    while (!this.#closing.signal.aborted) {
      const worker = this.#create();
      this.#worker = worker;
      try {
        await worker.waitUntilReady();
        if (!this.#closing.signal.aborted)
          worker.run().catch((error: Error) => worker.emit("error", error));
        return;
      } catch {
        await worker.close(true);
        await delay(retryMs, undefined, { signal: this.#closing.signal, ref: false }).catch(
          () => undefined,
        );
      }
    }
  }
}
