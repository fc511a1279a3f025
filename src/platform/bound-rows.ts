import type { Keyring } from "./crypto/index.ts";
import type { Pool, Queryable } from "./db/index.ts";

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
