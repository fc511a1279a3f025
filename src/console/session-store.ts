import type { ClientId } from "../model/index.ts";
import { queryRow, queryRows, type Queryable } from "../platform/db/index.ts";

/** Somebody who is signed in. Null for `clientId` is an operator. */
export interface StoredSession {
  digest: Buffer;
  clientId: ClientId | null;
  name: string;
  /** Of the secrets that the client had at the sign-in. Null for an operator. */
  secretsMac: Buffer | null;
  createdAt: Date;
  expiresAt: Date;
  mac: string;
}

export type StoredLink = Pick<StoredSession, "digest" | "name" | "createdAt" | "expiresAt" | "mac">;

const columns = `digest, client_id as "clientId", name, secrets_mac as "secretsMac", created_at as "createdAt",
  expires_at as "expiresAt", mac`;

export async function insertSession(db: Queryable, session: StoredSession): Promise<void> {
  const { digest, clientId, name, secretsMac, createdAt, expiresAt, mac } = session;
  await db.query(
    `insert into console_sessions (digest, client_id, name, secrets_mac, created_at, expires_at, mac)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [digest, clientId, name, secretsMac, createdAt, expiresAt, mac],
  );
}

export async function findSession(
  db: Queryable,
  digest: Buffer,
): Promise<StoredSession | undefined> {
  return await queryRow<StoredSession>(db, {
    name: "find-console-session",
    text: `select ${columns} from console_sessions where digest = $1 and expires_at > service_now()`,
    values: [digest],
  });
}

/** The session goes on with the secrets that the client has now. */
export async function replaceSecretsMac(
  db: Queryable,
  { digest, secretsMac, mac }: Pick<StoredSession, "digest" | "secretsMac" | "mac">,
): Promise<void> {
  await db.query("update console_sessions set secrets_mac = $2, mac = $3 where digest = $1", [
    digest,
    secretsMac,
    mac,
  ]);
}

export async function deleteSession(db: Queryable, digest: Buffer): Promise<void> {
  await db.query("delete from console_sessions where digest = $1", [digest]);
}

/**
 * Ends the sessions of a name, or of a client, or all. Links that were not used yet end too, and before the sessions: one
 * that is being used now is waited for, so that the session which it begins is found. Returns how many ended.
 */
export async function deleteSessions(
  tx: Queryable,
  { name, clientId }: { name: string | undefined; clientId: ClientId | undefined },
): Promise<number> {
  if (clientId === undefined)
    await tx.query("delete from console_links where $1::text is null or name = $1", [name ?? null]);
  const { rowCount } = await tx.query(
    `delete from console_sessions
     where ($1::text is null or name = $1 and client_id is null) and ($2::text is null or client_id = $2)`,
    [name ?? null, clientId ?? null],
  );
  return rowCount ?? 0;
}

/** Who is signed in now, the newest first. */
export async function listSessions(
  db: Queryable,
): Promise<Pick<StoredSession, "clientId" | "name" | "createdAt" | "expiresAt">[]> {
  return await queryRows(
    db,
    `select client_id as "clientId", name, created_at as "createdAt", expires_at as "expiresAt"
     from console_sessions where expires_at > service_now() order by created_at desc limit 1000`,
  );
}

export async function insertLink(db: Queryable, link: StoredLink): Promise<void> {
  const { digest, name, createdAt, expiresAt, mac } = link;
  await db.query(
    "insert into console_links (digest, name, created_at, expires_at, mac) values ($1, $2, $3, $4, $5)",
    [digest, name, createdAt, expiresAt, mac],
  );
}

export async function hasLink(db: Queryable, digest: Buffer): Promise<boolean> {
  const row = await queryRow(
    db,
    "select from console_links where digest = $1 and expires_at > service_now()",
    [digest],
  );
  return row !== undefined;
}

/** Whoever deletes the row has used the link; nobody else can. */
export async function takeLink(tx: Queryable, digest: Buffer): Promise<StoredLink | undefined> {
  return await queryRow<StoredLink>(
    tx,
    `delete from console_links where digest = $1 and expires_at > service_now()
     returning digest, name, created_at as "createdAt", expires_at as "expiresAt", mac`,
    [digest],
  );
}

/** Whoever writes the row has used the sign-in; for everybody else it is false. */
export async function useSignIn(
  tx: Queryable,
  { digest, expiresAt }: Pick<StoredSession, "digest" | "expiresAt">,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    "insert into console_used_sign_ins (digest, expires_at) values ($1, $2) on conflict do nothing",
    [digest, expiresAt],
  );
  return rowCount === 1;
}
