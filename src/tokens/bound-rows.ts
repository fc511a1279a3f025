import type { Keyring } from "../platform/crypto/index.ts";
import { bindGrant, isGrantBound, type Grant } from "../connections/index.ts";
import type { ConnectionId } from "../model/index.ts";
import { queryRows } from "../platform/db/index.ts";
import { describeKeyedRows, type KeyedRows } from "../platform/keyed-rows.ts";
import { bindCode, isCodeBound } from "./bind-code.ts";
import { bindDigest, isBound, type TokenBinding } from "./bind-token.ts";
import type { CodeTerms } from "./store.ts";

type Macs = Pick<TokenBinding, "grantMac" | "digestMac">;

interface BoundToken extends Omit<Grant, "connectionId">, TokenBinding {
  cursor: string;
  digest: Buffer;
  connectionId: ConnectionId | null;
}

interface CodeRow extends CodeTerms {
  cursor: string;
  /** The one by which it was found. */
  mac: string;
  digest: Buffer;
}

/** Of a token without a connection. It binds the token to nothing. */
const endedMacs: Macs = { grantMac: "", digestMac: "" };

const grantColumns = `token_id as "tokenId", client_id as "clientId", provider, mode, scopes,
  connection_id as "connectionId", digest, grant_mac as "grantMac"`;

/** The MACs of a token that do not prove its grant are not made anew: that would prove what somebody else wrote. */
export const boundTokenRows = describeKeyedRows<BoundToken, Macs>({
  table: "tokens",
  count: async (db) =>
    await queryRows(
      db,
      `select key as "keyId", count(*)::integer as rows from tokens
       cross join lateral (
         select distinct split_part(mac, ' ', 1) as key from unnest(array[grant_mac, digest_mac]) as mac) named
       where key <> '' group by key`,
    ),
  find: async (db, { keyId, are, after, most }) =>
    await queryRows(
      db,
      `select token_id as cursor, ${grantColumns}, code_digest as "codeDigest", digest_mac as "digestMac"
       from bound_tokens($3) where grant_mac <> '' and case when $2
         then split_part(grant_mac, ' ', 1) = $1 and split_part(digest_mac, ' ', 1) = $1
         else split_part(grant_mac, ' ', 1) <> $1 or split_part(digest_mac, ' ', 1) <> $1 end limit $4`,
      [keyId, are === "under", after ?? null, most],
    ),
  renew: (keyring, { digest, connectionId, codeDigest, grantMac, digestMac, ...token }) => {
    if (connectionId === null) return endedMacs;
    const grant = { ...token, connectionId };
    if (!isBound(keyring, digest, { codeDigest, grantMac, digestMac }, grant))
      throw new Error("the token is not bound to what it gives access to");
    return {
      grantMac: bindGrant(keyring, codeDigest, grant),
      digestMac: bindDigest(keyring, digest, codeDigest),
    };
  },
  store: async (db, pairs) => {
    const { rowCount } = await db.query(
      `with fresh as (
         select t.id, w.grant_mac, w.digest_mac
         from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
           as w (id, grant_before, digest_before, grant_mac, digest_mac)
         join tokens t on t.id = w.id and t.grant_mac = w.grant_before and t.digest_mac = w.digest_before
         order by t.id for no key update of t skip locked)
       update tokens t set grant_mac = fresh.grant_mac, digest_mac = fresh.digest_mac from fresh where t.id = fresh.id`,
      [
        pairs.map(({ before }) => before.tokenId),
        pairs.map(({ before }) => before.grantMac),
        pairs.map(({ before }) => before.digestMac),
        pairs.map(({ after }) => after.grantMac),
        pairs.map(({ after }) => after.digestMac),
      ],
    );
    return rowCount ?? 0;
  },
});

/** Codes whose rows are found by the key of one of their MACs, and stored again if that is as it was. */
function describeCodes<Row extends CodeRow>({
  table,
  from,
  columns,
  mac,
  renew,
  isOpen,
}: {
  table: string;
  from: string;
  columns: string;
  mac: "grant_mac" | "terms_mac";
  renew(keyring: Keyring, row: Row): { grantMac?: string; termsMac: string | null };
  isOpen?: (keyring: Keyring, row: Row) => boolean;
}): KeyedRows {
  const key = `split_part(${mac}, ' ', 1)`;
  // The database refuses a MAC under a retired key, which the grant of an ended code may have.
  const renewed =
    mac === "grant_mac"
      ? "grant_mac = fresh.grant_mac, terms_mac = fresh.terms_mac"
      : "terms_mac = fresh.terms_mac";
  return describeKeyedRows<Row, ReturnType<typeof renew>>({
    table,
    count: async (db) =>
      await queryRows(
        db,
        `select ${key} as "keyId", count(*)::integer as rows from ${from} group by 1`,
      ),
    find: async (db, { keyId, are, after, most }) =>
      await queryRows(
        db,
        `select encode(digest, 'hex') as cursor, ${mac} as mac, ${columns}, redirect_uri as "redirectUri",
           code_challenge as "codeChallenge", terms_mac as "termsMac"
         from ${from} and (${key} = $1) = $2 and digest > decode($3, 'hex') order by digest limit $4`,
        [keyId, are === "under", after ?? "", most],
      ),
    renew,
    isOpen,
    store: async (db, pairs) => {
      const { rowCount } = await db.query(
        `with fresh as (
           select a.digest, w.grant_mac, w.terms_mac
           from unnest($1::bytea[], $2::text[], $3::text[], $4::text[]) as w (digest, before, grant_mac, terms_mac)
           join authorization_codes a on a.digest = w.digest and a.${mac} = w.before
           order by a.digest for no key update of a skip locked)
         update authorization_codes a set ${renewed} from fresh where a.digest = fresh.digest`,
        [
          pairs.map(({ before }) => before.digest),
          pairs.map(({ before }) => before.mac),
          pairs.map(({ after }) => after.grantMac ?? null),
          pairs.map(({ after }) => after.termsMac),
        ],
      );
      return rowCount ?? 0;
    },
  });
}

/** A code that is exchanged hands its MAC on to the token. */
export const openCodeRows = describeCodes<CodeRow & Grant & { grantMac: string }>({
  table: "authorization_codes",
  from: "open_codes() where true",
  columns: grantColumns,
  mac: "grant_mac",
  renew: (keyring, { digest, grantMac, termsMac, ...code }) => {
    const isBound =
      isGrantBound(keyring, { codeDigest: digest, grantMac }, code) &&
      (termsMac === null || isCodeBound(keyring, digest, { ...code, termsMac }));
    if (!isBound) throw new Error("the code is not bound to what it gives access to");
    return {
      grantMac: bindGrant(keyring, digest, code),
      termsMac: termsMac === null ? null : bindCode(keyring, digest, code),
    };
  },
});

/**
 * Codes that were exchanged, or have expired: their terms say so as long as they are kept. Terms that the MAC does not
 * prove, such as those of a key that an earlier version retired, get none: nobody gains anything by them, and they
 * would keep a key from its end.
 */
export const endedCodeRows = describeCodes<CodeRow & { termsMac: string }>({
  table: "ended_codes",
  from: "authorization_codes where terms_mac <> '' and (redeemed_at is not null or expires_at <= service_now())",
  columns: `digest, client_id as "clientId", token_id as "tokenId"`,
  mac: "terms_mac",
  renew: (keyring, { digest, ...terms }) => ({
    termsMac: isCodeBound(keyring, digest, terms) ? bindCode(keyring, digest, terms) : "",
  }),
  isOpen: (keyring, { digest, ...terms }) => isCodeBound(keyring, digest, terms),
});
