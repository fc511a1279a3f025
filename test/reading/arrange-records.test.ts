import { describe, expect, test } from "vitest";
import { resourceRecords, type Resource } from "../../src/model/index.ts";
import { arrangeRecords, placeRecord } from "../../src/reading/records/arrange-records.ts";

type Data = Record<string, unknown>;

const base: Record<Resource, Data> = {
  company: {},
  employees: {
    id: "x",
    first_name: "",
    last_name: "",
    display_full_name: "",
    home_location: {},
    work_location: {},
    employments: [],
    groups: [],
  },
  groups: {},
  payruns: { id: "x" },
  payslips: {
    employee_id: "x",
    payrun_id: "x",
    payrun_remote_id: "r",
    employee_remote_id: "e1",
    start_date: "2026-01-01",
    end_date: "2026-01-31",
    payment_date: "2026-01-28",
  },
  timesheets: { id: "x", employee_id: "x", employee_remote_id: "e1", hours_worked: 1 },
  "time-off-entries": {
    id: "x",
    employee_id: "x",
    employee_remote_id: "e1",
    amount: 1,
    unit: "days",
  },
  "time-off-balances": { employee_id: "x", employee_remote_id: "e1" },
  "work-locations": {},
};

const january = { start: "2026-01-01", end: "2026-01-31" };

function make(resource: Resource, patch: Data): never {
  return resourceRecords[resource].parse({ ...base[resource], ...patch }) as never;
}

function arrange(resource: Resource, patches: readonly Data[], range?: typeof january): Data[] {
  const placed = patches.flatMap((patch) => {
    const record = make(resource, patch);
    const place = placeRecord(resource, record, range);
    return place ? [{ ...place, json: Buffer.from(JSON.stringify(record)) }] : [];
  });
  return arrangeRecords(placed).records.map(({ json }) => JSON.parse(json.toString()) as Data);
}

/** Every order of a few things. */
function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

const slip = (remoteId: string, paid: string): Data => ({
  remote_id: remoteId,
  payment_date: paid,
});

describe("order", () => {
  test.each<[string, Resource, Data[]]>([
    [
      "by the provider's id, as text",
      "employees",
      [
        { remote_id: "1" },
        { remote_id: "10" },
        { remote_id: "2" },
        { remote_id: "a" },
        { remote_id: "é" },
      ],
    ],
    ["by the provider's id", "company", [{ remote_id: "a" }, { remote_id: "b" }]],
    [
      "by the provider's id",
      "groups",
      [{ remote_id: "a" }, { remote_id: "b" }, { remote_id: "c" }],
    ],
    [
      "by the provider's id",
      "work-locations",
      [{ remote_id: "a" }, { remote_id: "b" }, { remote_id: "c" }],
    ],
    [
      "by payment date, then id",
      "payruns",
      [
        { remote_id: "z", payment_date: "2025-12-31" },
        { remote_id: "b", payment_date: "2026-01-01" },
        { remote_id: "c", payment_date: "2026-01-01" },
        { remote_id: "a", payment_date: "2026-01-02" },
      ],
    ],
    [
      "by payment date, then id",
      "payslips",
      [
        slip("z", "2026-01-01"),
        slip("b", "2026-01-02"),
        slip("c", "2026-01-02"),
        slip("a", "2026-01-03"),
      ],
    ],
    [
      "by start date, then id",
      "time-off-entries",
      [
        { remote_id: "z", start_date: "2026-01-01" },
        { remote_id: "b", start_date: "2026-01-02" },
        { remote_id: "c", start_date: "2026-01-02" },
        { remote_id: "a", start_date: "2026-01-03" },
      ],
    ],
    [
      "by date, then id",
      "timesheets",
      [
        { remote_id: "z", start_time: "2026-01-01T23:59:59Z" },
        { remote_id: "b", start_time: "2026-01-02T09:00:00Z" },
        { remote_id: "c", start_time: "2026-01-02T08:00:00Z" },
        { remote_id: "a", start_time: "2026-01-03T00:00:00Z" },
      ],
    ],
    [
      "by person, then policy",
      "time-off-balances",
      [
        { employee_remote_id: "1", policy_remote_id: "a" },
        { employee_remote_id: "1", policy_remote_id: "b" },
        { employee_remote_id: "2", policy_remote_id: "a" },
      ],
    ],
  ])("%s: %s, whatever order they come in", (_name, resource, patches) => {
    const expected = patches.map((patch) => make(resource, patch));
    for (const order of permutations(patches)) expect(arrange(resource, order)).toEqual(expected);
  });

  test.each<[string, Resource, Data[]]>([
    ["companies", "company", [{ display_name: "A" }, { display_name: "B" }, { display_name: "C" }]],
    ["groups", "groups", [{ name: "A" }, { name: "B" }, { name: "C" }]],
    ["work locations", "work-locations", [{ name: "A" }, { name: "B" }, { name: "C" }]],
    ["payslips", "payslips", [{ gross_pay: 1 }, { gross_pay: 2 }, { gross_pay: 3 }]],
    [
      "balances",
      "time-off-balances",
      [{ balance: 1 }, { balance: 2 }, { policy_name: "B" }, { policy_name: "C" }],
    ],
  ])("%s without an id of the provider's have one order too", (_name, resource, patches) => {
    const [first, ...others] = permutations(patches).map((order) =>
      JSON.stringify(arrange(resource, order)),
    );
    expect(new Set(others)).toEqual(new Set([first]));
  });
});

