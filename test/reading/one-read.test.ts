import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { version } from "../support/data-endpoints.ts";
import { Gate } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";
import { createWebhookHarness, people, type WebhookHarness } from "../support/webhook-harness.ts";

const address = "https://receiver.example.com/";
const hour = 3_600;

let harness: WebhookHarness;
beforeAll(async () => {
  harness = await createWebhookHarness({ concurrency: 100 });
});
afterAll(() => harness.close());
afterEach(() => harness.disconnectCompanies());

const get = (bearer: string) => harness.http.get(`${version}/xhr/employees`, { bearer });

async function readOf(tokenId: string): Promise<Record<string, unknown>> {
  const [row] = await harness.database.query(
    "select r.* from reads r join connections c on c.id = r.connection_id where c.token_id = $1",
    [tokenId],
  );
  return row ?? {};
}

describe("a read that takes longer than anybody's patience", () => {
  test("is made once, although a poll and callers want it again and again, and both get it", async () => {
    const company = await harness.watchCompany(people(3), address);
    const before = company.fetches;
    const gate = new Gate();
    company.onFetch = () => gate.pass();
    company.people = people(4);
    harness.clock.advance(hour + 1);
    await harness.tick();
    const working = harness.work();
    await gate.reached;
    const otherWorker = harness.services.reads.work(4);
    for (let minute = 0; minute < 20; minute += 1) {
      expect((await get(company.token)).status).toBe(202);
      await harness.tick();
      await harness.sweep();
      await otherWorker.work.claimAll();
    }
    await otherWorker.stop(0);
    gate.open();
    await working;
    await harness.work();
    expect(company.fetches).toBe(before + 1);
    expect((await get(company.token)).status).toBe(200);
    expect(await harness.pollOf(company)).toMatchObject({ state: "idle", outcome: "changed" });
  });

  test("is used by the poll when a caller asked for it", async () => {
    const company = await harness.watchCompany(people(3), address);
    const before = company.fetches;
    company.people = people(5);
    harness.clock.advance(hour + 1);
    expect((await get(company.token)).status).toBe(202);
    await harness.tick();
    await harness.work();
    expect(company.fetches).toBe(before + 1);
    expect(await harness.pollOf(company)).toMatchObject({ outcome: "changed" });
  });
});

describe("the end of a connection", () => {
  test("reaches a run within two renewals of its lease", async () => {
    const company = await harness.connectCompany(people(2));
    const gate = new Gate();
    const ended = Promise.withResolvers<void>();
    company.onFetch = async ({ context }) => {
      context.signal.addEventListener("abort", () => ended.resolve());
      await gate.pass();
    };
    await get(company.token);
    const reading = harness.services.reads.work(4);
    const running = reading.work.drained();
    await gate.reached;
    await harness.services.tokens.disconnectById(company.tokenId);
    await ended.promise;
    gate.open();
    await running;
    await reading.stop(1_000);
    expect(company.fetches).toBe(1);
  });
});

describe("a read that an operator cancels", () => {
  test("is unavailable to its callers, and its run ends", async () => {
    const company = await harness.connectCompany(people(2));
    const gate = new Gate();
    const ended = Promise.withResolvers<void>();
    company.onFetch = async ({ context }) => {
      context.signal.addEventListener("abort", () => ended.resolve());
      await gate.pass();
    };
    await get(company.token);
    const reading = harness.services.reads.work(4);
    const running = reading.work.drained();
    await gate.reached;
    const { id } = await readOf(company.tokenId);
    expect(await harness.services.reads.cancel(String(id))).toMatchObject({ state: "settled" });
    await ended.promise;
    gate.open();
    await running;
    await reading.stop(1_000);
    expect((await get(company.token)).status).toBe(503);
    await expect(harness.services.reads.cancel(String(id))).rejects.toThrow(/no pending read/);
  });
});

describe("places", () => {
  test("of one client are 16, however much it asks for, and another client's read is not behind them", async () => {
    const hanging = await hangReads(30);
    await untilTrue("16 reads hang", async () => hanging.count() === 16);
    await hanging.neighbourIsServed();
    expect(hanging.count()).toBe(16);
    await hanging.end();
    expect(hanging.count()).toBe(30);
  });

  test("at the one address of a vendor, where all clients meet, are more than at one that somebody typed", async () => {
    const hanging = await hangReads(12, async () => {
      await harness.database.query("update connections set origin_key = 'of the vendor'");
    });
    await untilTrue("12 reads hang", async () => hanging.count() === 12);
    await hanging.neighbourIsServed();
    expect(hanging.count()).toBe(12);
    await hanging.end();
  });
});

/** So many companies of one client, whose reads hang until the end, and one of another client. */
async function hangReads(count: number, prepare?: () => Promise<void>) {
  const first = await harness.connectCompany(people(1));
  const gate = new Gate();
  const others = [];
  for (let index = 0; index < count; index += 1)
    others.push(await harness.connectCompany(people(1), { client: first }));
  const neighbour = await harness.connectCompany(people(1));
  await prepare?.();
  let hanging = 0;
  for (const company of others) {
    company.onFetch = async () => {
      hanging += 1;
      await gate.pass();
    };
    await get(company.token);
  }
  await get(neighbour.token);
  const wide = await createWideWork();
  return {
    count: () => hanging,
    neighbourIsServed: () =>
      untilTrue(
        "the neighbour has its data",
        async () => (await get(neighbour.token)).status === 200,
      ),
    end: async () => {
      gate.open();
      await wide.finish();
    },
  };
}

async function createWideWork(): Promise<{ finish(): Promise<void> }> {
  const reading = harness.services.reads.work(64);
  void reading.work.claimAll();
  return {
    finish: async () => {
      await reading.work.drained();
      await reading.stop(1_000);
    },
  };
}
