import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runDelivery } from "../../src/webhooks/run-delivery.ts";
import { runPoll } from "../../src/webhooks/run-poll.ts";
import { webhookDependencies } from "../../src/worker.ts";
import { answers, Receiver } from "../support/receiver.ts";
import {
  createWebhookHarness,
  people,
  person,
  whoIn,
  type Company,
  type WebhookHarness,
} from "../support/webhook-harness.ts";

let harness: WebhookHarness;
let receiver: Receiver;
beforeAll(async () => {
  harness = await createWebhookHarness();
  receiver = await Receiver.start();
});
afterAll(async () => {
  await receiver.close();
  await harness.close();
});
beforeEach(async () => {
  receiver.reset();
  await harness.disconnectCompanies();
});

/** A poll during which, after it has begun and before it compares, something else happens. */
async function pollWith(company: Company, meanwhile: () => Promise<void>): Promise<void> {
  const dependencies = webhookDependencies(harness.services);
  const openEmployees = async (connectionId: string, version: string) => {
    const read = await dependencies.openEmployees(connectionId, version);
    await meanwhile();
    return read;
  };
  await runPoll(
    { ...dependencies, openEmployees },
    company.connectionId,
    new AbortController().signal,
  );
}

test("somebody who came with a body and left is removed, though the body arrives in the middle of a poll and its sender dies right after", async () => {
  const company = await harness.watchCompany(people(9), receiver.url);
  receiver.answer = answers.status(500);
  company.people = people(10);
  await harness.pollNextHour();
  company.people = people(9);
  await harness.pollNextHour();
  const [came] = await harness.deliveriesOf(company.client.clientId);
  receiver.reset();

  harness.clock.advance(3_600);
  await harness.tick();
  company.people = [...people(8), person(9, { last_name: "Renamed" })];
  const dying = { ...webhookDependencies(harness.services), deliverOwed: async () => undefined };
  await pollWith(company, async () => void (await runDelivery(dying, came!.id)));
  await harness.settle();
  expect(receiver.received.map(whoIn)).toEqual([
    { added: ["r10"], removed: [], updated: [] },
    { added: [], removed: ["r10"], updated: ["r9"] },
  ]);
});

test("a run of a poll from before the address was taken away and set again settles nothing", async () => {
  const company = await harness.watchCompany(people(9), receiver.url);
  harness.clock.advance(3_600);
  await harness.tick();
  company.people = people(10);
  const later = {
    ...webhookDependencies(harness.services),
    refreshEmployees: async () => ({
      kind: "later" as const,
      at: new Date(harness.clock.now().getTime() + 1_000),
    }),
  };
  await pollWith(company, async () => {
    await harness.listen(company.client.clientId, null);
    await harness.tick();
    await harness.listen(company.client.clientId, receiver.url);
    await harness.tick();
    // As many runs as the old watch had.
    for (let run = 0; run < 2; run += 1)
      await runPoll(later, company.connectionId, new AbortController().signal);
  });
  await harness.settle({ includeDelayed: true });
  expect((await harness.watchOf(company))?.outcome).toBe("baseline");
  company.people = people(11);
  await harness.pollNextHour();
  expect(receiver.received.map(whoIn)).toEqual([{ added: ["r11"], removed: [], updated: [] }]);
});
