import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { disconnectAll, january, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { listQueueEntries } from "../support/queue-entries.ts";
import { Gate, StubProvider } from "../support/stub-provider.ts";
import { untilTrue } from "../support/until-true.ts";

const stub = new StubProvider();

let harness: Harness;
let replica: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
  replica = await createHarness({
    registry: stub.registry(),
    database: harness.database,
    env: harness.environment,
    clock: harness.clock,
  });
});
afterAll(async () => {
  await replica.close();
  await harness.close();
});
beforeEach(() => stub.reset());
afterEach(() => disconnectAll(harness));

const url = (path: string): string => `${version}/xhr/${path}`;
const times = <Result>(
  count: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> => Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe("one job for one connection, resource and parameters", () => {
  test("of 50 callers at once", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    const replies = await times(50, () => harness.http.get(url("company"), { bearer: token }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    await untilTrue(
      "a worker is woken once",
      async () => (await listQueueEntries(harness)).length === 1,
    );
    await harness.drain();
    expect(stub.fetches).toHaveLength(1);
  });

  test("of 50 callers of two processes", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    await times(50, (index) =>
      (index % 2 === 0 ? harness : replica).http.get(url("company"), { bearer: token }),
    );
    await Promise.all([harness.drain(), replica.drain()]);
    expect(stub.fetches).toHaveLength(1);
  });

  test("of callers that come while it runs", async () => {
    const gate = new Gate();
    stub.onFetch = () => gate.pass();
    const { token } = await harness.connect({ provider: "stub" });
    await harness.http.get(url("company"), { bearer: token });
    const draining = harness.drain();
    await gate.reached;
    const replies = await times(20, () => harness.http.get(url("company"), { bearer: token }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    gate.open();
    await draining;
    expect((await harness.http.get(url("company"), { bearer: token })).status).toBe(200);
    expect(stub.fetches).toHaveLength(1);
  });

  test("of callers that want it anew, after it was there", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    await harness.http.get(url("company"), { bearer: token });
    await harness.drain();
    harness.clock.advance(3_601);
    await times(50, () => harness.http.get(url("company"), { bearer: token }));
    await harness.drain();
    expect(stub.fetches).toHaveLength(2);
  });

  test("of the list, its parts and its single members", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    for (const path of [
      "employees",
      "employees?employment_status=active",
      "employees?employment_status=leave",
      "employee?id=a",
      "employee?id=b",
    ])
      await harness.http.get(url(path), { bearer: token });
    await harness.drain();
    expect(stub.fetches).toHaveLength(1);
  });

  test("and another one for anything else: range, resource, connection", async () => {
    const connections = await times(2, () => harness.connect({ provider: "stub" }));
    const paths = [
      "company",
      "groups",
      ...["2026-01-01", "2026-01-02"].map(
        (start) => `timesheets?start_date=${start}&end_date=2026-01-31`,
      ),
    ];
    for (const { token } of connections)
      for (const path of paths)
        await times(3, () => harness.http.get(url(path), { bearer: token }));
    await harness.drain();
    expect(stub.fetches).toHaveLength(8);
  });

  test("a job too many is harmless", async () => {
    const { token, tokenId } = await harness.connect({ provider: "stub" });
    await harness.http.get(url("company"), { bearer: token });
    const [row] = await harness.database.query(
      "select f.id from reads f join connections c on c.id = f.connection_id where c.token_id = $1",
      [tokenId],
    );
    const readId = row?.["id"] as string;
    await times(5, () => harness.services.queue.enqueue("read", { readId }));
    await harness.drain();
    expect((await harness.http.get(url("company"), { bearer: token })).status).toBe(200);
    const fetchesUntilThen = stub.fetches.length;
    await harness.services.queue.enqueue("read", { readId });
    await harness.drain();
    expect(stub.fetches).toHaveLength(fetchesUntilThen);
  });
});

describe("what the queue is told", () => {
  test("is the id of the read and nothing else, whatever was asked for", async () => {
    stub.pages = { payruns: [[{ remote_id: "marker-run", payment_date: "2026-01-28" }]] };
    const { token, client, secret } = await harness.connect({
      provider: "stub",
      user: "marker-user",
    });
    const get = (path: string, query: Record<string, string> = {}) =>
      harness.http.get(url(path), { bearer: token, query });
    await get("payruns", january);
    await harness.drain();
    const { body } = await get("payruns", january);
    const payrunId = (body as { id: string }[])[0]?.id ?? "";
    await get(`payruns/${payrunId}`);
    await get("timesheets", january);
    await get("employee", { id: "marker-employee" });

    await untilTrue(
      "three reads were requested",
      async () => (await listQueueEntries(harness)).length === 3,
    );
    const entries = await listQueueEntries(harness);
    for (const { payload, stored } of entries) {
      expect(payload).toEqual({
        readId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      });
      for (const secretText of ["marker", "2026-01-31", payrunId, token, secret, client.clientId])
        expect(stored).not.toContain(secretText);
    }
  });

  test("is forgotten when the job is done, well or not", async () => {
    const { token } = await harness.connect({ provider: "stub" });
    await harness.http.get(url("company"), { bearer: token });
    await harness.drain();
    expect(await listQueueEntries(harness)).toHaveLength(0);
  });
});
