import { expect, test, vi } from "vitest";
import { PollRuns } from "../../src/webhooks/poll-runs.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";
import {
  attemptDelivery,
  people,
  person,
  webhookDependencies,
  type Company,
} from "../support/webhook-harness.ts";
import { stageWebhooks } from "../support/webhook-stage.ts";

const { harness, receiver } = await stageWebhooks();
const atOnce = 8;

/** Companies whose lists were read and have to be compared: so many of each client. */
async function readChangedLists(...counts: number[]): Promise<Company[]> {
  const companies: Company[] = [];
  for (const count of counts) {
    const first = await harness.watchCompany(people(2), receiver.url);
    companies.push(first);
    for (let more = 1; more < count; more += 1)
      companies.push(await harness.connectCompany(people(2), { client: first }));
  }
  await harness.tick();
  await harness.work();
  for (const company of companies) company.people = people(3);
  const begin = vi.spyOn(harness.services.webhooks.polls, "begin").mockReturnValue();
  harness.clock.advance(3_600);
  await harness.tick();
  await harness.drain();
  expect(begin).toHaveBeenCalledTimes(companies.length);
  begin.mockRestore();
  return companies;
}

const countPending = async (): Promise<number> =>
  (await harness.database.query("select from polls where state = 'pending'")).length;

/** A process whose comparisons of these connections wait, each when it has opened its list. */
function compareBehindGate(isHeld: (connectionId: string) => boolean) {
  const gate = new Gate();
  const dependencies = webhookDependencies(harness.services);
  const opened: string[] = [];
  const pollSource: typeof dependencies.pollSource = {
    observe: () => undefined,
    compareWith: () => undefined,
    askAll: async () => new Set(),
    ask: (...asked) => dependencies.pollSource.ask(...asked),
    open: async (connectionId, version) => {
      opened.push(connectionId);
      if (isHeld(connectionId)) await gate.pass();
      return await dependencies.pollSource.open(connectionId, version);
    },
    rereadEverybody: async () => undefined,
  };
  return { gate, opened, polls: new PollRuns({ ...dependencies, pollSource }) };
}

test("a process compares eight lists at once, and its end leaves the others to the sweeper of another one", async () => {
  const companies = await readChangedLists(6, 6);
  const { gate, opened, polls } = compareBehindGate(() => true);
  for (const { connectionId } of companies) polls.begin(connectionId);
  await expect.poll(() => opened.length).toBe(atOnce);
  const stopped = polls.stop();
  gate.open();
  await stopped;
  expect(opened).toHaveLength(atOnce);
  expect(await countPending()).toBe(companies.length - atOnce);
  harness.clock.advance(61);
  await harness.sweep();
  for (const company of companies) expect((await harness.pollOf(company))?.outcome).toBe("changed");
});

test("comparisons of one client that wait for something leave places to those of another", async () => {
  const companies = await readChangedLists(9, 1);
  const other = companies.at(-1)!;
  const { gate, opened, polls } = compareBehindGate((id) => id !== other.connectionId);
  for (const { connectionId } of companies) polls.begin(connectionId);
  await untilTrue(
    "the other client's poll has ended",
    async () => (await harness.pollOf(other))?.outcome === "changed",
  );
  expect(opened.length).toBeLessThanOrEqual(7);
  gate.open();
  await polls.drained();
  expect(await countPending()).toBe(0);
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

test("a body that ends while a list is compared has it compared anew, and nothing is kept of who needs it no more", async () => {
  const company = await harness.watchCompany(people(9), receiver.url);
  receiver.answer = (response) => void response.writeHead(500).end();
  company.people = people(8);
  await harness.pollNextHour();
  const tombstones = async (): Promise<unknown> =>
    (
      await harness.database.query(
        "select octet_length(tombstones) as kept from receiver_states where connection_id = $1",
        [company.connectionId],
      )
    )[0]?.["kept"];
  expect(await tombstones()).toBeGreaterThan(0);

  company.people = people(7).concat(person(8, { last_name: "Renamed" }));
  const begin = vi.spyOn(harness.services.webhooks.polls, "begin").mockReturnValue();
  harness.clock.advance(3_600);
  await harness.tick();
  const reading = harness.services.reads.work(1);
  await reading.work.drained();
  begin.mockRestore();
  const { gate, opened, polls } = compareBehindGate(() => true);
  polls.begin(company.connectionId);
  await expect.poll(() => opened.length).toBe(1);
  receiver.answer = (response) => void response.writeHead(204).end();
  await attemptDelivery(webhookDependencies(harness.services));
  gate.open();
  await polls.drained();

  expect(opened).toHaveLength(2);
  expect((await harness.pollOf(company))?.outcome).toBe("changed");
  expect(await tombstones()).toBe(0);
  await harness.work();
  expect(receiver.last.body.updated).toHaveLength(1);
});
