import type { ClientId, ConnectionId, Mode, Scope, TokenId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { TokenBinding } from "./bind-token.ts";

export interface Token {
  id: TokenId;
  clientId: ClientId;
  provider: string;
  mode: Mode;
  scopes: Scope[];
  createdAt: Date;
  disconnectedAt: Date | null;
  /** Null for a token that is not bound. */
  codeDigest: Buffer | null;
}

/** What an exchange has to match, and what proves it. */
export interface CodeTerms {
  clientId: ClientId;
  tokenId: TokenId;
  redirectUri: string;
  codeChallenge: string | null;
  /** Null for a code of a version that bound no terms. */
  termsMac: string | null;
}

export interface AuthorizationCode extends CodeTerms {
  isExpired: boolean;
  redeemedAt: Date | null;
}

const tokenColumns = `id, client_id as "clientId", provider, mode, scopes, created_at as "createdAt",
  disconnected_at as "disconnectedAt", code_digest as "codeDigest"`;

const termsColumns = `client_id as "clientId", token_id as "tokenId", redirect_uri as "redirectUri",
  code_challenge as "codeChallenge", terms_mac as "termsMac"`;

export async function insertCode(
  tx: Queryable,
  digest: Buffer,
  code: CodeTerms & Pick<TokenBinding, "grantMac"> & { lifetimeSeconds: number },
): Promise<void> {
  const { clientId, tokenId, redirectUri, codeChallenge, lifetimeSeconds, grantMac, termsMac } =
    code;
  await tx.query(
    `insert into authorization_codes (digest, client_id, token_id, redirect_uri, code_challenge, expires_at, grant_mac,
       terms_mac)
     values ($1, $2, $3, $4, $5, service_now() + make_interval(secs => $6), $7, $8)`,
    [digest, clientId, tokenId, redirectUri, codeChallenge, lifetimeSeconds, grantMac, termsMac],
  );
}

export async function findCode(
  db: Queryable,
  digest: Buffer,
): Promise<AuthorizationCode | undefined> {
  return await queryRow<AuthorizationCode>(db, {
    name: "find-code",
    text: `select ${termsColumns}, expires_at <= service_now() as "isExpired", redeemed_at as "redeemedAt"
       from authorization_codes where digest = $1`,
    values: [digest],
  });
}

/**
 * Redeems the code. It decides which of several simultaneous exchanges wins: the others wait for the row and then find
 * it redeemed. Undefined for them, and for a code that does not match or has expired.
 */
export async function claimCode(
  tx: Queryable,
  {
    digest,
    clientId,
    redirectUri,
    codeChallenge,
  }: Omit<CodeTerms, "tokenId" | "termsMac"> & { digest: Buffer },
): Promise<(CodeTerms & Pick<TokenBinding, "grantMac">) | undefined> {
  return await queryRow(tx, {
    name: "claim-code",
    text: `update authorization_codes set redeemed_at = service_now()
       where digest = $1 and client_id = $2 and redirect_uri = $3 and code_challenge is not distinct from $4
         and redeemed_at is null and expires_at > service_now()
       returning ${termsColumns}, grant_mac as "grantMac"`,
    values: [digest, clientId, redirectUri, codeChallenge],
  });
}

/** Ends the codes that could still be exchanged. Returns how many they were. */
export async function expireOpenCodes(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `update authorization_codes set expires_at = service_now()
     where redeemed_at is null and expires_at > service_now()`,
  );
  return rowCount ?? 0;
}

export async function insertToken(
  tx: Queryable,
  digest: Buffer,
  token: Omit<Token, "createdAt" | "disconnectedAt" | "codeDigest"> & TokenBinding,
): Promise<void> {
  const { id, clientId, provider, mode, scopes } = token;
  const { codeDigest, grantMac, digestMac } = token;
  await tx.query({
    name: "insert-token",
    text: `insert into tokens (id, client_id, digest, provider, mode, scopes, created_at, code_digest, grant_mac, digest_mac)
       values ($1, $2, $3, $4, $5, $6, service_now(), $7, $8, $9)`,
    values: [id, clientId, digest, provider, mode, scopes, codeDigest, grantMac, digestMac],
  });
}

export async function findTokenById(db: Queryable, id: TokenId): Promise<Token | undefined> {
  return await queryRow<Token>(db, `select ${tokenColumns} from tokens where id = $1`, [id]);
}

