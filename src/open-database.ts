import { appendOnlyTables, keptTables } from "./audit/index.ts";
import type { Config, Secrets } from "./config.ts";
import type { Clock } from "./platform/clock.ts";
import {
  createPool,
  findRole,
  grantToRole,
  migrate,
  ownsTables,
  type Pool,
} from "./platform/db/index.ts";
import { startEmbeddedPostgres } from "./platform/embedded/index.ts";
import type { Log } from "./platform/log.ts";
import { migratePostgresQueue, postgresQueueSchema } from "./platform/queue/index.ts";

interface Tools {
  clock: Clock;
  log: Log;
}

/** How long a caller, and a job, wait for their turn at the database. */
const callerPatienceMs = 3_000;
const jobPatienceMs = 60_000;

/** The database at the newest schema. What has to be closed goes to `disposals`. */
export async function openDatabase(
  { config, secrets }: { config: Config; secrets: Secrets },
  { clock, log }: Tools,
  disposals: (() => Promise<void>)[],
): Promise<{ databaseUrl: string; pool: Pool }> {
  let { databaseUrl } = secrets;
  if (databaseUrl === undefined) {
    const postgres = await startEmbeddedPostgres({ stateDir: config.stateDir, log });
    disposals.push(() => postgres.stop());
    ({ databaseUrl } = postgres);
  }
  await prepareDatabase({ ...secrets, databaseUrl }, { clock, log });
  const patienceMs = config.role === "api" ? callerPatienceMs : jobPatienceMs;
  const max = config.databasePoolMax;
  const pool = createPool({ databaseUrl, max, patienceMs, log, failsFast: true });
  disposals.push(() => pool.end());
  if (!config.isLocal) await warnOfOwner(pool, log);
  return { databaseUrl, pool };
}

async function warnOfOwner(pool: Pool, log: Log): Promise<void> {
  if (await ownsTables(pool))
    log.warn(
      "the role of DATABASE_URL owns the tables, so whoever has it can change the audit record; give the service a " +
        "role of its own, and the owner's address in DATABASE_MIGRATION_URL",
    );
}

/**
 * Brings the database to the newest schema, as the owner of the tables where there is one. The role of the service then
 * gets what it needs and owns nothing.
 */
async function prepareDatabase(
  {
    databaseUrl,
    migrationUrl,
    redisUrl,
  }: Pick<Secrets, "migrationUrl" | "redisUrl"> & { databaseUrl: string },
  { clock, log }: Tools,
): Promise<void> {
  await migrate(migrationUrl ?? databaseUrl, { clock, log });
  if (migrationUrl === undefined) return;
  const role = await findRole(databaseUrl);
  if (role === (await findRole(migrationUrl))) return;
  const owner = createPool({
    databaseUrl: migrationUrl,
    max: 1,
    patienceMs: jobPatienceMs,
    log,
  });
  try {
    const hasQueue = redisUrl === undefined;
    if (hasQueue) await migratePostgresQueue(owner);
    const schemas = ["public", ...(hasQueue ? [postgresQueueSchema] : [])];
    await grantToRole(owner, role, {
      schemas,
      appendOnly: appendOnlyTables,
      kept: keptTables,
    });
  } finally {
    await owner.end();
  }
}
