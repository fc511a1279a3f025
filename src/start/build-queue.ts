import type { Config } from "../config/index.ts";
import type { SteadyClock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import type { Log } from "../platform/log.ts";
import {
  checkRedisKeepsJobs,
  createPostgresQueueBackend,
  createRedisBackend,
  JobQueue,
  migratePostgresQueue,
} from "../platform/queue/index.ts";

/** The kinds of jobs. Each has a queue of its own. */
export const queueNames = ["read", "sign-in", "deliver"] as const;

/** On Redis where there is one, otherwise on Postgres. */
export async function buildQueue(options: {
  config: Config;
  redisUrl: string | undefined;
  databaseUrl: string;
  pool: Pool;
  /** Nothing is checked, made or changed. */
  isReadOnly: boolean;
  clock: SteadyClock;
  log: Log;
}): Promise<JobQueue> {
  const { config, redisUrl, databaseUrl, pool, clock, log, isReadOnly } = options;
  if (redisUrl) {
    if (!isReadOnly) await checkRedisKeepsJobs(redisUrl, log);
    const backend = createRedisBackend({
      url: redisUrl,
      prefix: config.redisPrefix,
      log,
      isReadOnly,
    });
    return new JobQueue({ backend, clock, log });
  }
  if (!isReadOnly) await migratePostgresQueue(pool);
  const workers = queueNames.length;
  const backend = createPostgresQueueBackend({ databaseUrl, workers, log, isReadOnly });
  return new JobQueue({ backend, clock, log });
}
