import type { Client } from "pg";
import { readProgramVersion } from "../program-version.ts";
import { StartRefused } from "../start-refused.ts";
import { listMigrations, readStartsFrom } from "./migration-files.ts";
import { type Queryable, queryRow, queryRows } from "./sql.ts";

interface UnknownMigration {
  name: string;
  /** Null when the program that brought it was ended before it could say. */
  version: string | null;
  startsFrom: string | null;
}

/**
 * A database that has migrations of a newer program is not for this one, unless each of them says that it may start.
 * Whoever runs already goes on: migrations leave an older program working.
 */
export async function refuseNewerSchema(client: Client): Promise<void> {
  const known = listMigrations();
  const last = known.at(-1) ?? "";
  const unknown = await listUnknown(client, known);
  const newest = unknown.at(-1);
  const mayStart = ({ startsFrom }: UnknownMigration): boolean =>
    startsFrom !== null && startsFrom <= last;
  if (!newest || unknown.every(mayStart)) return;
  const program = readProgramVersion();
  const version = unknown.findLast((migration) => migration.version !== null)?.version;
  throw new StartRefused(
    `The database is newer than this program: it has the migration ${newest.name}` +
      `${version ? ` of version ${version}` : ""}, and this is version ${program}, which knows those up to ${last}. ` +
      `Start ${version ? `version ${version}` : "the version that brought it"} or a newer one. The way back to this ` +
      "version is a backup of before the upgrade.",
  );
}

/** Read as JSON: the columns are those of a migration that this database may not have. */
async function listUnknown(client: Client, known: readonly string[]): Promise<UnknownMigration[]> {
  if (!(await hasMigrations(client))) return [];
  return await queryRows<UnknownMigration>(
    client,
    `select name, to_jsonb(m) ->> 'program_version' as version, to_jsonb(m) ->> 'starts_from' as "startsFrom"
     from migrations m where name <> all($1) order by name`,
    [known],
  );
}

export async function findNewestMigration(
  db: Queryable,
): Promise<{ name: string; runOn: Date } | undefined> {
  return await queryRow(
    db,
    `select name, run_on at time zone current_setting('timezone') as "runOn" from migrations
     order by name desc limit 1`,
  );
}

/** What a killed program left unsaid, the next one says. Of migrations before this one nobody knows. */
const firstWithVersion = "0032_upgrades";

/** Says of each migration which version brought it, and who may start on it. */
export async function recordVersions(client: Client): Promise<void> {
  const rows = await queryRows<{ name: string }>(
    client,
    `select name from migrations m where name >= $1 and name = any($2)
       and to_jsonb(m) -> 'program_version' = 'null'`,
    [firstWithVersion, listMigrations()],
  );
  const names = rows.map(({ name }) => name);
  if (names.length === 0) return;
  await client.query(
    `update migrations m set program_version = $1, starts_from = w.starts_from
     from unnest($2::text[], $3::text[]) as w (name, starts_from) where m.name = w.name`,
    [readProgramVersion(), names, names.map((name) => readStartsFrom(name) ?? null)],
  );
}

export interface SchemaState {
  /** The newest migration of the database; undefined before the first one. */
  newest: string | undefined;
  /** Migrations of this program that the database does not have. */
  missing: string[];
  /** Migrations of the database that this program does not know. */
  unknown: string[];
}

/** How the schema of the database stands to that of this program. It changes nothing. */
export async function findSchemaState(db: Queryable): Promise<SchemaState> {
  const known = listMigrations();
  const applied = (await hasMigrations(db))
    ? await queryRows<{ name: string }>(db, "select name from migrations order by run_on, id")
    : [];
  const names = applied.map(({ name }) => name);
  return {
    newest: names.at(-1),
    missing: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
  };
}

/** False before the first one. */
async function hasMigrations(db: Queryable): Promise<boolean> {
  const row = await queryRow<{ isThere: boolean }>(
    db,
    `select to_regclass('migrations') is not null as "isThere"`,
  );
  return row?.isThere === true;
}
