import { deleteOld, type Pool } from "../platform/db/index.ts";

export async function removeExpiredFlows(
  { pool }: { pool: Pool },
  signal?: AbortSignal,
): Promise<void> {
  await deleteOld(pool, { table: "connect_flows", key: "id", since: "expires_at" }, signal);
}
