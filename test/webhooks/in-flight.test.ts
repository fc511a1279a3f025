import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answers } from "../support/receiver.ts";
import { people, person, whoIn, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const day = 24 * 3_600;

const { harness, receiver, changedCompany, attemptAfter } = await stageWebhooks();

describe("while a body is in flight", () => {
  test.each<[string, (company: Company) => Promise<unknown>]>([
    ["the token is disconnected", ({ tokenId }) => harness.services.tokens.disconnectById(tokenId)],
    [
      "the address is taken away",
      ({ client }) => harness.listen(client.clientId, null).then(() => harness.tick()),
    ],
  ])("%s: the attempt ends, nothing more is sent, and nothing fails", async (_case, end) => {
    harness.logLines.length = 0;
    const company = await changedCompany();
    receiver.answer = async (response) => {
      await end(company);
      response.writeHead(500).end();
    };
    await harness.pollNextHour();
    await attemptAfter(day);
    await harness.settle({ includeDelayed: true });
    expect(receiver.received).toHaveLength(1);
    expect(
      harness.logLines
        .map((line) => JSON.parse(line) as { level: number; msg: string })
        .filter(({ level }) => level >= 40),
    ).toEqual([]);
  });

  test("later changes wait and are folded into the next one, so that an outage costs two bodies", async () => {
    receiver.answer = answers.status(500);
    const company = await changedCompany();
    await harness.pollNextHour();
    for (let count = 4; count < 9; count += 1) {
      company.people = [...people(count), person(1, { last_name: `Name${count}` })].slice(1);
      await harness.pollNextHour();
    }
    receiver.received.length = 0;
    receiver.answer = answers.status(204);
    await attemptAfter(day);
    expect(receiver.received.map(whoIn)).toEqual([
      { added: ["r3"], removed: [], updated: [] },
      { added: ["r4", "r5", "r6", "r7", "r8"], removed: [], updated: ["r1"] },
    ]);
  });

  test("somebody who comes with it and leaves before it arrives is removed by the next one, as last seen", async () => {
    receiver.answer = answers.status(500);
    const company = await changedCompany();
    await harness.pollNextHour();
    company.people = people(2);
    for (let hours = 0; hours < 3; hours += 1) await harness.pollNextHour();
    receiver.received.length = 0;
    receiver.answer = answers.status(204);
    await attemptAfter(day);
    expect(receiver.received.map(whoIn)).toEqual([
      { added: ["r3"], removed: [], updated: [] },
      { added: [], removed: ["r3"], updated: [] },
    ]);
    expect(receiver.last.body.removed).toEqual(receiver.received[0]?.body.added);
  });
});

/** To the end of the schedule of the body that is in flight. */
async function giveUp({ client }: Company): Promise<void> {
  const [first] = await harness.deliveriesOf(client.clientId);
  const find = async () =>
    (await harness.deliveriesOf(client.clientId)).find(({ id }) => id === first?.id);
  for (let next = await find(); next?.nextAttemptAt; next = await find())
    await attemptAfter((next.nextAttemptAt.getTime() - harness.clock.now().getTime()) / 1000);
  expect((await find())?.status).toBe("failed");
}

describe("a body that was given up", () => {
  test("may have been taken in: who changed back meanwhile is told anew, and who came with it and left is removed", async () => {
    const company = await harness.watchCompany(people(9), receiver.url);
    company.people = [person(1, { last_name: "Renamed" }), ...people(8, 2), person(20)];
    receiver.answer = answers.reset;
    await harness.pollNextHour();
    company.people = people(9);
    await harness.pollNextHour();
    await giveUp(company);
    receiver.received.length = 0;
    receiver.answer = answers.status(204);
    await harness.settle({ includeDelayed: true });
    await attemptAfter(10);
    expect(receiver.received.map(whoIn)).toEqual([
      { added: [], removed: ["r20"], updated: ["r1"] },
    ]);
    expect(receiver.last.body).toMatchObject({
      updated: [{ last_name: "Last1" }],
      removed: [{ last_name: "Last20" }],
    });
    await harness.pollNextHour();
    expect(receiver.received).toHaveLength(1);
  });
});

describe("what is pending and was not made into a body", () => {
  test("the sweeper makes it, also beside connections for which that fails", async () => {
    const watched: Company[] = [];
    for (let count = 0; count < 4; count += 1)
      watched.push(await harness.watchCompany(people(9), receiver.url));
    const [healthy, ...broken] = watched.toReversed() as [Company, ...Company[]];
    // Somebody whom no list has.
    for (const { connectionId } of broken)
      await harness.database.query(
        "update receiver_states set unconfirmed = $2, has_pending_changes = true where connection_id = $1",
        [connectionId, randomBytes(8)],
      );
    await harness.database.query(
      "update receiver_states set acknowledged = substring(acknowledged from 17), has_pending_changes = true where connection_id = $1",
      [healthy.connectionId],
    );
    await expect(harness.sweep()).rejects.toThrow("3 connections could not be swept");
    await harness.work();
    expect(receiver.received.map(({ token, body }) => [token, body.added.length])).toEqual([
      [healthy.tokenId, 1],
    ]);
  });
});
