import {
  Queue,
  Worker,
  withBackend,
  PostgresConnection,
  PostgresQueueBackend,
  runMigrations,
  type BackendFactory,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from "bullmq";
import { Redis } from "ioredis";
import { createPool, type Pool } from "../db/index.ts";
import { OutageLog, type Log } from "../log.ts";
import { withTimeout } from "../with-timeout.ts";

/** What BullMQ runs on. This file is the only one that knows whether that is Redis or Postgres. */
export interface QueueBackend {
  /** False while it is known to be away, so that nobody waits for it. */
  isReachable(): boolean;
  createQueue(name: string): Queue;
  createWorker(name: string, processor: Processor, options: { concurrency: number }): Worker;
  close(): Promise<void>;
}

const closeTimeoutMs = 2_000;

const queueOptions = {
  skipWaitingForReady: true,
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
} satisfies Partial<QueueOptions>;

/**
 * A worker that dies is noticed within seconds. Its job is handed on without limit, because running one twice is harmless
 * and giving one up is not.
 */
const workerOptions = {
  autorun: false,
  // So soon the queue is asked again after its server was away.
  runRetryDelay: 1_000,
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 1_000_000,
} satisfies Partial<WorkerOptions>;

export function createRedisBackend({
  url,
  prefix,
  log,
}: {
  url: string;
  prefix: string;
  log: Log;
}): QueueBackend {
  const producer = new Redis(url, { maxRetriesPerRequest: null });
  const consumer = new Redis(url, { maxRetriesPerRequest: null });
  const outage = new OutageLog(log, "the queue's Redis");
  for (const connection of [producer, consumer])
    connection.on("error", (error) => outage.failed(error));
  producer.on("ready", () => outage.recovered());
  return {
    isReachable: () => producer.status === "ready",
    createQueue: (name) => new Queue(name, { connection: producer, prefix, ...queueOptions }),
    createWorker: (name, processor, options) =>
      new Worker(name, processor, { connection: consumer, prefix, ...workerOptions, ...options }),
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

/** Throws when Redis would drop jobs to make room. A Redis that is away now is checked by nobody: it is not an error of the configuration. */
export async function checkRedisKeepsJobs(url: string, log: Log): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
  });
  redis.on("error", (error) => log.debug({ err: error }, "Redis could not be checked"));
  let policy: string | undefined;
  try {
    await redis.connect();
    policy = /^maxmemory_policy:(\S+)/m.exec(await redis.info("memory"))?.[1];
  } catch (error) {
    log.warn({ err: error }, "Redis is away; jobs are enqueued when it is back");
  } finally {
    redis.disconnect();
  }
  if (policy !== undefined && policy !== "noeviction")
    throw new Error(
      `REDIS_URL: the server's maxmemory-policy is ${policy}; it has to be noeviction`,
    );
}

const postgresQueueSchema = "bullmq";
/** So long a worker on Postgres trusts that it is told of new jobs, before it looks for itself. */
const lookAgainSeconds = 2;

/**
 * A worker listens on a connection of its own. When that is lost while it begins to listen, BullMQ takes it for listening
 * and waits, for up to an hour, for what it will never be told. So it looks by itself every few seconds, and listens anew.
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

/** `workers` is how many workers will run in this process: each of them keeps one connection for itself. */
export function createPostgresQueueBackend({
  databaseUrl,
  workers,
  log,
}: {
  databaseUrl: string;
  workers: number;
  log: Log;
}): QueueBackend {
  const bullmq = withBackend(createRefreshedBackend);
  const pool = createPool({
    databaseUrl,
    max: 4 + workers,
    log,
    searchPath: `public,${postgresQueueSchema}`,
  });
  // Every queue and worker listens to the pool.
  pool.setMaxListeners(0);
  const connection = pool as never;
  return {
    isReachable: () => true,
    createQueue: (name) =>
      new bullmq.Queue(name, { connection, ...queueOptions }) as unknown as Queue,
    createWorker: (name, processor, options) =>
      new bullmq.Worker(name, processor as never, {
        connection,
        ...workerOptions,
        ...options,
      }) as unknown as Worker,
    // A worker whose close was not waited for may still hold a connection.
    close: () => withTimeout(closeTimeoutMs, () => pool.end()).catch(() => undefined),
  };
}

export async function migratePostgresQueue(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, postgresQueueSchema);
  } finally {
    client.release();
  }
}
