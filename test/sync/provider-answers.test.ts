import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Resource } from "../../src/model/index.ts";
import { ProviderBug, ProviderDown } from "../../src/providers/errors.ts";
import {
  disconnectAll,
  fetchData,
  january,
  listCasesOf,
  version,
} from "../support/data-endpoints.ts";
import { createHarness, type Harness } from "../support/harness.ts";
import { StubProvider } from "../support/stub-provider.ts";

type Data = Record<string, unknown>;

const stub = new StubProvider();

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness({ registry: stub.registry() });
});
afterAll(() => harness.close());
beforeEach(() => stub.reset());
afterEach(() => disconnectAll(harness));

const valid = {
  company: { remote_id: "c1" },
  employees: { remote_id: "e1", last_name: "Ant" },
  groups: { remote_id: "g1" },
  payruns: { remote_id: "r1", payment_date: "2026-01-28" },
  payslips: {
    employee_remote_id: "e1",
    payrun_remote_id: "r1",
    start_date: "2026-01-01",
    end_date: "2026-01-31",
    payment_date: "2026-01-28",
  },
  timesheets: {
    remote_id: "t1",
    employee_remote_id: "e1",
    hours_worked: 8,
    start_time: "2026-01-05T08:00:00Z",
  },
  "time-off-entries": {
    remote_id: "o1",
    employee_remote_id: "e1",
    amount: 1,
    unit: "days",
    start_date: "2026-01-05",
    end_date: "2026-01-06",
  },
  "time-off-balances": { employee_remote_id: "e1", policy_remote_id: "p1" },
  "work-locations": { remote_id: "l1" },
} satisfies Record<Resource, Data>;

const isDated = (resource: Resource): boolean =>
  listCasesOf("xhr").some((list) => list.resource === resource && "start_date" in list.query);

/** A new connection, and how to ask it for a resource. Payslips need a run, which is listed first. */
async function connectFor(resource: Resource) {
  const { token } = await harness.connect({ provider: "stub" });
  let url = `${version}/xhr/${resource}`;
  if (resource === "payslips") {
    stub.pages = { ...stub.pages, payruns: [[valid.payruns]] };
    const { body } = await fetchData(harness, token, `${version}/xhr/payruns`, january);
    url = `${version}/xhr/payruns/${(body as Data[])[0]?.["id"] as string}`;
    stub.fetches.length = 0;
  }
  const options = { bearer: token, query: isDated(resource) ? january : {} };
  return {
    get: () => harness.http.get(url, options),
    fetch: async () => (await fetchData(harness, token, url, options.query)).body as Data[],
  };
}

/** Asks, and lets the job run to whatever end it has. */
async function run({ get }: Awaited<ReturnType<typeof connectFor>>) {
  expect((await get()).status).toBe(202);
  await harness.drain();
  return await get();
}

