import { expect, test, vi } from "vitest";
import { PollRuns } from "../../src/webhooks/poll-runs.ts";
import { Gate } from "../support/stub-provider.ts";
import { people, webhookDependencies, type Company } from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
const atOnce = 8;

/** Companies of one client whose lists were read and have to be compared. */
async function readChangedLists(count: number): Promise<Company[]> {
  const first = await harness.watchCompany(people(2), receiver.url);
  const companies: Company[] = [first];
  while (companies.length < count)
    companies.push(await harness.connectCompany(people(2), { client: first }));
  await harness.tick();
  await harness.work();
  for (const company of companies) company.people = people(3);
  const begin = vi.spyOn(harness.services.webhooks.polls, "begin").mockReturnValue();
  harness.clock.advance(3_600);
  await harness.tick();
  await harness.drain();
  expect(begin).toHaveBeenCalledTimes(count);
  begin.mockRestore();
  return companies;
}

const countPending = async (): Promise<number> =>
  (await harness.database.query("select from polls where state = 'pending'")).length;

test("a process compares eight lists at once, and its end leaves the others to the sweeper of another one", async () => {
  const companies = await readChangedLists(12);
  const gate = new Gate();
  const dependencies = webhookDependencies(harness.services);
  let opened = 0;
  const pollSource: typeof dependencies.pollSource = {
    observe: () => undefined,
    compareWith: () => undefined,
    askAll: async () => new Set(),
    ask: (...asked) => dependencies.pollSource.ask(...asked),
    open: async (...asked) => {
      opened += 1;
      await gate.pass();
      return await dependencies.pollSource.open(...asked);
    },
    rereadEverybody: async () => undefined,
  };
  const polls = new PollRuns({ ...dependencies, pollSource });
  for (const { connectionId } of companies) polls.begin(connectionId);
  await expect.poll(() => opened).toBe(atOnce);
  const stopped = polls.stop();
  gate.open();
  await stopped;
  expect(opened).toBe(atOnce);
  expect(await countPending()).toBe(companies.length - atOnce);
  harness.clock.advance(61);
  await harness.sweep();
  for (const company of companies) expect((await harness.pollOf(company))?.outcome).toBe("changed");
});

test("a poll that fails is run again by the sweeper", async () => {
  const [company] = await readChangedLists(1);
  const { reader, webhooks } = harness.services;
  vi.spyOn(reader, "openEmployees").mockRejectedValueOnce(new Error("for this test"));
  webhooks.polls.begin(company!.connectionId);
  await webhooks.polls.drained();
  expect(await countPending()).toBe(1);
  expect(harness.logLines.at(-1)).toContain("a poll failed");
  harness.clock.advance(61);
  await harness.sweep();
  expect((await harness.pollOf(company!))?.outcome).toBe("changed");
});
