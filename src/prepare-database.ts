import { appendOnlyTables } from "./audit/index.ts";
import type { Clock } from "./platform/clock.ts";
import { createPool, findRole, grantToRole, migrate } from "./platform/db/index.ts";
import type { Log } from "./platform/log.ts";
import { migratePostgresQueue, postgresQueueSchema } from "./platform/queue/index.ts";

const ownerPatienceMs = 60_000;

/**
 * Brings the database to the newest schema, as the owner of the tables where there is one. The role of the service then
 * gets what it needs and owns nothing.
 */
export async function prepareDatabase(
  {
    databaseUrl,
    migrationUrl,
    hasQueue,
  }: { databaseUrl: string; migrationUrl: string | undefined; hasQueue: boolean },
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  await migrate(migrationUrl ?? databaseUrl, { clock, log });
  if (migrationUrl === undefined) return;
  const role = await findRole(databaseUrl);
  if (role === (await findRole(migrationUrl))) return;
  const owner = createPool({
    databaseUrl: migrationUrl,
    max: 1,
    patienceMs: ownerPatienceMs,
    log,
  });
  try {
    if (hasQueue) await migratePostgresQueue(owner);
    const schemas = ["public", ...(hasQueue ? [postgresQueueSchema] : [])];
    await grantToRole(owner, role, { schemas, appendOnly: appendOnlyTables });
  } finally {
    await owner.end();
  }
}