describe("a record that breaks the contract", () => {
  const withoutRequired: [Resource, Data][] = [
    ["employees", { remote_id: undefined }],
    ["employees", { remote_id: null }],
    ["employees", { remote_id: 5 }],
    ["employees", { last_name: undefined }],
    ["payruns", { remote_id: null }],
    ["payruns", { remote_id: 5 }],
    ["payslips", { employee_remote_id: undefined }],
    ["payslips", { employee_remote_id: 5 }],
    ["payslips", { payrun_remote_id: null }],
    ["payslips", { start_date: null }],
    ["payslips", { end_date: "31.01.2026" }],
    ["payslips", { payment_date: "2026-02-30" }],
    ["timesheets", { remote_id: undefined }],
    ["timesheets", { employee_remote_id: null }],
    ["timesheets", { hours_worked: undefined }],
    ["timesheets", { hours_worked: "8" }],
    ["time-off-entries", { remote_id: undefined }],
    ["time-off-entries", { employee_remote_id: 5 }],
    ["time-off-entries", { amount: null }],
    ["time-off-entries", { unit: "weeks" }],
    ["time-off-balances", { employee_remote_id: undefined }],
  ];

  test.each(withoutRequired)(
    "%s with %o fails the whole fetch: 500 with a message",
    async (resource, patch) => {
      stub.pages = { [resource]: [[valid[resource]], [{ ...valid[resource], ...patch }]] };
      const reply = await run(await connectFor(resource));
      expect([reply.status, reply.body]).toEqual([500, { message: expect.stringMatching(/./) }]);
    },
  );

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["a number", 5],
    ["a text", "employee"],
    ["an array", []],
    ["an empty object", {}],
  ])("a record that is %s is one too", async (_name, record) => {
    stub.pages = { employees: [[valid.employees, record]] };
    expect((await run(await connectFor("employees"))).status).toBe(500);
  });

  test("every caller of the next 60 s is told so, without a job; after that a request starts anew", async () => {
    stub.pages = { employees: [[{ last_name: "Ant" }]] };
    const connection = await connectFor("employees");
    expect((await run(connection)).status).toBe(500);
    stub.pages = { employees: [[valid.employees]] };
    harness.clock.advance(59);
    expect((await connection.get()).status).toBe(500);
    await harness.drain();
    expect(stub.fetches).toHaveLength(1);
    harness.clock.advance(1);
    expect(await connection.fetch()).toHaveLength(1);
  });

  test("what was stored before is kept, and served until its hour is over", async () => {
    stub.pages = { employees: [[valid.employees]] };
    const connection = await connectFor("employees");
    const stored = await connection.fetch();
    stub.pages = { employees: [[valid.employees, { last_name: "Bee" }]] };
    for (const advance of [1_000, 1_000, 1_000]) {
      harness.clock.advance(advance);
      const reply = await connection.get();
      expect([reply.status, reply.body]).toEqual([200, stored]);
      await harness.drain();
    }
    harness.clock.advance(601);
    expect((await run(connection)).status).toBe(500);
    expect(stub.fetches).toHaveLength(5);
  });

  test("nothing of it is logged", async () => {
    stub.pages = { employees: [[{ last_name: "marker-of-a-name", tax_id: "marker-of-a-tax-id" }]] };
    await run(await connectFor("employees"));
    expect(harness.logLines.join("")).not.toContain("marker-of");
  });
});

/** How often the field was nulled so far. */
async function countNulled(resource: Resource, field: string): Promise<number> {
  const { values } = await harness.services.metrics.nulledFields.get();
  return (
    values.find(
      ({ labels }) =>
        labels["provider"] === "stub" &&
        labels["resource"] === resource &&
        labels["field"] === field,
    )?.value ?? 0
  );
}

test("a field that there is not is left out, and told once in a read, by its name alone", async () => {
  const odd = { shoe_size: "marker-of-a-size", "Ann Ant": "x", groups: [{ name: "A", head: 1 }] };
  const records = ["e1", "e2"].map((id) => ({ ...valid.employees, ...odd, remote_id: id }));
  stub.pages = { employees: [records] };
  const before = harness.logLines.length;
  const [first] = await (await connectFor("employees")).fetch();
  expect(first).toMatchObject({ last_name: "Ant", groups: [{ name: "A" }] });
  expect(first).not.toHaveProperty("shoe_size");
  const lines = harness.logLines.slice(before).filter((line) => line.includes("no record has"));
  expect(lines.map((line) => JSON.parse(line) as Data)).toMatchObject([
    { provider: "stub", resource: "employees", fields: ["another", "groups.head", "shoe_size"] },
  ]);
  expect(lines.join("")).not.toMatch(/marker-of|Ann Ant/);
});

