import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createReadTable } from "../../src/reading/read-store.ts";
import { blocksOf, blocksOfOne, statementsSent } from "../support/blocks.ts";
import { createHarness, type Harness } from "../support/harness.ts";

const many = 20_000;
const mostBlocks = 100;
const limits = [{ name: "personio", concurrency: undefined, hasTypedAddress: false }];

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());
afterEach(() => harness.database.query("delete from reads"));

interface Reads {
  client: string;
  provider?: string;
  priority?: number;
  /** Seconds until they are due. */
  dueIn?: number;
  isLeased?: boolean;
}

/** Reads of connections that are not there. */
async function fillReads(count: number, { client, ...reads }: Reads): Promise<void> {
  const { provider = "personio", priority = 1, dueIn = -60, isLeased = false } = reads;
  await harness.database.query(
    `set session_replication_role = replica;
     insert into reads (id, connection_id, client_id, provider, mode, origin_key, resource, parameters, state, priority,
       requested_at, due_at, lease_until)
     select gen_random_uuid(), gen_random_uuid(), '${client}', '${provider}', 'xhr', '', 'employees', '', 'pending',
       ${priority}, service_now() - interval '1 hour', service_now() + make_interval(secs => ${dueIn}),
       case when ${isLeased} then service_now() + interval '1 minute' end from generate_series(1, ${count}) n;
     set session_replication_role = origin`,
  );
}

/** Two clients have all places of the provider. */
async function fillPlaces(): Promise<void> {
  await fillReads(24, { client: "first", isLeased: true });
  await fillReads(8, { client: "second", isLeased: true });
}

async function claim() {
  const claimed = await createReadTable(harness.services.pool, limits).claim();
  return claimed && { clientId: claimed.clientId, provider: claimed.provider };
}

async function blocksOfClaim(): Promise<number> {
  const { pool } = harness.services;
  await harness.database.query("vacuum analyze reads");
  return await blocksOfOne(pool, "turns", async () => expect(await claim()).toBeUndefined());
}

test("reads behind a full provider cost a claim no more, however many they are", async () => {
  await fillPlaces();
  await fillReads(many, { client: "waiting" });
  expect(await blocksOfClaim()).toBeLessThan(mostBlocks);
});

test("reads of other providers pass those behind a full one, first those that somebody waits for", async () => {
  await fillPlaces();
  await fillReads(2, { client: "waiting", priority: 0 });
  await fillReads(1, { client: "waiting", provider: "xero", dueIn: -120 });
  await fillReads(1, { client: "waiting", provider: "gusto", priority: 0 });
  await fillReads(1, { client: "waiting", provider: "hibob", dueIn: -90 });
  const providers = [];
  for (let claims = 0; claims < 4; claims += 1) providers.push((await claim())?.provider);
  expect(providers).toEqual(["gusto", "xero", "hibob", undefined]);
});

test("what is pending of a client is found, however much others have", async () => {
  await fillReads(many, { client: "large" });
  await fillReads(2, { client: "small" });
  await fillReads(1, { client: "small", isLeased: true });
  await harness.database.query("vacuum analyze reads");
  const { pool, reads } = harness.services;
  const sent = await statementsSent(pool, async () => {
    expect(await reads.lists.countPending("small", 1_000)).toBe(3);
    expect(await reads.lists.pending("small", 50)).toHaveLength(3);
  });
  expect(sent).toHaveLength(2);
  for (const statement of sent) expect(await blocksOf(pool, statement)).toBeLessThan(mostBlocks);
});
