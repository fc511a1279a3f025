import * as audit from "../audit/index.ts";
import type { Config, Secrets } from "../config/index.ts";
import {
  createPool,
  type DatabaseClock,
  findRole,
  findSchemaState,
  grantToRole,
  migrate,
  ownsTables,
  reachDatabase,
  type Pool,
} from "../platform/db/index.ts";
import { findRunningPostgres, startEmbeddedPostgres } from "../platform/embedded/index.ts";
import type { Log } from "../platform/log.ts";
import { StartRefused } from "../platform/start-refused.ts";
import type { StartSteps } from "./start-steps.ts";
import { migratePostgresQueue, postgresQueueSchema } from "../platform/queue/index.ts";

interface Settings {
  config: Config;
  secrets: Secrets;
}

interface Use {
  /** It is only looked at: nothing is started or migrated, and it takes no write. */
  isReadOnly: boolean;
  /** A command ends soon, and no caller waits for it. */
  isCommand: boolean;
}

interface Tools {
  clock: DatabaseClock;
  log: Log;
  steps: StartSteps;
  disposals: (() => Promise<void>)[];
}

/** Without it there is no service_now(). */
const oldestReadable = "0036_service_time";
/** How long a caller, and a job, wait for their turn at the database. */
const callerPatienceMs = 3_000;
const jobPatienceMs = 60_000;
/** How long a command waits for a socket to a busy database. A caller of the service waits as long as the pool says. */
const commandConnectTimeoutMs = 15_000;

/** The database, at the newest schema unless it is only looked at. What has to be closed goes to `disposals`. */
export async function openDatabase(
  { config, secrets }: Settings,
  { isReadOnly, isCommand }: Use,
  tools: Tools,
): Promise<{ databaseUrl: string; pool: Pool }> {
  const { clock, log, steps, disposals } = tools;
  const {
    databaseUrl = isReadOnly
      ? findOwnPostgres(config)
      : await startOwnPostgres(config, { isBrief: isCommand }, tools),
  } = secrets;
  await steps.open("reaches the database", () =>
    reachDatabase(databaseUrl, { patienceMs: steps.silentMs }),
  );
  if (!isReadOnly)
    await steps.open("brings the database to the newest schema", () =>
      prepareDatabase({ ...secrets, databaseUrl }, tools),
    );
  const pool = createPool({
    databaseUrl,
    max: config.databasePoolMax,
    patienceMs: config.role === "api" ? callerPatienceMs : jobPatienceMs,
    log,
    isReadOnly,
    ...(isCommand ? { connectTimeoutMs: commandConnectTimeoutMs } : { failsFast: true }),
  });
  disposals.push(() => pool.end());
  if (isReadOnly) await steps.open("looks at the schema", () => refuseOlderSchema(pool));
  await steps.open("looks at the database's time", () =>
    clock.look((statement) => pool.query(statement)),
  );
  if (!config.isLocal && !isReadOnly)
    await steps.open("looks who owns the tables", () => warnOfOwner(pool, log));
  return { databaseUrl, pool };
}

/** A caller that only looks does not migrate, and statements of this program do not run on each older schema. */
async function refuseOlderSchema(pool: Pool): Promise<void> {
  const { newest = "none", missing } = await findSchemaState(pool);
  if (!missing.includes(oldestReadable)) return;
  throw new StartRefused(
    `The database is older than this program: its newest migration is ${newest}, and this program reads those from ` +
      `${oldestReadable} on. Bring it to the new schema with npx rollcall database migrate, or ask with the version ` +
      "that it is of.",
  );
}

function findOwnPostgres({ stateDir }: Config): string {
  const databaseUrl = findRunningPostgres(stateDir);
  if (databaseUrl === undefined)
    throw new StartRefused(
      `No service runs in ${stateDir}. Start it with npm start, or set DATABASE_URL and the other variables of the ` +
        "service that you operate.",
    );
  return databaseUrl;
}

async function startOwnPostgres(
  { stateDir }: Config,
  { isBrief }: { isBrief: boolean },
  { log, disposals }: Tools,
): Promise<string> {
  const postgres = await startEmbeddedPostgres({ stateDir, log, isBrief });
  disposals.push(() => postgres.stop());
  return postgres.databaseUrl;
}

/** The tables that the role of the service may add to, and nothing else. */
export const appendOnlyTables = [...audit.appendOnlyTables, "binding_moments"];
/**
 * Those whose rows it may change and not delete. A token that has ended stays in its place, so that an earlier copy of
 * its row finds none.
 */
export const keptTables = [...audit.keptTables, "tokens"];

async function warnOfOwner(pool: Pool, log: Log): Promise<void> {
  if (await ownsTables(pool))
    log.warn(
      "the role of DATABASE_URL owns the tables, so whoever has it can change the audit record and the time that the " +
        "service goes by; give the service a role of its own, and the owner's address in DATABASE_MIGRATION_URL",
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
