import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AuthError, ProviderDown } from "../../src/providers/errors.ts";
import { fetchData, january, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { listQueueEntries } from "../support/queue-entries.ts";
import { untilTrue } from "../support/until-true.ts";
import { Gate, StubProvider, type StubFetch } from "../support/stub-provider.ts";

const stub = new StubProvider();

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());
beforeEach(() => {
  stub.reset();
  stub.pages = {
    company: [[{ remote_id: "c1" }]],
    payruns: [[{ remote_id: "r1", payment_date: "2026-01-28" }]],
  };
});

const url = (path = "company"): string => `${version}/xhr/${path}`;
const disconnect = (bearer: string) =>
  harness.http.post(`${version}/management/disconnect`, { bearer });

async function connectionOf(tokenId: string): Promise<string> {
  const [row] = await harness.database.query("select id from connections where token_id = $1", [
    tokenId,
  ]);
  return row?.["id"] as string;
}

/** Warnings and worse. */
const findComplaints = (lines: readonly string[]): string[] =>
  lines.filter((line) => /"level":[456]0/.test(line));

const entriesOf = async (readId: string): Promise<unknown[]> =>
  (await listQueueEntries(harness)).filter(({ payload }) => payload["readId"] === readId);

/** The read that was just asked for. Nobody waits for it to be enqueued, so who looks at what is left of it does. */
async function enqueuedRead(tokenId: string): Promise<string> {
  const [row] = await harness.database.query("select id from reads where connection_id = $1", [
    await connectionOf(tokenId),
  ]);
  const readId = row?.["id"] as string;
  await untilTrue("it is enqueued", async () => (await entriesOf(readId)).length > 0);
  return readId;
}

/** Every table that has a row of the connection, but for those that tell of it with ids and states alone. */
async function tablesWith(connectionId: string): Promise<string[]> {
  const columns = await harness.database.query(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'connection_id' and table_name not in ('audit_entries', 'events')",
  );
  const found: string[] = [];
  for (const { table_name: table } of [...columns, { table_name: "connections" }]) {
    const key = table === "connections" ? "id" : "connection_id";
    if (
      (
        await harness.database.query(`select 1 from ${String(table)} where ${key} = $1`, [
          connectionId,
        ])
      ).length > 0
    )
      found.push(String(table));
  }
  return found.sort();
}

describe("disconnect", () => {
  test("removes what was stored and what still waits", async () => {
    const { token, tokenId } = await harness.connect({ provider: "stub" });
    await fetchData(harness, token, url("payruns"), january);
    await harness.http.get(url(), { bearer: token });
    const connectionId = await connectionOf(tokenId);
    expect(await tablesWith(connectionId)).toEqual([
      "connections",
      "issued_payruns",
      "polls",
      "reads",
      "snapshots",
    ]);
    await disconnect(token);
    expect(await tablesWith(connectionId)).toEqual([]);
  });

  test("makes a job that still waits harmless: the provider is not asked, and nothing is left of it", async () => {
    const { token, tokenId } = await harness.connect({ provider: "stub" });
    await harness.http.get(url(), { bearer: token });
    const readId = await enqueuedRead(tokenId);
    await disconnect(token);
    await harness.drain();
    expect(stub.fetches).toHaveLength(0);
    expect(await entriesOf(readId)).toEqual([]);
  });

  test.each<[string, (fetch: StubFetch) => void]>([
    ["gives data", () => undefined],
    ["saves a session", ({ context }) => context.saveSession({ cookie: "new" })],
    [
      "refuses",
      () => {
        throw new AuthError("reauthentication_required");
      },
    ],
    [
      "is down",
      () => {
        throw new ProviderDown("down");
      },
    ],
    [
      "breaks",
      () => {
        throw new TypeError("x is undefined");
      },
    ],
  ])("while a fetch runs that then %s leaves nothing behind", async (_name, atEnd) => {
    const gate = new Gate();
    stub.onFetch = async (fetch) => {
      await gate.pass();
      atEnd(fetch);
    };
    const { token, tokenId } = await harness.connect({ provider: "stub" });
    await harness.http.get(url("payruns"), { bearer: token, query: january });
    const readId = await enqueuedRead(tokenId);
    const connectionId = await connectionOf(tokenId);
    const draining = harness.drain();
    await gate.reached;
    await disconnect(token);
    gate.open();
    await draining;
    await harness.drain({ includeDelayed: true });
    expect(await tablesWith(connectionId)).toEqual([]);
    expect(await entriesOf(readId)).toEqual([]);
    expect(stub.fetches).toHaveLength(1);
    expect((await harness.http.get(url("payruns"), { bearer: token, query: january })).status).toBe(
      403,
    );
  });

  test.each<[string, (fetch: StubFetch) => void]>([
    ["gives the same data again", () => undefined],
    ["gives other data", () => void (stub.pages.company = [[{ remote_id: "c2" }]])],
    ["saves a session", ({ context }) => context.saveSession({ cookie: "new" })],
  ])("while a fetch runs that then %s is no error in the log", async (_name, atEnd) => {
    const { token } = await harness.connect({ provider: "stub" });
    await fetchData(harness, token, url());
    harness.clock.advance(48 * 3_600);
    const gate = new Gate();
    stub.onFetch = async (fetch) => {
      await gate.pass();
      atEnd(fetch);
    };
    await harness.http.get(url(), { bearer: token });
    const linesBefore = harness.logLines.length;
    const draining = harness.drain();
    await gate.reached;
    await disconnect(token);
    gate.open();
    await draining;
    await harness.drain({ includeDelayed: true });
    expect(stub.fetches).toHaveLength(2);
    expect(findComplaints(harness.logLines.slice(linesBefore))).toEqual([]);
  });

  test("makes every other process forget the opened key and the opened replies", async () => {
    const replica = await createHarness({
      registry: stub.registry(),
      database: harness.database,
      env: harness.environment,
      clock: harness.clock,
    });
    try {
      const { token, tokenId } = await harness.connect({ provider: "stub" });
      await fetchData(harness, token, url());
      expect((await replica.http.get(url(), { bearer: token })).status).toBe(200);
      const connectionId = await connectionOf(tokenId);
      const [snapshot] = await harness.database.query(
        "select version from snapshots where connection_id = $1",
        [connectionId],
      );
      const opened = () =>
        replica.services.reader.open({
          connectionId,
          resource: "company",
          parameters: "",
          version: String(snapshot?.["version"]),
          variant: undefined,
          encoding: "br",
        });
      await opened();
      await disconnect(token);
      await untilTrue("the replica has forgotten both", async () => {
        const key = await replica.services.connections.dataKey(connectionId);
        return key === undefined && (await opened()) === undefined;
      });
    } finally {
      await replica.close();
    }
  });

  test("says nothing of the client's other connections", async () => {
    const one = await harness.connect({ provider: "stub" });
    const other = await harness.connect({
      provider: "stub",
      client: { client: one.client, secret: one.secret },
    });
    await fetchData(harness, other.token, url());
    await disconnect(one.token);
    expect((await harness.http.get(url(), { bearer: other.token })).status).toBe(200);
  });
});
