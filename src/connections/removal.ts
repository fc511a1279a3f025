import type { Keyring } from "../platform/crypto/index.ts";
import { notification, type Pool } from "../platform/db/index.ts";
import type { Connection } from "./connection.ts";
import { openConnection } from "./open-connection.ts";
import { digestsOf, sealedAccount } from "./provider-account.ts";
import {
  columns,
  hasConnectionOfAccount,
  toSealedConnection,
  type ConnectionRow,
  type SignInPart,
} from "./store.ts";

/** A connection that was just removed. */
export type RemovedConnection = Pick<Connection, "id" | "provider" | "mode"> & {
  /** Undefined for what was signed in to by nobody's application. */
  clientId?: Connection["clientId"];
  /** Opens what it was signed in with. Nothing else has it any more. */
  openSession(): Connection["session"];
  /** Whether another connection was made by signing in to the same account. */
  isAccountInUse(): Promise<boolean>;
};

type RemovedRow = ConnectionRow & Pick<SignInPart, "accountDigest" | "sealedAccount">;

const prefix = "removed ";

/** A part of a statement: deletes the connection of the row of the part `source`, which has token_id. */
export function removePart(source: string): string {
  return `delete from connections where token_id in (select token_id from ${source})
    returning id, client_id, token_id, provider, mode, scopes, unsupported, auth_failure, sign_in_count, signed_in_at,
      origin_key, sealed_session, session_version, sealed_previous_session, sealed_settings, rights, key_id, wrapped_key,
      account_digest, sealed_account`;
}

/** The row of the part `removed`. Every process that listens forgets what it keeps of the connection. */
export const selectRemoved = `select ${columns}, account_digest as "accountDigest", sealed_account as "sealedAccount",
  ${notification(`'${prefix}' || id`)} from removed`;

/** The connection that a notice says was removed; undefined for another notice. */
export function findRemoved(notice: string): string | undefined {
  return notice.startsWith(prefix) ? notice.slice(prefix.length) : undefined;
}

/** Of the row that `selectRemoved` gave. */
export function describeRemoved(
  { pool, keyring }: { pool: Pool; keyring: Keyring },
  row: object,
): RemovedConnection {
  const { accountDigest, sealedAccount: sealed, ...removed } = row as RemovedRow;
  const connection = toSealedConnection(removed);
  const { id, clientId, provider, mode } = connection;
  const open = (): Connection => openConnection(keyring, connection);
  /** A connection of before its account was kept has one digest, by the key of its sign-in. */
  const listDigests = (digest: Buffer): Buffer[] => {
    if (!sealed) return [digest];
    const account = sealedAccount.open(open().dataKey, { connectionId: id }, sealed);
    return digestsOf(keyring, { provider, ...account });
  };
  return {
    id,
    clientId,
    provider,
    mode,
    openSession: () => open().session,
    isAccountInUse: async () =>
      accountDigest !== null &&
      (await hasConnectionOfAccount(pool, { provider, digests: listDigests(accountDigest) })),
  };
}
