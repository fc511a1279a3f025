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

/** What the sessions of this program are called in the database. A newer program has a later name. */
export const programName = `rollcall ${listMigrations().at(-1) ?? ""}`;

/** For a client of the database. A name that the address gives would hide which program it is. */
export function nameSession(databaseUrl: string): {
  connectionString: string;
  application_name: string;
} {
  const url = URL.parse(databaseUrl);
  const isNamed = url?.searchParams.has("application_name") === true;
  if (isNamed) url?.searchParams.delete("application_name");
  return {
    connectionString: isNamed && url ? url.toString() : databaseUrl,
    application_name: programName,
  };
}
