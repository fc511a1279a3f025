import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from "vitest";
import { z } from "zod";
import { addSeconds, systemClock } from "../../src/platform/clock.ts";
import { createPostgresQueueBackend, JobQueue } from "../../src/platform/queue/index.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const names = Array.from({ length: 12 }, (_unused, index) => `queue-${index}`);
const log = pino({ level: "silent" });

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

let queue: JobQueue;
let done: Set<string>;
beforeEach(() => {
  const backend = createPostgresQueueBackend({
    databaseUrl: harness.database.url,
    workers: names.length,
    log,
  });
  queue = new JobQueue({ backend, clock: systemClock, log });
  done = new Set();
});
afterEach(() => queue.close());

function startWorkers(): void {
  for (const name of names) {
    queue.work({
      name,
      payload: z.object({}),
      concurrency: 1,
      run: async () => void done.add(name),
    });
  }
}

/** Postgres ends the connections that have just begun to listen and some of the others; this process hears of both at once. */
async function endListeners(): Promise<void> {
  const over = new AbortController();
  const ending = harness.database
    .query(
      `do $$ begin
         for i in 1..1500 loop
           perform pg_stat_clear_snapshot();
           perform pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and (query ilike 'listen%' or random() < 0.05);
           perform pg_sleep(0.001);
         end loop;
       end $$`,
    )
    .finally(() => over.abort());
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (!over.signal.aborted) {
    Atomics.wait(sleeper, 0, 0, 20);
    await delay(1);
  }
  await ending;
}

test("a queue tells how many jobs are in it, and how long the oldest one waits", async () => {
  expect(await queue.depths(["queue-0"])).toEqual([
    { name: "queue-0", waiting: 0, active: 0, delayed: 0, oldestSeconds: 0 },
  ]);
  await queue.enqueue("queue-0", {});
  await delay(300);
  await queue.enqueue("queue-0", {});
  await queue.enqueue("queue-0", {}, 60);
  const [depth] = await queue.depths(["queue-0"]);
  expect(depth).toMatchObject({ waiting: 2, active: 0, delayed: 1 });
  expect(depth?.oldestSeconds).toBeGreaterThan(0.29);
  startWorkers();
  await untilTrue("the jobs are done", () => done.has("queue-0"));
  // One that is stopped half-way is done anew when its lock has ended, which other tests do not wait for.
  await untilTrue("no job is half done", () => queue.isIdle("queue-0"));
});

test("how long the oldest job waits is told by the clock of the service, whatever the machine's says", async () => {
  const behind = { ...systemClock, now: () => addSeconds(systemClock.now(), -7_200) };
  const backend = createPostgresQueueBackend({
    databaseUrl: harness.database.url,
    workers: 1,
    log,
  });
  const other = new JobQueue({ backend, clock: behind, log });
  try {
    await other.enqueue("queue-of-another-clock", {});
    const [depth] = await other.depths(["queue-of-another-clock"]);
    expect(depth?.waiting).toBe(1);
    await untilTrue("it has waited", async () => {
      const [later] = await other.depths(["queue-of-another-clock"]);
      return (later?.oldestSeconds ?? 0) > 0;
    });
  } finally {
    await other.close();
  }
});

async function areIdle(): Promise<boolean> {
  return (await Promise.all(names.map((name) => queue.isIdle(name)))).every(Boolean);
}

test("workers that are stopped at any moment of their start give every connection back", async () => {
  for (let round = 0; round < 20; round += 1) {
    startWorkers();
    await delay(round);
    await queue.stopWorking(1_000);
  }
  // A few that were kept would be all that the queue may have, and nobody could ask it anything. A job of another test
  // whose worker was stopped is done by the next one.
  startWorkers();
  await expect(untilTrue("every queue is asked and idle", areIdle)).resolves.toBeUndefined();
});

test("workers whose connections were ended while they began to listen hear of new jobs again, without a restart", async () => {
  startWorkers();
  await endListeners();
  for (const name of names) await untilTrue("the queue takes jobs", () => queue.enqueue(name, {}));
  await untilTrue("every worker did its job", () => done.size === names.length);
  expect([...done].toSorted()).toEqual(names.toSorted());
});
