import type { Keyring, Sealed } from "./crypto/index.ts";
import { type Queryable, queryRows } from "./db/index.ts";

/** Rows of a table that are sealed, or bound by a MAC, under a master key. The room of the table describes them. */
export interface KeyedRows {
  /** As operators know it. */
  readonly table: string;
  count(db: Queryable): Promise<KeyCount[]>;
  /** Whether the key opens one of the rows that name it. Undefined when there is none. */
  isOpenedBy(db: Queryable, keyring: Keyring, keyId: string): Promise<boolean | undefined>;
  /** Seals a batch of the rows that are under another key again, under the active one. */
  rewrap(db: Queryable, keyring: Keyring, batch: Batch): Promise<RewrappedBatch>;
}

interface KeyCount {
  keyId: string;
  rows: number;
}

interface Batch {
  /** Where the batch before ended. */
  after: string | undefined;
  most: number;
}

interface RewrappedBatch {
  /** Where the next batch begins. Undefined after the last one. */
  next: string | undefined;
  rewrapped: number;
  /** Rows that somebody else changed, or is changing, at this moment. */
  busy: number;
  /** Rows that the key they name does not open. They stay as they are. */
  unopened: string[];
}

interface Wanted extends Batch {
  keyId: string;
  /** The rows under this key, or those under all others. */
  are: "under" | "elsewhere";
}

interface Description<Row, Renewed> {
  table: string;
  count: KeyedRows["count"];
  /** In the order of the cursor. */
  find(db: Queryable, wanted: Wanted): Promise<(Row & { cursor: string })[]>;
  /** Opens a row and seals it under the active key. Throws for a row that does not open. */
  renew(keyring: Keyring, row: Row): Renewed;
  /** Whether the key opens the row, where `renew` throws for none. */
  isOpen?: ((keyring: Keyring, row: Row) => boolean) | undefined;
  /** Stores those whose row is still as it was found; returns their number. */
  store(db: Queryable, pairs: readonly { before: Row; after: Renewed }[]): Promise<number>;
}

export function describeKeyedRows<Row, Renewed>({
  table,
  count,
  find,
  renew,
  isOpen,
  store,
}: Description<Row, Renewed>): KeyedRows {
  const tryToRenew = (keyring: Keyring, row: Row): { after: Renewed } | undefined => {
    try {
      return { after: renew(keyring, row) };
    } catch {
      return undefined;
    }
  };
  return {
    table,
    count,
    isOpenedBy: async (db, keyring, keyId) => {
      const [row] = await find(db, { keyId, are: "under", after: undefined, most: 1 });
      if (row && isOpen) return isOpen(keyring, row);
      return row && tryToRenew(keyring, row) !== undefined;
    },
    rewrap: async (db, keyring, { after, most }) => {
      const wanted = { keyId: keyring.activeKeyId, are: "elsewhere", after, most } as const;
      const rows = await find(db, wanted);
      const pairs: { before: Row; after: Renewed }[] = [];
      const unopened: string[] = [];
      for (const before of rows) {
        const renewed = tryToRenew(keyring, before);
        if (renewed) pairs.push({ before, ...renewed });
        else unopened.push(before.cursor);
      }
      const rewrapped = pairs.length === 0 ? 0 : await store(db, pairs);
      const next = rows.length === most ? rows.at(-1)?.cursor : undefined;
      return { next, rewrapped, busy: pairs.length - rewrapped, unopened };
    },
  };
}

/** The rows of a table that has a data key in each: `id`, `key_id` and `wrapped_key`. */
export function describeWrappedKeys(
  table: string,
  rewrap: (keyring: Keyring, id: string, wrapped: Sealed) => Sealed,
): KeyedRows {
  return describeKeyedRows<Sealed & { cursor: string }, Sealed>({
    table,
    count: async (db) =>
      await queryRows(
        db,
        `select key_id as "keyId", count(*)::integer as rows from ${table} group by key_id`,
      ),
    find: async (db, { keyId, are, after, most }) =>
      await queryRows(
        db,
        `select id as cursor, key_id as "keyId", wrapped_key as bytes from ${table}
         where (key_id = $1) = $2 and ($3::uuid is null or id > $3) order by id limit $4`,
        [keyId, are === "under", after ?? null, most],
      ),
    renew: (keyring, { cursor, ...wrapped }) => rewrap(keyring, cursor, wrapped),
    store: async (db, pairs) => {
      const { rowCount } = await db.query(
        `with fresh as (
           select t.id, w.key_id, w.wrapped_key
           from unnest($1::uuid[], $2::bytea[], $3::text[], $4::bytea[]) as w (id, before, key_id, wrapped_key)
           join ${table} t on t.id = w.id and t.wrapped_key = w.before
           order by t.id for no key update of t skip locked)
         update ${table} t set key_id = fresh.key_id, wrapped_key = fresh.wrapped_key from fresh where t.id = fresh.id`,
        [
          pairs.map(({ before }) => before.cursor),
          pairs.map(({ before }) => before.bytes),
          pairs.map(({ after }) => after.keyId),
          pairs.map(({ after }) => after.bytes),
        ],
      );
      return rowCount ?? 0;
    },
  });
}
