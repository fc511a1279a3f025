import type { Keyring } from "./crypto/index.ts";
import { queryRow, queryRows, transaction, type Pool, type Queryable } from "./db/index.ts";

/** Tables whose rows the service proves by a MAC or a seal of their own, beside what is sealed in them. */
export type BoundTable = "clients" | "connect_flows" | "authorization_codes";

/**
 * Whether every row of a table has to be bound. While processes of an earlier version may write, a row may still be
 * without.
 */
export interface BoundSince {
  requires(table: BoundTable): boolean;
}

/** How the rows of an earlier version are bound. The room of the table describes it. */
export interface BoundRows {
  readonly table: BoundTable;
  /** Binds the rows that nobody has changed since the upgrade began. `upgrade` is a transaction id. */
  bindUnchanged(pool: Pool, keyring: Keyring, upgrade: string): Promise<void>;
  countUnbound(db: Queryable): Promise<number>;
}

/** The row with this id, and the transaction in which the upgrade began. */
interface UnboundRow {
  id: string;
  upgrade: string;
}

/** Rows that are bound one by one, each in a transaction of its own. */
export function describeBoundRows({
  table,
  key,
  unbound,
  bindIfUnchanged,
}: {
  table: BoundTable;
  /** The column of their id. */
  key: string;
  /** Which rows are without, as the end of a query. */
  unbound: string;
  bindIfUnchanged(tx: Queryable, keyring: Keyring, row: UnboundRow): Promise<void>;
}): BoundRows {
  return {
    table,
    bindUnchanged: async (pool, keyring, upgrade) => {
      const rows = await queryRows<{ id: string }>(
        pool,
        `select ${key} as id ${unbound} order by ${key}`,
      );
      for (const { id } of rows)
        await transaction(pool, async (tx) => await bindIfUnchanged(tx, keyring, { id, upgrade }));
    },
    countUnbound: (db) => countUnbound(db, unbound),
  };
}

export async function countUnbound(db: Queryable, unbound: string): Promise<number> {
  const row = await queryRow<{ rows: number }>(db, `select count(*)::integer as rows ${unbound}`);
  return row?.rows ?? 0;
}
