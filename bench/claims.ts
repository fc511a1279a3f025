import { performance } from "node:perf_hooks";
import { Pool } from "pg";
import type { Stage } from "../test/chaos/stage.ts";
import { fillTables } from "../test/support/fill-tables.ts";
import { transaction, type Queryable, type Transaction } from "../src/platform/db/index.ts";
import { createReadTable } from "../src/reading/read-store.ts";
import { claimDuePolls } from "../src/webhooks/poll-store.ts";
import { cpuBetween, readCpuTimes } from "./cpu-meter.ts";
import { rounds } from "./options.ts";
import type { Claim } from "./report.ts";
import { shiftTime } from "./shift-time.ts";
import { storePidsOf } from "./stage-pids.ts";
import { withContext } from "./with-context.ts";

const [few, many] = [1_000, 1_000_000] as const;
/** The polls that a schedule claims at once, and the reads of one measurement. */
const polls = 500;
const reads = 40;
const pollsAnHour = 1_000_000;
const tables = ["polls", "reads"] as const;

/** What a claim costs among a thousand rows and among a million, and how many polls are claimed in a second. */
export async function benchClaims(): Promise<Claim[]> {
  return await onTables(async (stage, pool) => {
    const amongFew = await measure(stage, pool, few);
    const amongMany = await measure(stage, pool, many);
    return [
      flatness("polls", amongFew.polls, amongMany.polls),
      flatness("a read", amongFew.reads, amongMany.reads),
      {
        name: `polls claimed in an hour at ${many} connections, against their need`,
        target: 25,
        ratios: amongMany.seconds.map((seconds) => (polls / seconds) * (3_600 / pollsAnHour)),
      },
    ];
  });
}

/** What Postgres does for a claim of polls among a thousand rows and among a million, and the time of each part. */
export async function planClaims(): Promise<string> {
  return await onTables(async (stage, pool) => {
    const plans: string[] = [];
    for (const connections of [few, many]) {
      await fillAnew(stage, connections);
      await claimAndRollBack(pool);
      plans.push(`A claim of ${polls} polls among ${connections}:`, await planOfClaim(pool));
    }
    return `${plans.join("\n\n")}\n`;
  });
}

async function planOfClaim(pool: Pool): Promise<string> {
  let plan: string[] = [];
  await rolledBack(pool, async (tx) => {
    const explained: Queryable = {
      query: async (query, values) => {
        const statement = typeof query === "string" ? query : query.text;
        const options = "analyze, buffers, costs off";
        const result = await tx.query<never>(`explain (${options}) ${statement}`, values);
        plan = result.rows.map((row) => row["QUERY PLAN"]);
        return { ...result, rows: [] };
      },
    };
    await claimDuePolls(explained, polls);
  });
  return plan.join("\n");
}

async function onTables<Result>(
  work: (stage: Stage, pool: Pool) => Promise<Result>,
): Promise<Result> {
  return await withContext("embedded", async (context) => {
    const stage = await context.stage();
    await stage.withServices(async () => undefined);
    await stage.query("set session_replication_role = replica");
    const pool = new Pool({ connectionString: stage.databaseUrl, max: 1 });
    context.defer("the pool", () => pool.end());
    // Every row is due.
    await shiftTime(pool, "1 day");
    return await work(stage, pool);
  });
}

async function fillAnew(stage: Stage, connections: number): Promise<void> {
  await stage.query(`truncate ${tables.join(", ")}, clients cascade`);
  await fillTables(stage, connections, tables);
}

function flatness(what: string, amongFew: readonly number[], amongMany: readonly number[]): Claim {
  return {
    name: `a claim of ${what} among ${few} rows against ${many}: CPU`,
    // Flat within 1.3 times.
    target: 0.77,
    costs: amongMany.map((cost, round) => ({ ours: cost, reference: amongFew[round] ?? cost })),
  };
}

interface Measured {
  /** Microseconds of a claim of many polls, and of one of a read, by round. */
  polls: number[];
  reads: number[];
  /** How long a claim of polls took. */
  seconds: number[];
}

/** Each claim is rolled back or given back, so all rounds find the same rows. The first round warms up. */
async function measure(stage: Stage, pool: Pool, connections: number): Promise<Measured> {
  await fillAnew(stage, connections);
  const stores = await storePidsOf(stage);
  const measured: Measured = { polls: [], reads: [], seconds: [] };
  const table = createReadTable(pool, []);
  for (let round = -1; round < rounds; round += 1) {
    const beganAt = performance.now();
    const beforePolls = readCpuTimes(stores);
    await claimAndRollBack(pool);
    const seconds = (performance.now() - beganAt) / 1_000;
    const beforeReads = readCpuTimes(stores);
    for (let count = 0; count < reads; count += 1) {
      const read = await table.claim();
      if (read) await table.release(read);
    }
    const after = readCpuTimes(stores);
    if (round < 0) continue;
    measured.polls.push(cpuBetween(beforePolls, beforeReads));
    measured.reads.push(cpuBetween(beforeReads, after) / reads);
    measured.seconds.push(seconds);
  }
  return measured;
}

class RolledBack extends Error {}

async function claimAndRollBack(pool: Pool): Promise<void> {
  await rolledBack(pool, async (tx) => {
    const { claimed } = await claimDuePolls(tx, polls);
    if (claimed !== polls) throw new Error(`${claimed} polls were claimed instead of ${polls}`);
  });
}

async function rolledBack(pool: Pool, work: (tx: Transaction) => Promise<void>): Promise<void> {
  await transaction(pool, async (tx) => {
    await work(tx);
    throw new RolledBack();
  }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}
