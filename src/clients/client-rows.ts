import type { ClientId } from "../model/index.ts";
import { describeBoundRows } from "../platform/bound-rows.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import { describeKeyedRows } from "../platform/keyed-rows.ts";
import { bindClient, isClientBound } from "./bind-client.ts";
import { protectSecret, revealSecret } from "./client-secret.ts";
import { findClients, rebindClient, type FoundClient } from "./store.ts";

type ClientRow = FoundClient & { cursor: string };

/** The keys of a client: those that its secrets are sealed under, and that of its MAC. */
const keysOfClient = `(select key_id as key from client_secrets s where s.client_id = c.client_id
  union select split_part(c.row_mac, ' ', 1) where c.row_mac is not null)`;

/**
 * Each secret of a client is sealed under a master key and has a digest of the same key, and the MAC of the client covers
 * the digests: so a client is sealed again as a whole.
 */
export const clientRows = describeKeyedRows<
  ClientRow,
  Pick<FoundClient, "revision" | "secrets" | "rowMac">
>({
  table: "clients",
  count: async (db) =>
    await queryRows(
      db,
      `select key as "keyId", count(*)::integer as rows
       from clients c cross join lateral ${keysOfClient} keys group by key`,
    ),
  find: async (db, { keyId, are, after, most }) => {
    const ids = await queryRows<{ clientId: ClientId }>(
      db,
      `select client_id as "clientId" from clients c where client_id > $3 and case when $2
         then $1 = all(select key from ${keysOfClient} keys) and exists ${keysOfClient}
         else exists (select from ${keysOfClient} keys where key <> $1) end
       order by client_id limit $4`,
      [keyId, are === "under", after ?? "", most],
    );
    const found = await findClients(
      db,
      ids.map(({ clientId }) => clientId),
    );
    return found.map((client) => ({ ...client, cursor: client.clientId }));
  },
  renew: (keyring, { cursor: _cursor, rowMac, ...client }) => {
    if (rowMac !== null && !isClientBound(keyring, client, rowMac))
      throw new Error("the client is not bound to what its row says");
    const { clientId } = client;
    const revision = client.revision + 1;
    const secrets = client.secrets.map((secret) =>
      protectSecret(keyring, clientId, revealSecret(keyring, clientId, secret)),
    );
    return {
      revision,
      secrets,
      rowMac: rowMac === null ? null : bindClient(keyring, { ...client, revision, secrets }),
    };
  },
  store: async (db, pairs) => {
    let stored = 0;
    for (const { before, after } of pairs)
      stored += (await rebindClient(db, before, after)) ? 1 : 0;
    return stored;
  },
});

/** Clients of a version that bound none. */
export const clientBindings = describeBoundRows({
  table: "clients",
  key: "client_id",
  unbound: "from clients where row_mac is null and not is_shared_sandbox",
  bindIfUnchanged,
});

/** `xmin` is the transaction that wrote the row. Nobody who writes a row can choose it. */
async function bindIfUnchanged(
  tx: Queryable,
  keyring: Keyring,
  { id, upgrade }: { id: string; upgrade: string },
): Promise<void> {
  const clientId = id as ClientId;
  const locked = await queryRow<{ isUnchanged: boolean }>(
    tx,
    `with current as materialized (select pg_current_xact_id()::text::bigint as xid)
     select current.xid - age(c.xmin) < $2::bigint and not exists (
         select from client_secrets s where s.client_id = c.client_id and current.xid - age(s.xmin) >= $2::bigint
       ) as "isUnchanged"
     from current cross join clients c where c.client_id = $1 and c.row_mac is null for update of c`,
    [clientId, upgrade],
  );
  const [client] = locked?.isUnchanged ? await findClients(tx, [clientId]) : [];
  if (!client) return;
  const next = { ...client, revision: client.revision + 1 };
  await rebindClient(tx, client, { ...next, rowMac: bindClient(keyring, next) });
}
