import {
  Queue,
  PostgresConnection,
  PostgresQueueBackend,
  runMigrations,
  type BackendFactory,
  type Processor,
  type QueueOptions,
  type Worker,
} from "bullmq";
import { createPool, queryRow, type Pool } from "../db/index.ts";
import type { Log } from "../log.ts";
import { openRedis, openRedisOnce } from "../open-redis.ts";
import { OutageLog } from "../outage-log.ts";
import { MendedWorker } from "./mended-bullmq.ts";
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

/** Statements of the queue are small. */
const queueStatementTimeoutMs = 3_000;

const queueOptions = {
  skipWaitingForReady: true,
  defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
} satisfies Partial<QueueOptions>;

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
      new MendedWorker(name, processor, { connection: consumer, prefix, ...options }),
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

/** Throws when Redis may drop jobs to free memory. A Redis that is away passes unchecked. */
export async function checkRedisKeepsJobs(url: string, log: Log): Promise<void> {
  const redis = openRedisOnce(url, 2_000);
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

/** Not that of BullMQ, which gives the sessions of its workers names: ours have that of the program. */
const createBackend: BackendFactory = (name, options) =>
  new PostgresQueueBackend(
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
        createBackend as never,
      ),
    createWorker: (name, processor, options) =>
      new MendedWorker(name, processor, { connection: pool, ...options }, createBackend),
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
    const row = await queryRow<{ isThere: boolean }>(
      client,
      `select to_regnamespace('${postgresQueueSchema}') is not null as "isThere"`,
    );
    if (!row?.isThere)
      throw new StartRefused(
        "The job queue has no tables, and the role of DATABASE_URL may not make them. Set DATABASE_MIGRATION_URL to " +
          "the address of the role that owns the tables.",
      );
  } finally {
    client.release();
  }
}