describe("a bad optional field", () => {
  const at = (record: unknown, path: string): unknown =>
    path.split(".").reduce((value, key) => (value as Data)[key], record);
  const circular: Data = {};
  circular["self"] = circular;

  const cases: [Resource, Data, string][] = [
    ["company", { display_name: 5 }, "display_name"],
    ["company", { address: "Berlin" }, "address"],
    ["company", { remote_id: 5 }, "remote_id"],
    ["employees", { gender: "unknown" }, "gender"],
    ["employees", { employee_number: 17 }, "employee_number"],
    ["employees", { date_of_birth: "2026-02-30" }, "date_of_birth"],
    ["employees", { start_date: new Date(0) }, "start_date"],
    ["employees", { employment_status: "retired" }, "employment_status"],
    ["employees", { home_location: { country: "XX" } }, "home_location.country"],
    ["employees", { work_location: { remote_id: 5 } }, "work_location.remote_id"],
    ["employees", { manager: { first_name: 5 } }, "manager.first_name"],
    ["employees", { manager: { remote_id: 5 } }, "manager.remote_id"],
    ["employees", { manager: "Bo" }, "manager"],
    ["employees", { bank_account: "DE00" }, "bank_account"],
    ["employees", { dependents: 5 }, "dependents"],
    ["employees", { groups: [{ remote_id: "g1", type: "squad" }] }, "groups.0.type"],
    ["employees", { groups: [{ remote_id: 5 }] }, "groups.0.remote_id"],
    ["employees", { employments: [{ job_title: 5 }] }, "employments.0.job_title"],
    ["employees", { employments: [{ pay_rate: "100" }] }, "employments.0.pay_rate"],
    ["employees", { employments: [{ pay_period: 5 }] }, "employments.0.pay_period"],
    ["employees", { employments: [{ effective_date: 5 }] }, "employments.0.effective_date"],
    ["employees", { custom_fields: "none" }, "custom_fields"],
    ["employees", { custom_fields: ["none"] }, "custom_fields"],
    ["employees", { custom_fields: { size: 5n } }, "custom_fields"],
    ["employees", { custom_fields: circular }, "custom_fields"],
    ["payruns", { state: "draft" }, "state"],
    ["payslips", { currency: "yen" }, "currency"],
    ["payslips", { currency: "JPY" }, "currency"],
    ["payslips", { gross_pay: "100" }, "gross_pay"],
    ["payslips", { remote_id: 5 }, "remote_id"],
    ["payslips", { earnings: [{ name: "Pay", amount: 1, hours: "8" }] }, "earnings.0.hours"],
    ["timesheets", { start_time: "yesterday" }, "start_time"],
    ["time-off-entries", { status: "done" }, "status"],
    ["time-off-entries", { policy_remote_id: 5 }, "policy_remote_id"],
    ["time-off-balances", { balance: Number.NaN }, "balance"],
  ];
  test.each(cases)("of %s (%o) becomes null and is counted: %s", async (resource, patch, path) => {
    const field = path.replaceAll(/\.\d+/g, "");
    const before = await countNulled(resource, field);
    stub.pages = { [resource]: [[{ ...valid[resource], ...patch }]] };
    const reply = await run(await connectFor(resource));
    expect(reply.status).toBe(200);
    expect(at((reply.body as Data[])[0], path)).toBeNull();
    expect(await countNulled(resource, field)).toBe(before + 1);
  });

  test("does not fail a fetch however many there are", async () => {
    const employments = Array.from({ length: 60 }, (_, index) => ({
      job_title: `Job ${index}`,
      currency: "EUR",
    }));
    stub.pages = { employees: [[{ ...valid.employees, employments }]] };
    const reply = await run(await connectFor("employees"));
    expect(reply.status).toBe(200);
    expect(
      (reply.body as { employments: Data[] }[])[0]?.employments.map(({ currency }) => currency),
    ).toEqual(employments.map(() => null));
  });

  test.each([
    ["jpy", { currency: null, currency_code: "jpy" }],
    ["kwd", { currency: null, currency_code: "kwd" }],
    ["eur", { currency: "eur" }],
    [null, { currency: null }],
    ["yen", { currency: null }],
  ])(
    "of payslips, the currency %s, has a code of its own only when the specification does not list it",
    async (given, told) => {
      const slip = { ...valid.payslips, currency: given, currency_code: "usd", gross_pay: 350_000 };
      stub.pages = { payslips: [[slip]] };
      const before = await countNulled("payslips", "currency");
      const [record] = (await run(await connectFor("payslips"))).body as Data[];
      const currencies = Object.entries(record ?? {}).filter(([name]) =>
        name.startsWith("currency"),
      );
      expect(Object.fromEntries(currencies)).toEqual(told);
      expect(record?.["gross_pay"]).toBe(350_000);
      expect(await countNulled("payslips", "currency")).toBe(before + (given === "yen" ? 1 : 0));
    },
  );

  test("that is fine is not counted", async () => {
    const before = JSON.stringify((await harness.services.metrics.nulledFields.get()).values);
    stub.pages = {
      employees: [
        [
          {
            ...valid.employees,
            gender: "male",
            home_location: null,
            employments: null,
            manager: null,
          },
        ],
      ],
    };
    await (await connectFor("employees")).fetch();
    expect(JSON.stringify((await harness.services.metrics.nulledFields.get()).values)).toBe(before);
  });
});

