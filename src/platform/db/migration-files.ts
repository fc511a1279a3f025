import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const migrationsDir = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** A migration says this of the programs that work with what it leaves, as their last migration. */
const startsFrom = /^-- Programs from (\w+) on may start on it\.$/m;

/** The names, the oldest first. */
export function listMigrations(): string[] {
  return readdirSync(migrationsDir)
    .filter((name) => name.endsWith(".sql"))
    .map((name) => name.slice(0, -".sql".length))
    .sort();
}

export function readStartsFrom(name: string): string | undefined {
  return startsFrom.exec(readFileSync(`${migrationsDir}/${name}.sql`, "utf8"))?.[1];
}
