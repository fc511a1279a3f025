import { randomUUID } from "node:crypto";
import type { Job, Queue, Worker } from "bullmq";
import type { z } from "zod";
import type { Clock } from "../clock.ts";
import { isDatabaseUnavailable } from "../db/index.ts";
import type { Log } from "../log.ts";
import { refuseInTransaction } from "../open-transaction.ts";
import type { QueueBackend } from "./backend.ts";
import { beginOutsideOfSpans, withSpan } from "../tracing/index.ts";
import { forgetUnreached, SteadyWorker } from "./mended-bullmq.ts";
import { withTimeout } from "../with-timeout.ts";

export interface JobDefinition<Payload> {
  /** Also the name of the queue: each kind of job has its own. */
  name: string;
  payload: z.ZodType<Payload>;
  concurrency: number;
  /** After an error the queue runs the job again. */
  run(payload: Payload, signal: AbortSignal): Promise<void>;
}

interface QueueDepth {
  name: string;
  /** Jobs that no worker has begun. */
  waiting: number;
  active: number;
  /** Jobs for later. */
  delayed: number;
  /** How long the oldest waiting job has waited; 0 when none waits. */
  oldestSeconds: number;
}

const enqueueTimeoutMs = 1_500;
const maxRunsWithErrors = 5;

/**
 * Wakes the workers. Postgres says what is to be done: a room finds by itself what no job
 * woke it for, and a superfluous job finds nothing to do.
 */
export class JobQueue {
  readonly #backend: QueueBackend;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #queues = new Map<string, Queue>();
  readonly #workers: SteadyWorker[] = [];

  constructor({ backend, clock, log }: { backend: QueueBackend; clock: Clock; log: Log }) {
    this.#backend = backend;
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Enqueues one job, for so many seconds later or now. Each has an id of its own: the rest of a job that the queue has
   * half lost keeps no other one out. Returns false when the queue could not be reached.
   */
  async enqueue(name: string, payload: Record<string, string>, afterSeconds = 0): Promise<boolean> {
    refuseInTransaction("an enqueue");
    const attributes = { "messaging.destination.name": name };
    return await withSpan({ name: "enqueue", kind: "producer", attributes }, async (span) => {
      const isEnqueued = await this.#enqueue(name, payload, afterSeconds);
      span.set({ "rollcall.is_enqueued": isEnqueued });
      return isEnqueued;
    });
  }

  async #enqueue(
    name: string,
    payload: Record<string, string>,
    afterSeconds: number,
  ): Promise<boolean> {
    const delay = Math.max(0, Math.ceil(afterSeconds * 1_000));
    const backoff = { type: "exponential", delay: 1_000, jitter: 0.5 };
    try {
      if (!this.#backend.isReachable()) throw new Error("the queue is away");
      await withTimeout(enqueueTimeoutMs, () =>
        this.#queue(name).add(name, payload, {
          jobId: randomUUID(),
          // By this clock, that depths are told by. A delay counts from the clock that its worker goes by.
          ...(delay === 0 && { timestamp: this.#clock.now().getTime() }),
          delay,
          attempts: maxRunsWithErrors,
          backoff,
        }),
      );
      this.#backend.outage.recovered();
      return true;
    } catch (error) {
      this.#backend.outage.failed(error);
      return false;
    }
  }

  /** Starts a worker for this kind of job in this process. */
  work<Payload>(definition: JobDefinition<Payload>): void {
    const { name, concurrency } = definition;
    const { outage } = this.#backend;
    const create = (): Worker => {
      const worker = this.#backend.createWorker(
        name,
        (job, _token, signal) => this.#process(definition, job, signal),
        { concurrency },
      );
      worker.on("error", (error) => outage.failed(error));
      worker.on("active", () => outage.recovered());
      worker.on("failed", (job, error) =>
        this.#log[isDatabaseUnavailable(error) ? "debug" : "error"](
          { err: error, queue: name, job: job?.id },
          "a job failed; the queue or the sweeper runs it again",
        ),
      );
      return worker;
    };
    this.#workers.push(new SteadyWorker(create));
  }

  /** True when no job is queued or running. Delayed jobs do not count. */
  async isIdle(name: string): Promise<boolean> {
    refuseInTransaction("a question to the queue");
    const counts = await this.#queue(name).getJobCounts("waiting", "active", "prioritized");
    return Object.values(counts).every((count) => count === 0);
  }

  /** What is in each of these queues. Throws when the queue cannot be asked. */
  async depths(names: readonly string[]): Promise<QueueDepth[]> {
    return await Promise.all(names.map((name) => this.#depth(name)));
  }

  /** Starts no more jobs and waits `graceMs` for the running ones; later another worker runs those again. */
  async stopWorking(graceMs: number): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.close(graceMs)));
  }

  async close(): Promise<void> {
    await this.stopWorking(0);
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#backend.close();
  }

  async #depth(name: string): Promise<QueueDepth> {
    refuseInTransaction("a question to the queue");
    if (!this.#backend.isReachable()) throw new Error("the queue is away");
    const queue = this.#queue(name);
    const counts = await queue.getJobCounts("waiting", "prioritized", "active", "delayed");
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
    // The newest job is the first one.
    const last = waiting - 1;
    const [oldest] = last < 0 ? [] : await queue.getJobs(["waiting"], last, last, false);
    const waitedMs = oldest
      ? this.#clock.now().getTime() - oldest.timestamp - (oldest.opts.delay ?? 0)
      : 0;
    const oldestSeconds = Math.max(0, waitedMs / 1_000);
    return { name, waiting: waiting + prioritized, active, delayed, oldestSeconds };
  }

  #queue(name: string): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const queue = beginOutsideOfSpans(() => this.#backend.createQueue(name));
    queue.on("error", (error) => this.#backend.outage.failed(error));
    forgetUnreached(queue, () => this.#queues.delete(name));
    this.#queues.set(name, queue);
    return queue;
  }

  async #process<Payload>(
    definition: JobDefinition<Payload>,
    job: Job,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<void> {
    await definition.run(definition.payload.parse(job.data), signal);
  }
}
