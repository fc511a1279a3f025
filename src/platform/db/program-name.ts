import { listMigrations } from "./migration-files.ts";

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
