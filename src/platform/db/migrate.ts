import type { Client } from "pg";
import { addSeconds, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { retry } from "../retry.ts";
import { StartRefused } from "../start-refused.ts";
import { migrationsDir } from "./migration-files.ts";
import { queryRow, queryRows } from "./sql.ts";
import { findSchemaState, recordVersions, refuseNewerSchema } from "./schema-version.ts";
import { TableInUse } from "./unavailable.ts";
import { withClient } from "./bounded-client.ts";

interface MigrateOptions {
  clock: Clock;
  log: Log;
  /** Only the next so many. */
  count?: number;
}

/** The lock did not come in time, or the migration stood in the way of others that wait for it. */
const lostStates = new Set(["55P03", "40P01"]);
/** By a migration itself. */
const raisedState = "P0001";
const retryDelayMs = 2_000;
const mostMinutes = 2;

/**
 * Brings the database to the newest schema. Any number of processes may call it at once: under an advisory
 * lock each file runs once. A file that does not get its table lock within its lock_timeout lets the
 * running queries pass and is tried again, so that nobody waits longer than that. Throws TableInUse after two minutes.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions): Promise<void> {
  const { clock, log } = options;
  const onLost = (error: Error): void =>
    log.warn({ err: error }, "the database client that migrates was lost; the migration fails");
  const givesUpAt = addSeconds(clock.now(), mostMinutes * 60);
  const work = async (): Promise<void> =>
    withClient(databaseUrl, (client) => runPending(client, options), { onLost });
  const findPause = async (error: unknown, tries: number): Promise<number> => {
    if (!isLost(error)) throw explainRefusedMigration(error);
    if (clock.now() >= givesUpAt) throw await explainWaiting(databaseUrl, error);
    log.info({ tries }, "a migration did not get its table lock; it is tried again");
    return retryDelayMs;
  };
  await retry(work, { findPause, clock });
}

async function runPending(client: Client, { log, count }: MigrateOptions): Promise<void> {
  await refuseNewerSchema(client);
  const { missing } = await findSchemaState(client);
  if (!(await mayMigrate(client))) {
    if (missing.length > 0) throw mayNotMigrate(missing);
    return;
  }
  if (missing.length === 0) return await recordVersions(client);
  // Most starts find nothing to do, and this is a twentieth of what it costs to load the program.
  const { runner } = await import("node-pg-migrate");
  const applied = await runner({
    dbClient: client,
    dir: migrationsDir,
    direction: "up",
    migrationsTable: "migrations",
    checkOrder: true,
    singleTransaction: false,
    advisoryLockMode: "wait",
    log: () => {},
    ...(count !== undefined && { count }),
  });
  // A newer program may have been at it while this one waited.
  await refuseNewerSchema(client);
  await recordVersions(client);
  const last = applied.at(-1);
  if (last) log.info({ count: applied.length, last: last.name }, "migrations applied");
}

/** False when another role owns the tables. */
async function mayMigrate(client: Client): Promise<boolean> {
  const row = await queryRow<{ may: boolean }>(
    client,
    `select coalesce((select pg_has_role(relowner, 'member') from pg_class where oid = to_regclass('migrations')), true)
       as may`,
  );
  return row?.may ?? true;
}

function mayNotMigrate([first = "", ...others]: readonly string[]): StartRefused {
  const lacking = others.length === 0 ? first : `${first} and ${others.length} more`;
  return new StartRefused(
    `The database lacks migrations (${lacking}), and the role of this process may not make them. Set ` +
      "DATABASE_MIGRATION_URL to the address of the role that owns the tables, or run npx rollcall database migrate " +
      "with it first.",
  );
}

/** Names the transactions that have been open for longest. */
async function explainWaiting(databaseUrl: string, cause: unknown): Promise<TableInUse> {
  const rows = await withClient(databaseUrl, (client: Client) =>
    queryRows<{ pid: number; name: string; since: Date }>(
      client,
      `select pid, application_name as name, xact_start as since from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'
       order by xact_start limit 3`,
    ),
  );
  const holders = rows.map(
    ({ pid, name, since }) => `process ${pid}${name && ` (${name})`} since ${since.toISOString()}`,
  );
  return new TableInUse(
    `A migration waited ${mostMinutes} minutes for a table that another database client uses. ` +
      `Open transactions: ${holders.join(", ") || "none any more"}. End them, or wait for them (a backup by pg_dump ` +
      "is one).",
    { cause },
  );
}

/** A migration that must not run on this data says why, and what to do. */
function explainRefusedMigration(error: unknown): unknown {
  const { code, message, hint } = error as { code?: string; message?: string; hint?: string };
  return code === raisedState && hint
    ? new StartRefused(`${message}. ${hint}`, { cause: error })
    : error;
}

function isLost(error: unknown): boolean {
  return lostStates.has(String((error as { code?: unknown } | null)?.code));
}
