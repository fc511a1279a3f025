import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchList, listCasesOf, signInAgain, version } from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

type Data = Record<string, unknown>;
type Lists = Record<string, Data[]>;

const range = { start_date: "2025-12-15", end_date: "2026-02-15" };
const paths = listCasesOf("xhr").map(
  ({ path, query }) => [path, "start_date" in query ? range : query] as const,
);

const url = (path: string): string => `${version}/xhr/${path}`;
const text = (value: unknown): string => (value as string | null) ?? "";
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
const remoteIds = (lists: Lists): unknown[] =>
  Object.values(lists)
    .flat()
    .map(({ remote_id: id }) => id);

/** Everything there is for a connection, payslips of one run included. */
async function fetchAll(token: string): Promise<Lists> {
  for (const [path, query] of paths) await harness.http.get(url(path), { bearer: token, query });
  await harness.drain();
  const lists: Lists = {};
  for (const [path, query] of paths) {
    const reply = await harness.http.get(url(path), { bearer: token, query });
    expect([path, reply.status]).toEqual([path, 200]);
    lists[path] = reply.body as Data[];
  }
  const run = lists["payruns"]?.find(({ type }) => type === "regular");
  lists["payslips"] = await fetchList(harness, token, url(`payruns/${run?.["id"] as string}`));
  return lists;
}

/** All of our own ids, and not the provider's, wherever they stand. */
function collectIds(value: unknown, field = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => collectIds(item, field));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, inner]) => collectIds(inner, name));
  const isOurs =
    (field === "id" || field.endsWith("_id")) && !field.endsWith("remote_id") && field !== "tax_id";
  return isOurs && typeof value === "string" ? [value] : [];
}

describe("order", () => {
  let lists: Lists;
  beforeAll(async () => {
    lists = await fetchAll((await harness.connect()).token);
  });

  test.each<[string, (record: Data) => string[]]>([
    ["employees", ({ remote_id: id }) => [text(id)]],
    ["payruns", ({ payment_date: paid, remote_id: id }) => [text(paid), text(id)]],
    ["payslips", ({ payment_date: paid, remote_id: id }) => [text(paid), text(id)]],
    ["timesheets", ({ start_time: start, remote_id: id }) => [text(start).slice(0, 10), text(id)]],
    ["time-off-entries", ({ start_date: start, remote_id: id }) => [text(start), text(id)]],
  ])("%s come by date where they have one, then by the provider's id", (path, keyOf) => {
    const found = lists[path]?.map(keyOf) ?? [];
    expect(found.length).toBeGreaterThan(2);
    const sorted = [...found].sort(
      ([a1 = "", a2 = ""], [b1 = "", b2 = ""]) => compare(a1, b1) || compare(a2, b2),
    );
    expect(found).toEqual(sorted);
  });

  test("the employments of a person come newest first", () => {
    const histories =
      lists["employees"]?.map(({ employments }) =>
        (employments as { effective_date: string }[]).map(({ effective_date: date }) => date),
      ) ?? [];
    expect(histories.some(({ length }) => length > 1)).toBe(true);
    for (const dates of histories) expect(dates).toEqual([...dates].sort().toReversed());
  });

  test("the two histories say the same as the employments, split in two", () => {
    for (const { employments, employment_history: jobs, compensation_history: pay } of lists[
      "employees"
    ] ?? []) {
      const all = employments as Data[];
      expect(jobs).toMatchObject(
        all.map(({ job_title, effective_date }) => ({ job_title, effective_date })),
      );
      const pays = all.map(
        ({ pay_rate, pay_period, pay_frequency, employment_type, currency, effective_date }) => ({
          pay_rate,
          pay_frequency,
          employment_type,
          currency,
          effective_date,
          pay_period: text(pay_period).toLowerCase(),
        }),
      );
      expect(pay).toMatchObject(pays);
    }
  });
});

describe("ids", () => {
  test("the same record has the same id on every fetch of the same connection", async () => {
    const { token } = await harness.connect();
    const first = await fetchAll(token);
    harness.clock.advance(3_601);
    const second = await fetchAll(token);
    expect(second).toEqual(first);
  });

  test("and after the end user has signed in again", async () => {
    const { token, tokenId } = await harness.connect();
    const first = await fetchAll(token);
    harness.clock.advance(3_601);
    await signInAgain(harness, tokenId);
    const second = await fetchAll(token);
    expect(collectIds(second)).toEqual(collectIds(first));
  });

  test("the same account has other ids on another connection, though the provider's are the same", async () => {
    const one = await harness.connect();
    const other = await harness.connect({ client: { client: one.client, secret: one.secret } });
    const [first, second] = [await fetchAll(one.token), await fetchAll(other.token)];
    const known = new Set(collectIds(first));
    expect(known.size).toBeGreaterThan(100);
    expect(collectIds(second).filter((id) => known.has(id))).toEqual([]);
    expect(remoteIds(second)).toEqual(remoteIds(first));
  });

  test("an id tells records of different kinds apart, and one kind's record is the same everywhere", async () => {
    const lists = await fetchAll((await harness.connect()).token);
    const idsOf = (path: string): Set<unknown> => new Set(lists[path]?.map(({ id }) => id));
    const employees = idsOf("employees");
    const groups = idsOf("groups");
    const locations = idsOf("work-locations");
    for (const path of ["timesheets", "time-off-entries", "time-off-balances", "payslips"]) {
      for (const { employee_id: id } of lists[path] ?? [])
        expect([path, employees.has(id)]).toEqual([path, true]);
    }
    for (const { manager, groups: own, work_location: location } of lists["employees"] ?? []) {
      expect(manager === null || employees.has((manager as Data)["id"])).toBe(true);
      for (const group of own as Data[]) expect(groups.has(group["id"])).toBe(true);
      expect(locations.has((location as Data)["id"])).toBe(true);
    }
    for (const { payrun_id: id } of lists["payslips"] ?? [])
      expect(idsOf("payruns").has(id)).toBe(true);
    const sizes = [
      "company",
      "employees",
      "groups",
      "work-locations",
      "payruns",
      "payslips",
      "timesheets",
      "time-off-entries",
    ].map((path) => idsOf(path).size);
    const all = new Set(
      [
        "company",
        "employees",
        "groups",
        "work-locations",
        "payruns",
        "payslips",
        "timesheets",
        "time-off-entries",
      ].flatMap((path) => [...idsOf(path)]),
    );
    expect(all.size).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });
});
