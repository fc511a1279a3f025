import { afterEach, describe, expect, test } from "vitest";
import type { ClientChange } from "../../src/clients/index.ts";
import { packedId } from "../../src/platform/packed-list.ts";
import { describeChanges } from "../../src/webhooks/describe-changes.ts";
import { answers } from "../support/receiver.ts";
import { people, person, whoIn, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();

let company: Company;
afterEach(() => change({ webhookUri: null, eventUri: null, pollResources: null }));

async function change(fields: ClientChange): Promise<void> {
  const client = await harness.services.clients.find(company.client.clientId);
  await harness.services.clients.update(client!, fields);
}

/** A company of people who are polled, for a client with these wishes. */
async function companyWith(count: number, fields: ClientChange): Promise<void> {
  company = await harness.connectCompany(people(count));
  await change(fields);
  await harness.tick();
  await harness.work();
}

async function changes(): Promise<Record<string, unknown>[]> {
  await harness.services.events.place();
  const { body } = await harness.http.get("/2023-03-01/management/events", {
    basic: [company.client.clientId, company.secret],
  });
  return (body as { events: { type: string; data: Record<string, unknown> }[] }).events
    .filter(({ type }) => type === "data.changed")
    .map(({ data }) => data);
}

async function idsByName(): Promise<Map<string, string>> {
  const { body } = await harness.http.get("/2023-03-01/xhr/employees", { bearer: company.token });
  return new Map(
    (body as { remote_id: string; id: string }[]).map(({ remote_id: name, id }) => [name, id]),
  );
}

const one = (id: string | undefined) => ({ count: 1, ids: [id] });

async function changeThree(): Promise<object> {
  const before = await idsByName();
  company.people = [person(1, { first_name: "Other" }), ...people(8, 3), person(99)];
  await harness.pollNextHour();
  const after = await idsByName();
  return {
    resource: "employees",
    added: one(after.get("r99")),
    updated: one(after.get("r1")),
    removed: one(before.get("r2")),
    truncated: false,
  };
}

test("what the hourly poll finds is told with the ids, beside the webhook, which stays as it is", async () => {
  await companyWith(10, { webhookUri: receiver.url });
  expect(await changes()).toEqual([]);
  const expected = await changeThree();
  expect(await changes()).toEqual([expect.objectContaining(expected)]);
  expect(receiver.last.body.removed).toHaveLength(1);
  await harness.pollNextHour();
  expect(await changes()).toHaveLength(1);
});

test.each<[string, ClientChange]>([
  ["an address for events alone", { eventUri: "http://127.0.0.1:9/" }],
  ["no address, who has chosen the employees", { pollResources: ["employees"] }],
])("a client with %s is polled and sent no webhook", async (_who, fields) => {
  await companyWith(10, fields);
  const expected = await changeThree();
  expect(await changes()).toEqual([expect.objectContaining(expected)]);
  await harness.sweep();
  const webhooks = await harness.database.query("select from deliveries where connection_id = $1", [
    company.connectionId,
  ]);
  expect(webhooks).toEqual([]);
});

test("a client that has chosen no resource is not told of employees, and a client without wishes is not polled", async () => {
  await companyWith(10, { webhookUri: receiver.url, pollResources: [] });
  await changeThree();
  expect(await changes()).toEqual([]);
  await change({ webhookUri: null, pollResources: null });
  await companyWith(10, { name: "Other" });
  expect(company.fetches).toBe(0);
});

test("people who vanish at once are told as removed when a second list agrees", async () => {
  await companyWith(10, { pollResources: ["employees"] });
  company.people = people(4);
  await harness.pollNextHour();
  expect(await changes()).toEqual([]);
  await harness.pollNextHour();
  expect(await changes()).toEqual([
    expect.objectContaining({ removed: { count: 6, ids: expect.objectContaining({ length: 6 }) } }),
  ]);
});

test("a lost right is no change of anybody", async () => {
  await companyWith(10, { pollResources: ["employees"] });
  company.limited = ["first_name"];
  company.people = people(10).map(({ first_name: _gone, ...rest }) => rest);
  await harness.pollNextHour();
  expect(await changes()).toEqual([]);
});

async function pollWith(list: typeof company.people, limited: string[] = []): Promise<void> {
  Object.assign(company, { people: list, limited });
  await harness.pollNextHour();
}

test("who changed while a right was away, and changed back, is told of when it is back", async () => {
  const titled = people(10).map((each) => ({ ...each, job_title: "Clerk" }));
  await companyWith(10, { pollResources: ["employees"] });
  await pollWith(titled);
  await pollWith(people(10), ["job_title"]);
  await pollWith([person(1, { last_name: "Wed" }), ...people(9, 2)], ["job_title"]);
  await pollWith(people(10), ["job_title"]);
  await pollWith(titled);
  const updated = one((await idsByName()).get("r1"));
  expect((await changes()).slice(1)).toMatchObject([{ updated }, { updated }, { updated }]);
});

describe("employees that nobody wants any more", () => {
  test("are forgotten: a first webhook address, months later, tells of nobody who has changed since", async () => {
    await companyWith(3, { pollResources: ["employees"] });
    await change({ pollResources: ["payruns"] });
    await harness.tick();
    company.people = people(5);
    harness.clock.advance(60 * 24 * 3_600);
    await change({ webhookUri: receiver.url });
    await harness.settle();
    expect(receiver.received).toEqual([]);
    expect((await harness.pollOf(company))?.outcome).toBe("baseline");
    company.people = people(6);
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r6"], removed: [], updated: [] }]);
  });

  test("are forgotten when the last address goes, the one for events", async () => {
    await companyWith(3, { eventUri: "http://127.0.0.1:9/" });
    expect(await harness.stateOf(company)).toBeDefined();
    await change({ eventUri: null });
    await harness.tick();
    expect(await harness.stateOf(company)).toBeUndefined();
    expect(await harness.pollOf(company)).toMatchObject({ state: "idle" });
    const fetches = company.fetches;
    await harness.pollNextHour();
    expect(company.fetches).toBe(fetches);
  });

  test("stay with an address for webhooks", async () => {
    await companyWith(3, { webhookUri: receiver.url, pollResources: ["employees"] });
    await change({ pollResources: ["payruns"] });
    company.people = people(4);
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });
});

describe("a webhook address that goes while events have the employees polled", () => {
  test("leaves the list to them: what has changed since the last poll is told", async () => {
    await companyWith(3, { webhookUri: receiver.url, pollResources: ["employees"] });
    company.people = people(4);
    await change({ webhookUri: null });
    await harness.pollNextHour();
    expect(await changes()).toMatchObject([{ added: { count: 1 }, removed: { count: 0 } }]);
  });

  test("drops what was pending, also for a later address", async () => {
    await companyWith(3, { webhookUri: receiver.url, pollResources: ["employees"] });
    receiver.answer = answers.status(500);
    company.people = people(4);
    await harness.pollNextHour();
    const [failed] = await harness.deliveriesOf(company.client.clientId);
    await harness.database.query(
      "update deliveries set status = 'failed', due_at = null, settled_at = created_at where id = $1",
      [failed!.id],
    );
    company.people = people(5);
    await harness.pollNextHour();
    await change({ webhookUri: null });
    await harness.tick();
    receiver.reset();
    await change({ webhookUri: receiver.url });
    await harness.settle({ includeDelayed: true });
    expect(receiver.received).toEqual([]);
    company.people = people(6);
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r6"], removed: [], updated: [] }]);
    await harness.http.post(`/2023-03-01/management/deliveries/${failed!.id}/replay`, {
      basic: [company.client.clientId, company.secret],
    });
    await harness.settle();
    expect(receiver.received).toHaveLength(2);
    await harness.pollNextHour();
    expect(receiver.received).toHaveLength(2);
  });
});

describe("more than 1,000 changes", () => {
  const ids = Array.from({ length: 1_500 }, (_, n) => Buffer.from(`${n}`.padEnd(16, "x")));

  test("are counted, and 1,000 of them are named", () => {
    const change = { added: ids.map((id) => packedId(id)), updated: [], removed: [] };
    const told = describeChanges("groups", change, () => ids) as {
      added: { count: number; ids: string[] };
      truncated: boolean;
    };
    expect(told.added.count).toBe(1_500);
    expect(told.added.ids).toHaveLength(1_000);
    expect(told.truncated).toBe(true);
  });
});
