import type { EndedBy, TokenId } from "../model/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import {
  notification,
  queryRow,
  queryRows,
  type Pool,
  type Queryable,
  deleteInBatches,
  transaction,
} from "../platform/db/index.ts";
import type { Connection } from "./connection.ts";
import { openConnection } from "./sealed-sign-in.ts";
import { digestsOf, sealedAccount } from "./provider-account.ts";
import {
  columns,
  hasConnectionOfAccount,
  toSealedConnection,
  type ConnectionRow,
  type SignInPart,
} from "./store.ts";
import type { Audit } from "../audit/index.ts";

/** A connection that was just removed. */
export type RemovedConnection = Pick<Connection, "id" | "provider" | "mode"> & {
  /** Undefined for what was signed in to by nobody's application. */
  clientId?: Connection["clientId"] | undefined;
  /** Opens what it was signed in with. Nothing else has it any more. */
  openSession(): Connection["session"];
  /** Whether another connection was made by signing in to the same account. */
  isAccountInUse(): Promise<boolean>;
};

type RemovedRow = ConnectionRow & Pick<SignInPart, "accountDigest" | "sealedAccount">;

const prefix = "removed ";

const removedColumns = `${columns}, account_digest as "accountDigest", sealed_account as "sealedAccount"`;

/**
 * Deletes the connection of a token. Every process that listens forgets what it keeps of the connection. Undefined when
 * there is none.
 */
export async function deleteConnection(
  tx: Queryable,
  tokenId: TokenId,
  by: EndedBy,
): Promise<RemovedRow | undefined> {
  return await queryRow<RemovedRow>(tx, {
    name: "delete-connection",
    text: `delete from connections c where token_id = $1
       returning ${removedColumns},
         ${notification(`'${prefix}' || id`)},
         record_event(c, 'connection.ended', jsonb_build_object('by', $2::text))`,
    values: [tokenId, by],
  });
}

/** Deletes at most `limit` whose code was not exchanged in time. Uses connections_unclaimed. */
async function deleteUnclaimed(tx: Queryable, limit: number): Promise<RemovedRow[]> {
  return await queryRows<RemovedRow>(
    tx,
    `delete from connections where id in (
       select id from connections where claimed_at is null and expires_at <= service_now()
       order by expires_at limit $1 for update skip locked)
     returning ${removedColumns}`,
    [limit],
  );
}

/** The connection that a notice says was removed; undefined for another notice. */
export function findRemoved(notice: string): string | undefined {
  return notice.startsWith(prefix) ? notice.slice(prefix.length) : undefined;
}

export function describeRemoved(
  { pool, keyring }: { pool: Pool; keyring: Keyring },
  { accountDigest, sealedAccount: sealed, ...removed }: RemovedRow,
): RemovedConnection {
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

interface RemoveUnclaimedDependencies {
  pool: Pool;
  keyring: Keyring;
  audit: Audit;
  /** Called after the commit. */
  onRemoved: (removed: RemovedConnection) => void;
  /** The next batch begins when it resolves. */
  afterBatch?: (() => Promise<void>) | undefined;
}

/** Each batch is written to the audit record in its own transaction. */
export async function removeUnclaimed(
  dependencies: RemoveUnclaimedDependencies,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { pool, audit, onRemoved, afterBatch } = dependencies;
  await deleteInBatches(async (limit) => {
    const count = await transaction(pool, async (tx) => {
      const expired = await deleteUnclaimed(tx, limit);
      const entries = expired.map(({ id, clientId }) => ({ connectionId: id, clientId }));
      await audit.recordAll(tx, "connection.expired", entries);
      tx.afterCommit(() => expired.forEach((row) => onRemoved(describeRemoved(dependencies, row))));
      return expired.length;
    });
    await afterBatch?.();
    return count;
  }, signal);
}
