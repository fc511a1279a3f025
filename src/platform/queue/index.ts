// The job queue: BullMQ on Redis, or on Postgres where there is no Redis. It only wakes the workers: payloads
// hold ids, and the rooms' tables say what is to be done.
export {
  checkRedisKeepsJobs,
  createPostgresQueueBackend,
  createRedisBackend,
  migratePostgresQueue,
  postgresQueueSchema,
} from "./backend.ts";
export { JobQueue, type JobDefinition } from "./queue.ts";
