import type { Keyring, Sealed } from "./crypto/index.ts";
import { queryRows } from "./db/index.ts";
import { describeKeyedRows, type KeyedRows } from "./keyed-rows.ts";

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
