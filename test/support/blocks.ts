import type { PoolClient, QueryConfig } from "pg";
import type { Pool } from "../../src/platform/db/index.ts";

export interface Sent {
  text: string;
  values: unknown[];
}

/** The statements that clients of the pool send meanwhile. */
export async function statementsSent(pool: Pool, work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const noted = new Map<PoolClient, PoolClient["query"]>();
  const note = (client: PoolClient): void => {
    if (noted.has(client)) return;
    noted.set(client, client.query);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [statement, values] = args as [string | QueryConfig, unknown];
      const { text, values: own } = typeof statement === "string" ? { text: statement } : statement;
      sent.push({ text, values: own ?? (Array.isArray(values) ? values : []) });
      return query(...args);
    }) as typeof client.query;
  };
  pool.on("acquire", note);
  try {
    await work();
  } finally {
    pool.off("acquire", note);
    for (const [client, query] of noted) client.query = query;
  }
  return sent;
}

/** How many blocks Postgres looks at when it runs the statement once more. What that changes is taken back. */
export async function blocksOf(pool: Pool, { text, values }: Sent): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    await client.query("rollback");
    const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
    return plan ? (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0) : Infinity;
  } finally {
    client.release();
  }
}

/** Of the statement that has this text, among those that the work sends. */
export async function blocksOfOne(
  pool: Pool,
  text: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const sent = (await statementsSent(pool, work)).find((each) => each.text.includes(text));
  return sent ? await blocksOf(pool, sent) : Infinity;
}
