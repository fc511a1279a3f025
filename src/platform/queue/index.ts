// The doorbell of the workers: BullMQ on Redis, or on Postgres where there is no Redis.
// Payloads carry ids only; what is owed stands in the rooms' tables.
export {
  checkRedisKeepsJobs,
  createPostgresQueueBackend,
  createRedisBackend,
  migratePostgresQueue,
  type QueueBackend,
} from "./backend.ts";
export { JobQueue, type JobDefinition, type JobOutcome } from "./queue.ts";
