import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/platform/clock.ts";
import {
  createPool,
  DatabaseClock,
  Listener,
  notify,
  type Pool,
} from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const log = createLog({ level: "silent" });
/** Longer than a test may take. */
const foreverMs = 3_600_000;

let database: TestDatabase;
let listener: Listener;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  const { url: databaseUrl } = database;
  listener = new Listener({ databaseUrl, clock: new DatabaseClock(systemClock, log), log });
  pool = createPool({ databaseUrl, max: 1, patienceMs: 60_000, log });
  listener.start();
});
afterAll(async () => {
  await listener.close();
  await pool.end();
  await database.drop();
});

test("a notice wakes all who wait for it, and nobody else", async () => {
  const [awaited, other] = [randomUUID(), randomUUID()];
  const woken: string[] = [];
  const wait = async (payload: string, signal?: AbortSignal): Promise<void> => {
    await listener.waitFor(payload, foreverMs, signal);
    woken.push(payload);
  };
  const left = new AbortController();
  const waiting = [wait(awaited), wait(awaited), wait(other, left.signal)];
  // It connects in the background, and what was notified before is heard by nobody.
  await expect
    .poll(async () => {
      await notify(pool, awaited);
      return woken;
    })
    .toEqual([awaited, awaited]);
  left.abort();
  await Promise.all(waiting);
});
