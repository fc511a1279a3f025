import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { Receiver } from "../support/receiver.ts";
import {
  createWebhookHarness,
  people,
  type Company,
  type WebhookHarness,
} from "../support/webhook-harness.ts";

vi.setConfig({ testTimeout: 120_000 });

let proxy: FlakyProxy;
let receiver: Receiver;
let harness: WebhookHarness;
let company: Company;
beforeAll(async () => {
  const redisUrl = inject("redisUrl") ?? "";
  proxy = await FlakyProxy.before(redisUrl);
  receiver = await Receiver.start();
  harness = await createWebhookHarness({ env: { REDIS_URL: proxy.through(redisUrl) } });
  company = await harness.watchCompany(people(3), receiver.url);
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
  const reading = reads.work(4);
  await reading.work.drained();
  const { work } = webhooks.workOnDeliveries();
  await work.drained();
  await Promise.all([reading.stop(10_000), work.stop(10_000)]);
}

test.each([
  ["gone", () => proxy.cut()],
  ["hung", () => Promise.resolve(proxy.pause())],
])("while Redis is %s, polls go on and changes are delivered", async (_how, takeAway) => {
  await proxy.restore();
  const before = receiver.received.length;
  await takeAway();
  company.people = people(company.people.length + 1);
  harness.clock.advance(3_600);
  await harness.tick();
  await runLeases();
  harness.clock.advance(61);
  await harness.sweep();
  await runLeases();
  expect((await harness.pollOf(company))?.outcome).toBe("changed");
  expect(receiver.received.length).toBe(before + 1);
});
