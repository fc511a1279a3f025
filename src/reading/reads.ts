import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { NotFound, type ConnectionId, type Resource } from "../model/index.ts";
import type { ConnectionSummary } from "../connections/index.ts";
import {
  deleteOld,
  transaction,
  type Listener,
  type Queryable,
  type Transaction,
} from "../platform/db/index.ts";
import { LeasedWork } from "../platform/leases/index.ts";
import type { JobDefinition, JobQueue } from "../platform/queue/index.ts";
import { repeat } from "../platform/repeat.ts";
import { currentTraceparent, runInSpan } from "../platform/tracing/index.ts";
import { Turns } from "../platform/turns.ts";
import type { ReadObserver } from "./destination.ts";
import { assessProviders } from "./provider-states.ts";
import { priorities, type ClaimedRead, type Priority, type Read, type ReadKey } from "./read.ts";
import * as store from "./read-store.ts";
import {
  deleteSettledReads,
  findInTheWay,
  joinRead,
  requestRead,
  requestReads,
  type ReadRequest,
} from "./request-store.ts";
import { ReadLists } from "./read-lists.ts";
import { findUsualDuration, ReadDurations } from "./read-durations.ts";
import type { ReadProgress } from "./records/read-answer.ts";
import { failureKeptSeconds } from "./retry-policy.ts";
import type { RunReadDependencies } from "./run-dependencies.ts";
import { runRead } from "./run-read.ts";
import { tellSettled } from "./tell-settled.ts";

export interface ReadsDependencies extends Omit<RunReadDependencies, "observers" | "wake"> {
  queue: JobQueue;
  listener: Listener;
  providerLimits: readonly store.ProviderLimit[];
  /** Providers whose data are invented. */
  simulated: readonly string[];
}

/** This process's part of the reads: the jobs that wake it, and the end of its work. */
export interface ReadWork {
  job: JobDefinition<{ readId: string }>;
  work: LeasedWork<ClaimedRead>;
  stop(graceMs: number): Promise<void>;
}

const readQueue = "read";
const settledPollMs = 1_000;
/** A worker that was woken goes on while a read is due, so a wake for each worker is enough. */
const wakesAtOnce = 16;
const saveProgressEveryMs = 2_000;

/** Reads of providers: asked for by anybody, run once at a time, settled once. */
export class Reads {
  readonly lists: ReadLists;
  readonly #dependencies: ReadsDependencies;
  readonly #observers: ReadObserver[] = [];
  readonly #turns = new Turns({ places: Infinity, placesOfOne: 1 });
  readonly #running = new Map<string, { id: string; run: number } & ReadProgress>();
  readonly #durations: ReadDurations;

  constructor(dependencies: ReadsDependencies) {
    this.#dependencies = dependencies;
    this.lists = new ReadLists(dependencies.pool);
    this.#durations = new ReadDurations(dependencies.pool);
  }

  observe(observer: ReadObserver): void {
    this.#observers.push(observer);
  }

