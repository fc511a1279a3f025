import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Queryable } from "./pool.ts";
import { queryRows } from "./query-rows.ts";

export const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));
const undefinedTable = "42P01";

/** The migrations that the database lacks. Undefined when it has some that this program does not know. */
export async function findPending(db: Queryable): Promise<string[] | undefined> {
  const names = readdirSync(migrationsDir)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .toSorted();
  const applied = await listApplied(db);
  if (applied.some((name) => !names.includes(name))) return undefined;
  return names.filter((name) => !applied.includes(name));
}

async function listApplied(db: Queryable): Promise<string[]> {
  try {
    const rows = await queryRows<{ name: string }>(db, "select name from migrations");
    return rows.map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: unknown }).code === undefinedTable) return [];
    throw error;
  }
}
