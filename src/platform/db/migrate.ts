import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import { Client } from "pg";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";

const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));
const lockNotAvailable = "55P03";
const retryDelayMs = 2_000;
const maxTries = 60;

/**
 * Brings the database to the newest schema. Any number of processes may call it at once: under an advisory
 * lock each file runs once. A file that does not get its table lock within its lock_timeout lets the
 * running queries pass and is tried again.
 */
export async function migrate(
  databaseUrl: string,
  { clock, log }: { clock: Clock; log: Log },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runPending(databaseUrl, log);
      return;
    } catch (error) {
      if (!isLockTimeout(error) || tries === maxTries) throw error;
      log.info({ tries }, "a migration did not get its table lock; it is tried again");
      await clock.sleep(retryDelayMs);
    }
  }
}

async function runPending(databaseUrl: string, log: Log): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on("error", (error) =>
    log.warn({ err: error }, "the database client that migrates was lost; the migration fails"),
  );
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
    const last = applied.at(-1);
    if (last) log.info({ count: applied.length, last: last.name }, "migrations applied");
  } finally {
    await client.end();
  }
}

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === lockNotAvailable;
}