describe("what the API fills in", () => {
  test.each<[string, Data, Data]>([
    [
      "a display name of first and last name",
      { first_name: "Ann", last_name: "Ant" },
      { display_full_name: "Ann Ant" },
    ],
    [
      "an empty first name where the provider has none",
      { first_name: null, last_name: "Ant" },
      { first_name: "", display_full_name: "Ant" },
    ],
    [
      "a display name of the one name that there is",
      { first_name: "Ann", last_name: "" },
      { display_full_name: "Ann" },
    ],
    [
      "the provider's own display name, if it has one",
      { first_name: "Ann", display_full_name: "Dr Ann" },
      { display_full_name: "Dr Ann" },
    ],
    [
      "no histories where the provider does not tell",
      { employments: null },
      { employments: [], employment_history: null, compensation_history: null },
    ],
    [
      "empty histories where there were no jobs",
      { employments: [] },
      { employments: [], employment_history: [], compensation_history: [] },
    ],
    ["groups, always", { groups: null }, { groups: [] }],
    [
      "locations, always",
      { home_location: null, work_location: undefined },
      { home_location: { country: null }, work_location: { id: null, address: null } },
    ],
    ["no manager", { manager: null }, { manager: null }],
    [
      "jobs with the newest first",
      { employments: [{ effective_date: "2020-01-01" }, { effective_date: "2024-01-01" }, {}] },
      {
        employments: [
          { effective_date: "2024-01-01" },
          { effective_date: "2020-01-01" },
          { effective_date: null },
        ],
      },
    ],
  ])("%s", async (_name, source, expected) => {
    stub.pages = { employees: [[{ ...valid.employees, ...source }]] };
    expect(await (await connectFor("employees")).fetch()).toMatchObject([expected]);
  });
});

