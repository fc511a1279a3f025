import type { QueryResult } from "pg";
import type { Stage } from "../../test/chaos/stage.ts";
import type { Services } from "../../src/start/services.ts";
import { removeExpiredFlows } from "../../src/connect/index.ts";
import { claimDuePolls } from "../../src/webhooks/poll-store.ts";
import { shiftTime } from "../shift-time.ts";
import { cpuBetween, readCpuTimes } from "../cpu-meter.ts";

export interface Upkeep {
  what: string;
  rows: number;
  seconds: number;
  /** Processor time of Postgres, in microseconds a row. */
  postgresUs: number;
  longestStatementMs: number;
}

interface Counted {
  rows: number;
  longestMs: number;
}

const pollsAtOnce = 500;

const cleanUps: Readonly<Record<string, (services: Services) => Promise<void>>> = {
  "the hourly clean-up of webhooks": ({ webhooks }) => webhooks.removeOld(),
  "the hourly clean-up of codes": ({ tokens }) => tokens.removeOldCodes(),
  "the clean-up of data and reads": ({ sync }) => sync.removeOld(),
  "the clean-up of sign-ins": (services) => removeExpiredFlows(services),
  "the clean-up of unclaimed connections": ({ connections }) => connections.removeUnclaimed(),
  "the clean-up of requests that were counted": ({ quotas }) => quotas.removeOld(),
};

/** What the workers do by themselves: an hour's clean-ups, and the claims of an hour's polls. */
export async function measureUpkeep(stage: Stage, postgres: readonly number[]): Promise<Upkeep[]> {
  return await stage.withServices(async (services) => {
    const counted = countStatements(services);
    const done: Upkeep[] = [];
    const add = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      Object.assign(counted, { rows: 0, longestMs: 0 });
      const before = readCpuTimes(postgres);
      const beganAt = performance.now();
      await work();
      const seconds = (performance.now() - beganAt) / 1_000;
      const spent = cpuBetween(before, readCpuTimes(postgres));
      const { rows, longestMs } = counted;
      const postgresUs = rows === 0 ? 0 : spent / rows;
      done.push({ what, rows, seconds, postgresUs, longestStatementMs: longestMs });
    };
    for (const [what, cleanUp] of Object.entries(cleanUps))
      await add(what, () => cleanUp(services));
    await shiftTime(services.pool, "1 day");
    await add("the claims of an hour's polls", () => claimAll(services));
    await shiftTime(services.pool, "0 days");
    return done;
  });
}

/** The rows that statements of the pool changed, and how long the longest took. */
function countStatements({ pool }: Services): Counted {
  const counted: Counted = { rows: 0, longestMs: 0 };
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<QueryResult>;
  pool.query = (async (...args: unknown[]) => {
    const beganAt = performance.now();
    const result = await query(...args);
    counted.longestMs = Math.max(counted.longestMs, performance.now() - beganAt);
    const [only] = result.rows as { count?: number }[];
    counted.rows += only?.count ?? result.rowCount ?? 0;
    return result;
  }) as typeof pool.query;
  return counted;
}

async function claimAll({ pool }: Services): Promise<void> {
  for (;;) {
    const { claimed } = await claimDuePolls(pool, pollsAtOnce);
    if (claimed < pollsAtOnce) return;
  }
}

/** How many rows of each table were ever read without an index. A session tells it when it is idle or ends. */
export async function countScanned(
  stage: Stage,
  tables: readonly string[],
): Promise<Map<string, number>> {
  const rows = await stage.query(
    `select relname as table, seq_tup_read::float8 as rows from pg_stat_user_tables where relname = any($1)`,
    [tables],
  );
  return new Map(rows.map((row) => [String(row["table"]), Number(row["rows"])]));
}
