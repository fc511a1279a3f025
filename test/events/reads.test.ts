import { beforeEach, describe, expect, test } from "vitest";
import {
  AuthError,
  OperationNotSupported,
  ProviderBug,
  ProviderDown,
} from "../../src/providers/errors.ts";
import { stageEvents } from "../support/event-stage.ts";
import { transactionWith } from "../support/statements.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();
const { harness, told } = await stageEvents({ registry: stub.registry() });

beforeEach(() => {
  stub.reset();
  stub.pages = { company: [[{ remote_id: "c1", display_name: "One" }]], timesheets: [[]] };
});

type Connected = Awaited<ReturnType<typeof harness.connect>>;

const connect = () => harness.connect({ provider: "stub" });
const get = (
  { token }: Connected,
  path = "company",
  headers: Record<string, string> = {},
  query: Record<string, string> = {},
) => harness.http.get(`/2023-03-01/xhr/${path}`, { bearer: token, headers, query });
/** What was told of reads. */
const ends = async (connected: Connected) =>
  (await told(connected))
    .filter(([type]) => type.startsWith("data."))
    .map(([type, { provider: _p, mode: _m, reference: _r, metadata: _d, ...data }]) => ({
      type,
      ...data,
    }));

describe("a caller who was answered 202", () => {
  test("is told once that the data is there, with the version that it gets then", async () => {
    const connected = await connect();
    for (let time = 0; time < 3; time += 1) expect((await get(connected)).status).toBe(202);
    await harness.drain();
    const { headers } = await get(connected);
    const version = String(headers["etag"]).slice('W/"'.length, -1);
    const ready = { token: connected.tokenId, resource: "company", parameters: {}, version };
    expect(await ends(connected)).toEqual([{ type: "data.ready", ...ready }]);
  });

  test("is told the parameters as the query had them", async () => {
    const connected = await connect();
    const range = { start_date: "2026-01-01", end_date: "2026-01-31" };
    expect((await get(connected, "timesheets", {}, range)).status).toBe(202);
    await harness.drain();
    expect(await ends(connected)).toEqual([
      expect.objectContaining({ type: "data.ready", resource: "timesheets", parameters: range }),
    ]);
  });

  test.each<[status: number, error: string, failure: () => Error]>([
    [401, "captcha_challenge", () => new AuthError("captcha_challenge")],
    [401, "insufficient_permission", () => new AuthError("insufficient_permission")],
    [500, "broken", () => new ProviderBug("no company")],
    [501, "unsupported", () => new OperationNotSupported("company")],
    [503, "unavailable", () => new ProviderDown("away")],
  ])("and then gets a %d is told of the failure as %s", async (status, error, failure) => {
    const connected = await connect();
    stub.onFetch = () => {
      throw failure();
    };
    expect((await get(connected)).status).toBe(202);
    for (let tries = 0; tries < 4; tries += 1) await harness.drain({ includeDelayed: true });
    expect((await get(connected)).status).toBe(status);
    const failed = { token: connected.tokenId, resource: "company", parameters: {}, error };
    expect(await ends(connected)).toEqual([{ type: "data.failed", ...failed }]);
  });

  test("is told when the same data was read again", async () => {
    const connected = await connect();
    await get(connected);
    await harness.drain();
    harness.clock.advance(120);
    expect((await get(connected, "company", { "cache-control": "no-cache" })).status).toBe(202);
    await harness.drain();
    expect(await ends(connected)).toHaveLength(2);
  });

  test("is told of a read that an operator ended", async () => {
    const connected = await connect();
    await get(connected);
    const [read] = await harness.services.reads.lists.list({ status: "pending", limit: 1 });
    await harness.services.reads.cancel(read!.id);
    expect(await ends(connected)).toEqual([
      expect.objectContaining({ type: "data.failed", error: "unavailable" }),
    ]);
  });

  test("joins a read that nobody waited for, and is told of its end", async () => {
    const connected = await connect();
    await get(connected);
    await harness.drain();
    harness.clock.advance(1_200);
    expect((await get(connected)).status).toBe(200);
    expect((await get(connected, "company", { "cache-control": "no-cache" })).status).toBe(202);
    await harness.drain();
    expect(await ends(connected)).toHaveLength(2);
  });
});

test("nobody is told of a read behind data that was answered 200", async () => {
  const connected = await connect();
  await get(connected);
  await harness.drain();
  harness.clock.advance(1_200);
  expect((await get(connected)).status).toBe(200);
  await harness.drain();
  expect(stub.fetches).toHaveLength(2);
  expect(await ends(connected)).toHaveLength(1);
});

/** The transaction that ends the first read of a new connection. */
const endOf = async (isAwaited: boolean): Promise<string[]> => {
  const { tokenId } = await connect();
  const { connections, reads } = harness.services;
  const connection = await connections.find({ tokenId });
  const key = { resource: "company", parameters: "" } as const;
  const storedAfter = harness.clock.now();
  await reads.request(connection!, key, { storedAfter, priority: "caller", isAwaited });
  return await transactionWith("update reads r set state = 'settled'", () => harness.drain());
};
const countEvents = async (): Promise<number> =>
  Number((await harness.database.query("select count(*) from events"))[0]?.["count"]);

describe("an event", () => {
  test("is no statement of its own in the transaction that causes it", async () => {
    const before = await countEvents();
    const [without, having] = [await endOf(false), await endOf(true)];
    // Each connection is an event too.
    expect((await countEvents()) - before).toBe(3);
    expect(having.length).toBeGreaterThan(3);
    expect(having).toEqual(without);
  });

  test("is less than a kilobyte of write-ahead log", async () => {
    const { tokenId } = await connect();
    const [row] = await harness.database.query("select id from connections where token_id = $1", [
      tokenId,
    ]);
    const detail = { resource: "company", parameters: "", version: "DV98hdZt-0hP3j9G" };
    const write = async (type: string | null): Promise<number> => {
      const [plan] = await harness.database.query(
        "explain (analyze, wal, format json) select record_event_of($1, $2, $3::jsonb)",
        [row?.["id"], type, JSON.stringify(detail)],
      );
      const [{ Plan: node }] = plan!["QUERY PLAN"] as [{ Plan: Record<string, number> }];
      // The first change of a page after a checkpoint has the whole page.
      return node["WAL FPI"] === 0 ? node["WAL Bytes"]! : await write(type);
    };
    expect(await write(null)).toBe(0);
    const bytes = await write("data.ready");
    expect(bytes).toBeGreaterThan(200);
    expect(bytes).toBeLessThan(1_000);
  });
});
