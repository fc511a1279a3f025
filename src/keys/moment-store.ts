import type { BoundTable } from "../platform/bound-rows.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

/** When the upgrade of a table began, or since when each of its rows has to be bound. */
export interface Moment {
  table: BoundTable;
  kind: "upgrade" | "bound";
  /** The transaction of that moment. */
  xid: string;
  at: Date;
  mac: Buffer;
}

export async function listMoments(db: Queryable): Promise<Moment[]> {
  return await queryRows<Moment>(
    db,
    `select table_name as "table", kind, xid::text, at, mac from binding_moments order by kind desc`,
  );
}

/** Inserts the moment of this transaction. */
export async function insertMoment(
  tx: Queryable,
  moment: Pick<Moment, "table" | "kind" | "at">,
  sign: (moment: Omit<Moment, "mac">) => Buffer,
): Promise<void> {
  const row = await queryRow<{ xid: string }>(tx, "select pg_current_xact_id()::text as xid");
  const { table, kind, at } = moment;
  const xid = row?.xid ?? "";
  await tx.query(
    "insert into binding_moments (table_name, kind, xid, at, mac) values ($1, $2, $3, $4, $5)",
    [table, kind, xid, at, sign({ ...moment, xid })],
  );
}
