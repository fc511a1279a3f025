import type { ClientId, ConnectionId, TokenId } from "../model/index.ts";
import type { Sealed } from "../platform/crypto/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import { contentSql, microsSql, type SignedEntry } from "./entry-content.ts";

/** Where the chain ends. */
export interface Head {
  position: number;
  chain: Buffer;
  linkedAt: Date;
  /** From this position on every entry has a MAC. Null while processes of an earlier version may write. */
  signedFrom: number | null;
  mac: Buffer;
}

export interface Link {
  position: number;
  entryId: string;
  chain: Buffer;
}

/** Null: the entry of the link is not there. */
export type LinkedEntry = Link & { entry: SignedEntry | null };

/** The tables that the service may add to, and nothing else. */
export const appendOnlyTables = ["audit_entries", "audit_links"] as const;
/** Those whose rows it may change and not delete. */
export const keptTables = ["audit_head", "audit_keys"] as const;

/** Whose change an entry is about. */
export interface Subject {
  clientId?: ClientId | undefined;
  tokenId?: TokenId | undefined;
  connectionId?: ConnectionId | undefined;
}

/** An entry for each subject. Returns their ids. The nonce and the MAC of an entry come from its one-time key. */
export async function insertEntries(
  tx: Queryable,
  {
    action,
    detail,
    at,
    subjects,
  }: {
    action: string;
    detail: string;
    at: Date;
    subjects: readonly (Subject & { oneTimeKey: Buffer })[];
  },
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(tx, {
    name: "insert-audit-entries",
    text: `insert into audit_entries (id, at, action, client_id, token_id, connection_id, detail, nonce, mac)
       overriding system value
       select id, at, action, client_id, token_id, connection_id, detail::jsonb, substr(one_time_key, 1, 16),
         sha256(substr(one_time_key, 81) || sha256(substr(one_time_key, 17, 64)
           || convert_to(${contentSql}, 'UTF8')))
       from (
         select nextval('audit_entries_id_seq') as id, $1::text as action, $2::text as detail, $3::timestamptz as at, subject.*
         from unnest($4::text[], $5::uuid[], $6::uuid[], $7::bytea[])
           as subject (client_id, token_id, connection_id, one_time_key)) entry
       returning id::text`,
    values: [
      action,
      detail,
      at,
      subjects.map(({ clientId }) => clientId ?? null),
      subjects.map(({ tokenId }) => tokenId ?? null),
      subjects.map(({ connectionId }) => connectionId ?? null),
      subjects.map(({ oneTimeKey }) => oneTimeKey),
    ],
  });
  return rows.map(({ id }) => id);
}

const signedColumns = `e.id::text, ${microsSql}::text as "atMicros", action, client_id as "clientId",
  token_id::text as "tokenId", connection_id::text as "connectionId", detail, nonce, mac`;

/** Of an action and a token. It is used when its MAC proves it. */
export async function findSignedEntry(
  db: Queryable,
  { id, action, tokenId }: { id: string; action: string; tokenId: TokenId },
): Promise<SignedEntry | undefined> {
  return await queryRow<SignedEntry>(
    db,
    `select ${signedColumns} from audit_entries e where id = $1 and action = $2 and token_id = $3`,
    [id, action, tokenId],
  );
}

/** Newest first, from before an id. Uses the primary key, or audit_entries_of_client. */
export async function listEntries<Entry extends object>(
  db: Queryable,
  {
    limit,
    clientId,
    before,
  }: { limit: number; clientId: ClientId | undefined; before: string | undefined },
): Promise<Entry[]> {
  const ofClient = clientId === undefined ? "" : "and client_id = $3";
  return await queryRows<Entry>(
    db,
    `select id::text, at, action, client_id as "clientId", token_id as "tokenId",
       connection_id as "connectionId", detail
     from audit_entries where ($2::bigint is null or audit_entries.id < $2) ${ofClient}
     order by audit_entries.id desc limit $1`,
    [limit, before ?? null, ...(clientId === undefined ? [] : [clientId])],
  );
}

export async function hasEntries(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query("select 1 from audit_entries limit 1");
  return rowCount === 1;
}

