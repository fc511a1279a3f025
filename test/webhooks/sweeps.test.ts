import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WebhookDependencies } from "../../src/webhooks/dependencies.ts";
import { schedulePolls } from "../../src/webhooks/schedule-polls.ts";
import { sweepWebhooks } from "../../src/webhooks/sweep.ts";
import { blocksOf, statementsSent } from "../support/blocks.ts";
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

test("stale polls of one client, however many, leave another's to the same sweep", async () => {
  const { dependencies } = await stageDuePolls(60);
  await harness.database.query("update polls set enqueued_at = enqueued_at - interval '1 hour'");
  const other = await stageDuePolls(1);
  let elapsedMs = 0;
  const clock = {
    ...dependencies.clock,
    now: () => harness.clock.now(),
    elapsedMs: () => elapsedMs,
  };
  const pollSource = askingWith(async () => void (elapsedMs += 1_000));
  await sweepWebhooks({ ...dependencies, clock, pollSource });
  expect(await countPending()).toBeGreaterThan(10);
  const [poll] = await harness.database.query("select state from polls where connection_id = $1", [
    other.companies[0]!.connectionId,
  ]);
  expect(poll).toEqual({ state: "idle" });
});

describe("of many connections whose next body or event waits for its next attempt", () => {
  const many = 12_000;
  const mostBlocks = 10_000;
  let clientId: string;

  beforeEach(async () => {
    const company = await harness.connectCompany(people(2));
    clientId = company.client.clientId;
    await harness.listen(clientId, receiver.url);
    const client = await harness.services.clients.find(company.client.clientId);
    await harness.services.clients.update(client!, { eventUri: receiver.url });
    await harness.settle();
    await harness.database.query(fillWaiting(clientId, many));
    for (const table of ["deliveries", "receiver_states"])
      await harness.database.query(`vacuum analyze ${table}`);
  });
  afterEach(async () => {
    for (const table of ["deliveries", "receiver_states"])
      await harness.database.query(`delete from ${table} where client_id = $1`, [clientId]);
  });

  test("a sweep looks at some at a time", async () => {
    const { pool, webhooks } = harness.services;
    const sent = await statementsSent(pool, () => webhooks.sweep());
    const looks = sent.filter(({ text }) => /from (?:deliveries|receiver_states)\b/.test(text));
    expect(looks.length).toBeGreaterThan(2);
    for (const look of looks) expect(await blocksOf(pool, look)).toBeLessThan(mostBlocks);
  });

  test("the sweeps after it find what waits for nothing behind them", async () => {
    const { database, services } = harness;
    await database.query(
      `update deliveries set due_at = null where id = (
         select id from deliveries where client_id = $1 and due_at is not null and subject is not null
         order by subject desc limit 1)`,
      [clientId],
    );
    for (let sweeps = 0; sweeps < 2; sweeps += 1) await services.webhooks.sweep();
    const due = await database.query(
      "select from deliveries where client_id = $1 and due_at <= service_now()",
      [clientId],
    );
    expect(due).toHaveLength(1);
  });
});

const id = (kind: number): string => `lpad(to_hex(${kind} * 1000000 + n), 32, '0')::uuid`;

/** Of each connection a body and an event that are tried tomorrow, and an event behind it. There are no connections. */
function fillWaiting(clientId: string, many: number): string {
  const common = "id, client_id, status, added, removed, updated, created_at";
  return `set session_replication_role = replica;
    insert into receiver_states (connection_id, client_id, token_id, version, current, acknowledged, suspected_missing,
      unconfirmed, tombstones, has_pending_changes, sealed_list, sealed_index, sealed_tombstones)
    select ${id(1)}, '${clientId}', ${id(1)}, 'v', '', '', '', '', '', true, '', '', '' from generate_series(1, ${many}) n;
    insert into deliveries (${common}, connection_id, token_id, sealed_body, due_at)
    select ${id(2)}, '${clientId}', 'pending', 1, 0, 0, service_now(), ${id(1)}, ${id(1)}, '', service_now() + interval '1 day'
    from generate_series(1, ${many}) n;
    insert into deliveries (${common}, subject, event_type, position, due_at)
    select ${id(3)}, '${clientId}', 'pending', 0, 0, 0, service_now(), 'of ' || lpad((n / 2)::text, 9, '0'), 'data.ready', n,
      case when n % 2 = 0 then service_now() + interval '1 day' end from generate_series(2, ${2 * many} + 1) n;
    set session_replication_role = origin`;
}

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
  ["stale polls", "update polls p set enqueued_at", false],
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
