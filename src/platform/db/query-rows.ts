import type { QueryConfig } from "pg";
import type { Queryable } from "./pool.ts";

/**
 * The rows of a statement, as objects of our own. A statement names each column as the field that it fills
 * (`client_id as "clientId"`), so that a row needs neither a second interface nor a function that maps it.
 * Every store reads its rows in this way.
 */
export async function queryRows<Row extends object>(
  db: Queryable,
  query: string | QueryConfig,
  values?: unknown[],
): Promise<Row[]> {
  const { rows } = await db.query<Row & Record<string, unknown>>(query, values);
  return rows;
}

/** The first row; undefined when there is none. */
export async function queryRow<Row extends object>(
  db: Queryable,
  query: string | QueryConfig,
  values?: unknown[],
): Promise<Row | undefined> {
  const [row] = await queryRows<Row>(db, query, values);
  return row;
}
