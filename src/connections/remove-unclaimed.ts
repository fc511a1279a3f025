import type { Audit } from "../audit/index.ts";
import type { Clock } from "../platform/clock.ts";
import { deleteInBatches, transaction, type Pool } from "../platform/db/index.ts";
import { deleteUnclaimed } from "./store.ts";

/** Each batch is written to the audit record in its own transaction. */
export async function removeUnclaimed(
  { pool, clock, audit }: { pool: Pool; clock: Clock; audit: Audit },
  signal: AbortSignal | undefined,
): Promise<void> {
  const now = clock.now();
  const deleteBatch = (limit: number): Promise<number> =>
    transaction(pool, async (tx) => {
      const expired = await deleteUnclaimed(tx, { now, limit });
      await audit.recordAll(tx, "connection.expired", expired);
      return expired.length;
    });
  await deleteInBatches(deleteBatch, signal);
}