export async function hasToken(db: Queryable, digest: Buffer): Promise<boolean> {
  return (await queryRow(db, "select from tokens where digest = $1", [digest])) !== undefined;
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

/** Which tokens of a client, and how many of them from where on. */
export interface TokenSelection {
  limit?: number | undefined;
  after?: TokenId | undefined;
  provider?: string | undefined;
  /** Made then or later, and before. */
  since?: Date | undefined;
  until?: Date | undefined;
  isDisconnected?: boolean | undefined;
  /** These alone. */
  among?: readonly TokenId[] | undefined;
  /** None of these. */
  except?: readonly TokenId[] | undefined;
}

/** The ids of a page in the order of the list, as the text of an array. Null when there is none. Uses tokens_client. */
export async function pageOfTokens(
  db: Queryable,
  clientId: ClientId,
  { limit, after, ...filter }: TokenSelection,
): Promise<string | null> {
  const values: unknown[] = [clientId, after ?? null, limit ?? null];
  const conditions = filterTokens(filter, (value) => `$${values.push(value)}`);
  const row = await queryRow<{ ids: string | null }>(db, {
    // One with conditions is planned for its values: few ids are looked up, and many are left out of the index's order.
    ...(conditions === "" && { name: "page-of-tokens" }),
    text: `select array_agg(id)::text as ids from (
         select id from tokens
         where client_id = $1 and (created_at, id) > (
           case when $2::uuid is null then '-infinity'::timestamptz
             else (select created_at from tokens where id = $2 and client_id = $1) end,
           coalesce($2, '00000000-0000-0000-0000-000000000000'))${conditions}
         order by created_at, id limit $3) page`,
    values,
  });
  return row?.ids ?? null;
}

function filterTokens(
  { provider, since, until, isDisconnected, among, except }: TokenSelection,
  parameter: (value: unknown) => string,
): string {
  const conditions: string[] = [];
  if (provider !== undefined) conditions.push(`provider = ${parameter(provider)}`);
  if (since) conditions.push(`created_at >= ${parameter(since)}`);
  if (until) conditions.push(`created_at < ${parameter(until)}`);
  if (isDisconnected !== undefined)
    conditions.push(`(disconnected_at is not null) = ${parameter(isDisconnected)}`);
  if (among) conditions.push(`id = any(${parameter(among)}::uuid[])`);
  if (except) conditions.push(`id <> all(${parameter(except)}::uuid[])`);
  return conditions.map((condition) => ` and ${condition}`).join("");
}

/** In a part of the list: about 100 kB, which stop other requests for less than a millisecond. */
const entriesOfPart = 250;

/** Between the entries of a part. No text of JSON has it. */
const lineBreak = "\n";

const selectEntries = `select (position - 1) / ${entriesOfPart} as part, string_agg(entry, e'\\n') as text from (
  select row_number() over (order by created_at, id) as position,
    '{"token":"' || id || '","scopes":["' || array_to_string(scopes, '","') || '"],"mode":"' || mode
    || '","provider":' || to_json(provider)
    || ',"created_at":"' || to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","valid":' || (disconnected_at is null)::text
    || ',"status":"' || case when disconnected_at is not null then 'disconnected'
      when restricted->>'isRefused' = 'true' then 'reauthentication_required' else 'active' end
    || '","forbidden":' || coalesce(restricted->>'forbidden', '[]')
    || ',"limited":' || coalesce(restricted->>'limited', '{}') as entry
  from (select id, scopes, mode, provider, created_at, disconnected_at, $2::jsonb->id::text as restricted from`;

/** Each by its id: the index of the client would be read as a whole, however few are wanted of many. */
const theseTokens = `unnest($3::uuid[]) w (wanted) join lateral (
  select id, client_id, scopes, mode, provider, created_at, disconnected_at from tokens where id = w.wanted limit 1
) t on client_id = $1`;

/**
 * The entries of all tokens or of these, in parts of several: each as the beginning of its JSON, to which the caller
 * adds further fields. The restrictions are an object by token id, as JSON too. Uses tokens_client.
 */
export async function formatTokens(
  db: Queryable,
  clientId: ClientId,
  { tokenIds, restrictions }: { tokenIds: string | undefined; restrictions: string | null },
): Promise<{ tokenId: TokenId; entry: string }[][]> {
  const inParts = "t) entries group by part order by part";
  const query =
    tokenIds === undefined
      ? { name: "all-tokens", text: `${selectEntries} tokens where client_id = $1) ${inParts}` }
      : { name: "these-tokens", text: `${selectEntries} ${theseTokens}) ${inParts}` };
  const rows = await queryRows<{ text: string }>(db, {
    ...query,
    values: [clientId, restrictions, ...(tokenIds === undefined ? [] : [tokenIds])],
  });
  return rows.map(({ text }) => text.split(lineBreak).map(toBegunEntry));
}

const entryBegins = '{"token":"';
const idLength = 36;

function toBegunEntry(entry: string): { tokenId: TokenId; entry: string } {
  const tokenId = entry.slice(entryBegins.length, entryBegins.length + idLength);
  return { tokenId, entry };
}

/** Returns the client and the digest of the token. Undefined for a token that has ended before. */
export async function endToken(
  tx: Queryable,
  tokenId: TokenId,
): Promise<{ clientId: ClientId; digest: Buffer } | undefined> {
  return await queryRow(tx, {
    name: "end-token",
    text: `update tokens set disconnected_at = service_now() where id = $1 and disconnected_at is null
       returning client_id as "clientId", digest`,
    values: [tokenId],
  });
}

/** Of a token that has ended a moment ago: a copy of it may live that long. */
export async function findEndedDigest(
  tx: Queryable,
  tokenId: TokenId,
): Promise<Buffer | undefined> {
  const row = await queryRow<{ digest: Buffer }>(
    tx,
    "select digest from tokens where id = $1 and disconnected_at > service_now() - interval '1 minute'",
    [tokenId],
  );
  return row?.digest;
}

/** How much is stored for a token. Calls the function `count_stored`, which reads tables of several rooms. */
export async function countStored(
  tx: Queryable,
  tokenId: TokenId,
): Promise<{ lists: number; payRunIds: number; webhooks: number } | undefined> {
  return await queryRow(
    tx,
    `select lists, pay_run_ids as "payRunIds", webhooks from count_stored($1)`,
    [tokenId],
  );
}

/** The entry of the audit record that says what ended with the token. */
export async function setEndedEntry(
  tx: Queryable,
  tokenId: TokenId,
  entryId: string,
): Promise<void> {
  await tx.query("update tokens set ended_entry = $2 where id = $1", [tokenId, entryId]);
}

export async function findEndedEntry(db: Queryable, tokenId: TokenId): Promise<string | undefined> {
  const row = await queryRow<{ id: string | null }>(
    db,
    "select ended_entry::text as id from tokens where id = $1",
    [tokenId],
  );
  return row?.id ?? undefined;
}

/** Of the tokens of a client, also those that ended a moment ago: a copy of one may live that long. Uses tokens_client. */
export async function findDigestsOfClient(db: Queryable, clientId: ClientId): Promise<Buffer[]> {
  const rows = await queryRows<{ digest: Buffer }>(
    db,
    `select digest from tokens
     where client_id = $1 and coalesce(disconnected_at, 'infinity') > service_now() - interval '1 minute'`,
    [clientId],
  );
  return rows.map(({ digest }) => digest);
}

/** The digest that the token had before; undefined when it already had this one. */
export async function replaceDigest(
  tx: Queryable,
  tokenId: TokenId,
  { digest, digestMac }: { digest: Buffer; digestMac: string | null },
): Promise<Buffer | undefined> {
  const row = await queryRow<{ digest: Buffer }>(
    tx,
    `update tokens t set digest = $2, digest_mac = $3 from (select id, digest from tokens where id = $1 for update) before
     where t.id = before.id and before.digest <> $2 returning before.digest`,
    [tokenId, digest, digestMac],
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

/** Of those of the connections whose code was exchanged. */
export async function findDigestsOf(
  db: Queryable,
  connectionIds: readonly ConnectionId[],
): Promise<Buffer[]> {
  const rows = await queryRows<{ digest: Buffer | null }>(
    db,
    "select token_digest(id) as digest from unnest($1::uuid[]) as c (id)",
    [connectionIds],
  );
  return rows.flatMap(({ digest }) => digest ?? []);
}
