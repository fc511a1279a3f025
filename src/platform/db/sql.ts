import { createHash } from "node:crypto";
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";

/** A pool or a transaction: what a store needs. */
export interface Queryable {
  query<Row extends QueryResultRow>(
    query: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

/** A value with its name, as `{ clientId }`. */
type Parameter = Readonly<Record<string, unknown>>;

/** A piece of SQL: text, and parameters that get their numbers when the statement is whole. */
export class Sql {
  readonly pieces: readonly (string | Parameter)[];

  constructor(pieces: readonly (string | Parameter)[]) {
    this.pieces = pieces;
  }

  /** The statement, prepared. Its text depends on the text and the names of its pieces, and not on the values. */
  toQuery(): QueryConfig {
    const values = new Map<string, unknown>();
    const numberOf = (name: string, value: unknown): number => {
      if (values.has(name) && values.get(name) !== value)
        throw new Error(`the parameter ${name} has two values`);
      values.set(name, value);
      return [...values.keys()].indexOf(name) + 1;
    };
    const texts = this.pieces.map((piece) =>
      typeof piece === "string"
        ? piece
        : Object.entries(piece)
            .map(([name, value]) => `$${numberOf(name, value)}`)
            .join(", "),
    );
    return prepared(texts.join(""), [...values.values()]);
  }
}

/**
 * SQL that is put together: `` sql`where id = ${{ id }} and ${condition}` ``. In it stand other pieces, and parameters
 * by their names, of which several are a list. Nobody numbers parameters, so pieces need not know of each other: the same name is the same
 * parameter wherever it stands. Throws, when the statement is made, for a name with two values.
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | Parameter)[]): Sql {
  return new Sql(
    texts.flatMap((text, index) => {
      const part = parts[index] ?? [];
      return [text, ...(part instanceof Sql ? part.pieces : [part].flat())];
    }),
  );
}

/** Text of our own as a piece, such as the name of a column. */
export function sqlText(text: string): Sql {
  return new Sql([text]);
}

/** The pieces one after another. */
export function joinSql(pieces: readonly Sql[], separator: string): Sql {
  return new Sql(pieces.flatMap((piece, index) => [index > 0 ? separator : "", ...piece.pieces]));
}

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

const names = new Map<string, string>();

/**
 * A statement that each database client plans once, for those that run all the time. The text has to be one of a
 * few: it is kept here and by the server.
 */
export function prepared(text: string, values: unknown[]): QueryConfig {
  const name = names.get(text) ?? createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return { name, text, values };
}

/** The same statement, which is planned for this time alone. */
export function unprepared(statement: string | QueryConfig): string | QueryConfig {
  if (typeof statement === "string") return statement;
  const { name: _name, ...rest } = statement;
  return rest;
}
