import type { Config } from "./config.ts";
import type { SteadyClock } from "./platform/clock.ts";
import type { Pool } from "./platform/db/index.ts";
import type { Log } from "./platform/log.ts";
import {
  checkRedisKeepsJobs,
  createPostgresQueueBackend,
  createRedisBackend,
  JobQueue,
  migratePostgresQueue,
} from "./platform/queue/index.ts";

/** The kinds of jobs. Each has a queue of its own. */
export const queueNames = ["read", "sign-in", "poll", "deliver"] as const;

/** On Redis where there is one, otherwise on Postgres. */
export async function buildQueue(options: {
  config: Config;
  redisUrl: string | undefined;
  databaseUrl: string;
  pool: Pool;
  /** The number of kinds of jobs that this process may run. */
  workers: number;
  clock: SteadyClock;
  log: Log;
}): Promise<JobQueue> {
  const { config, redisUrl, databaseUrl, pool, workers, clock, log } = options;
  if (redisUrl) {
    await checkRedisKeepsJobs(redisUrl, log);
    const backend = createRedisBackend({ url: redisUrl, prefix: config.redisPrefix, log });
    return new JobQueue({ backend, clock, log });
  }
  await migratePostgresQueue(pool);
  const backend = createPostgresQueueBackend({ databaseUrl, workers, log });
  return new JobQueue({ backend, clock, log });
}
