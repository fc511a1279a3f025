import type { Audit } from "../audit/index.ts";
import type { Keyring } from "../platform/crypto/index.ts";
import { deleteInBatches, transaction, type Pool } from "../platform/db/index.ts";
import { deleteUnclaimed, describeRemoved, type RemovedConnection } from "./removal.ts";

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
