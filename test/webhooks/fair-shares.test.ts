import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDeliveryTable } from "../../src/webhooks/delivery-store.ts";
import { blocksOfOne } from "../support/blocks.ts";
import { deleteQueueEntries } from "../support/queue-entries.ts";
import { answers, type Answer } from "../support/receiver.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";
import {
  attemptDelivery,
  people,
  webhookDependencies,
  type Company,
} from "../support/webhook-harness.ts";
import { stageReceiver, stageWebhooks } from "../support/webhook-stage.ts";

const attemptMs = 20_000;

const { harness, receiver } = await stageWebhooks();
const hanging = await stageReceiver();
beforeEach(async () => {
  await harness.database.query("delete from deliveries");
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** So many companies of one client, each with news to deliver to this address. */
async function changedCompanies(count: number, url: string): Promise<Company[]> {
  const companies: Company[] = [];
  for (let index = 0; index < count; index += 1) {
    const [client] = companies;
    const company = await harness.connectCompany(people(2), client && { client });
    companies.push(company);
  }
  await harness.listen(companies[0]!.client.clientId, url);
  await harness.tick();
  await harness.work();
  for (const company of companies) company.people = people(3);
  return companies;
}

/** Each delivery of the client once more, as if so many connections had news. */
async function multiplyDeliveries({ client }: Company, times: number): Promise<void> {
  await harness.database.query(
    `with copied as (
       insert into connections select copy.*
       from connections c, generate_series(1, $2) number, jsonb_populate_record(c, jsonb_build_object(
         'id', md5(c.id::text || number), 'token_id', md5(c.token_id::text || number))) copy
       where c.client_id = $1
       returning id, token_id)
     insert into deliveries select copy.*
     from copied, deliveries d, jsonb_populate_record(d, jsonb_build_object(
         'id', gen_random_uuid(), 'connection_id', copied.id, 'token_id', copied.token_id)) copy
     where d.id = (select id from deliveries where client_id = $1 limit 1)`,
    [client.clientId, times],
  );
}

const waiting =
  (released: Promise<void>): Answer =>
  async (response) => {
    await released;
    response.writeHead(204).end();
  };

const clientsClaimed = async (most: number): Promise<string[]> => {
  const table = createDeliveryTable(harness.services.pool);
  const claimed: string[] = [];
  for (let count = 0; count < most; count += 1) {
    const row = await table.claim();
    if (row) claimed.push(row.clientId);
  }
  return claimed;
};

/** How many blocks Postgres looks at for a claim that finds no place. */
async function blocksOfClaim(): Promise<number> {
  return await blocksOfOne(harness.services.pool, "turns", async () =>
    expect(await clientsClaimed(1)).toEqual([]),
  );
}

/** Every attempt times out after a moment: what waits for as long as an attempt may take waits for a part of it. */
function hurry(): void {
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    work: () => void,
    ms?: number,
    ...more: never[]
  ) => setTimeout(work, ms === attemptMs ? 60 : ms, ...more)) as typeof setTimeout);
}

describe("webhooks of one client to a receiver that hangs", () => {
  test("leave another client's to be delivered at once", async () => {
    const gate = new Gate();
    const [slow] = [await changedCompanies(12, hanging.url)];
    const quick = await changedCompanies(5, receiver.url);
    hanging.answer = waiting(gate.pass());
    harness.clock.advance(3_600);
    await harness.tick();
    const working = harness.work();
    await untilTrue("the others are delivered", () => receiver.received.length === 5);
    expect(new Set(receiver.received.map(({ token }) => token))).toEqual(
      new Set(quick.map(({ tokenId }) => tokenId)),
    );
    expect(hanging.received.length).toBeLessThanOrEqual(4);
    gate.open();
    await working;
    expect(hanging.received).toHaveLength(slow.length);
  });

  test("take four places, however many they are, and another client has its own", async () => {
    const [slow] = await changedCompanies(1, hanging.url);
    const [quick] = await changedCompanies(1, receiver.url);
    for (const each of [hanging, receiver]) each.answer = answers.status(500);
    await harness.pollNextHour();
    harness.clock.advance(60);
    await multiplyDeliveries(slow!, 200);
    await multiplyDeliveries(quick!, 2);
    const claimed = await clientsClaimed(20);
    const count = ({ client }: Company): number =>
      claimed.filter((clientId) => clientId === client.clientId).length;
    expect([count(slow!), count(quick!), claimed.length]).toEqual([4, 3, 7]);
  });

  test("cost a claim of another client's no more, however many they are", async () => {
    const [slow] = await changedCompanies(1, hanging.url);
    await changedCompanies(1, receiver.url);
    for (const each of [hanging, receiver]) each.answer = answers.status(500);
    await harness.pollNextHour();
    harness.clock.advance(60);
    await multiplyDeliveries(slow!, 5_000);
    await harness.database.query("analyze deliveries");
    expect(await clientsClaimed(6)).toHaveLength(5);
    expect(await blocksOfClaim()).toBeLessThan(500);
  });

  test("share the four places of an address with those of other clients there", async () => {
    const [first] = await changedCompanies(1, receiver.url);
    const [second] = await changedCompanies(1, `${receiver.url}/other`);
    receiver.answer = answers.status(500);
    await harness.pollNextHour();
    harness.clock.advance(60);
    for (const company of [first!, second!]) await multiplyDeliveries(company, 20);
    const claimed = await clientsClaimed(20);
    expect(claimed.toSorted()).toEqual(
      [first!, first!, second!, second!].map(({ client }) => client.clientId).toSorted(),
    );
  });
});

