import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { countLockWaits } from "../support/lock-waits.ts";
import { answers } from "../support/receiver.ts";
import { people, whoIn, type Company } from "../support/webhook-harness.ts";
import { untilTrue } from "../support/until-true.ts";
import { stageReceiver, stageWebhooks } from "../support/webhook-stage.ts";

const hour = 3_600;
const day = 24 * hour;

const { harness, receiver } = await stageWebhooks();
const newReceiver = await stageReceiver();

async function attemptAfter(seconds: number): Promise<void> {
  harness.clock.advance(seconds);
  await harness.settle({ includeDelayed: true });
}

/** A company whose address changes while the first attempt at the old one is under way; then the old one answers. */
async function moveDuringAttempt(
  status: number,
  { isTold }: { isTold: boolean },
): Promise<Company> {
  const company = await harness.watchCompany(people(2), receiver.url);
  company.people = people(3);
  receiver.answer = async (response) => {
    await harness.listen(company.client.clientId, newReceiver.url);
    if (isTold) await harness.tick();
    response.writeHead(status).end();
  };
  await harness.pollNextHour();
  return company;
}

describe("an address that is changed while an attempt at the old one is under way", () => {
  test.each([
    [410, { isTold: false }],
    [410, { isTold: true }],
    [500, { isTold: false }],
    [500, { isTold: true }],
  ])(
    "is not checked by the %i of the old one (%o), and gets the same body within seconds",
    async (status, when) => {
      const company = await moveDuringAttempt(status, when);
      expect(await harness.statusOf(company.client.clientId)).toBe("active");
      await attemptAfter(10);
      expect(newReceiver.ids).toEqual(receiver.ids);
      expect(newReceiver.last.bytes.equals(receiver.last.bytes)).toBe(true);
      expect(await harness.deliveriesOf(company.client.clientId)).toMatchObject([
        { status: "delivered" },
      ]);
    },
  );

  test("does not wait for where the old one stood in the schedule", async () => {
    receiver.answer = answers.status(500);
    const company = await harness.watchCompany(people(2), receiver.url);
    company.people = people(3);
    await harness.pollNextHour();
    for (let step = 0; step < 6; step += 1) await attemptAfter(11 * hour);
    receiver.answer = async (response) => {
      await harness.listen(company.client.clientId, newReceiver.url);
      response.writeHead(500).end();
    };
    await attemptAfter(22 * hour);
    await attemptAfter(10);
    expect(newReceiver.received.map(whoIn)).toEqual([{ added: ["r3"], removed: [], updated: [] }]);
  });
});

test("an attempt that was under way when the same address was set again does not put the next one off", async () => {
  receiver.answer = answers.status(500);
  const company = await harness.watchCompany(people(2), receiver.url);
  company.people = people(3);
  await harness.pollNextHour();
  for (let step = 0; step < 5; step += 1) await attemptAfter(11 * hour);
  receiver.answer = async (response) => {
    await harness.listen(company.client.clientId, receiver.url);
    await harness.tick();
    receiver.answer = answers.status(204);
    response.writeHead(500).end();
  };
  await attemptAfter(22 * hour);
  await attemptAfter(1);
  expect(await harness.deliveriesOf(company.client.clientId)).toMatchObject([
    { status: "delivered" },
  ]);
});

describe("an address that was taken away and set again before anybody looked", () => {
  test("begins with a new baseline", async () => {
    const company = await harness.watchCompany(people(2), receiver.url);
    await harness.listen(company.client.clientId, null);
    company.people = people(3);
    harness.clock.advance(1);
    await harness.listen(company.client.clientId, receiver.url);
    await harness.settle();
    expect(receiver.received).toEqual([]);
    expect((await harness.pollOf(company))?.outcome).toBe("baseline");
    company.people = people(4);
    await harness.pollNextHour();
    expect(receiver.received.map(whoIn)).toEqual([{ added: ["r4"], removed: [], updated: [] }]);
  });

  test("is not sent what was pending before", async () => {
    receiver.answer = answers.status(500);
    const company = await harness.watchCompany(people(2), receiver.url);
    company.people = people(3);
    await harness.pollNextHour();
    receiver.reset();
    await harness.listen(company.client.clientId, null);
    await harness.listen(company.client.clientId, receiver.url);
    await attemptAfter(day);
    expect(receiver.received).toEqual([]);
  });

  test("is not sent it either when a try is due before anybody looks", async () => {
    receiver.answer = answers.status(500);
    const company = await harness.watchCompany(people(2), receiver.url);
    company.people = people(3);
    await harness.pollNextHour();
    await harness.listen(company.client.clientId, null);
    await harness.listen(company.client.clientId, newReceiver.url);
    harness.clock.advance(60);
    await harness.work();
    expect(newReceiver.received).toEqual([]);
  });
});

test("an address that is taken away while events tell of employees waits for a poll that runs, and the poll not for it", async () => {
  const company = await harness.watchCompany(people(2), receiver.url);
  const { clientId } = company.client;
  const { clients } = harness.services;
  await clients.update((await clients.find(clientId))!, {
    eventUri: newReceiver.url,
    pollResources: ["employees"],
  });
  await harness.settle();
  await harness.listen(clientId, null);
  const poll = new Client({ connectionString: harness.database.url });
  await poll.connect();
  await poll.query("begin");
  const lock = (table: string): Promise<unknown> =>
    poll.query(`select from ${table} where connection_id = $1 for update nowait`, [
      company.connectionId,
    ]);
  await lock("polls");
  const ticking = harness.tick();
  try {
    await untilTrue("it waits", async () => (await countLockWaits(harness.database)) === 1);
    await lock("receiver_states");
  } finally {
    await poll.end();
    await ticking;
  }
  expect(await harness.statusOf(clientId)).toBeNull();
  await harness.settle();
  expect(receiver.received).toEqual([]);
});

describe("five days of nothing but failures", () => {
  test("are not a failure of one connection that is gone, and one of another a week later", async () => {
    const first = await harness.watchCompany(people(2), receiver.url);
    const second = await harness.watchCompany(people(2), receiver.url, { client: first });
    receiver.answer = answers.status(500);
    first.people = people(3);
    await harness.pollNextHour();
    await harness.services.tokens.disconnectById(first.tokenId);
    for (let days = 0; days < 7; days += 1) await attemptAfter(day);
    second.people = people(4);
    await harness.pollNextHour();
    expect(receiver.received).toHaveLength(2);
    expect(await harness.statusOf(first.client.clientId)).toBe("active");
  });
});
