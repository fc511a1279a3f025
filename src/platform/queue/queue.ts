import { DelayedError, type Job, type Queue, type Worker } from "bullmq";
import type { z } from "zod";
import { systemClock, type Clock } from "../clock.ts";
import { OutageLog, type Log } from "../log.ts";
import type { QueueBackend } from "./backend.ts";
import { SteadyWorker } from "./steady-worker.ts";
import { withTimeout } from "../with-timeout.ts";

/** A job ends, or asks to be run again at a moment of its choice. What it throws is a surprise and is tried again by the queue. */
export type JobOutcome = "done" | { retryAt: Date };

export interface JobDefinition<Payload> {
  /** The queue, which carries this one kind of job. */
  name: string;
  payload: z.ZodType<Payload>;
  concurrency: number;
  run(payload: Payload, signal: AbortSignal): Promise<JobOutcome>;
}

const enqueueTimeoutMs = 1_500;
const surpriseRetries = 5;

/**
 * Wakes the workers. What has to be done stands in Postgres: the room's sweeper enqueues again what was lost on the way
 * here, and a job too many finds nothing to do.
 */
export class JobQueue {
  readonly #backend: QueueBackend;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #enqueueOutage: OutageLog;
  readonly #queues = new Map<string, Queue>();
  readonly #workers: SteadyWorker[] = [];

  constructor({ backend, clock, log }: { backend: QueueBackend; clock: Clock; log: Log }) {
    this.#backend = backend;
    this.#clock = clock;
    this.#log = log;
    this.#enqueueOutage = new OutageLog(log, "the job queue");
  }

  /**
   * Enqueues one job. A second job of the same id is dropped for as long as the first is queued or running; an id holds no
   * colon and is not a number. Answers false when the queue could not be reached.
   */
  async enqueue(
    name: string,
    id: string,
    payload: Record<string, string>,
    at?: Date,
  ): Promise<boolean> {
    const delay = at ? Math.max(0, at.getTime() - this.#clock.now().getTime()) : 0;
    const backoff = { type: "exponential", delay: 1_000, jitter: 0.5 };
    try {
      if (!this.#backend.isReachable()) throw new Error("the queue is away");
      await withTimeout(enqueueTimeoutMs, () =>
        this.#queue(name).add(name, payload, {
          jobId: id,
          delay,
          attempts: surpriseRetries,
          backoff,
        }),
      );
      this.#enqueueOutage.recovered();
      return true;
    } catch (error) {
      this.#enqueueOutage.failed(error);
      return false;
    }
  }

  /** Starts taking jobs of this kind in this process. */
  work<Payload>(definition: JobDefinition<Payload>): void {
    const { name, concurrency } = definition;
    const outage = new OutageLog(this.#log, `the queue that the workers of ${name} listen to`);
    const create = (): Worker => {
      const worker = this.#backend.createWorker(
        name,
        (job, token, signal) => this.#process(definition, job, token, signal),
        { concurrency },
      );
      worker.on("error", (error) => outage.failed(error));
      worker.on("active", () => outage.recovered());
      worker.on("failed", (job, error) =>
        this.#log.error({ err: error, queue: name, job: job?.id }, "a job failed"),
      );
      return worker;
    };
    this.#workers.push(new SteadyWorker(create));
  }

  /** True when no job is waiting, running or about to be; delayed ones do not count. */
  async isIdle(name: string): Promise<boolean> {
    const counts = await this.#queue(name).getJobCounts("waiting", "active", "prioritized");
    return Object.values(counts).every((count) => count === 0);
  }

  /** Makes every delayed job due now. */
  async promoteDelayed(name: string): Promise<void> {
    await this.#queue(name).promoteJobs();
  }

  /** Takes no more jobs, gives the running ones `graceMs` to end, then leaves them for another worker to take up. */
  async stopWorking(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.close(graceMs)));
  }

  async close(): Promise<void> {
    await this.stopWorking(0);
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#backend.close();
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = this.#backend.createQueue(name);
    queue.on("error", (error) => this.#enqueueOutage.failed(error));
    // One that could not connect at its first try says so for ever.
    queue.waitUntilReady().catch(() => this.#queues.delete(name));
    this.#queues.set(name, queue);
    return queue;
  }

  async #process<Payload>(
    definition: JobDefinition<Payload>,
    job: Job,
    token: string | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    const payload = definition.payload.parse(job.data);
    const outcome = await definition.run(payload, signal ?? new AbortController().signal);
    if (outcome === "done") return;
    const delay = Math.max(0, outcome.retryAt.getTime() - this.#clock.now().getTime());
    await job.moveToDelayed(systemClock.now().getTime() + delay, token);
    throw new DelayedError();
  }
}
