import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { Receiver } from "../support/receiver.ts";
import { untilTrue } from "../support/until-true.ts";
import {
  createWebhookHarness,
  people,
  type Company,
  type WebhookHarness,
} from "../support/webhook-harness.ts";

/** More than one process compares at once. */
const companyCount = 20;

let proxy: FlakyProxy;
let receiver: Receiver;
let harness: WebhookHarness;
/** All of one client. */
const companies: Company[] = [];
beforeAll(async () => {
  const redisUrl = inject("redisUrl") ?? "";
  proxy = await FlakyProxy.before(redisUrl);
  receiver = await Receiver.start();
  harness = await createWebhookHarness({ env: { REDIS_URL: proxy.through(redisUrl) } });
  const first = await harness.watchCompany(people(3), receiver.url);
  companies.push(first);
  while (companies.length < companyCount)
    companies.push(await harness.connectCompany(people(3), { client: first }));
  await harness.tick();
  await harness.work();
});
afterAll(async () => {
  await proxy.restore();
  await harness.close();
  await receiver.close();
  await proxy.close();
});

/** What the leases find, without the queue. */
async function runLeases(): Promise<void> {
  const { reads, webhooks } = harness.services;
  const reading = reads.work(16);
  await reading.work.drained();
  await webhooks.polls.drained();
  const { work } = webhooks.workOnDeliveries();
  await work.drained();
  await Promise.all([reading.stop(10_000), work.stop(10_000)]);
}

/** The queue takes jobs again. Until then each case would be that of a Redis that is gone. */
async function bringBack(): Promise<void> {
  await proxy.restore();
  const { queue } = harness.services;
  await untilTrue("the queue is back", () =>
    queue.depths(["read"]).then(
      () => true,
      () => false,
    ),
  );
}

test.each([
  ["gone", () => proxy.cut()],
  ["hung", () => Promise.resolve(proxy.pause())],
])("while Redis is %s, polls go on and changes are delivered", async (_how, takeAway) => {
  await bringBack();
  receiver.reset();
  for (const company of companies) company.people = people(company.people.length + 1);
  await takeAway();
  harness.clock.advance(3_600);
  await harness.tick();
  await runLeases();
  for (const company of companies) expect((await harness.pollOf(company))?.outcome).toBe("changed");
  expect(receiver.received.map(({ token }) => token).toSorted()).toEqual(
    companies.map(({ tokenId }) => tokenId).toSorted(),
  );
});
