import type { ClientId, ConnectionId, Mode, Scope, TokenId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

export interface Token {
  id: TokenId;
  clientId: ClientId;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  createdAt: Date;
  disconnectedAt: Date | null;
}

export interface AuthorizationCode {
  clientId: ClientId;
  tokenId: TokenId;
  redirectUri: string;
  codeChallenge: string | null;
  expiresAt: Date;
  redeemedAt: Date | null;
}

const tokenColumns = `id, client_id as "clientId", provider, mode, scopes, created_at as "createdAt",
  disconnected_at as "disconnectedAt"`;

export async function insertCode(
  tx: Queryable,
  digest: Buffer,
  code: Omit<AuthorizationCode, "redeemedAt">,
): Promise<void> {
  const { clientId, tokenId, redirectUri, codeChallenge, expiresAt } = code;
  await tx.query(
    `insert into authorization_codes (digest, client_id, token_id, redirect_uri, code_challenge, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [digest, clientId, tokenId, redirectUri, codeChallenge, expiresAt],
  );
}

export async function findCode(
  db: Queryable,
  digest: Buffer,
): Promise<AuthorizationCode | undefined> {
  return await queryRow<AuthorizationCode>(
    db,
    `select client_id as "clientId", token_id as "tokenId", redirect_uri as "redirectUri",
       code_challenge as "codeChallenge", expires_at as "expiresAt", redeemed_at as "redeemedAt"
     from authorization_codes where digest = $1`,
    [digest],
  );
}

/**
 * Decides which of several simultaneous exchanges wins: the others wait for the row and then find it
 * redeemed. False for them, and for a code that has expired in the meantime.
 */
export async function markRedeemed(tx: Queryable, digest: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update authorization_codes set redeemed_at = $2
     where digest = $1 and redeemed_at is null and expires_at > $2`,
    [digest, now],
  );
  return rowCount === 1;
}

export async function deleteCodesExpiredBefore(db: Queryable, moment: Date): Promise<void> {
  await db.query("delete from authorization_codes where redeemed_at is null and expires_at < $1", [
    moment,
  ]);
}

export async function insertToken(
  tx: Queryable,
  digest: Buffer,
  token: Omit<Token, "disconnectedAt">,
): Promise<void> {
  const { id, clientId, provider, mode, scopes, createdAt } = token;
  await tx.query(
    `insert into tokens (id, client_id, digest, provider, mode, scopes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, clientId, digest, provider, mode, scopes, createdAt],
  );
}

export async function findTokenById(db: Queryable, id: TokenId): Promise<Token | undefined> {
  return await queryRow<Token>(db, `select ${tokenColumns} from tokens where id = $1`, [id]);
}

export async function listTokens(db: Queryable, clientId: ClientId): Promise<Token[]> {
  return await queryRows<Token>(
    db,
    `select ${tokenColumns} from tokens where client_id = $1 order by created_at, id`,
    [clientId],
  );
}

/** The digest of the token; undefined when it was already disconnected. */
export async function markDisconnected(
  tx: Queryable,
  tokenId: TokenId,
  now: Date,
): Promise<Buffer | undefined> {
  const row = await queryRow<{ digest: Buffer }>(
    tx,
    "update tokens set disconnected_at = $2 where id = $1 and disconnected_at is null returning digest",
    [tokenId, now],
  );
  return row?.digest;
}

/** The digest that the token had before; undefined when it already had this one. */
export async function replaceDigest(
  tx: Queryable,
  tokenId: TokenId,
  digest: Buffer,
): Promise<Buffer | undefined> {
  const row = await queryRow<{ digest: Buffer }>(
    tx,
    `update tokens t set digest = $2 from (select id, digest from tokens where id = $1 for update) before
     where t.id = before.id and before.digest <> $2 returning before.digest`,
    [tokenId, digest],
  );
  return row?.digest;
}

/** The digest of the token of a connection; undefined before its code was exchanged. */
export async function findDigestOf(
  db: Queryable,
  connectionId: ConnectionId,
): Promise<Buffer | undefined> {
  const row = await queryRow<{ digest: Buffer | null }>(db, {
    name: "find-digest",
    text: "select token_digest($1) as digest",
    values: [connectionId],
  });
  return row?.digest ?? undefined;
}
