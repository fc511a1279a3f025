import { deleteInBatches, type Pool } from "../platform/db/index.ts";
import { deleteExpiredFlows } from "./flow-store.ts";

export async function removeExpiredFlows(
  { pool }: { pool: Pool },
  signal?: AbortSignal,
): Promise<void> {
  await deleteInBatches((limit) => deleteExpiredFlows(pool, limit), signal);
}