describe("an endpoint whose last attempt timed out", () => {
  test("has two places, until an attempt is answered", async () => {
    const companies = await changedCompanies(6, receiver.url);
    receiver.answer = answers.silence;
    hurry();
    await harness.pollNextHour();
    vi.restoreAllMocks();
    harness.clock.advance(60);
    const gate = new Gate();
    receiver.reset();
    receiver.answer = waiting(gate.pass());
    const { clientId } = companies[0]!.client;
    expect(await clientsClaimed(20)).toEqual([clientId, clientId]);
    harness.clock.advance(10);
    const working = harness.work();
    await untilTrue("two attempts are under way", () => receiver.received.length === 2);
    gate.open();
    await working;
    expect(receiver.received).toHaveLength(6);
    for (const company of companies) company.people = people(4);
    receiver.answer = answers.status(500);
    await harness.pollNextHour();
    harness.clock.advance(60);
    expect(await clientsClaimed(20)).toHaveLength(4);
  });

  test("has them for all its deliveries, also those that were not attempted since", async () => {
    const companies = await changedCompanies(6, receiver.url);
    receiver.answer = answers.status(500);
    await harness.pollNextHour();
    harness.clock.advance(60);
    receiver.answer = answers.silence;
    hurry();
    await attemptDelivery(webhookDependencies(harness.services));
    vi.restoreAllMocks();
    harness.clock.advance(600);
    const { clientId } = companies[0]!.client;
    expect(await clientsClaimed(20)).toEqual([clientId, clientId]);
    harness.clock.advance(10);
    await createDeliveryTable(harness.services.pool).releaseExpired();
    receiver.answer = answers.status(500);
    await attemptDelivery(webhookDependencies(harness.services));
    expect(await clientsClaimed(20)).toHaveLength(4);
  });

  test("has no slow share any more when its address is set anew", async () => {
    const [company] = await changedCompanies(3, receiver.url);
    receiver.answer = answers.silence;
    hurry();
    await harness.pollNextHour();
    vi.restoreAllMocks();
    await harness.listen(company!.client.clientId, hanging.url);
    await harness.tick();
    expect(await clientsClaimed(20)).toHaveLength(3);
  });

  test("takes with all others like it a quarter of the places", async () => {
    const companies: Company[] = [];
    for (let index = 0; index < 6; index += 1)
      companies.push(...(await changedCompanies(1, receiver.url)));
    receiver.answer = answers.status(500);
    await harness.pollNextHour();
    for (const company of companies) await multiplyDeliveries(company, 4);
    await harness.database.query(
      "update deliveries set is_slow = true, origin_key = client_id, due_at = $1",
      [harness.clock.now()],
    );
    expect(await clientsClaimed(40)).toHaveLength(8);
  });
});

describe("an attempt that was cut off", () => {
  test("is made again with the same id and bytes when its lease has ended, and not before", async () => {
    const [company] = await changedCompanies(1, receiver.url);
    receiver.answer = answers.status(500);
    await harness.pollNextHour();
    receiver.answer = answers.status(204);
    harness.clock.advance(60);
    expect(await clientsClaimed(1)).toHaveLength(1);
    harness.clock.advance(9);
    await harness.work();
    expect(receiver.received).toHaveLength(1);
    harness.clock.advance(1);
    await harness.work();
    const [first, second] = receiver.received;
    expect(second).toMatchObject({ id: first?.id });
    expect(second?.bytes.equals(first!.bytes)).toBe(true);
    expect(await harness.deliveriesOf(company!.client.clientId)).toMatchObject([
      { status: "delivered", attempts: 3 },
    ]);
  });
});

describe("deliveries whose queue entries were lost", () => {
  test("are made all the same", async () => {
    const companies = await changedCompanies(8, receiver.url);
    receiver.answer = answers.status(500);
    await harness.pollNextHour();
    receiver.reset();
    await deleteQueueEntries(harness, { half: true });
    harness.clock.advance(60);
    await harness.work();
    expect(new Set(receiver.received.map(({ token }) => token))).toEqual(
      new Set(companies.map(({ tokenId }) => tokenId)),
    );
  });
});

/** A replay while the attempt after so many earlier ones is under way, which then gets this answer. */
async function replayDuring(answer: Answer, earlierAttempts: number): Promise<Company> {
  const [company] = await changedCompanies(1, receiver.url);
  const find = async () => (await harness.deliveriesOf(company!.client.clientId))[0]!;
  const goToNextAttempt = async (): Promise<void> => {
    const { nextAttemptAt } = await find();
    harness.clock.advance((nextAttemptAt!.getTime() - harness.clock.now().getTime()) / 1000);
  };
  receiver.answer = answers.status(500);
  await harness.pollNextHour();
  for (let attempts = 1; attempts < earlierAttempts; attempts += 1) {
    await goToNextAttempt();
    await harness.work();
  }
  receiver.reset();
  receiver.answerNext(async (response, request) => {
    await harness.services.webhooks.replay(await find());
    expect(receiver.received).toHaveLength(1);
    await answer(response, request);
  });
  await goToNextAttempt();
  await harness.work();
  return company!;
}

describe("a replay during an attempt", () => {
  test.each([
    ["is not lost when the receiver asks to wait", 1, { "retry-after": "7200" }],
    ["is not lost when the attempt was the last one", 9, {}],
  ])("%s: the next attempt follows at once", async (_case, earlierAttempts, headers) => {
    const company = await replayDuring(answers.status(503, headers), earlierAttempts);
    expect(receiver.received).toHaveLength(2);
    expect(await harness.deliveriesOf(company.client.clientId)).toMatchObject([
      { status: "delivered" },
    ]);
  });
});
