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

export async function findTokenOfClient(
  db: Queryable,
  clientId: ClientId,
): Promise<Token | undefined> {
  return await queryRow<Token>(
    db,
    `select ${tokenColumns} from tokens where client_id = $1 order by created_at, id limit 1`,
    [clientId],
  );
}

/** The ids of a page in the order of the list, as the text of an array. Null when there is none. Uses tokens_client. */
export async function pageOfTokens(
  db: Queryable,
  clientId: ClientId,
  { limit, after }: { limit?: number | undefined; after?: TokenId | undefined },
): Promise<string | null> {
  const row = await queryRow<{ ids: string | null }>(db, {
    name: "page-of-tokens",
    text: `select array_agg(id)::text as ids from (
         select id from tokens
         where client_id = $1 and (created_at, id) > (
           case when $2::uuid is null then '-infinity'::timestamptz
             else (select created_at from tokens where id = $2 and client_id = $1) end,
           coalesce($2, '00000000-0000-0000-0000-000000000000'))
         order by created_at, id limit $3) page`,
    values: [clientId, after ?? null, limit ?? null],
  });
  return row?.ids ?? null;
}

/** In a part of the list: about 100 kB, which stop other requests for less than a millisecond. */
const entriesOfPart = 250;

const selectEntries = `select (position - 1) / ${entriesOfPart} as part, string_agg(entry, ',') as text from (
  select row_number() over (order by created_at, id) as position,
    '{"token":"' || id || '","scopes":["' || array_to_string(scopes, '","') || '"],"mode":"' || mode
    || '","provider":' || to_json(provider)
    || ',"created_at":"' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","valid":' || (disconnected_at is null)::text
    || ',"status":"' || case when disconnected_at is not null then 'disconnected'
      when restricted->>'isRefused' = 'true' then 'reauthentication_required' else 'active' end
    || '","forbidden":' || coalesce(restricted->>'forbidden', '[]')
    || ',"limited":' || coalesce(restricted->>'limited', '{}') || '}' as entry
  from (select *, $2::jsonb->id::text as restricted from tokens`;

/**
 * The entries of all tokens or of these, as JSON in parts. The restrictions are an object by token id, as JSON too.
 * Uses tokens_client.
 */
export async function formatTokens(
  db: Queryable,
  clientId: ClientId,
  { tokenIds, restrictions }: { tokenIds: string | undefined; restrictions: string | null },
): Promise<string[]> {
  const inParts = "t) entries group by part order by part";
  const query =
    tokenIds === undefined
      ? { name: "all-tokens", text: `${selectEntries} where client_id = $1) ${inParts}` }
      : {
          name: "these-tokens",
          text: `${selectEntries} where client_id = $1 and id = any($3::uuid[])) ${inParts}`,
        };
  const rows = await queryRows<{ text: string }>(db, {
    ...query,
    values: [clientId, restrictions, ...(tokenIds === undefined ? [] : [tokenIds])],
  });
  return rows.map(({ text }) => text);
}

/** False when the token was already disconnected. */
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
