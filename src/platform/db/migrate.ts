import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import { Client } from "pg";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";

const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));
const lockNotAvailable = "55P03";
const retryDelayMs = 2_000;
const attempts = 60;

/**
 * Brings the database to the newest schema. Any number of starters may call it at once: an advisory lock makes each
 * file run once. A file that cannot get its table lock within its lock_timeout gives way to the traffic and is tried again.
 */
export async function migrate(
  databaseUrl: string,
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runPending(databaseUrl, log);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) throw error;
      log.info({ attempt }, "a migration gave way to running queries and will be tried again");
      await clock.sleep(retryDelayMs);
    }
  }
}

async function runPending(databaseUrl: string, log: Log): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on("error", (error) => log.warn({ err: error }, "the migration connection was lost"));
  await client.connect();
  try {
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
    for (const { name } of applied) log.info({ migration: name }, "migration applied");
  } finally {
    await client.end();
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === lockNotAvailable;
}
