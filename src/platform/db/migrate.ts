import { runner } from "node-pg-migrate";
import { Client } from "pg";
import { addSeconds, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { StartRefused } from "../start-refused.ts";
import { findPending, migrationsDir } from "./find-pending.ts";
import type { Queryable } from "./pool.ts";
import { queryRow } from "./query-rows.ts";

export const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));
const lockNotAvailable = "55P03";
const retryDelayMs = 2_000;
const mostMinutes = 2;

/**
 * Brings the database to the newest schema. Any number of processes may call it at once: under an advisory
 * lock each file runs once. A file that does not get its table lock within its lock_timeout lets the
 * running queries pass and is tried again, so that nobody waits longer than that.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions): Promise<void> {
  const { clock, log } = options;
  const givesUpAt = addSeconds(clock.now(), mostMinutes * 60);
  for (let tries = 1; ; tries += 1) {
    try {
      await withClient(databaseUrl, log, (client) => runPending(client, options));
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tries === maxTries) throw error;
      log.info({ tries }, "a migration did not get its table lock; it is tried again");
      await clock.sleep(retryDelayMs);
    }
  }
}

async function runPending(client: Client, { log, count }: MigrateOptions): Promise<void> {
  await refuseNewerSchema(client);
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

async function withClient<Result>(
  databaseUrl: string,
  log: Log,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on("error", (error) =>
    log.warn({ err: error }, "the database client that migrates was lost; the migration fails"),
  );
  await client.connect();
  try {
    const pending = await findPending(client);
    if (pending?.length === 0) return;
    if (pending && !(await mayMigrate(client))) throw mayNotMigrate(pending);
    const applied = await runner({
      dbClient: client,
      dir: migrationsDir,
      direction: "up",
      migrationsTable: "migrations",
      checkOrder: true,
      singleTransaction: false,
      advisoryLockMode: "wait",
      log: () => {},
    });
    const last = applied.at(-1);
    if (last) log.info({ count: applied.length, last: last.name }, "migrations applied");
  } finally {
    await client.end();
  }
}

/** False when another role owns the tables. */
async function mayMigrate(db: Queryable): Promise<boolean> {
  const row = await queryRow<{ may: boolean }>(
    db,
    `select coalesce((select pg_has_role(relowner, 'member') from pg_class where oid = to_regclass('migrations')), true)
       as may`,
  );
  return row?.may ?? true;
}

function mayNotMigrate([first = "", ...others]: readonly string[]): StartRefused {
  const lacking = others.length === 0 ? first : `${first} and ${others.length} more`;
  return new StartRefused(
    `The database lacks migrations (${lacking}), and the role of this process may not make them. Set ` +
      "DATABASE_MIGRATION_URL to the address of the role that owns the tables, or run npx rollcall migrate with it first.",
  );
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === lockNotAvailable;
}
