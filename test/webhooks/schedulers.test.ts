import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { transaction } from "../../src/platform/db/index.ts";
import { createLog } from "../../src/platform/log.ts";
import { buildServices, type Services } from "../../src/start/services.ts";
import { schedulePolls } from "../../src/webhooks/schedule-polls.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/harness.ts";
import { Killed, KillablePool } from "../support/killable-pool.ts";
import { TestClock } from "../support/test-clock.ts";
import { webhookDependencies } from "../support/webhook-harness.ts";

const connectionCount = 1_000;
const minute = 60;
const hour = 60 * minute;

/** A scheduler of its own process: its rooms, on a database that it can be cut off from. */
interface Scheduler {
  killable: KillablePool;
  begun: { connectionId: string; at: number }[];
  tick: () => Promise<unknown>;
}

let database: TestDatabase;
let services: Services;
let clock: TestClock;
beforeAll(async () => {
  database = await createTestDatabase();
  clock = new TestClock();
  clock.lead(database);
  services = await buildServices(
    readConfig(testEnvironment(database.url, { DATABASE_POOL_MAX: "12" })),
    { clock, log: createLog({ level: "silent" }) },
  );
  await connectAll();
});
afterAll(async () => {
  await services.dispose();
  await database.drop();
});

async function connectAll(): Promise<void> {
  const { clients, tokens, pool } = services;
  const { client } = await clients.create({
    name: "Many",
    redirectUris: ["https://app.example.com/callback"],
  });
  const identity = { name: "A", email: "a@example.com", phone_number: null };
  await transaction(pool, async (tx) => {
    for (let index = 0; index < connectionCount; index += 1) {
      const signIn = { session: {}, identity, unsupported: [], origin: null };
      await tokens.issueDirectly(tx, {
        clientId: client.clientId,
        provider: "sandbox",
        mode: "xhr",
        scopes: ["/2023-03-01/xhr/employees"],
        signIn,
      });
    }
  });
  await clients.update(client, { webhookUri: "https://receiver.example.com/hook" });
}

function createScheduler(): Scheduler {
  const killable = new KillablePool(services.pool);
  const { pool } = killable;
  const begun: Scheduler["begun"] = [];
  const begin = (connectionId: string): void =>
    void begun.push({ connectionId, at: clock.now().getTime() / 1000 });
  /** No read begins, so every poll that is claimed begins. */
  const pollSource = {
    ...webhookDependencies(services).pollSource,
    askAll: async () => new Set<string>(),
  };
  return {
    killable,
    begun,
    tick: () => schedulePolls({ pool, log: services.log, pollSource }, begin).catch(ignoreDeath),
  };
}

function ignoreDeath(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

/** The slots that were taken, as the database keeps them, with what each hour's are. */
async function takenSlots(): Promise<Map<string, number>> {
  const { rows } = await services.pool.query<{ id: string; slot: Date }>(
    "select connection_id as id, slot from polls where state = 'pending'",
  );
  return new Map(rows.map(({ id, slot }) => [id, slot.getTime() / 1000]));
}

function perMinute(moments: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const at of moments)
    counts.set(Math.floor(at / minute), (counts.get(Math.floor(at / minute)) ?? 0) + 1);
  return [...counts.values()];
}

describe("Promise 20: polls happen once per connection and hour", () => {
  test("three schedulers, 1,000 connections, one scheduler killed: each is polled once per slot, and no minute has more than twice the mean", async () => {
    const schedulers = [createScheduler(), createScheduler(), createScheduler()];
    await schedulers[0]!.tick();
    expect((await takenSlots()).size).toBe(connectionCount);
    for (const { begun } of schedulers) begun.length = 0;

    const [beginning, slots] = [clock.now().getTime() / 1000, new Map<string, Set<number>>()];
    const hours = 3;
    for (let elapsed = 0; elapsed < hours * hour; elapsed += 30) {
      clock.advance(30);
      // It dies in the middle of taking polls, and what it had begun is taken by the others.
      if (elapsed === hour + 600) schedulers[1]!.killable.killAfter(4);
      await Promise.all(schedulers.map(({ tick }) => tick()));
      for (const [id, slot] of await takenSlots())
        if (slot > beginning) slots.set(id, (slots.get(id) ?? new Set()).add(slot));
    }

    expect(schedulers[1]!.killable.restart()).toBe(true);
    expect(slots.size).toBe(connectionCount);
    const hoursOf = (of: ReadonlySet<number>): number[] =>
      [...of].map((slot) => Math.floor(slot / hour) - Math.floor(beginning / hour)).sort();
    expect([...slots.values()].filter((of) => hoursOf(of).join() !== "0,1,2")).toEqual([]);
    const offsets = [...slots.values()].map(
      (of) => new Set([...of].map((slot) => slot % hour)).size,
    );
    expect(new Set(offsets)).toEqual(new Set([1]));

    const begun = schedulers.flatMap((scheduler) => scheduler.begun);
    const jobs = new Set(
      begun.map(({ connectionId, at }) => `${connectionId} ${Math.floor(at / hour)}`),
    );
    expect(begun.length).toBe(jobs.size);
    const mean = connectionCount / 60;
    expect(
      Math.max(...perMinute([...slots.values()].flatMap((of) => [...of]))),
    ).toBeLessThanOrEqual(2 * mean);
  });

  test("what was due while no scheduler ran is polled once when one runs again, not once for each hour", async () => {
    const scheduler = createScheduler();
    clock.advance(5 * hour);
    await scheduler.tick();
    await scheduler.tick();
    expect(scheduler.begun).toHaveLength(connectionCount);
    expect(new Set(scheduler.begun.map(({ connectionId }) => connectionId)).size).toBe(
      connectionCount,
    );
    const later = createScheduler();
    for (let elapsed = 0; elapsed < hour; elapsed += minute) {
      clock.advance(minute);
      await later.tick();
    }
    expect(later.begun).toHaveLength(connectionCount);
  });
});
