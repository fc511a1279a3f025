import type { TokenId } from "../model/index.ts";
import type { Sealed } from "../platform/crypto/index.ts";
import { prepared, queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { FoundConnection } from "./connection.ts";
import type { Grant, GrantBinding } from "./grant.ts";
import { columns, keyColumns, toSealedConnection, type ConnectionRow } from "./store.ts";

type BoundRow = ConnectionRow & GrantBinding;

export const bindingColumns = `code_digest as "codeDigest", grant_mac as "grantMac"`;
/** Selects connections whose code was exchanged, with what proves their grants. */
const selectBound = `select ${columns}, ${bindingColumns} from bound_connections`;

export async function findConnection(
  db: Queryable,
  by: { id: string } | { tokenId: TokenId },
): Promise<FoundConnection | undefined> {
  const [column, value] = "id" in by ? ["id", by.id] : ["token_id", by.tokenId];
  const row = await queryRow<BoundRow>(
    db,
    prepared(`${selectBound} where ${column} = $1`, [value]),
  );
  return row && toFoundConnection(row);
}

export async function findConnections(
  db: Queryable,
  ids: readonly string[],
): Promise<FoundConnection[]> {
  const rows = await queryRows<BoundRow>(
    db,
    prepared(`${selectBound} where id = any($1::uuid[])`, [ids]),
  );
  return rows.map(toFoundConnection);
}

export async function findConnectionsOfProvider(
  db: Queryable,
  provider: string,
): Promise<FoundConnection[]> {
  const rows = await queryRows<BoundRow>(
    db,
    `${selectBound} where provider = $1 order by created_at`,
    [provider],
  );
  return rows.map(toFoundConnection);
}

/** The newest first. Uses connections_account. */
export async function findConnectionsOfAccount(
  db: Queryable,
  { provider, digests }: { provider: string; digests: readonly Buffer[] },
): Promise<(FoundConnection & { createdAt: Date; sealedAccount: Buffer | null })[]> {
  const rows = await queryRows<BoundRow & { createdAt: Date; sealedAccount: Buffer | null }>(
    db,
    `select ${columns}, ${bindingColumns}, created_at as "createdAt", sealed_account as "sealedAccount"
     from bound_connections where account_digest = any($1::bytea[]) and provider = $2
     order by created_at desc, id`,
    [digests, provider],
  );
  return rows.map(({ createdAt, sealedAccount, ...row }) => ({
    ...toFoundConnection(row),
    createdAt,
    sealedAccount,
  }));
}

/** The sealed data key and label of a connection, and its grant with what proves it. */
export async function findKeyAndGrant(
  db: Queryable,
  id: string,
): Promise<
  | { wrappedKey: Sealed; grant: Grant; binding: GrantBinding; sealedLabel: Buffer | null }
  | undefined
> {
  const row = await queryRow<Sealed & Grant & GrantBinding & { sealedLabel: Buffer | null }>(
    db,
    prepared(
      `select ${keyColumns}, token_id as "tokenId", b.client_id as "clientId", provider, mode, scopes,
         id as "connectionId", ${bindingColumns}, sealed_label as "sealedLabel"
       from bound_connections b left join connection_labels on connection_id = id where id = $1`,
      [id],
    ),
  );
  if (!row) return undefined;
  const { keyId, bytes, codeDigest, grantMac, sealedLabel, ...grant } = row;
  return { wrappedKey: { keyId, bytes }, grant, binding: { codeDigest, grantMac }, sealedLabel };
}

export function toFoundConnection({ codeDigest, grantMac, ...row }: BoundRow): FoundConnection {
  return { ...toSealedConnection(row), binding: { codeDigest, grantMac } };
}