describe("what the provider sends", () => {
  test("outside the range that was asked for is dropped", async () => {
    const entry = (id: string, start: string, end: string) => ({
      ...valid["time-off-entries"],
      remote_id: id,
      start_date: start,
      end_date: end,
    });
    stub.pages = {
      payruns: [
        [
          { remote_id: "in", payment_date: "2026-01-31" },
          { remote_id: "out", payment_date: "2026-02-01" },
        ],
      ],
      timesheets: [
        [
          { ...valid.timesheets, remote_id: "in", start_time: "2026-01-31T23:59:59Z" },
          { ...valid.timesheets, remote_id: "out", start_time: "2026-02-01T00:00:00Z" },
        ],
      ],
      "time-off-entries": [
        [entry("in", "2025-12-30", "2026-01-01"), entry("out", "2026-02-01", "2026-02-03")],
      ],
    };
    for (const resource of ["payruns", "timesheets", "time-off-entries"] as const) {
      const records = await (await connectFor(resource)).fetch();
      expect([resource, ...records.map(({ remote_id: id }) => id)]).toEqual([resource, "in"]);
    }
  });

  test.each<[Resource, Data]>([
    ["employees", {}],
    ["payruns", { range: { start: "2026-01-01", end: "2026-01-31" } }],
    ["timesheets", { range: { start: "2026-01-01", end: "2026-01-31" } }],
    ["time-off-entries", { range: { start: "2026-01-01", end: "2026-01-31" } }],
    ["payslips", { payrunRemoteId: "r1" }],
  ])("is what it was asked for: %s with %o", async (resource, parameters) => {
    await (await connectFor(resource)).fetch();
    expect(stub.fetches.map((fetch) => [fetch.resource, fetch.parameters])).toEqual([
      [resource, parameters],
    ]);
  });

  test("twice, on one page or on two, is kept once", async () => {
    stub.pages = {
      employees: [
        [valid.employees, valid.employees],
        [{ ...valid.employees, remote_id: "e2" }, valid.employees],
      ],
    };
    const records = await (await connectFor("employees")).fetch();
    expect(records.map(({ remote_id: id }) => id)).toEqual(["e1", "e2"]);
  });

  const many = Array.from({ length: 30 }, (_, index) => index);
  test.each<[string, Resource, Data[]]>([
    ["employees", "employees", many.map((index) => ({ remote_id: `e${index}`, last_name: "Ant" }))],
    [
      "timesheets of one day",
      "timesheets",
      many.map((index) => ({ ...valid.timesheets, remote_id: `t${index}` })),
    ],
    ["groups without an id", "groups", many.map((index) => ({ name: `Group ${index}` }))],
  ])("in another order is the same: %s", async (_name, resource, records) => {
    const connection = await connectFor(resource);
    stub.pages = { [resource]: [records] };
    await connection.fetch();
    const first = await connection.get();
    harness.clock.advance(3_601);
    const shuffled = records.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));
    stub.pages = { [resource]: [shuffled.slice(0, 7), shuffled.slice(7)] };
    await connection.fetch();
    const second = await connection.get();
    expect(second.bytes.toString()).toBe(first.bytes.toString());
    expect(second.headers["etag"]).toBe(first.headers["etag"]);
  });

  test("on many pages, some of them empty, is all there", async () => {
    stub.pages = {
      employees: [[], [valid.employees], [], [{ ...valid.employees, remote_id: "e2" }], []],
    };
    expect(await (await connectFor("employees")).fetch()).toHaveLength(2);
  });

  test("on no page at all is an empty list", async () => {
    stub.pages = { employees: [] };
    expect(await (await connectFor("employees")).fetch()).toEqual([]);
  });
});

describe("a provider that fails between two pages", () => {
  const pages = [[valid.employees], [{ ...valid.employees, remote_id: "e2" }]];

  test("for a moment is read from the beginning again", async () => {
    stub.pages = { employees: pages };
    stub.onPageEnd = ({ number }) => {
      if (number === 1) throw new ProviderDown("between pages");
    };
    const connection = await connectFor("employees");
    expect((await run(connection)).status).toBe(202);
    await harness.drain({ includeDelayed: true });
    expect((await connection.get()).body).toHaveLength(2);
    expect(stub.fetches).toHaveLength(2);
  });

  test.each<[string, () => never]>([
    [
      "with a bug",
      () => {
        throw new ProviderBug("half an answer");
      },
    ],
    [
      "with an error of its own",
      () => {
        throw new TypeError("x is not a function");
      },
    ],
  ])("%s leaves nothing of the first page behind", async (_name, fail) => {
    stub.pages = { employees: pages };
    const connection = await connectFor("employees");
    const whole = await connection.fetch();
    stub.onPageEnd = fail;
    harness.clock.advance(1_000);
    await connection.get();
    await harness.drain();
    expect((await connection.get()).body).toEqual(whole);
    harness.clock.advance(2_601);
    expect((await run(connection)).status).toBe(500);
  });
});

/** Any order but the given one, the same on every run. */
function hash(record: Data): number {
  return [...JSON.stringify(record)].reduce(
    (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003,
    7,
  );
}
