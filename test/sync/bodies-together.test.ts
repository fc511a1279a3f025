import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { SnapshotPart } from "../../src/sync/open-snapshot.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { statementsOf } from "../support/statements.ts";

const employees = "/2023-03-01/xhr/employees";

/** A stored list, and what its connection's token is answered with. */
interface Stored {
  part: SnapshotPart;
  served: Buffer;
}

let harness: Harness;
beforeAll(async () => {
  // No list has room in the cache.
  harness = await createHarness({ env: { CACHE_MAX_BYTES: "4096" } });
});
afterAll(() => harness.close());
afterEach(() => vi.restoreAllMocks());

async function store(user: string): Promise<Stored> {
  const { token, tokenId } = await harness.connect({ user });
  const options = { bearer: token, headers: { "accept-encoding": "br" } };
  await harness.http.get(employees, options);
  await harness.drain();
  const { status, bytes: served } = await harness.http.get(employees, options);
  expect(status).toBe(200);
  const [row] = await harness.database.query(
    "select connection_id, version from snapshots s join connections c on c.id = s.connection_id where c.token_id = $1",
    [tokenId],
  );
  const part: SnapshotPart = {
    connectionId: String(row?.["connection_id"]),
    resource: "employees",
    parameters: "",
    version: String(row?.["version"]),
    variant: undefined,
    encoding: "br",
  };
  return { part, served };
}

test("lists that are asked for together are looked up by one statement, and a large one by itself", async () => {
  const { reader } = harness.services;
  const [one, other, large] = [
    await store("user_good"),
    await store("user_good"),
    await store("user_large"),
  ];
  const replaced = { ...one.part, version: "an older version" };
  const parts = [one.part, large.part, replaced, other.part];
  let opened: unknown[] = [];
  const statements = await statementsOf(async () => {
    opened = await Promise.all(parts.map((part) => reader.open(part)));
    return { status: 200 };
  });
  expect(statements).toEqual(["find-bodies", "find-sealed_body"]);
  expect(opened).toEqual([one.served, large.served, undefined, other.served]);
  expect(large.served.length).toBeGreaterThan(65_536);
});
