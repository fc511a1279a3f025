import { setTimeout as delay } from "node:timers/promises";
import {
  Queue,
  Worker,
  PostgresConnection,
  PostgresQueueBackend,
  runMigrations,
  type BackendFactory,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from "bullmq";
import { createPool, type Pool } from "../db/index.ts";
import type { Log } from "../log.ts";
import { openRedis } from "../open-redis.ts";
import { OutageLog } from "../outage-log.ts";
import { withTimeout } from "../with-timeout.ts";
import { StartRefused } from "../start-refused.ts";

/** What BullMQ runs on. Only this file knows whether that is Redis or Postgres. */
export interface QueueBackend {
  /** False while it is known to be away, so that no caller waits for it. */
  isReachable(): boolean;
  /** Where its errors are logged. */
  readonly outage: OutageLog;
  createQueue(name: string): Queue;
  createWorker(name: string, processor: Processor, options: { concurrency: number }): Worker;
  close(): Promise<void>;
}

const closeTimeoutMs = 2_000;
/** A caller's enqueue has a limit of its own. */
const jobPatienceMs = 60_000;

/** How long a worker waits for a notice of a new job before it looks for jobs itself. */
const lookAgainSeconds = 2;
/** Statements of the queue are small. */
const queueStatementTimeoutMs = 3_000;

const queueOptions = {
  skipWaitingForReady: true,
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
} satisfies Partial<QueueOptions>;

/**
 * The queue notices a dead worker within seconds and gives its job to another one, without a limit: running
 * a job twice is harmless, losing one is not.
 */
const workerOptions = {
  autorun: false,
  drainDelay: lookAgainSeconds,
  // The pause before a worker asks again when the server of the queue is away.
  runRetryDelay: 1_000,
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000_000,
} satisfies Partial<WorkerOptions>;

/**
 * A worker that asks for jobs every few seconds, also when one is due later, so that a dead socket is noticed. After
 * a refusal it waits for a moment before it asks again.
 */
class AskingWorker extends Worker {
  constructor(
    name: string,
    processor: Processor,
    options: WorkerOptions,
    createBackend?: BackendFactory,
  ) {
    super(name, processor, options, createBackend as never);
  }

  override get maximumBlockTimeout(): number {
    return lookAgainSeconds;
  }

  protected override async moveToActive(...args: Parameters<Worker["moveToActive"]>) {
    try {
      return await super.moveToActive(...args);
    } catch (error) {
      await delay(workerOptions.runRetryDelay);
      throw error;
    }
  }
}

export function createRedisBackend({
  url,
  prefix,
  log,
  isReadOnly = false,
}: {
  url: string;
  prefix: string;
  log: Log;
  isReadOnly?: boolean;
}): QueueBackend {
  const producer = openRedis(url, { maxRetriesPerRequest: null });
  const consumer = openRedis(url, { maxRetriesPerRequest: null });
  const outage = new OutageLog(log, "the queue's Redis");
  for (const client of [producer, consumer]) client.on("error", (error) => outage.failed(error));
  producer.on("ready", () => outage.recovered());
  return {
    outage,
    isReachable: () => producer.status === "ready",
    createQueue: (name) =>
      new Queue(name, {
        connection: producer,
        prefix,
        skipMetasUpdate: isReadOnly,
        ...queueOptions,
      }),
    createWorker: (name, processor, options) =>
      new AskingWorker(name, processor, {
        connection: consumer,
        prefix,
        ...workerOptions,
        ...options,
      }),
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

/** Throws when Redis may drop jobs to free memory. A Redis that is away passes unchecked. */
export async function checkRedisKeepsJobs(url: string, log: Log): Promise<void> {
  const redis = openRedis(url, {
    lazyConnect: true,
    // A server that loads its data tells its settings all the same, and nobody waits until it is done.
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
  });
  redis.on("error", (error) => log.debug({ err: error }, "the check of Redis failed"));
  let policy: string | undefined;
  try {
    await redis.connect();
    policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info("memory"))?.[1];
  } catch (error) {
    log.warn(
      { err: error },
      "Redis is away, so its settings were not checked; jobs are enqueued when it is back",
    );
  } finally {
    redis.disconnect();
  }
  if (policy !== undefined && policy !== "noeviction")
    throw new StartRefused(
      `REDIS_URL: the server's maxmemory-policy is ${policy}, which can drop jobs; set it to noeviction`,
    );
}

export const postgresQueueSchema = "bullmq";
const insufficientPrivilege = "42501";

/**
 * A worker listens on a database client of its own. If that client is lost while it begins to listen,
 * BullMQ believes that it listens and waits up to an hour for a notice that never comes. So this worker
 * looks for jobs every few seconds, and begins to listen again.
 */
class RefreshedPostgresBackend extends PostgresQueueBackend {
  override async waitForJob(blockTimeout: number): ReturnType<PostgresQueueBackend["waitForJob"]> {
    const found = await super.waitForJob(Math.min(blockTimeout, lookAgainSeconds));
    if (!found) await this.reconnectBlocking();
    return found;
  }
}

const createRefreshedBackend: BackendFactory = (name, options) =>
  new RefreshedPostgresBackend(
    new PostgresConnection(options.connection as never),
    name,
    options as never,
  );

/** `workers` is how many workers this process will run: each of them keeps a database client for itself. */
export function createPostgresQueueBackend({
  databaseUrl,
  workers,
  log,
  isReadOnly = false,
}: {
  databaseUrl: string;
  workers: number;
  log: Log;
  isReadOnly?: boolean;
}): QueueBackend {
  const pool = createPool({
    databaseUrl,
    max: 4 + workers,
    patienceMs: jobPatienceMs,
    log,
    searchPath: `public,${postgresQueueSchema}`,
    statementTimeoutMs: queueStatementTimeoutMs,
    isReadOnly,
  });
  // Every queue and worker adds a listener to the pool.
  pool.setMaxListeners(0);
  return {
    outage: new OutageLog(log, "the job queue"),
    isReachable: () => true,
    createQueue: (name) =>
      new Queue(
        name,
        { connection: pool, skipMetasUpdate: isReadOnly, ...queueOptions },
        createRefreshedBackend as never,
      ),
    createWorker: (name, processor, options) =>
      new AskingWorker(
        name,
        processor,
        { connection: pool, ...workerOptions, ...options },
        createRefreshedBackend,
      ),
    // A worker that did not close in time may still have a client of the pool.
    close: () => withTimeout(closeTimeoutMs, () => pool.end()).catch(() => undefined),
  };
}

/** A role that may not make tables uses those that their owner has made. */
export async function migratePostgresQueue(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, postgresQueueSchema);
  } catch (error) {
    if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error;
    const { rows } = await client.query<{ isThere: boolean }>(
      `select to_regnamespace('${postgresQueueSchema}') is not null as "isThere"`,
    );
    if (!rows[0]?.isThere)
      throw new StartRefused(
        "The job queue has no tables, and the role of DATABASE_URL may not make them. Set DATABASE_MIGRATION_URL to " +
          "the address of the role that owns the tables.",
      );
  } finally {
    client.release();
  }
}
