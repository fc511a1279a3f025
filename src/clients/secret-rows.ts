import type { ClientId } from "../model/index.ts";
import { queryRows } from "../platform/db/index.ts";
import { describeKeyedRows } from "../platform/keyed-rows.ts";
import { protectSecret, revealSecret, type StoredSecret } from "./client-secret.ts";

interface SecretRow extends StoredSecret {
  clientId: ClientId;
  position: number;
}

/** Each secret of a client is sealed under a master key, and has a digest of the same key. */
export const clientSecretRows = describeKeyedRows<SecretRow, StoredSecret>({
  table: "client_secrets",
  count: async (db) =>
    await queryRows(
      db,
      `select key_id as "keyId", count(*)::integer as rows from client_secrets group by key_id`,
    ),
  find: async (db, { keyId, are, after, most }) => {
    const [clientId = "", position = "0"] = after?.split(" ") ?? [];
    return await queryRows(
      db,
      `select client_id || ' ' || position as cursor, client_id as "clientId", position, key_id as "keyId",
         sealed as bytes, digest, is_bound as "isBound" from client_secrets
       where (key_id = $1) = $2 and (client_id, position) > ($3, $4) order by client_id, position limit $5`,
      [keyId, are === "under", clientId, Number(position), most],
    );
  },
  renew: (keyring, row) =>
    protectSecret(keyring, row.clientId, revealSecret(keyring, row.clientId, row)),
  store: async (db, pairs) => {
    const { rowCount } = await db.query(
      `with fresh as (
         select s.client_id, s.position, w.key_id, w.sealed, w.digest
         from unnest($1::text[], $2::integer[], $3::bytea[], $4::text[], $5::bytea[], $6::bytea[])
           as w (client_id, position, before, key_id, sealed, digest)
         join client_secrets s on s.client_id = w.client_id and s.position = w.position and s.sealed = w.before
         order by s.client_id, s.position for no key update of s skip locked)
       update client_secrets s
         set key_id = fresh.key_id, sealed = fresh.sealed, digest = fresh.digest, is_bound = true
       from fresh where s.client_id = fresh.client_id and s.position = fresh.position`,
      [
        pairs.map(({ before }) => before.clientId),
        pairs.map(({ before }) => before.position),
        pairs.map(({ before }) => before.bytes),
        pairs.map(({ after }) => after.keyId),
        pairs.map(({ after }) => after.bytes),
        pairs.map(({ after }) => after.digest),
      ],
    );
    return rowCount ?? 0;
  },
});
