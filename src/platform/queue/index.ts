// The job queue: BullMQ on Redis, or on Postgres where there is no Redis. It only wakes the workers: payloads carry ids,
// and what has to be done stands in the rooms' tables.
export {
  checkRedisKeepsJobs,
  createPostgresQueueBackend,
  createRedisBackend,
  migratePostgresQueue,
  type QueueBackend,
} from "./backend.ts";
export { JobQueue, type JobDefinition, type JobOutcome } from "./queue.ts";
