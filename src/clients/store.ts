import type { ClientId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";
import type { StoredSecret } from "./client-secret.ts";
import type { Client } from "./client.ts";
import type { Logo } from "./logo.ts";

/** As it was found. It is used when its MAC proves it. */
export type FoundClient = Omit<Client, "isBound"> & { rowMac: string | null };

type ClientRow = Omit<FoundClient, "secrets"> & {
  keyIds: string[] | null;
  sealed: Buffer[] | null;
  digests: Buffer[] | null;
  areBound: boolean[] | null;
};

const selectClient = `
  select c.client_id as "clientId", c.name, c.redirect_uris as "redirectUris", c.webhook_uri as "webhookUri",
    c.event_uri as "eventUri", c.event_types as "eventTypes", c.poll_resources as "pollResources",
    c.require_pkce as "requirePkce", c.allow_sandbox as "allowSandbox", c.purpose, c.privacy_url as "privacyUrl", c.support_url as "supportUrl",
    c.logo_digest as "logoDigest", c.brand_color as "brandColor", c.requests_per_5_minutes as "requestsPer5Minutes", c.revision,
    c.created_at as "createdAt", c.ended_at as "endedAt", c.emptied_at as "emptiedAt", c.row_mac as "rowMac", c.fields_off as "fieldsOff",
    s.key_ids as "keyIds", s.sealed, s.digests, s.are_bound as "areBound"
  from clients c
  left join lateral (
    select array_agg(key_id order by position) as key_ids, array_agg(sealed order by position) as sealed,
      array_agg(digest order by position) as digests, array_agg(is_bound order by position) as are_bound
    from client_secrets where client_id = c.client_id
  ) s on true`;

/** Also one that has ended. */
export async function findClient(
  db: Queryable,
  clientId: ClientId,
): Promise<FoundClient | undefined> {
  const row = await queryRow<ClientRow>(db, {
    name: "find-client",
    text: `${selectClient} where c.client_id = $1 and not c.is_shared_sandbox`,
    values: [clientId],
  });
  return row && toClient(row);
}

/**
 * Finds another client for an unknown id and for one that has ended, so that both look-ups cost the same. The caller compares the id.
 * Undefined only while there is no client at all.
 */
export async function findClientOrDecoy(
  db: Queryable,
  clientId: ClientId,
): Promise<FoundClient | undefined> {
  const row = await queryRow<ClientRow>(db, {
    name: "find-client-or-decoy",
    text: `${selectClient} where c.client_id = coalesce(
      (select client_id from clients where client_id = $1 and not is_shared_sandbox and ended_at is null),
      (select client_id from clients where not is_shared_sandbox and ended_at is null order by client_id limit 1))`,
    values: [clientId],
  });
  return row && toClient(row);
}

/** Those that have not ended, or those that have. */
export async function listClients(
  db: Queryable,
  { areEnded }: { areEnded: boolean },
): Promise<FoundClient[]> {
  const rows = await queryRows<ClientRow>(
    db,
    `${selectClient} where not c.is_shared_sandbox and (c.ended_at is not null) = $1
     order by c.created_at, c.client_id`,
    [areEnded],
  );
  return rows.map(toClient);
}

/** Clients that have ended and are not emptied. Uses clients_ending. */
export async function findEndingClients(db: Queryable): Promise<FoundClient[]> {
  const rows = await queryRows<ClientRow>(
    db,
    `${selectClient} where c.ended_at is not null and c.emptied_at is null order by c.client_id`,
  );
  return rows.map(toClient);
}

/** Locks the client against its end until the transaction is over; false when it has ended. */
export async function lockAgainstEnd(tx: Queryable, clientId: ClientId): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: "lock-client-against-end",
    text: "select from clients where client_id = $1 and ended_at is null for share",
    values: [clientId],
  });
  return rowCount === 1;
}

/** The newest first, from behind one. Uses clients_newest. */
export async function findNewestClients(
  db: Queryable,
  { before, limit, areEnded }: { before: ClientId | undefined; limit: number; areEnded: boolean },
): Promise<FoundClient[]> {
  const rows = await queryRows<ClientRow>(
    db,
    `${selectClient} where not c.is_shared_sandbox and (c.ended_at is not null) = $3
       and ($1::text is null or (c.created_at, c.client_id) < (
         select created_at, client_id from clients where client_id = $1))
     order by c.created_at desc, c.client_id desc limit $2`,
    [before ?? null, limit, areEnded],
  );
  return rows.map(toClient);
}

/** In the order of their ids, also those that have ended. */
export async function findClients(
  db: Queryable,
  clientIds: readonly ClientId[],
): Promise<FoundClient[]> {
  const rows = await queryRows<ClientRow>(
    db,
    `${selectClient} where c.client_id = any($1) and not c.is_shared_sandbox order by c.client_id`,
    [clientIds],
  );
  return rows.map(toClient);
}

/**
 * Stores the same client under other keys, as its next revision: whoever has read it with the secrets of before stores
 * nothing. False when it has changed since it was found, or somebody changes it now.
 */
