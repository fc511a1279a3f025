import { randomUUID } from "node:crypto";
import { Client, Pool } from "pg";
import { inject } from "vitest";
import type { SteadyClock } from "../../src/platform/clock.ts";
import { setTime } from "./database-time.ts";

export interface TestDatabase {
  url: string;
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** The time that it shows from the next statement on: see `setTime`. */
  setTime: (told: string | undefined) => void;
  /** What leads its time, if anything does. */
  clock?: SteadyClock;
  drop: () => Promise<void>;
}

/** A database of its own, cloned from the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const [admin, timeFolder] = [inject("postgresUrl"), inject("timeFolder")];
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  // Copied as files, it takes a third of the time that it takes by way of the log.
  await queryOnce(admin, `create database ${name} template template_rollcall strategy file_copy`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  const pool = openPool(url.toString());
  return {
    url: url.toString(),
    query: async (text, values) =>
      (await pool.query<Record<string, unknown>>(text, values ?? [])).rows,
    setTime: (told) => setTime(timeFolder, url.toString(), told),
    drop: async () => {
      await pool.end();
      await queryOnce(admin, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Sessions that a test leaves unused for a moment end, and so do they when the database ends them. */
function openPool(databaseUrl: string): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    // One without a name counts as a program of an older version.
    application_name: "test",
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
  });
  pool.on("error", () => undefined);
  return pool;
}

/** Over a socket of its own. */
export async function queryOnce(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    return rows;
  } finally {
    await client.end();
  }
}
