import type { ClientId, ConnectionId } from "../model/index.ts";
import type { Sealed } from "../platform/crypto/index.ts";
import { bindingColumns } from "./bound-store.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { Grant, GrantBinding } from "./grant.ts";
import type { StoredLabel } from "./label.ts";
import { keyColumns } from "./store.ts";

/** A label with what proves whose it is. */
export interface FoundLabel {
  wrappedKey: Sealed;
  grant: Grant;
  binding: GrantBinding;
  sealedLabel: Buffer;
}

/** Which labels: of connections, of all of a client or of these tokens of it, or those with one of the digests. */
export type LabelSearch =
  | { ids: readonly ConnectionId[] }
  | { clientId: ClientId; tokenIds: string | undefined }
  | { clientId: ClientId; digests: readonly Buffer[] };

export async function saveLabel(
  tx: Queryable,
  { id, clientId }: { id: ConnectionId; clientId: ClientId },
  { sealedLabel, referenceDigest }: StoredLabel,
): Promise<void> {
  await tx.query(
    `insert into connection_labels (connection_id, client_id, reference_digest, sealed_label) values ($1, $2, $3, $4)
     on conflict (connection_id) do update set reference_digest = $3, sealed_label = $4`,
    [id, clientId, referenceDigest, sealedLabel],
  );
}

/** What the label of a connection is changed with, before its code is exchanged. */
export async function findLabelToChange(
  tx: Queryable,
  id: ConnectionId,
): Promise<{ wrappedKey: Sealed; sealedLabel: Buffer | null } | undefined> {
  const row = await queryRow<Sealed & { sealedLabel: Buffer | null }>(
    tx,
    `select ${keyColumns}, sealed_label as "sealedLabel"
     from connections left join connection_labels on connection_id = id where id = $1`,
    [id],
  );
  return (
    row && { wrappedKey: { keyId: row.keyId, bytes: row.bytes }, sealedLabel: row.sealedLabel }
  );
}

/** Those of connections whose code was exchanged. Uses connection_labels_client, or the keys. */
export async function findLabels(db: Queryable, search: LabelSearch): Promise<FoundLabel[]> {
  const { condition, ...rest } = describeSearch(search);
  const rows = await queryRows<Sealed & Grant & GrantBinding & { sealedLabel: Buffer }>(db, {
    ...rest,
    text: `select ${keyColumns}, b.token_id as "tokenId", b.client_id as "clientId", provider, mode, scopes,
         b.id as "connectionId", ${bindingColumns}, sealed_label as "sealedLabel"
       from connection_labels l join bound_connections b on b.id = l.connection_id where ${condition}`,
  });
  return rows.map(({ keyId, bytes, codeDigest, grantMac, sealedLabel, ...grant }) => ({
    wrappedKey: { keyId, bytes },
    grant,
    binding: { codeDigest, grantMac },
    sealedLabel,
  }));
}

function describeSearch(search: LabelSearch): {
  name: string;
  condition: string;
  values: unknown[];
} {
  if ("ids" in search)
    return {
      name: "find-labels",
      condition: "l.connection_id = any($1::uuid[])",
      values: [search.ids],
    };
  const { clientId } = search;
  if ("digests" in search)
    return {
      name: "find-labels-of-reference",
      condition: "l.client_id = $1 and l.reference_digest = any($2::bytea[])",
      values: [clientId, search.digests],
    };
  return search.tokenIds === undefined
    ? { name: "find-labels-of-client", condition: "l.client_id = $1", values: [clientId] }
    : {
        name: "find-labels-of-tokens",
        condition: "l.client_id = $1 and b.token_id = any($2::uuid[])",
        values: [clientId, search.tokenIds],
      };
}
