import { queryRow, queryRows } from "./query-rows.ts";
import { listMigrations } from "./migration-files.ts";
import type { Queryable } from "./pool.ts";

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
export async function hasMigrations(db: Queryable): Promise<boolean> {
  const row = await queryRow<{ isThere: boolean }>(
    db,
    `select to_regclass('migrations') is not null as "isThere"`,
  );
  return row?.isThere === true;
}
