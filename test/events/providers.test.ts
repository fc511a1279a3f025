import { beforeEach, expect, test } from "vitest";
import { ProviderBug } from "../../src/providers/errors.ts";
import { stageEvents } from "../support/event-stage.ts";
import { StubProvider } from "../support/stub-provider.ts";

const stub = new StubProvider();
const { harness, list } = await stageEvents({ registry: stub.registry() });
const { services, clock } = harness;

type Connected = Awaited<ReturnType<typeof harness.connect>>;
type Owner = Pick<Connected, "client" | "secret">;

/** What was read before is of no account any more. */
beforeEach(async () => {
  stub.reset();
  stub.pages = { company: [[{ remote_id: "c", display_name: "One" }]] };
  await harness.database.query("delete from connections");
  await harness.database.query("delete from provider_states");
});

async function connectMany(count: number, client?: Owner): Promise<Connected[]> {
  const connected: Connected[] = [];
  while (connected.length < count)
    connected.push(await harness.connect({ provider: "stub", ...(client && { client }) }));
  return connected;
}

/** Reads the company of each, which fails for these. */
async function read(connections: readonly Connected[], failing: readonly Connected[] = []) {
  clock.advance(120);
  const get = ({ token }: Connected) =>
    harness.http.get("/2023-03-01/xhr/company", {
      bearer: token,
      headers: { "cache-control": "no-cache" },
    });
  const read = async (some: readonly Connected[], isFailing: boolean): Promise<void> => {
    stub.onFetch = () => {
      if (isFailing) throw new ProviderBug("no company");
    };
    for (const each of some) await get(each);
    await harness.drain();
  };
  await read(failing, true);
  await read(
    connections.filter((each) => !failing.includes(each)),
    false,
  );
}

/** Several processes look at once. */
async function assess(): Promise<void> {
  await Promise.all(Array.from({ length: 3 }, () => services.reads.assessProviders()));
}

const states = async (owner: Owner) =>
  (await list(owner)).events.filter(({ type }) => type.startsWith("provider."));

test("a provider of which half the connections fail is told once to each of its clients, and that it works again", async () => {
  const [first, ...others] = await connectMany(4);
  const sameClient = await connectMany(2, first);
  const stranger = await harness.connect();
  const all = [first!, ...others, ...sameClient];
  const failing = all.slice(0, 3);
  await read(all, failing);
  await assess();
  await assess();
  for (const owner of all)
    expect((await states(owner)).map(({ type, data }) => [type, data])).toEqual([
      ["provider.degraded", { provider: "stub", mode: "xhr", replaces: [] }],
    ]);
  expect(await states(stranger)).toEqual([]);
  // While nobody reads, nobody knows.
  clock.advance(1_000);
  await assess();
  expect(await states(first!)).toHaveLength(1);
  await read(all);
  await assess();
  expect((await states(first!)).map(({ type }) => type)).toEqual([
    "provider.degraded",
    "provider.recovered",
  ]);
});

test("one account that fails, and few among many, are no state of the provider", async () => {
  const all = await connectMany(7);
  await read(all.slice(0, 2), all.slice(0, 2));
  await assess();
  await read(all, all.slice(0, 3));
  await assess();
  expect(await states(all[0]!)).toEqual([]);
});

test("a state that nobody has acknowledged is named by the newer one", async () => {
  const all = await connectMany(3);
  const { client } = all[0]!;
  const found = await services.clients.find(client.clientId);
  await services.clients.update(found!, { eventUri: "https://app.example.com/events" });
  await read(all, all);
  await assess();
  const [degraded] = await states(all[0]!);
  clock.advance(1_000);
  await read(all);
  await assess();
  expect((await states(all[0]!)).at(-1)).toMatchObject({
    type: "provider.recovered",
    data: { provider: "stub", mode: "xhr", replaces: [degraded!.id] },
  });
});

test("what the sandbox fails is told to the client whose connections it is alone", async () => {
  const [mine, other] = [await harness.connect(), await harness.connect()];
  const down = await Promise.all(
    Array.from({ length: 3 }, () => harness.connect({ client: mine, user: "user_down" })),
  );
  await read([other, ...down]);
  for (let tries = 0; tries < 4; tries += 1) await harness.drain({ includeDelayed: true });
  await assess();
  expect((await states(mine)).map(({ type }) => type)).toEqual(["provider.degraded"]);
  expect(await states(other)).toEqual([]);
});
