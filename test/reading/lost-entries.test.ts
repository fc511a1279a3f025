import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ProviderRateLimited } from "../../src/providers/errors.ts";
import { disconnectAll, fetchData, january, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { deleteQueueEntries } from "../support/queue-entries.ts";
import { Gate, StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());
beforeEach(() => stub.reset());
afterEach(async () => {
  vi.restoreAllMocks();
  await disconnectAll(harness);
  await harness.drain({ includeDelayed: true });
});

const url = (path = "company"): string => `${version}/xhr/${path}`;
const get = async (bearer: string): Promise<number> =>
  (await harness.http.get(url(), { bearer })).status;
async function connectPending(): Promise<string> {
  const { token } = await harness.connect({ provider: "stub" });
  expect(await get(token)).toBe(202);
  return token;
}

describe("a read whose queue entry was lost", () => {
  test("runs all the same", async () => {
    const token = await connectPending();
    await deleteQueueEntries(harness);
    await harness.drain();
    expect([await get(token), stub.fetches.length]).toEqual([200, 1]);
  });

  test("while it waited for its next try runs when that is due", async () => {
    stub.onFetch = ({ number }) => {
      if (number === 1) throw new ProviderRateLimited(60);
    };
    const token = await connectPending();
    await harness.drain();
    await deleteQueueEntries(harness);
    harness.clock.advance(59);
    await harness.drain();
    expect([await get(token), stub.fetches.length]).toEqual([202, 1]);
    harness.clock.advance(1);
    await harness.drain();
    expect([await get(token), stub.fetches.length]).toEqual([200, 2]);
  });

  test("could not even be made is answered 202, and runs", async () => {
    vi.spyOn(harness.services.queue, "enqueue").mockResolvedValueOnce(false);
    const token = await connectPending();
    await harness.drain();
    expect(await get(token)).toBe(200);
  });
});

describe("a read that is leased", () => {
  test("is not run a second time beside itself, however long it takes", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const token = await connectPending();
    const draining = harness.drain();
    await gate.reached;
    harness.clock.advance(9);
    const otherWorker = harness.services.reads.work(1);
    await otherWorker.work.drained();
    await otherWorker.stop(0);
    expect(stub.fetches).toHaveLength(1);
    gate.open();
    await draining;
    expect([await get(token), stub.fetches.length]).toEqual([200, 1]);
  });
});

const countSnapshots = async (): Promise<number> =>
  (await harness.database.query("select 1 from snapshots")).length;

describe("retention", () => {
  const day = 24 * 3600;

  test("a snapshot is removed 14 days after it was fetched, and not before", async () => {
    const token = await connectPending();
    await harness.drain();
    harness.clock.advance(14 * day - 1);
    await harness.services.sync.removeOld();
    expect(await countSnapshots()).toBe(1);
    harness.clock.advance(2);
    await harness.services.sync.removeOld();
    expect(await countSnapshots()).toBe(0);
    await fetchData(harness, token, url());
  });

  test("fetching the same data again begins the 14 days anew", async () => {
    const token = await connectPending();
    await harness.drain();
    harness.clock.advance(10 * day);
    await fetchData(harness, token, url());
    harness.clock.advance(10 * day);
    await harness.services.sync.removeOld();
    expect(await countSnapshots()).toBe(1);
  });

  test("the ids of pay runs outlive the list that gave them", async () => {
    stub.pages = { payruns: [[{ remote_id: "r1", payment_date: "2026-01-28" }]] };
    const { token } = await harness.connect({ provider: "stub" });
    const { body } = await fetchData(harness, token, url("payruns"), january);
    harness.clock.advance(100 * day);
    await harness.services.sync.removeOld();
    expect(await countSnapshots()).toBe(0);
    await fetchData(harness, token, url(`payruns/${(body as { id: string }[])[0]?.id}`));
    expect(stub.fetches.at(-1)?.parameters).toEqual({ payrunRemoteId: "r1" });
  });

  test("more than a handful are removed in one go", async () => {
    const { token, tokenId } = await harness.connect({ provider: "stub" });
    await fetchData(harness, token, url());
    await harness.database.query(
      `insert into snapshots (connection_id, resource, parameters, version, fetched_at, sealed_body)
       select c.id, 'timesheets', n::text, 'v', $2, '\\x00' from connections c, generate_series(1, 1200) n where c.token_id = $1`,
      [tokenId, new Date(harness.clock.now().getTime() - 15 * day * 1000)],
    );
    await harness.services.sync.removeOld();
    expect(await countSnapshots()).toBe(1);
  });
});
