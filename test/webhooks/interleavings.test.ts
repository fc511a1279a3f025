import { expect, test, vi } from "vitest";
import { runPoll } from "../../src/webhooks/run-poll.ts";
import type { WebhookDependencies } from "../../src/webhooks/dependencies.ts";
import { answers } from "../support/receiver.ts";
import { Gate } from "../support/stub-provider.ts";
import {
  attemptDelivery,
  people,
  person,
  webhookDependencies,
  whoIn,
} from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();

/** A poll during which, after it has begun and before it compares, something else happens. */
async function pollWith(meanwhile: () => Promise<void>): Promise<void> {
  const { reader, webhooks } = harness.services;
  const openEmployees = reader.openEmployees.bind(reader);
  const opening = vi.spyOn(reader, "openEmployees").mockImplementationOnce(async (...asked) => {
    const opened = await openEmployees(...asked);
    await meanwhile();
    return opened;
  });
  await harness.drain();
  await webhooks.polls.drained();
  expect(opening).toHaveBeenCalled();
  opening.mockRestore();
}

/** Holds what polls open of employees until the gate is open. */
function holdLists(gate: Gate): void {
  const { reader } = harness.services;
  const openEmployees = reader.openEmployees.bind(reader);
  vi.spyOn(reader, "openEmployees").mockImplementationOnce(async (connectionId, version) => {
    await gate.pass();
    return await openEmployees(connectionId, version);
  });
}

/** A sender that sends and settles one delivery, and dies before it makes the next one. */
function diesAfterSettling(dependencies: WebhookDependencies): WebhookDependencies {
  const { connections } = dependencies;
  let isOpened = false;
  const openKey: typeof connections.openKey = async (id) => {
    if (isOpened) return undefined;
    isOpened = true;
    return await connections.openKey(id);
  };
  return { ...dependencies, connections: { openKey } as typeof connections };
}

test("somebody who came with a body and left is removed, though the body arrives in the middle of a poll and its sender dies right after", async () => {
  const company = await harness.watchCompany(people(9), receiver.url);
  receiver.answer = answers.status(500);
  company.people = people(10);
  await harness.pollNextHour();
  company.people = people(9);
  await harness.pollNextHour();
  receiver.reset();

  harness.clock.advance(3_600);
  await harness.tick();
  company.people = [...people(8), person(9, { last_name: "Renamed" })];
  const dying = diesAfterSettling(webhookDependencies(harness.services));
  await pollWith(() => attemptDelivery(dying));
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
    employees: {
      observe: () => undefined,
      askAll: async () => new Set<string>(),
      ask: async () => ({ kind: "pending" as const }),
      open: async () => undefined,
      rereadEverybody: async () => undefined,
    },
  };
  await pollWith(async () => {
    await harness.listen(company.client.clientId, null);
    await harness.tick();
    await harness.listen(company.client.clientId, receiver.url);
    await harness.tick();
    // As many runs as the old poll had.
    for (let run = 0; run < 2; run += 1) await runPoll(later, company.connectionId);
  });
  harness.clock.advance(61);
  await harness.settle({ includeDelayed: true });
  expect(await harness.pollOf(company)).toMatchObject({ state: "idle", outcome: "baseline" });
  company.people = people(11);
  await harness.pollNextHour();
  expect(receiver.received.map(whoIn)).toEqual([{ added: ["r11"], removed: [], updated: [] }]);
});

test("a token that is disconnected between the read of a list and its comparison is no error in the log", async () => {
  const company = await harness.watchCompany(people(9), receiver.url);
  company.people = people(10);
  const gate = new Gate();
  holdLists(gate);
  const linesBefore = harness.logLines.length;
  harness.clock.advance(3_600);
  await harness.tick();
  const working = harness.work();
  await gate.reached;
  await harness.services.tokens.disconnectById(company.tokenId);
  gate.open();
  await working;
  await harness.sweep();
  const complaints = harness.logLines
    .slice(linesBefore)
    .filter((line) => /"level":[456]0/.test(line));
  expect(complaints).toEqual([]);
});
