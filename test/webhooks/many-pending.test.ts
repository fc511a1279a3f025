import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { ClientChange } from "../../src/clients/index.ts";
import { countLockWaits } from "../support/lock-waits.ts";
import { answers } from "../support/receiver.ts";
import { untilTrue } from "../support/until-true.ts";
import { people, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
const { database, services } = harness;
const day = 24 * 3_600;
const many = 1_200;
const most = 500;

/** Fails each transaction that touches more deliveries than one may. */
beforeAll(async () => {
  await database.query(
    `create function refuse_many() returns trigger language plpgsql as $$
     declare
       before integer := coalesce(nullif(current_setting('test.touched', true), ''), '0');
     begin
       perform set_config('test.touched', (before + (select count(*) from touched))::text, true);
       if current_setting('test.touched')::integer > ${most} then raise exception 'too many at once'; end if;
       return null;
     end $$`,
  );
  for (const [change, rows] of Object.entries({ update: "new", delete: "old" }))
    await database.query(
      `create trigger refuse_many_${change} after ${change} on deliveries referencing ${rows} table as touched
       for each statement execute function refuse_many()`,
    );
});
afterAll(() => database.query("drop function refuse_many cascade"));

let company: Company;

async function change(fields: ClientChange, of = company): Promise<void> {
  const client = await services.clients.find(of.client.clientId);
  await services.clients.update(client!, fields);
}

/** Events of so many subjects that nobody has acknowledged. Their next attempts are tomorrow. */
async function wait({ subjects, isSlow = false }: { subjects: number; isSlow?: boolean }) {
  await database.query(
    `insert into deliveries (id, client_id, status, subject, event_type, position, added, removed, updated, created_at,
       leaves_earlier_lists, due_at, is_slow)
     select gen_random_uuid(), $1, 'pending', 'of ' || n % $2, 'connection.healed', 1000000 + n, 0, 0, 0, service_now(),
       true, case when n < $2 then service_now() + interval '1 day' end, $3
     from generate_series(0, ${many - 1}) n`,
    [company.client.clientId, subjects, isSlow],
  );
}

const record = (of = company): Promise<unknown> =>
  database.query("select record_event_of($1, 'connection.healed', '{}')", [of.connectionId]);

async function happen(): Promise<void> {
  await record();
  await services.events.place();
  await harness.work();
}

/** Their address is gone, and set again. Nobody has looked since. */
async function waitForResumed(): Promise<void> {
  await wait({ subjects: many });
  receiver.answer = answers.status(410);
  await happen();
  receiver.reset();
  await change({ eventUri: receiver.url });
}

/** Whoever is to change a delivery behind the first few does this before, until the work has ended. */
async function atSecondBatch(statement: string, work: () => Promise<void>): Promise<void> {
  const [row] = await database.query(
    "select id from deliveries where client_id = $1 and status = 'pending' order by id offset $2 limit 1",
    [company.client.clientId, most + 100],
  );
  await database.query(
    `create function at_second() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$`,
  );
  await database.query(
    `create trigger at_second before update on deliveries for each row when (new.id = '${String(row?.["id"])}')
       execute function at_second()`,
  );
  try {
    await work();
  } finally {
    await database.query("drop function at_second cascade");
  }
}

const waiting = async (): Promise<{ pending: number; due: number; slow: number }> => {
  const [row] = await database.query(
    `select count(*)::integer as pending, count(due_at)::integer as due,
       (count(*) filter (where is_slow))::integer as slow
     from deliveries where client_id = $1 and status = 'pending'`,
    [company.client.clientId],
  );
  return row as { pending: number; due: number; slow: number };
};

beforeEach(async () => {
  company = await harness.connectCompany(people(2));
  await services.events.place();
  await change({ eventUri: receiver.url });
  await harness.tick();
});

/** Or the next test would attempt them. */
afterEach(async () => {
  const remove = `delete from deliveries where id in (
    select id from deliveries where subject like 'of %' limit ${most}) returning id`;
  while ((await database.query(remove)).length === most);
});

describe("of many pending events, no transaction touches all, when their address", () => {
  test("is gone: they wait, and the attempt has ended", async () => {
    await wait({ subjects: many });
    receiver.answer = answers.status(410);
    await happen();
    expect(await services.webhooks.statusesOf(company.client.clientId)).toMatchObject({
      events: "gone",
    });
    expect(await waiting()).toMatchObject({ pending: many + 1, due: 0 });
  });

  test("answers in time again: none is of a slow address", async () => {
    await wait({ subjects: many, isSlow: true });
    await database.query("update event_endpoints set is_slow = true where client_id = $1", [
      company.client.clientId,
    ]);
    await happen();
    expect(receiver.received).toHaveLength(1);
    expect(await waiting()).toEqual({ pending: many, due: many, slow: 0 });
  });

  test("is known to answer in time: what was left to be slow is so no more after the next attempt", async () => {
    receiver.answer = answers.status(500);
    await happen();
    receiver.reset();
    await wait({ subjects: many, isSlow: true });
    await database.query("update deliveries set is_slow = true where client_id = $1 and run > 0", [
      company.client.clientId,
    ]);
    harness.clock.advance(60);
    await harness.work();
    expect(await waiting()).toEqual({ pending: many, due: many, slow: 0 });
  });

  test("is set again: the next one of each subject is due, and the others wait", async () => {
    await wait({ subjects: 700 });
    receiver.answer = answers.status(410);
    await happen();
    await change({ eventUri: receiver.url });
    await harness.tick();
    expect(await waiting()).toMatchObject({ pending: many + 1, due: 700 + 1 });
  });

  test("is taken away: they are dropped", async () => {
    await wait({ subjects: 1 });
    await change({ eventUri: null });
    await harness.tick();
    expect(await waiting()).toMatchObject({ pending: 0 });
  });
});

describe("while an address is given to many pending events", () => {
  test("events of all clients get their positions", async () => {
    const other = await harness.connectCompany(people(2));
    await change({ eventUri: `${receiver.url}/other` }, other);
    await waitForResumed();
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("select pg_advisory_lock(4711)");
    await atSecondBatch("perform pg_advisory_xact_lock(4711)", async () => {
      const ticking = harness.tick();
      try {
        await untilTrue("some have it", async () => (await countLockWaits(database)) === 1);
        expect((await waiting()).due).toBeGreaterThanOrEqual(most);
        for (const each of [company, other]) await record(each);
        await services.events.place();
        expect(await database.query("select id from events where position is null")).toEqual([]);
      } finally {
        await holder.end();
        await ticking;
      }
    });
    expect(await waiting()).toMatchObject({ due: many + 1 });
  });

  test("the next worker goes on where one was left", async () => {
    await waitForResumed();
    await atSecondBatch("raise exception 'the worker is gone'", () =>
      harness.tick().then(() => undefined),
    );
    expect(await waiting()).toMatchObject({ due: most });
    await database.query(
      "update deliveries set due_at = due_at + interval '1 day' where client_id = $1 and due_at is not null",
      [company.client.clientId],
    );
    await harness.tick();
    const [row] = await database.query(
      `select count(*)::integer as later from deliveries where client_id = $1 and status = 'pending'
         and due_at > service_now()`,
      [company.client.clientId],
    );
    expect(await waiting()).toMatchObject({ due: many + 1 });
    expect(row).toEqual({ later: most });
  });

  test("one that somebody holds at that moment gets it a little later", async () => {
    receiver.answer = answers.status(500);
    await happen();
    receiver.reset();
    const own = "where client_id = $1 and status = 'pending'";
    const ids = [company.client.clientId];
    await database.query(
      `update deliveries set schedule_step = 9, due_at = service_now() + interval '1 day' ${own}`,
      ids,
    );
    await change({ eventUri: `${receiver.url}/next` });
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query(`select from deliveries ${own} for update`, ids);
    await harness.tick();
    await holder.end();
    await harness.tick();
    await harness.work();
    expect(receiver.received.filter(({ path }) => path.endsWith("/next"))).toHaveLength(1);
  });

  test("a worker that stops leaves it to the next one", async () => {
    await waitForResumed();
    await services.webhooks.schedulePolls();
    await services.webhooks.settlePending(AbortSignal.abort());
    expect(await waiting()).toMatchObject({ due: 0 });
    await services.webhooks.settlePending();
    expect(await waiting()).toMatchObject({ due: many + 1 });
  });
});

test("what was to be tried again when the address was removed is not sent to the next one before it is dropped", async () => {
  receiver.answer = answers.status(500);
  await happen();
  await change({ eventUri: null });
  harness.clock.advance(1);
  await change({ eventUri: `${receiver.url}/next` });
  await services.webhooks.schedulePolls();
  receiver.reset();
  harness.clock.advance(60);
  await harness.work();
  const atNext = () => receiver.received.filter(({ path }) => path.endsWith("/next"));
  expect(atNext()).toEqual([]);
  await record();
  await services.events.place();
  await harness.work();
  expect(atNext()).toHaveLength(1);
});

test("what was pending when the address was removed is not sent to the next one before it is dropped", async () => {
  receiver.answer = answers.status(410);
  await happen();
  await change({ eventUri: null });
  harness.clock.advance(1);
  await change({ eventUri: receiver.url });
  await services.webhooks.schedulePolls();
  receiver.reset();
  await harness.sweep();
  await record();
  await services.events.place();
  await harness.work();
  expect(receiver.received).toEqual([]);
  await services.webhooks.settlePending();
  await harness.work();
  expect(receiver.received).toHaveLength(1);
});

test("events that wait go with what they tell, after thirty days", async () => {
  receiver.answer = answers.status(410);
  await happen();
  harness.clock.advance(30 * day);
  await services.webhooks.removeOld();
  expect(await waiting()).toMatchObject({ pending: 1 });
  harness.clock.advance(1);
  await services.webhooks.removeOld();
  expect(await waiting()).toMatchObject({ pending: 0 });
});

test("an address that cannot be used yet stops neither the polls nor the address of another client", async () => {
  const other = await harness.connectCompany(people(2));
  await database.query(
    `create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
  );
  await database.query(
    `create trigger refuse_one before update on event_endpoints for each row
       when (not new.has_changed and new.client_id = '${company.client.clientId}') execute function refuse_one()`,
  );
  await change({ pollResources: ["payruns"] });
  await change({ eventUri: receiver.url }, other);
  await harness.tick();
  await harness.work();
  expect((await harness.pollOf(other))?.outcome).toBe("baseline");
  expect(harness.logLines.join("")).toContain(`"clientId":"${company.client.clientId}"`);
  await database.query("drop function refuse_one cascade");
  await harness.tick();
  const [row] = await database.query(
    "select has_changed as changed from event_endpoints where client_id = $1",
    [company.client.clientId],
  );
  expect(row).toEqual({ changed: false });
});

test("an address for webhooks about employees is set and removed without a look at many pending events", async () => {
  await database.query(
    `insert into deliveries (id, client_id, status, subject, event_type, position, added, removed, updated, created_at)
     select gen_random_uuid(), $1, 'pending', 'of ' || n, 'connection.healed', 1000000 + n, 0, 0, 0, service_now()
     from generate_series(1, 20000) n`,
    [company.client.clientId],
  );
  await database.query("analyze deliveries");
  const query = vi.spyOn(Client.prototype, "query");
  for (const webhookUri of [receiver.url, null]) {
    await change({ webhookUri });
    await harness.tick();
  }
  const walks = query.mock.calls
    .map(([text, values]: unknown[]) => ({ text: String(text), values: values as unknown[] }))
    .filter(({ text }) => text.startsWith("select id from deliveries") && text.includes("is null"));
  query.mockRestore();
  expect(walks.length).toBeGreaterThanOrEqual(2);
  for (const { text, values } of walks) {
    const [row] = await database.query(`explain (analyze, format json) ${text}`, values);
    const removed = JSON.stringify(row).matchAll(/"Rows Removed by Filter":(\d+)/g);
    expect([...removed].reduce((sum, [, rows]) => sum + Number(rows), 0)).toBeLessThan(most);
  }
});
