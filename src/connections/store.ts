import {
  resources,
  type AuthErrorCode,
  type ClientId,
  type ConnectionId,
  type Resource,
  type TokenId,
} from "../model/index.ts";
import type { Sealed } from "../platform/crypto/index.ts";
import { prepared, queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { ConnectionSummary, ObservedConnection, SealedConnection } from "./connection.ts";
import { summarizeRights, type Rights, type StoredRights } from "./rights.ts";

export type ConnectionRow = Omit<SealedConnection, "wrappedKey" | keyof Rights> &
  Sealed & { rights: StoredRights };

export const keyColumns = `key_id as "keyId", wrapped_key as bytes`;
export const columns = `id, client_id as "clientId", token_id as "tokenId", provider, mode, scopes, unsupported,
  auth_failure as "authFailure", sign_in_count as "signInCount", signed_in_at as "signedInAt",
  origin_key as "originKey", sealed_session as "sealedSession", session_version as "sessionVersion",
  sealed_previous_session is not null as "hasPreviousSession", sealed_settings as "sealedSettings", rights,
  ${keyColumns}`;

export interface SignInPart {
  sealedSession: Buffer;
  sealedIdentity: Buffer;
  sealedSettings: Buffer | null;
  rights: StoredRights;
  unsupported: readonly Resource[];
  originKey: string;
  accountDigest: Buffer | null;
  sealedAccount: Buffer | null;
}

export type NewConnection = ObservedConnection &
  SignInPart & { wrappedKey: Sealed; lifetimeSeconds: number | null };

export async function insertConnection(tx: Queryable, connection: NewConnection): Promise<void> {
  const {
    id,
    clientId,
    tokenId,
    provider,
    mode,
    scopes,
    wrappedKey,
    sealedSession,
    sealedIdentity,
    sealedSettings,
    rights,
    unsupported,
    originKey,
    accountDigest,
    sealedAccount,
    lifetimeSeconds,
  } = connection;
  await tx.query(
    `insert into connections as c (id, client_id, token_id, provider, mode, scopes, key_id, wrapped_key,
       sealed_session, sealed_identity, unsupported, created_at, signed_in_at, claimed_at, expires_at, origin_key,
       sealed_settings, rights, account_digest, sealed_account)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, service_now(), service_now(),
       case when $12::float8 is null then service_now() end, service_now() + make_interval(secs => $12),
       $13, $14, $15, $16, $17)
     returning ${eventOfCreation}`,
    [
      id,
      clientId,
      tokenId,
      provider,
      mode,
      scopes,
      wrappedKey.keyId,
      wrappedKey.bytes,
      sealedSession,
      sealedIdentity,
      unsupported,
      lifetimeSeconds,
      originKey,
      sealedSettings,
      JSON.stringify(rights),
      accountDigest,
      sealedAccount,
    ],
  );
}

/** Uses connections_account. */
export async function hasConnectionOfAccount(
  db: Queryable,
  { provider, digests }: { provider: string; digests: readonly Buffer[] },
): Promise<boolean> {
  const row = await queryRow(
    db,
    "select from connections where account_digest = any($1::bytea[]) and provider = $2 limit 1",
    [digests, provider],
  );
  return row !== undefined;
}

export async function findSealedAccount(db: Queryable, id: string): Promise<Buffer | undefined> {
  const row = await queryRow<{ sealed: Buffer | null }>(
    db,
    "select sealed_account as sealed from connections where id = $1",
    [id],
  );
  return row?.sealed ?? undefined;
}

export async function findSealedIdentity(
  db: Queryable,
  id: string,
): Promise<{ sealed: Buffer; capturedAt: Date } | undefined> {
  return await queryRow<{ sealed: Buffer; capturedAt: Date }>(
    db,
    `select sealed_identity as sealed, signed_in_at as "capturedAt" from connections where id = $1`,
    [id],
  );
}

/** See `Connections.restrictions`. The database writes the text. Uses connections_restricted. */
export async function findRestrictions(
  db: Queryable,
  clientId: ClientId,
  tokenIds: string | undefined,
): Promise<string | null> {
  const row = await queryRow<{ restrictions: string | null }>(db, {
    name: "find-restrictions",
    text: `select json_object_agg(token_id, json_build_object(
         'isRefused', auth_failure is not null,
         'forbidden', coalesce(forbidden, '[]'),
         'limited', coalesce(limited, '{}')))::text as restrictions
       from connections
       cross join lateral (
         select json_agg(name order by position) filter (where rights->name->'isForbidden' = 'true') as forbidden,
           json_object_agg(name, rights->name->'limited' order by position)
             filter (where rights->name->'limited' <> '[]') as limited
         from unnest($2::text[]) with ordinality as r (name, position) where rights ? name
       ) summary
       where client_id = $1 and (auth_failure is not null or rights <> '{}')
         and ($3::uuid[] is null or token_id = any($3))`,
    values: [clientId, resources, tokenIds ?? null],
  });
  return row?.restrictions ?? null;
}

/** Uses connections_restricted. */
export async function findRefusedTokens(db: Queryable, clientId: ClientId): Promise<TokenId[]> {
  const rows = await queryRows<{ tokenId: TokenId }>(
    db,
    prepared(
      `select token_id as "tokenId" from connections where client_id = $1 and auth_failure is not null`,
      [clientId],
    ),
  );
  return rows.map(({ tokenId }) => tokenId);
}

/** The event of a connection `c` whose rights may be others than those of its row `before`. */
const eventOfRights = `record_event(c,
  case when changed_rights(before.rights, c.rights) is not null then 'connection.rights_changed' end,
  changed_rights(before.rights, c.rights))`;

/** Does nothing when the end user has signed in again since the connection was read. */
export async function setRights(
  tx: Queryable,
  { id, signInCount }: ConnectionSummary,
  rights: StoredRights,
): Promise<void> {
  await tx.query(
    `with before as materialized (
       select id, rights from connections where id = $1 and sign_in_count = $2 for no key update)
     update connections c set rights = c.rights || $3::jsonb from before where c.id = before.id
     returning ${eventOfRights}`,
    [id, signInCount, JSON.stringify(rights)],
  );
}

/** The event of a connection `c` that may be read from now on. */
const eventOfCreation =
  "record_event(c, case when c.claimed_at is not null then 'connection.created' end, jsonb_build_object('scopes', c.scopes))";

/** Undefined when it was removed or is claimed already. */
export async function claimConnection(
  tx: Queryable,
  tokenId: TokenId,
): Promise<ObservedConnection | undefined> {
  return await queryRow(tx, {
    name: "claim-connection",
    text: `with claimed as (
         update connections c set claimed_at = service_now(), expires_at = null
         where token_id = $1 and claimed_at is null
         returning id, client_id, token_id, provider, mode, scopes, ${eventOfCreation})
       select id, client_id as "clientId", token_id as "tokenId", provider, mode, scopes from claimed`,
    values: [tokenId],
  });
}

export async function replaceSignIn(tx: Queryable, id: string, part: SignInPart): Promise<void> {
  const { sealedSession, sealedIdentity, sealedSettings, rights, unsupported } = part;
  const { originKey, accountDigest, sealedAccount } = part;
  await tx.query(
    `with before as materialized (select id, auth_failure, rights from connections where id = $1 for no key update)
     update connections c
       set sealed_session = $2, sealed_identity = $3, unsupported = $4, auth_failure = null, auth_failed_at = null,
           signed_in_at = service_now(),
           sign_in_count = sign_in_count + 1, origin_key = $5, sealed_settings = $6, rights = $7,
           session_version = session_version + 1, sealed_previous_session = null, refresh_until = null,
           account_digest = $8, sealed_account = $9
     from before where c.id = before.id
     returning record_event(c, case when before.auth_failure is not null then 'connection.healed' end, '{}'),
       ${eventOfRights}`,
    [
      id,
      sealedSession,
      sealedIdentity,
      unsupported,
      originKey,
      sealedSettings,
      JSON.stringify(rights),
      accountDigest,
      sealedAccount,
    ],
  );
}

export async function setSettings(
  tx: Queryable,
  id: string,
  sealedSettings: Buffer | null,
): Promise<void> {
  await tx.query("update connections set sealed_settings = $2 where id = $1", [id, sealedSettings]);
}

/** Does nothing when there is a newer session than the one that this one comes from. */
export async function replaceSession(
  db: Queryable,
  id: string,
  { version, sealedSession }: { version: number; sealedSession: Buffer },
): Promise<void> {
  await db.query(
    "update connections set sealed_session = $3 where id = $1 and session_version = $2",
    [id, version, sealedSession],
  );
}

/** False when the end user signed in again meanwhile, or when it was known already. */
export async function setAuthFailure(
  tx: Queryable,
  { id, signInCount }: ConnectionSummary,
  code: AuthErrorCode,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update connections c set auth_failure = $3,
       auth_failed_at = case when auth_failure is null then service_now() else auth_failed_at end
     where id = $1 and sign_in_count = $2 and auth_failure is distinct from $3
     returning record_event(c, 'connection.reauthentication_required', jsonb_build_object('error', c.auth_failure))`,
    [id, signInCount, code],
  );
  return rowCount === 1;
}

/** Locks the connection against its removal until the transaction ends; false when it is gone. */
export async function lockAgainstRemoval(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query("select from connections where id = $1 for key share", [id]);
  return rowCount === 1;
}

/** The lock that a change of the sign-in takes anyway, so that it is never made stronger later. */
export async function lockForSignIn(tx: Queryable, tokenId: TokenId): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select from connections where token_id = $1 for no key update",
    [tokenId],
  );
  return rowCount === 1;
}

/** Uses connections_of_client. */
export async function listIds(db: Queryable, clientId: ClientId): Promise<ConnectionId[]> {
  const rows = await queryRows<{ id: ConnectionId }>(
    db,
    "select id from connections where client_id = $1 order by id",
    [clientId],
  );
  return rows.map(({ id }) => id);
}

export function toSealedConnection({
  keyId,
  bytes,
  rights,
  ...connection
}: ConnectionRow): SealedConnection {
  return { ...connection, ...summarizeRights(rights), wrappedKey: { keyId, bytes } };
}
