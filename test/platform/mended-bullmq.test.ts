import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/platform/clock.ts";
import { createPostgresQueueBackend, JobQueue } from "../../src/platform/queue/index.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { untilTrue } from "../support/until-true.ts";

const log = pino({ level: "silent" });

let harness: Harness;
let proxy: FlakyProxy;
beforeAll(async () => {
  harness = await createHarness();
  proxy = await FlakyProxy.before(harness.database.url);
});
afterAll(async () => {
  await proxy.close();
  await harness.close();
});

let queue: JobQueue;
let done: string[];
beforeEach(() => {
  const databaseUrl = proxy.through(harness.database.url);
  const backend = createPostgresQueueBackend({ databaseUrl, workers: 1, log });
  queue = new JobQueue({ backend, clock: systemClock, log });
  done = [];
});
afterEach(() => queue.close());

function startWorker(name: string): void {
  const payload = z.object({ job: z.string() });
  queue.work({ name, payload, concurrency: 1, run: async ({ job }) => void done.push(job) });
}

test("a worker that was started while its server was away works when it is back", async () => {
  await proxy.cut();
  startWorker("started-while-away");
  expect(await queue.enqueue("asked-beside", {})).toBe(false);
  await proxy.restore();
  await untilTrue("a job is taken", () => queue.enqueue("started-while-away", { job: "first" }));
  await untilTrue("the job is done", () => done.length > 0);
  expect(done).toEqual(["first"]);
});

test("a queue that was asked first while its server was away takes jobs when it is back", async () => {
  await proxy.cut();
  expect(await queue.enqueue("asked-while-away", { job: "lost" })).toBe(false);
  await proxy.restore();
  const isTaken = (): Promise<boolean> => queue.enqueue("asked-while-away", { job: "first" });
  await expect(untilTrue("a job is taken", isTaken)).resolves.toBeUndefined();
});
