import type { QueryConfig } from "pg";
import type { Queryable } from "./pool.ts";
import type { Transaction } from "./transaction.ts";

const timeoutMs = 600_000;

/** For statements of the transaction that read whole tables or wait for such: no caller waits for them. */
export async function allowLongStatements(tx: Transaction): Promise<Queryable> {
  await tx.query(`set local statement_timeout = ${timeoutMs}`);
  return {
    query: async (query, values) => {
      const config: QueryConfig =
        typeof query === "string" ? { text: query, ...(values && { values }) } : query;
      const patient = { ...config, query_timeout: timeoutMs };
      return await tx.query(patient);
    },
  };
}
