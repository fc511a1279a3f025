import { describe, expect, test } from "vitest";
import { answers, rebuild, type Answer, type PublicEmployee } from "../support/receiver.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { people, person, type Company, type Person } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const seed = 11;
const size = 120;
const changesInAll = 1_000;
const minute = 60;

const { harness, receiver } = await stageWebhooks();

/** Somebody comes, goes or changes, so many times. */
function changed(
  before: readonly Person[],
  times: number,
  random: SeededRandom,
  name: number,
): Person[] {
  const now = new Map(before.map((each) => [each.remote_id, each]));
  for (let done = 0; done < times; done += 1) {
    const number = 1 + random.below(size + 40);
    if (random.chance(0.2) && now.size > size / 2) now.delete(`r${number}`);
    else now.set(`r${number}`, person(number, { last_name: `Name${name}.${done}` }));
  }
  return [...now.values()];
}

const byName = (list: Iterable<{ remote_id: string; [field: string]: unknown }>) =>
  [...list].map(({ remote_id: id, last_name: last }) => `${id} ${String(last)}`).sort();

/** At first every attempt fails in its way; at the end the receiver works. */
async function live(company: Company, answer: Answer, minutes: number): Promise<void> {
  const random = new SeededRandom(seed);
  const steps = 10;
  receiver.answer = answer;
  for (let step = 0; step < steps; step += 1) {
    company.people = changed(company.people, changesInAll / steps, random, step);
    harness.clock.advance((minutes * minute) / steps);
    await harness.services.webhooks.pollNow(company.tokenId);
    await harness.settle({ includeDelayed: true });
  }
  receiver.answer = answers.status(200);
  for (let round = 0; round < 4; round += 1) {
    harness.clock.advance(25 * 60 * minute);
    await harness.settle({ includeDelayed: true });
  }
}

let flips = 0;
const flapping: Answer = (response, request) => {
  const turns = [
    answers.status(200),
    answers.reset,
    answers.status(500),
    answers.status(429, { "retry-after": "60" }),
  ];
  return turns[(flips += 1) % turns.length]!(response, request);
};
const slow: Answer = async (response) => {
  await new Promise((resolve) => setTimeout(resolve, 30));
  response.writeHead(202).end();
};

describe("Promise 12: 1,000 changes, and the bodies received, each id once, rebuild the provider's list exactly", () => {
  test.each<[string, Answer, number]>([
    ["a receiver that is down for 30 minutes", answers.status(502), 30],
    ["a receiver that is down for 3 hours", answers.status(502), 3 * 60],
    ["a receiver that is down for 80 hours", answers.status(502), 80 * 60],
    [
      "a receiver that takes everything in and resets each time, for 80 hours",
      answers.reset,
      80 * 60,
    ],
    ["a receiver that flaps for a day", flapping, 24 * 60],
    ["a receiver that is slow", slow, 10 * 60],
  ])("%s", async (_case, answer, minutes) => {
    const company = await harness.watchCompany(people(size), receiver.url);
    await live(company, answer, minutes);
    expect(
      byName(rebuild(people(size) as unknown as PublicEmployee[], receiver.received).values()),
    ).toEqual(byName(company.people));
    expect(
      (await harness.deliveriesOf(company.client.clientId)).filter(
        ({ status }) => status === "pending",
      ),
    ).toEqual([]);
    const bytes = new Map<string, Buffer>();
    for (const each of receiver.received)
      expect((bytes.get(each.id) ?? each.bytes).equals(each.bytes)).toBe(
        bytes.set(each.id, each.bytes).has(each.id),
      );
    const firstSeen = [...new Set(receiver.ids)];
    expect(firstSeen).toEqual(firstSeen.toSorted());
  });
});
