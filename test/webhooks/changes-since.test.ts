import { describe, expect, test } from "vitest";
import { people, whoIn } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks({ tellsChanges: true });

const fullReadEverySeconds = 24 * 3600;
const news = () => receiver.received.map(whoIn);

/** A company whose next poll asks for everybody, as once a day, and is told of these alone. */
async function companyToldOf(left: number) {
  const company = await harness.watchCompany(people(9), receiver.url);
  await harness.pollNextHour();
  harness.clock.advance(fullReadEverySeconds);
  company.people = people(left);
  await harness.pollNextHour();
  return company;
}

describe("a provider that tells who has changed since the last read", () => {
  test("is asked for everybody once a day", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    for (let hours = 0; hours < 5; hours += 1) await harness.pollNextHour();
    expect(company.fetches).toBe(1);
    harness.clock.advance(fullReadEverySeconds);
    await harness.pollNextHour();
    expect(company.fetches).toBe(2);
  });

  test.each([0, 4])(
    "whose list of everybody had %i of nine once has lost nobody: changes confirm nothing",
    async (left) => {
      const company = await companyToldOf(left);
      company.people = people(9);
      for (let hours = 0; hours < 4; hours += 1) await harness.pollNextHour();
      expect(news()).toEqual([]);
      expect(company.fetches).toBe(3);
    },
  );

  test("who is missing from two lists of everybody has left, an hour later", async () => {
    await companyToldOf(4);
    expect(news()).toEqual([]);
    await harness.pollNextHour();
    expect(news()).toEqual([{ added: [], removed: ["r5", "r6", "r7", "r8", "r9"], updated: [] }]);
  });
});
