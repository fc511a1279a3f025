import { afterAll, beforeEach } from "vitest";
import { Receiver } from "./receiver.ts";
import { createWebhookHarness, people, type Company } from "./webhook-harness.ts";

/** For the tests of one file: the service, and a receiver of its webhooks. Each test begins without companies. */
export async function stageWebhooks(options: Parameters<typeof createWebhookHarness>[0] = {}) {
  const harness = await createWebhookHarness(options);
  afterAll(() => harness.close());
  const receiver = await stageReceiver();
  beforeEach(() => harness.disconnectCompanies());
  return {
    harness,
    receiver,
    /** A company of two, whose third one is what the receiver is told of first. */
    changedCompany: async (): Promise<Company> => {
      const company = await harness.watchCompany(people(2), receiver.url);
      company.people = people(3);
      return company;
    },
    /** Moves the clock, and works on what is due or waits for its next try. */
    attemptAfter: async (seconds: number): Promise<void> => {
      harness.clock.advance(seconds);
      await harness.work({ includeDelayed: true });
    },
  };
}

/** One more receiver. What it received is forgotten before each test. */
export async function stageReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  afterAll(() => receiver.close());
  beforeEach(() => receiver.reset());
  return receiver;
}