  /**
   * The read, which is pending from now on unless it was stored after `storedAfter` or its failure is still kept.
   * However many ask, there is one read. A connection has few unsettled narrowed reads: a caller who wants one more
   * gets the oldest of them, to wait for. Undefined when the connection is gone.
   */
  async request(
    connection: ConnectionSummary,
    { resource, parameters }: Omit<ReadKey, "connectionId">,
    {
      storedAfter,
      priority,
      isAwaited = false,
    }: { storedAfter: Date; priority: Priority; isAwaited?: boolean },
  ): Promise<Read | undefined> {
    const { pool, clock } = this.#dependencies;
    const now = clock.now();
    const traceparent = currentTraceparent();
    const asked = { resource, parameters, storedAfter, isAwaited, now };
    const request = { ...this.#toRequest(connection, asked), traceparent };
    const { inTheWay, requested } =
      parameters === ""
        ? { requested: await requestRead(pool, request, priority) }
        : await this.#requestNarrowed(request, priority);
    if (inTheWay) return inTheWay;
    if (requested) {
      void this.#wake(requested);
      return requested;
    }
    const known = await store.findRead(pool, request);
    const isJoined = known?.state === "pending" && isLess(known, { priority, isAwaited });
    if (!isJoined) return known;
    return (
      (await joinRead(pool, known.id, { priority, isAwaited, traceparent })) ??
      (await store.findRead(pool, request))
    );
  }

  /**
   * Requests reads of many connections in one statement. Returns the connections whose read began with it; the
   * others have one already, or need none, or are locked now.
   */
  async requestAll(
    wanted: readonly {
      connection: ConnectionSummary;
      storedAfter: Date;
      /** A read is not repeated before so many seconds have passed for each of its requests. */
      secondsPerRequest: number;
    }[],
    { resource, parameters }: Omit<ReadKey, "connectionId">,
    priority: Priority,
  ): Promise<Set<ConnectionId>> {
    const { pool, clock } = this.#dependencies;
    const now = clock.now();
    const requests = wanted.map(({ connection, storedAfter, secondsPerRequest }) => ({
      ...this.#toRequest(connection, { resource, parameters, storedAfter, isAwaited: false, now }),
      secondsPerRequest,
    }));
    const begun = await requestReads(pool, requests, priority);
    for (const read of begun.slice(0, wakesAtOnce)) void this.#wake(read);
    return new Set(begun.map(({ connectionId }) => connectionId));
  }

  /** Resolves when the read is settled, after `waitMs`, or when the signal fires. */
  async waitUntilSettled(readId: string, waitMs: number, signal: AbortSignal): Promise<void> {
    const { pool, clock, listener } = this.#dependencies;
    const startedMs = clock.elapsedMs();
    for (;;) {
      const remainingMs = waitMs - (clock.elapsedMs() - startedMs);
      if (remainingMs <= 0 || signal.aborted) return;
      const heard = listener.waitFor(readId, Math.min(settledPollMs, remainingMs), signal);
      if (!(await store.isPending(pool, readId))) return;
      await heard;
    }
  }

  /** What a read found since the last sign-in: that the account lacks the resource, or may not read it. */
  async findMissing(
    { id: connectionId, signedInAt }: ConnectionSummary,
    resource: Resource,
  ): Promise<store.MissingResource | undefined> {
    const { pool } = this.#dependencies;
    return await store.findMissing(pool, { connectionId, resource }, signedInAt);
  }

  /** How long reads of this kind usually take, in milliseconds; undefined before the first one. */
  async usualDurationMs(read: Read): Promise<number | undefined> {
    return await findUsualDuration(this.#dependencies.pool, read);
  }

  /** Throws NotFound. */
  async find(id: string): Promise<Read> {
    const read = await store.findReadById(this.#dependencies.pool, id);
    if (!read) throw new NotFound(id, "The read is not known.");
    return read;
  }

  /** Ends a pending read. Its run stops within two seconds. Throws NotFound when it is not pending. */
  async cancel(id: string): Promise<Read> {
    const cancelled = await transaction(this.#dependencies.pool, (tx) =>
      store.cancelRead(tx, id, failureKeptSeconds),
    );
    if (!cancelled) throw new NotFound(id, "There is no pending read of this id.");
    await tellSettled({ observers: this.#observers, log: this.#dependencies.log }, cancelled);
    return cancelled;
  }

  /**
   * Forgets the reads of a resource of these connections, or of all resources, with the pages that are kept of them. A
   * run of one stores nothing any more, and whoever asks begins anew.
   */
  async forget(
    tx: Queryable,
    connectionIds: readonly ConnectionId[],
    resource: Resource | null,
  ): Promise<void> {
    await store.deleteReads(tx, connectionIds, resource);
  }

  /** The same for reads of which nothing is stored any more, but for those that are pending. */
  async forgetSettled(
    tx: Queryable,
    connectionId: ConnectionId,
    keys: readonly Omit<ReadKey, "connectionId">[],
  ): Promise<void> {
    await deleteSettledReads(tx, connectionId, keys);
  }

  /** See `assessProviders`. */
  async assessProviders(): Promise<void> {
    const { pool, log, simulated } = this.#dependencies;
    for (const { isDegraded, ...assessed } of await assessProviders(pool, simulated))
      if (isDegraded) log.warn(assessed, "many reads of a provider fail; its clients are told");
      else log.info(assessed, "reads of a provider succeed again; its clients are told");
  }

  /** Those that were settled so long ago. */
  async removeOld(keptSeconds: number, signal?: AbortSignal): Promise<void> {
    const settled = { since: "settled_at", where: "state = 'settled'" };
    const old = { table: "reads", key: "id", ...settled, keptSeconds };
    await deleteOld(this.#dependencies.pool, old, signal);
  }

  /** Begins to work on reads in this process. `places` is how many it runs at once. */
  work(places: number): ReadWork {
    const { pool, log, providerLimits } = this.#dependencies;
    const table = store.createReadTable(pool, providerLimits);
    const work = new LeasedWork<ClaimedRead>({
      table,
      name: "reads",
      places,
      log,
      run: (read, signal) => this.#run(read, signal),
    });
    work.start();
    const progress = repeat(log, "saving the progress of reads", saveProgressEveryMs, async () => {
      if (this.#running.size > 0) await store.saveProgress(pool, [...this.#running.values()]);
      await this.#durations.save();
    });
    return {
      work,
      job: work.job(readQueue, z.object({ readId: z.uuid() })),
      stop: async (graceMs) => {
        await progress.stop();
        await work.stop(graceMs);
        await this.#durations.save();
      },
    };
  }

  async #run(read: ClaimedRead, signal: AbortSignal): Promise<void> {
    const { id, run } = read;
    // A run that was overtaken may still end beside the newer one.
    const key = `${id} ${run}`;
    try {
      const wake = (postponed: Read, afterSeconds: number): Promise<void> =>
        this.#wake(postponed, afterSeconds);
      const dependencies = { ...this.#dependencies, observers: this.#observers, wake };
      await traceRead(dependencies, read, () =>
        runRead(dependencies, read, {
          signal,
          onProgress: (progress) => void this.#running.set(key, { id, run, ...progress }),
          onMeasured: (ms) => {
            this.#durations.note(read, ms);
            this.#dependencies.metrics.measureRead(read, ms);
          },
        }),
      );
    } finally {
      const requests = this.#running.get(key)?.providerRequests ?? 0;
      this.#dependencies.metrics.providerRequests.inc({ provider: read.provider }, requests);
      this.#running.delete(key);
    }
  }

  /** Requests of one connection take turns, so that they hold one database client, and not each its own. */
  async #requestNarrowed(
    request: ReadRequest,
    priority: Priority,
  ): Promise<{ inTheWay?: Read | undefined; requested?: Read | undefined }> {
    const { connectionId } = request;
    const begin = async (tx: Transaction) => {
      const inTheWay = await findInTheWay(tx, request);
      return inTheWay ? { inTheWay } : { requested: await requestRead(tx, request, priority) };
    };
    return await this.#turns.run({ client: connectionId }, () =>
      transaction(this.#dependencies.pool, begin, { lock: `reads of ${connectionId}` }),
    );
  }

  #toRequest(
    { id: connectionId, clientId, provider, mode, signedInAt, ...connection }: ConnectionSummary,
    {
      now,
      ...wanted
    }: Pick<ReadRequest, "resource" | "parameters" | "storedAfter" | "isAwaited"> & {
      now: Date;
    },
  ): Omit<ReadRequest, "traceparent"> {
    const id = uuidv7({ msecs: now.getTime() });
    const isTyped = this.#dependencies.providerLimits.some(
      ({ name, hasTypedAddress }) => name === provider && hasTypedAddress,
    );
    const originKey = isTyped ? connection.originKey : "";
    return { ...wanted, id, connectionId, clientId, provider, mode, originKey, signedInAt };
  }

  /** Nobody waits for the queue. When it is away, a worker finds the read within seconds. */
  async #wake({ id }: Pick<Read, "id">, afterSeconds?: number): Promise<void> {
    await this.#dependencies.queue.enqueue(readQueue, { readId: id }, afterSeconds);
  }
}

/** Whether a pending read was asked for by nobody who waits as this caller does. */
function isLess(
  read: Read,
  { priority, isAwaited }: { priority: Priority; isAwaited: boolean },
): boolean {
  return read.priority > priorities[priority] || (isAwaited && !read.isAwaited);
}

/** A run of a read is a part of the trace of the request that asked for it first, or begins one, such as for a poll. */
async function traceRead(
  { tracing, clock }: Pick<ReadsDependencies, "tracing" | "clock">,
  { traceparent: parent, dueAt, ...read }: ClaimedRead,
  work: () => Promise<void>,
): Promise<void> {
  const attributes = {
    "rollcall.read_id": read.id,
    "rollcall.connection_id": read.connectionId,
    "rollcall.client_id": read.clientId,
    "rollcall.provider": read.provider,
    "rollcall.resource": read.resource,
    "rollcall.run": read.run,
    "rollcall.waited_ms": dueAt ? Math.max(0, clock.now().getTime() - dueAt.getTime()) : undefined,
  };
  await runInSpan(tracing, { name: "read", kind: "consumer", parent, attributes }, work);
}
