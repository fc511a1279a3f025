import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ProviderRateLimited } from "../../src/providers/errors.ts";
import { disconnectAll, fetchData, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

const url = `${version}/xhr/company`;
const company = (name: string) => [[{ remote_id: "c1", display_name: name }]];
const named = (name: string) => [expect.objectContaining({ display_name: name })];

/** A harness whose provider says what the test says. */
function useStub(env: Record<string, string> = {}) {
  const stub = new StubProvider();
  let harness: Harness;
  beforeAll(async () => {
    harness = await createHarness({ registry: stub.registry(), env });
  });
  afterAll(() => harness.close());
  beforeEach(() => stub.reset());
  afterEach(() => disconnectAll(harness));

  /** A connection whose data was fetched so many seconds ago; the provider has other data now. */
  async function connectWithDataOf(ageSeconds: number): Promise<string> {
    stub.pages = { company: company("old") };
    const { token } = await harness.connect({ provider: "stub" });
    await fetchData(harness, token, url);
    harness.clock.advance(ageSeconds);
    stub.pages = { company: company("new") };
    stub.fetches.length = 0;
    return token;
  }
  return {
    stub,
    connectWithDataOf,
    advance: (seconds: number) => harness.clock.advance(seconds),
    drain: (options?: { includeDelayed: boolean }) => harness.drain(options),
    get: (bearer: string, headers: Record<string, string> = {}) =>
      harness.http.get(url, { bearer, headers }),
    getOther: (bearer: string) => harness.http.get(`${version}/xhr/groups`, { bearer }),
  };
}

describe("stored data with the usual limits", () => {
  const { stub, connectWithDataOf, advance, drain, get, getOther } = useStub();

  test.each([0, 1, 60, 61, 899])(
    "data of %i seconds is served, and no job is made for it",
    async (age) => {
      const token = await connectWithDataOf(age);
      const reply = await get(token);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual(named("old"));
      await drain();
      expect(stub.fetches).toHaveLength(0);
    },
  );

  test.each([901, 1_800, 3_599])(
    "data of %i seconds is served while exactly one refresh runs behind it, however many ask",
    async (age) => {
      const token = await connectWithDataOf(age);
      const replies = await Promise.all(Array.from({ length: 20 }, () => get(token)));
      for (const { status, body } of replies) expect([status, body]).toEqual([200, named("old")]);
      await drain();
      expect(stub.fetches).toHaveLength(1);
      const refreshed = await get(token);
      expect([refreshed.status, refreshed.body, refreshed.headers["age"]]).toEqual([
        200,
        named("new"),
        "0",
      ]);
      await drain();
      expect(stub.fetches).toHaveLength(1);
    },
  );

  test.each([3_601, 7_200, 30 * 24 * 3600])(
    "data of %i seconds is not served any more: 202 until it is fetched anew",
    async (age) => {
      const token = await connectWithDataOf(age);
      const pending = await get(token);
      expect([pending.status, pending.body]).toEqual([202, { message: expect.any(String) }]);
      await drain();
      expect((await get(token)).body).toEqual(named("new"));
      expect(stub.fetches).toHaveLength(1);
    },
  );

  test("a refresh that nobody runs does not stop the hour: then it is the job that everybody waits for", async () => {
    const token = await connectWithDataOf(1_000);
    expect((await get(token)).status).toBe(200);
    advance(2_601);
    expect((await get(token)).status).toBe(202);
    await drain();
    expect((await get(token)).body).toEqual(named("new"));
    expect(stub.fetches).toHaveLength(1);
  });

  test("one resource's freshness says nothing of another's", async () => {
    const token = await connectWithDataOf(10);
    expect((await getOther(token)).status).toBe(202);
    expect((await get(token)).status).toBe(200);
  });

  test("one connection's data says nothing of another's", async () => {
    await connectWithDataOf(10);
    const other = await connectWithDataOf(0);
    expect((await get(other)).status).toBe(200);
  });
});

describe("data of a provider that takes no request for a while", () => {
  const { stub, connectWithDataOf, advance, drain, get } = useStub();
  /** Data of two hours ago, and a provider that asks to wait for another hour. */
  async function connectWithOldData(): Promise<string> {
    const token = await connectWithDataOf(7_200);
    stub.onFetch = () => {
      throw new ProviderRateLimited(3_600);
    };
    return token;
  }

  test("is served up to the age of a day while the read waits, and told with its age", async () => {
    const token = await connectWithOldData();
    expect((await get(token)).status).toBe(202);
    await drain();
    const reply = await get(token);
    expect([reply.status, reply.body, reply.headers["age"]]).toEqual([200, named("old"), "7200"]);
    advance(24 * 3600 - 7_200);
    expect((await get(token)).status).toBe(200);
    advance(1);
    expect((await get(token)).status).toBe(202);
  });

  test("is not what the caller wants who asks for nothing older", async () => {
    const token = await connectWithOldData();
    await get(token);
    await drain();
    expect((await get(token, { "cache-control": "no-cache" })).status).toBe(202);
  });
});

describe("Cache-Control: no-cache", () => {
  const { stub, connectWithDataOf, drain, get } = useStub();
  const noCache = { "cache-control": "no-cache" };

  test.each([0, 59, 60])("data of %i seconds is good enough, and no job is made", async (age) => {
    const token = await connectWithDataOf(age);
    expect((await get(token, noCache)).body).toEqual(named("old"));
    await drain();
    expect(stub.fetches).toHaveLength(0);
  });

  test.each([61, 899, 1_000, 3_601])(
    "data of %i seconds is fetched anew first: 202, then 200",
    async (age) => {
      const token = await connectWithDataOf(age);
      for (let attempt = 1; attempt <= 2; attempt += 1)
        expect((await get(token, noCache)).status).toBe(202);
      await drain();
      const reply = await get(token, noCache);
      expect([reply.status, reply.body]).toEqual([200, named("new")]);
      expect(stub.fetches).toHaveLength(1);
    },
  );

  test("who does not ask for it is served the stored data meanwhile", async () => {
    const token = await connectWithDataOf(300);
    expect((await get(token, noCache)).status).toBe(202);
    expect((await get(token)).body).toEqual(named("old"));
  });

  test.each([
    ["in upper case", "NO-CACHE", 202],
    ["among others", "max-age=0, no-cache", 202],
    ["before others", "no-cache,no-store", 202],
    ["another directive", "no-store", 200],
    ["an age of nothing", "max-age=0", 200],
    ["a word that begins like it", "no-cached", 200],
  ])("%s (%s) is answered %i", async (_name, value, status) => {
    const token = await connectWithDataOf(100);
    expect((await get(token, { "cache-control": value })).status).toBe(status);
  });
});

describe("SNAPSHOT_FRESH_SECONDS and SNAPSHOT_STALE_SECONDS", () => {
  const { stub, connectWithDataOf, drain, get } = useStub({
    SNAPSHOT_FRESH_SECONDS: "10",
    SNAPSHOT_STALE_SECONDS: "20",
  });

  test.each([
    [9, 200, 0],
    [11, 200, 1],
    [19, 200, 1],
    [21, 202, 1],
  ])(
    "of 10 and 20: data of %i seconds is answered %i and makes %i jobs",
    async (age, status, jobs) => {
      const token = await connectWithDataOf(age);
      expect((await get(token)).status).toBe(status);
      await drain();
      expect(stub.fetches).toHaveLength(jobs);
    },
  );
});

describe("SNAPSHOT_FRESH_SECONDS as long as SNAPSHOT_STALE_SECONDS", () => {
  const { stub, connectWithDataOf, drain, get } = useStub({
    SNAPSHOT_FRESH_SECONDS: "7200",
    SNAPSHOT_STALE_SECONDS: "7200",
  });

  test.each([
    [7_199, 200, 0],
    [7_201, 202, 1],
  ])(
    "leaves no time for a refresh behind: data of %i seconds is answered %i and makes %i jobs",
    async (age, status, jobs) => {
      const token = await connectWithDataOf(age);
      expect((await get(token)).status).toBe(status);
      await drain();
      expect(stub.fetches).toHaveLength(jobs);
    },
  );
});
