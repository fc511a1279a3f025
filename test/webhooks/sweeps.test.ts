import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { WebhookDependencies } from "../../src/webhooks/dependencies.ts";
import { schedulePolls } from "../../src/webhooks/schedule-polls.ts";
import { sweepWebhooks } from "../../src/webhooks/sweep.ts";
import { people, webhookDependencies, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
const atOnce = 8;

/** Companies of one client, each with a poll that is due, whose reads do not begin. */
async function stageDuePolls(count: number) {
  const first = await harness.watchCompany(people(2), receiver.url);
  const companies: Company[] = [first];
  while (companies.length < count)
    companies.push(await harness.connectCompany(people(2), { client: first }));
  const dependencies = webhookDependencies(harness.services);
  const pollSource = { ...dependencies.pollSource, askAll: async () => new Set<string>() };
  harness.clock.advance(3_600);
  await schedulePolls({ ...dependencies, pollSource }, () => undefined);
  harness.clock.advance(61);
  return { companies, dependencies };
}

/** How polls ask for employees. Those that were asked for are not read. */
function askingWith(ask: () => Promise<void>): WebhookDependencies["pollSource"] {
  return {
    ...webhookDependencies(harness.services).pollSource,
    ask: async () => {
      await ask();
      return { kind: "unavailable" };
    },
  };
}

const countPending = async (): Promise<number> =>
  (await harness.database.query("select from polls where state = 'pending'")).length;

test("a sweep runs eight polls at once, and no more", async () => {
  const { dependencies } = await stageDuePolls(20);
  const eight = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const pollSource = askingWith(async () => {
    running += 1;
    most = Math.max(most, running);
    if (running === atOnce) eight.resolve();
    await eight.promise;
    running -= 1;
  });
  await sweepWebhooks({ ...dependencies, pollSource });
  expect(most).toBe(atOnce);
  expect(await countPending()).toBe(0);
});

test("a sweep whose time is over leaves the rest to the next one, and has made the bodies before", async () => {
  const { companies, dependencies } = await stageDuePolls(20);
  await harness.database.query(
    "update receiver_states set acknowledged = substring(acknowledged from 17), has_pending_changes = true where connection_id = $1",
    [companies[0]!.connectionId],
  );
  let elapsedMs = 0;
  const clock = {
    ...dependencies.clock,
    now: () => harness.clock.now(),
    elapsedMs: () => elapsedMs,
  };
  const pollSource = askingWith(async () => void (elapsedMs += 60_000));
  await sweepWebhooks({ ...dependencies, clock, pollSource });
  expect(await harness.deliveriesOf(companies[0]!.client.clientId)).toHaveLength(1);
  const left = await countPending();
  expect(left).toBeGreaterThanOrEqual(20 - atOnce);
  expect(left).toBeLessThan(20);
  harness.clock.advance(61);
  while ((await countPending()) > 0) {
    await sweepWebhooks({ ...dependencies, clock, pollSource });
    harness.clock.advance(61);
  }
});

/** A client that has switched a field off. What is kept for its webhooks has it still. */
async function switchOff(): Promise<{ isClean: () => Promise<boolean> }> {
  const { client } = await harness.watchCompany(people(2), receiver.url);
  const { clients } = harness.services;
  await clients.update((await clients.find(client.clientId))!, { fieldsOff: ["tax_id"] });
  return {
    isClean: async () => {
      const [row] = await harness.database.query(
        "select cleans_due as due from webhook_endpoints where client_id = $1",
        [client.clientId],
      );
      return row?.["due"] === 0;
    },
  };
}

test("more stale polls of one client than a sweep can run keep no other client's fields stored", async () => {
  const { dependencies } = await stageDuePolls(60);
  const { isClean } = await switchOff();
  let elapsedMs = 0;
  const clock = {
    ...dependencies.clock,
    now: () => harness.clock.now(),
    elapsedMs: () => elapsedMs,
  };
  const pollSource = askingWith(async () => {
    for (let tries = 0; tries < 100 && !(await isClean()); tries += 1) await delay(20);
    elapsedMs += 60_000;
  });
  await sweepWebhooks({ ...dependencies, clock, pollSource });
  expect(await countPending()).toBeGreaterThan(0);
  expect(await isClean()).toBe(true);
});

/** A pool that refuses the statement that has this text. */
function refusing(pool: WebhookDependencies["pool"], text: string): WebhookDependencies["pool"] {
  const query = async (...sent: [string | { text: string }, unknown[]]): Promise<unknown> => {
    const [statement] = sent;
    if ((typeof statement === "string" ? statement : statement.text).includes(text))
      throw new Error("for this test");
    return await pool.query(...(sent as [string, unknown[]]));
  };
  return new Proxy(pool, {
    get: (target, name) => {
      const value: unknown = name === "query" ? query : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test.each([
  ["pending changes", "where s.has_pending_changes", true],
  ["stale polls", "update polls set enqueued_at", false],
  ["events that wait", "origin_key = waiting.origin_key", true],
])("a look for %s that fails keeps no other part from running", async (_what, text, runsPolls) => {
  const { dependencies } = await stageDuePolls(2);
  const { isClean } = await switchOff();
  const pool = refusing(dependencies.pool, text);
  const pollSource = askingWith(async () => undefined);
  await expect(sweepWebhooks({ ...dependencies, pool, pollSource })).rejects.toThrow("1 ");
  expect(await isClean()).toBe(true);
  expect((await countPending()) === 0).toBe(runsPolls);
});

test("bodies that cannot be made keep no poll from being run", async () => {
  const { companies, dependencies } = await stageDuePolls(2);
  await harness.database.query(
    "update receiver_states set unconfirmed = $2, has_pending_changes = true where connection_id = $1",
    [companies[0]!.connectionId, randomBytes(8)],
  );
  const pollSource = askingWith(async () => undefined);
  await expect(sweepWebhooks({ ...dependencies, pollSource })).rejects.toThrow(
    "connections could not be swept",
  );
  expect(await countPending()).toBe(0);
});
