import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ClientChange } from "../../src/clients/index.ts";
import type { Resource } from "../../src/model/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { stageEvents } from "../support/event-stage.ts";
import { statementsOf } from "../support/statements.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();
/** The same, at a system that takes few requests in a day. */
const scarce = { ...stub.definition, name: "scarce", limits: { quotas: { all: { perDay: 384 } } } };
const registry = new ProviderRegistry([sandbox, stub.definition, scarce]);
const { harness, told } = await stageEvents({ registry });
const { clock, services, database } = harness;

type Connected = Awaited<ReturnType<typeof harness.connect>>;

const made: Connected[] = [];
let year = 2026;

/** Each test begins at the same day of another year, two days before the next month. */
beforeEach(() => {
  stub.reset();
  year += 1;
  clock.advance((Date.parse(`${year}-03-30T12:00:00Z`) - clock.now().getTime()) / 1_000);
});
afterEach(async () => {
  for (const { tokenId } of made.splice(0)) await services.tokens.disconnectById(tokenId);
});

async function connect(options: Parameters<typeof harness.connect>[0] = {}): Promise<Connected> {
  const connected = await harness.connect({ provider: "stub", ...options });
  made.push(connected);
  return connected;
}

async function change({ client }: Pick<Connected, "client">, fields: ClientChange): Promise<void> {
  const current = await services.clients.find(client.clientId);
  await services.clients.update(current!, fields);
}

async function poll(): Promise<void> {
  await services.webhooks.schedulePolls();
  await harness.drain();
}

async function pollNextHour(): Promise<void> {
  clock.advance(3_600);
  await poll();
}

/** A connection whose client has these polled, and whose baseline is set. */
async function polled(
  pollResources: NonNullable<ClientChange["pollResources"]>,
  options: Parameters<typeof harness.connect>[0] = {},
): Promise<Connected> {
  const connected = await connect(options);
  await change(connected, { pollResources });
  await poll();
  return connected;
}

const changes = async (connected: Connected): Promise<Record<string, unknown>[]> =>
  (await told(connected))
    .filter(([type]) => type === "data.changed")
    .map(([, { resource, added, updated, removed }]) => ({ resource, added, updated, removed }));

async function idOf(
  { token }: Connected,
  path: string,
  remoteId: string,
  query: Record<string, string> = {},
): Promise<string> {
  const { body } = await harness.http.get(`/2023-03-01/xhr/${path}`, { bearer: token, query });
  return (body as { id: string; remote_id: string }[]).find((each) => each.remote_id === remoteId)!
    .id;
}

const none = { count: 0, ids: [] };
const one = (id: string) => ({ count: 1, ids: [id] });
const fetchesOf = (resource: Resource): number =>
  stub.fetches.filter((fetch) => fetch.resource === resource).length;

const run = (name: string, day: string, state = "pending") => ({
  remote_id: name,
  state,
  payment_date: `${year}-${day}`,
});

describe("a polled pay run", () => {
  test("that was paid is told by its id, once", async () => {
    stub.pages = { payruns: [[run("p1", "03-28"), run("p2", "04-28")]] };
    const connected = await polled(["payruns"]);
    await pollNextHour();
    expect(await changes(connected)).toEqual([]);
    stub.pages = { payruns: [[run("p1", "03-28", "paid"), run("p2", "04-28")]] };
    await pollNextHour();
    await pollNextHour();
    const range = { start_date: `${year}-02-01`, end_date: `${year}-04-30` };
    const paid = one(await idOf(connected, "payruns", "p1", range));
    expect(await changes(connected)).toEqual([
      { resource: "payruns", added: none, updated: paid, removed: none },
    ]);
  });

  test("is no news when the polled months move on, and a change in the same hour is", async () => {
    const before = [run("left", "02-10"), run("p1", "03-28"), run("p2", "04-28")];
    stub.pages = { payruns: [before] };
    const connected = await polled(["payruns"]);
    clock.advance(2 * 24 * 3_600);
    stub.pages = { payruns: [[...before, run("entered", "05-28"), run("new", "04-29")]] };
    await poll();
    const range = { start_date: `${year}-03-01`, end_date: `${year}-05-31` };
    const added = one(await idOf(connected, "payruns", "new", range));
    expect(await changes(connected)).toEqual([
      { resource: "payruns", added, updated: none, removed: none },
    ]);
    const asked = stub.fetches.map(({ parameters }) => parameters.range?.start.slice(5));
    expect(asked).toEqual(["02-01", "03-01"]);
  });
});

const group = (name: string, title = name) => ({ remote_id: name, name: title });

