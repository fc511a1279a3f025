import { randomUUID } from "node:crypto";
import { Client } from "pg";
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
  await queryOnce(admin, `create database ${name} template template_rollcall`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    query: (text, values) => queryOnce(url.toString(), text, values),
    setTime: (told) => setTime(timeFolder, url.toString(), told),
    drop: async () => void (await queryOnce(admin, `drop database if exists ${name} with (force)`)),
  };
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
