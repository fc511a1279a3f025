import { MacKey, sealedBytes, type Keyring, type Sealed } from "../platform/crypto/index.ts";
import { queryRows, type Queryable } from "../platform/db/index.ts";
import { describeKeyedRows } from "../platform/keyed-rows.ts";
import { listKeptAccountKeys } from "./store.ts";

const keptAccountKey = sealedBytes({ name: "kept-account-key", owner: ["keyId"] });

interface KeptRow {
  cursor: string;
  keptUnder: string | null;
  bytes: Buffer | null;
}

/** Digests of accounts are found by the subkeys of earlier keys too, when those keys are gone. */
export async function keepAccountKeys(db: Queryable, keyring: Keyring): Promise<void> {
  for (const { id, ...sealed } of await listKeptAccountKeys(db))
    if (!keyring.has(id) && keyring.has(sealed.keyId))
      keyring.keepMacKey("account", id, openKept(keyring, id, sealed));
}

function openKept(keyring: Keyring, keyId: string, sealed: Sealed): MacKey {
  return new MacKey(keptAccountKey.open(keyring, { keyId }, sealed));
}

/**
 * The subkey for digests of accounts of every key that was active once. It may be that of the active key, when another
 * key had its place meanwhile.
 */
export const keptAccountKeyRows = describeKeyedRows<KeptRow, Sealed>({
  table: "master_keys",
  count: async (db) =>
    await queryRows(
      db,
      `select kept_under as "keyId", count(*)::integer as rows from master_keys
       where kept_under is not null group by kept_under`,
    ),
  find: async (db, { keyId, are, after, most }) =>
    await queryRows(
      db,
      `select id as cursor, kept_under as "keptUnder", kept_account_key as bytes from master_keys
       where id > $3 and case when $2 then kept_under = $1
         when kept_under is null then id <> $1 and activated_at is not null and retired_at is null
         else kept_under <> $1 end
       order by id limit $4`,
      [keyId, are === "under", after ?? "", most],
    ),
  renew: (keyring, { cursor: id, keptUnder, bytes }) => {
    const macKey =
      keptUnder === null || bytes === null
        ? keyring.macKey("account", id)
        : openKept(keyring, id, { keyId: keptUnder, bytes });
    return keptAccountKey.seal(keyring, { keyId: id }, macKey.export());
  },
  store: async (db, pairs) => {
    const { rowCount } = await db.query(
      `update master_keys m set kept_under = w.kept_under, kept_account_key = w.bytes
       from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) as w (id, before, kept_under, bytes)
       where m.id = w.id and m.kept_under is not distinct from w.before`,
      [
        pairs.map(({ before }) => before.cursor),
        pairs.map(({ before }) => before.keptUnder),
        pairs.map(({ after }) => after.keyId),
        pairs.map(({ after }) => after.bytes),
      ],
    );
    return rowCount ?? 0;
  },
});
