import { RowContext } from "../test/chaos/row.ts";

/** On the embedded Postgres alone, or with Redis. */
export type Store = "embedded" | "redis";

/** Ends whatever the work has started, and tells what it could not end. */
export async function withContext<Result>(
  store: Store,
  work: (context: RowContext) => Promise<Result>,
): Promise<Result> {
  const { signal } = new AbortController();
  const onRedis = store === "redis";
  const context = new RowContext({ scale: 1, onRedis, isVerbose: false, signal });
  try {
    return await work(context);
  } finally {
    for (const left of await context.end()) process.stderr.write(`not ended: ${left}\n`);
  }
}
