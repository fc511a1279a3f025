import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db/index.ts";
import { deleteExpiredFlows } from "./flow-store.ts";

export async function removeExpiredFlows({
  pool,
  clock,
}: {
  pool: Pool;
  clock: Clock;
}): Promise<void> {
  await deleteExpiredFlows(pool, clock.now());
}
