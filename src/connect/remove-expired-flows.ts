import type { Clock } from "../platform/clock.ts";
import { deleteInBatches, type Pool } from "../platform/db/index.ts";
import { deleteExpiredFlows } from "./flow-store.ts";

export async function removeExpiredFlows(
  { pool, clock }: { pool: Pool; clock: Clock },
  signal?: AbortSignal,
): Promise<void> {
  const now = clock.now();
  await deleteInBatches((limit) => deleteExpiredFlows(pool, now, limit), signal);
}