describe("a polled list without dates", () => {
  const six = ["a", "b", "c", "d", "e", "f"].map((name) => group(name));

  test("tells who was added, changed and removed, also when a caller's read finds it first", async () => {
    stub.pages = { groups: [six] };
    const connected = await polled(["groups"]);
    const gone = await idOf(connected, "groups", "b");
    stub.pages = { groups: [[group("a", "other"), ...six.slice(2), group("g")]] };
    clock.advance(120);
    await harness.http.get("/2023-03-01/xhr/groups", {
      bearer: connected.token,
      headers: { "cache-control": "no-cache" },
    });
    await harness.drain();
    const [added, updated] = [
      await idOf(connected, "groups", "g"),
      await idOf(connected, "groups", "a"),
    ];
    const expected = [
      { resource: "groups", added: one(added), updated: one(updated), removed: one(gone) },
    ];
    expect(await changes(connected)).toEqual(expected);
    await pollNextHour();
    expect(await changes(connected)).toEqual(expected);
  });

  test("that is empty at once is told when a second list agrees", async () => {
    stub.pages = { groups: [six] };
    const connected = await polled(["groups"]);
    stub.pages = { groups: [[]] };
    await pollNextHour();
    expect(await changes(connected)).toEqual([]);
    await pollNextHour();
    expect(await changes(connected)).toEqual([
      expect.objectContaining({
        removed: { count: 6, ids: expect.objectContaining({ length: 6 }) },
      }),
    ]);
  });

  test("is no news when a right to a field was lost", async () => {
    stub.pages = { groups: [six] };
    const connected = await polled(["groups"]);
    stub.limited = ["name"];
    stub.pages = { groups: [six.map(({ remote_id }) => ({ remote_id }))] };
    await pollNextHour();
    expect(await changes(connected)).toEqual([]);
  });

  test("tells of what changed while a right was away, and changed back, when it is back", async () => {
    const typed = six.map((each) => ({ ...each, type: "team" }));
    const other = [group("a", "other"), ...six.slice(1)];
    stub.pages = { groups: [typed] };
    const connected = await polled(["groups"]);
    stub.limited = ["type"];
    for (const list of [six, other, six]) {
      stub.pages = { groups: [list] };
      await pollNextHour();
    }
    stub.limited = [];
    stub.pages = { groups: [typed] };
    await pollNextHour();
    const updated = { count: 1, ids: [await idOf(connected, "groups", "a")] };
    expect(await changes(connected)).toMatchObject([{ updated }, { updated }, { updated }]);
  });

  test("begins with a new baseline when it was not wanted meanwhile", async () => {
    stub.pages = { groups: [six] };
    const connected = await polled(["groups"]);
    await change(connected, { pollResources: [] });
    await pollNextHour();
    stub.pages = { groups: [six.slice(1)] };
    await change(connected, { pollResources: ["groups"] });
    await poll();
    expect(await changes(connected)).toEqual([]);
    stub.pages = { groups: [six.slice(2)] };
    await pollNextHour();
    expect(await changes(connected)).toEqual([
      expect.objectContaining({ removed: { count: 1, ids: [expect.any(String)] } }),
    ]);
  });
});

describe("what is polled", () => {
  test("is what the client has chosen and the token covers, without employees and without a webhook", async () => {
    stub.pages = { groups: [[]], company: [[{ remote_id: "c", display_name: "One" }]] };
    const scopes = ["/2023-03-01/xhr/groups", "/2023-03-01/xhr/company"] as const;
    const connected = await polled(["groups", "work-locations", "employees"], { scopes });
    await pollNextHour();
    expect(stub.fetches.map(({ resource }) => resource)).toEqual(["groups", "groups"]);
    const { clientId } = connected.client;
    const { body } = await harness.http.get(`/2023-03-01/management/tokens/${connected.tokenId}`, {
      basic: [clientId, connected.secret],
    });
    const next = new Map(
      (body as { resources: { resource: string; next_read_at: string | null }[] }).resources.map(
        ({ resource, next_read_at }) => [resource, next_read_at],
      ),
    );
    expect(next.get("company")).toBeNull();
    expect(Date.parse(next.get("groups")!)).toBeGreaterThan(clock.now().getTime());
    expect(await services.webhooks.findPoll(await connectionOf(connected))).toMatchObject({
      outcome: null,
      state: "idle",
    });
  });

  test("includes a connection that a program of before made without a poll", async () => {
    stub.pages = { groups: [[]] };
    const connected = await connect({ scopes: ["/2023-03-01/xhr/groups"] });
    await database.query("delete from polls where token_id = $1", [connected.tokenId]);
    await change(connected, { pollResources: ["groups"] });
    await poll();
    expect(fetchesOf("groups")).toBe(1);
  });

  test("is polled more rarely where a day has few requests, and the token says when", async () => {
    stub.pages = { groups: [[]] };
    const connected = await polled(["groups"], { provider: "scarce" });
    // A sixteenth of 384 requests a day is one an hour. The last read took three.
    await database.query("update reads set provider_requests = 3 where client_id = $1", [
      connected.client.clientId,
    ]);
    const { body } = await harness.http.get(`/2023-03-01/management/tokens/${connected.tokenId}`, {
      basic: [connected.client.clientId, connected.secret],
    });
    const { next_read_at: next } = (
      body as { resources: { resource: string; next_read_at: string }[] }
    ).resources.find(({ resource }) => resource === "groups")!;
    const read = clock.now().getTime();
    expect(Date.parse(next)).toBeGreaterThanOrEqual(read + 3 * 3_600_000);
    while (fetchesOf("groups") === 1) {
      const [due] = await database.query(
        "select extract(epoch from next_poll_at - service_now())::float8 as seconds from polls where token_id = $1",
        [connected.tokenId],
      );
      clock.advance(Number(due?.["seconds"]));
      await poll();
    }
    expect(clock.now().toISOString()).toBe(next);
  });
});

async function connectionOf({ tokenId }: Connected): Promise<string> {
  const [row] = await database.query("select id from connections where token_id = $1", [tokenId]);
  return String(row?.["id"]);
}

test("a poll that finds nothing new asks the database for one thing more, and writes nothing more", async () => {
  stub.pages = { groups: [[{ remote_id: "a", name: "A" }]] };
  const wanted = await polled(["groups"]);
  const count = async (): Promise<string[]> => {
    clock.advance(120);
    await harness.http.get("/2023-03-01/xhr/groups", {
      bearer: wanted.token,
      headers: { "cache-control": "no-cache" },
    });
    return await statementsOf(async () => {
      await harness.drain();
      return { status: 200 };
    });
  };
  const statements = await count();
  expect(statements.filter((statement) => statement === "find-compared")).toHaveLength(1);
  expect(statements.filter((statement) => statement.includes("polled_lists"))).toEqual([]);
  expect(statements).not.toContain("begin");
});
