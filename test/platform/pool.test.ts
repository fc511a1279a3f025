import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createPool,
  findTrouble,
  isDatabaseUnavailable,
  type Pool,
} from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const log = createLog({ level: "silent" });
const pools: Pool[] = [];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});

function poolOf(max: number, patienceMs = 60_000): Pool {
  const pool = createPool({ databaseUrl: database.url, max, patienceMs, log });
  pools.push(pool);
  return pool;
}

describe("the pool of database clients", () => {
  test("as long as the database answers, all work gets its turn, in the order in which it came", async () => {
    const pool = poolOf(2);
    const done: number[] = [];
    const work = Array.from({ length: 32 }, async (_, index) => {
      await pool.query("select pg_sleep(0.25)");
      done.push(index);
    });
    await Promise.all(work);
    // The last turn began later than a wait for a single answer may take.
    expect(done.slice(0, 2).toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(done.slice(-2).toSorted((a, b) => a - b)).toEqual([30, 31]);
  });

  test("who waits for a client that never comes back is told within seconds that the database is away", async () => {
    const pool = poolOf(1);
    const client = await pool.connect();
    const beganAt = performance.now();
    const error: unknown = await pool.query("select 1").catch((failure: unknown) => failure);
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(performance.now() - beganAt).toBeLessThan(6_000);
    client.release();
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });

  test("a caller's wait ends with its patience, although others get their turn", async () => {
    const pool = poolOf(1, 600);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => pool.query("select pg_sleep(0.25)")),
    );
    const states = results.map(({ status }) => status);
    expect(states[0]).toBe("fulfilled");
    expect(states.at(-1)).toBe("rejected");
    const last = results.at(-1) as PromiseRejectedResult;
    expect(findTrouble(last.reason)).toBe("busy");
  });

  test("what fails, and a client that is given back as broken, gives its place to the next", async () => {
    const pool = poolOf(2);
    const failing = Array.from({ length: 20 }, () => pool.query("select 1 / 0"));
    const results = await Promise.allSettled(failing);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    for (let round = 0; round < 5; round += 1) (await pool.connect()).release(true);
    const after = Array.from({ length: 6 }, () => pool.query<{ one: number }>("select 1 as one"));
    const answers = await Promise.all(after);
    expect(answers.map(({ rows }) => rows[0]?.one)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