export async function rebindClient(
  tx: Queryable,
  { clientId, revision, rowMac }: FoundClient,
  after: Pick<FoundClient, "revision" | "secrets" | "rowMac">,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update clients set row_mac = $4, revision = $5 where client_id = (
       select client_id from clients where client_id = $1 and revision = $2 and row_mac is not distinct from $3
       for no key update skip locked)`,
    [clientId, revision, rowMac, after.rowMac, after.revision],
  );
  if (rowCount !== 1) return false;
  await replaceSecrets(tx, clientId, after.secrets);
  return true;
}

export async function insertClient(tx: Queryable, client: FoundClient): Promise<void> {
  const { clientId, name, redirectUris, webhookUri, requirePkce, createdAt, secrets } = client;
  await tx.query(
    `insert into clients (client_id, name, redirect_uris, webhook_uri, require_pkce, created_at, updated_at, row_mac)
     values ($1, $2, $3, $4, $5, $6, $6, $7)`,
    [clientId, name, redirectUris, webhookUri, requirePkce, createdAt, client.rowMac],
  );
  await replaceSecrets(tx, clientId, secrets);
}

/**
 * The client that the shared sandbox token belongs to. It has no secret, so nobody can authenticate as it.
 */
export async function insertSharedSandboxClient(
  tx: Queryable,
  clientId: ClientId,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into clients (client_id, name, redirect_uris, is_shared_sandbox, created_at, updated_at)
     values ($1, 'sandbox', '{}', true, $2, $2)`,
    [clientId, now],
  );
}

export async function findSharedSandboxClient(db: Queryable): Promise<string | undefined> {
  const row = await queryRow<{ clientId: ClientId }>(
    db,
    `select client_id as "clientId" from clients where is_shared_sandbox`,
  );
  return row?.clientId;
}

/**
 * False when somebody else changed the client since the revision before this one was read. Locks the row until the
 * transaction ends.
 */
export async function updateClientRow(
  tx: Queryable,
  client: FoundClient,
  now: Date,
): Promise<boolean> {
  const { clientId, revision, name, redirectUris, webhookUri, requirePkce } = client;
  const { purpose, privacyUrl, supportUrl, logoDigest, allowSandbox, fieldsOff } = client;
  const { eventUri, eventTypes, pollResources } = client;
  const { rowCount } = await tx.query(
    `update clients
       set name = $3, redirect_uris = $4, webhook_uri = $5, require_pkce = $6, updated_at = $7, revision = $2,
           purpose = $8, privacy_url = $9, support_url = $10, logo_digest = $11, allow_sandbox = $12, row_mac = $13,
           requests_per_5_minutes = $14, fields_off = $15, event_uri = $16, event_types = $17, poll_resources = $18,
           brand_color = $19, ended_at = $20, emptied_at = $21
     where client_id = $1 and revision = $2 - 1`,
    [
      clientId,
      revision,
      name,
      redirectUris,
      webhookUri,
      requirePkce,
      now,
      purpose,
      privacyUrl,
      supportUrl,
      logoDigest,
      allowSandbox,
      client.rowMac,
      client.requestsPer5Minutes,
      fieldsOff,
      eventUri,
      eventTypes,
      pollResources,
      client.brandColor,
      client.endedAt,
      client.emptiedAt,
    ],
  );
  return rowCount === 1;
}

/** In the transaction that changes the client's row. */
export async function replaceLogo(
  tx: Queryable,
  clientId: ClientId,
  logo: Logo | null | undefined,
): Promise<void> {
  await tx.query("delete from client_logos where client_id = $1", [clientId]);
  if (!logo) return;
  await tx.query("insert into client_logos (client_id, digest, png) values ($1, $2, $3)", [
    clientId,
    logo.digest,
    logo.png,
  ]);
}

/** Clients that have the same picture share its address. Uses client_logos_digest. */
export async function findLogo(db: Queryable, digest: string): Promise<Buffer | undefined> {
  const row = await queryRow<{ png: Buffer }>(
    db,
    "select png from client_logos where digest = $1 limit 1",
    [digest],
  );
  return row?.png;
}

export async function replaceSecrets(
  tx: Queryable,
  clientId: ClientId,
  secrets: readonly StoredSecret[],
): Promise<void> {
  await tx.query("delete from client_secrets where client_id = $1", [clientId]);
  await tx.query(
    `insert into client_secrets (client_id, position, key_id, sealed, digest, is_bound)
     select $1, position, key_id, sealed, digest, is_bound
     from unnest($2::text[], $3::bytea[], $4::bytea[], $5::boolean[])
       with ordinality as s (key_id, sealed, digest, is_bound, position)`,
    [
      clientId,
      secrets.map(({ keyId }) => keyId),
      secrets.map(({ bytes }) => bytes),
      secrets.map(({ digest }) => digest),
      secrets.map(({ isBound }) => isBound),
    ],
  );
}

/** A list of secrets comes as four arrays. */
function toClient({ keyIds, sealed, digests, areBound, ...client }: ClientRow): FoundClient {
  const secrets = (keyIds ?? []).map((keyId, index) => ({
    keyId,
    bytes: sealed?.[index] ?? Buffer.alloc(0),
    digest: digests?.[index] ?? Buffer.alloc(0),
    isBound: areBound?.[index] ?? false,
  }));
  return { ...client, secrets };
}