/** After this id, in their order. Uses the indexes of both ids. */
export async function findUnlinked(
  db: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<SignedEntry[]> {
  return await queryRows<SignedEntry>(
    db,
    `select ${signedColumns} from audit_entries e
     where e.id > $1 and not exists (select from audit_links l where l.entry_id = e.id and l.entry_id > $1)
     order by e.id limit $2`,
    [after, limit],
  );
}

/** The id of the entry that is linked so many positions before the end of the chain; "0" when there are fewer. */
export async function findEntryBack(db: Queryable, positions: number): Promise<string> {
  const row = await queryRow<{ id: string }>(
    db,
    `select entry_id::text as id from audit_links
     where position = (select max(position) from audit_links) - $1::bigint`,
    [positions],
  );
  return row?.id ?? "0";
}

/** How many positions the chain has, whatever its head says. */
export async function findLength(db: Queryable): Promise<number> {
  const row = await queryRow<{ length: number }>(
    db,
    "select coalesce(max(position), 0)::float8 as length from audit_links",
  );
  return row?.length ?? 0;
}

export async function insertLinks(tx: Queryable, links: readonly Link[]): Promise<void> {
  await tx.query(
    "insert into audit_links (position, entry_id, chain) select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])",
    [
      links.map(({ position }) => position),
      links.map(({ entryId }) => entryId),
      links.map(({ chain }) => chain),
    ],
  );
}

/** After this position, in their order. */
export async function listLinked(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<LinkedEntry[]> {
  const rows = await queryRows<Link & Partial<SignedEntry> & { id: string | null }>(
    db,
    `select l.position::float8 as position, l.entry_id::text as "entryId", l.chain, ${signedColumns}
     from (select position, entry_id, chain from audit_links where position > $1 order by position limit $2) l
     left join audit_entries e on e.id = l.entry_id order by l.position`,
    [after, limit],
  );
  return rows.map(({ position, entryId, chain, ...entry }) => ({
    position,
    entryId,
    chain,
    entry: entry.id === null ? null : (entry as SignedEntry),
  }));
}

export async function findLinks(db: Queryable, positions: readonly number[]): Promise<Link[]> {
  return await queryRows<Link>(
    db,
    `select position::float8 as position, entry_id::text as "entryId", chain from audit_links
     where position = any($1::bigint[])`,
    [positions],
  );
}

/** The ids of entries with the same nonce. Reads the whole table. */
export async function findRepeatedNonces(db: Queryable, limit: number): Promise<string[][]> {
  const rows = await queryRows<{ ids: string[] }>(
    db,
    `select array_agg(id::text order by id) as ids from audit_entries where nonce is not null
     group by nonce having count(*) > 1 order by min(id) limit $1`,
    [limit],
  );
  return rows.map(({ ids }) => ids);
}

const headColumns = `position::float8 as position, chain, linked_at as "linkedAt",
  signed_from::float8 as "signedFrom", mac`;

export async function findHead(db: Queryable): Promise<Head | undefined> {
  return await queryRow<Head>(db, `select ${headColumns} from audit_head`);
}

/** Undefined while another process links, and when there is no head. */
export async function lockHead(tx: Queryable): Promise<Head | undefined> {
  return await queryRow<Head>(tx, `select ${headColumns} from audit_head for update skip locked`);
}

export async function insertHead(tx: Queryable, head: Head): Promise<void> {
  const { position, chain, linkedAt, signedFrom, mac } = head;
  await tx.query(
    "insert into audit_head (position, chain, linked_at, signed_from, mac) values ($1, $2, $3, $4, $5)",
    [position, chain, linkedAt, signedFrom, mac],
  );
}

export async function updateHead(tx: Queryable, head: Head): Promise<void> {
  const { position, chain, linkedAt, signedFrom, mac } = head;
  await tx.query(
    "update audit_head set position = $1, chain = $2, linked_at = $3, signed_from = $4, mac = $5",
    [position, chain, linkedAt, signedFrom, mac],
  );
}

export async function listKeys(db: Queryable): Promise<(Sealed & { id: string })[]> {
  return await queryRows(
    db,
    `select id, key_id as "keyId", wrapped_key as bytes from audit_keys order by id limit 2`,
  );
}

export async function insertKey(
  tx: Queryable,
  { id, keyId, bytes }: Sealed & { id: string },
): Promise<void> {
  await tx.query("insert into audit_keys (id, key_id, wrapped_key) values ($1, $2, $3)", [
    id,
    keyId,
    bytes,
  ]);
}
