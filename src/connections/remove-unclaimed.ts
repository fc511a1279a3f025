import type { Audit } from "../audit/index.ts";
import { deleteInBatches, transaction, type Pool } from "../platform/db/index.ts";
import { deleteUnclaimed } from "./store.ts";

/** Each batch is written to the audit record in its own transaction. */
export async function removeUnclaimed(
  { pool, audit }: { pool: Pool; audit: Audit },
  signal: AbortSignal | undefined,
): Promise<void> {
  const deleteBatch = (limit: number): Promise<number> =>
    transaction(pool, async (tx) => {
      const expired = await deleteUnclaimed(tx, limit);
      await audit.recordAll(tx, "connection.expired", expired);
      return expired.length;
    });
  await deleteInBatches(deleteBatch, signal);
}