describe("duplicates", () => {
  const known: Record<Resource, Data> = {
    company: { remote_id: "a" },
    employees: { remote_id: "a" },
    groups: { remote_id: "a" },
    payruns: { remote_id: "a" },
    payslips: { remote_id: "a" },
    timesheets: { remote_id: "a" },
    "time-off-entries": { remote_id: "a" },
    "time-off-balances": { policy_remote_id: "a" },
    "work-locations": { remote_id: "a" },
  };

  test.each(Object.entries(known) as [Resource, Data][])(
    "of %s that are the same record come once",
    (resource, patch) => {
      expect(arrange(resource, [patch, patch, patch])).toHaveLength(1);
    },
  );

  test.each<[string, Resource, Data[]]>([
    ["groups without an id", "groups", [{ name: "A" }, { name: "B" }, { name: "B" }]],
    [
      "a group whose id looks made up, and groups without one",
      "groups",
      [{ remote_id: "unnamed 1" }, { name: "A" }, { name: "B" }],
    ],
    ["payslips of one person without an id", "payslips", [{ gross_pay: 1 }, { gross_pay: 2 }]],
    [
      "payslips of two people with one id",
      "payslips",
      [
        { remote_id: "a", employee_remote_id: "e1" },
        { remote_id: "a", employee_remote_id: "e2" },
      ],
    ],
    [
      "balances of two policies of one name",
      "time-off-balances",
      [
        { policy_remote_id: "1", policy_name: "A" },
        { policy_remote_id: "2", policy_name: "A" },
      ],
    ],
    [
      "balances of policies known by their name",
      "time-off-balances",
      [{ policy_name: "A" }, { policy_name: "B" }],
    ],
    [
      "balances of policies known by their type",
      "time-off-balances",
      [{ policy_type: "sick" }, { policy_type: "vacation" }],
    ],
    ["ids that differ in case", "employees", [{ remote_id: "a" }, { remote_id: "A" }]],
    ["ids that differ in a space", "employees", [{ remote_id: "a" }, { remote_id: "a " }]],
  ])("%s are not the same record", (_name, resource, patches) => {
    expect(arrange(resource, patches)).toHaveLength(patches.length);
  });
});

describe("the range that was asked for", () => {
  test.each<[Resource, Data, boolean]>([
    ["payruns", { payment_date: "2026-01-01" }, true],
    ["payruns", { payment_date: "2026-01-31" }, true],
    ["payruns", { payment_date: "2025-12-31" }, false],
    ["payruns", { payment_date: "2026-02-01" }, false],
    [
      "payruns",
      { payment_date: "2026-02-01", start_date: "2026-01-01", end_date: "2026-01-31" },
      false,
    ],
    [
      "payruns",
      { payment_date: "2026-01-05", start_date: "2025-12-01", end_date: "2025-12-31" },
      true,
    ],
    ["payruns", { start_date: "2026-01-05", end_date: "2026-01-11" }, true],
    ["payruns", { start_date: "2025-12-01", end_date: "2025-12-31" }, false],
    ["payruns", { start_date: "2026-02-01", end_date: "2026-02-28" }, false],
    ["timesheets", { start_time: "2026-01-01T00:00:00Z" }, true],
    ["timesheets", { start_time: "2026-01-31T23:59:59Z" }, true],
    ["timesheets", { start_time: "2025-12-31T23:59:59Z", end_time: "2026-01-01T08:00:00Z" }, false],
    ["timesheets", { start_time: "2026-02-01T00:00:00Z" }, false],
    ["time-off-entries", { start_date: "2026-01-10", end_date: "2026-01-12" }, true],
    ["time-off-entries", { start_date: "2025-12-20", end_date: "2026-01-01" }, true],
    ["time-off-entries", { start_date: "2026-01-31", end_date: "2026-02-10" }, true],
    ["time-off-entries", { start_date: "2025-01-01", end_date: "2027-01-01" }, true],
    ["time-off-entries", { start_date: "2025-12-20", end_date: "2025-12-31" }, false],
    ["time-off-entries", { start_date: "2026-02-01", end_date: "2026-02-02" }, false],
    ["time-off-entries", { start_date: "2026-01-10" }, true],
    ["time-off-entries", { start_date: "2025-02-10" }, true],
    ["time-off-entries", { start_date: "2026-02-10" }, false],
    ["time-off-entries", { end_date: "2025-12-31" }, false],
  ])("of January: %s %o is in it: %o", (resource, patch, isInside) => {
    expect(arrange(resource, [{ remote_id: "a", ...patch }], january)).toHaveLength(
      isInside ? 1 : 0,
    );
  });

  test("without a range everything stays", () => {
    expect(
      arrange("timesheets", [{ remote_id: "a", start_time: "1999-01-01T00:00:00Z" }]),
    ).toHaveLength(1);
  });
});

test("of two records of one identity the same one stays, whatever the order of the provider", () => {
  const [first, second] = [
    { remote_id: "a", name: "one" },
    { remote_id: "a", name: "two" },
  ];
  expect(arrange("groups", [second, first])).toEqual(arrange("groups", [first, second]));
});
