import { afterEach, describe, expect, it } from "vitest";
import { toPolicyType, toTimeOffEntry } from "../../../src/providers/odoo/time-off.ts";
import { toTimeOffBalance } from "../../../src/providers/odoo/balances.ts";
import type { OdooRow } from "../../support/fake-odoo.ts";
import { closeAll, Customer, startFakeOdoo } from "../../support/odoo-customer.ts";
import { odooTables, odooUsers } from "../../support/odoo-desk-data.ts";

afterEach(closeAll);

const resources = ["time-off-entries", "time-off-balances"] as const;
const mapping = { today: "2026-03-02" };
const sick = {
  policy_remote_id: "2",
  policy_name: "Sick Time Off",
  policy_type: "sick" as const,
};
const stamps = { create_date: "2026-01-20 09:00:00", write_date: "2026-02-03 23:30:00" };
const leave = {
  employee_id: [11, "Nadia"],
  holiday_status_id: [2, "Sick Time Off"],
  state: "validate",
  request_date_from: "2026-02-02",
  request_date_to: "2026-02-04",
  leave_type_request_unit: "day",
  number_of_days: 3,
  number_of_hours: 22.799999999999997,
  name: "Operation",
  ...stamps,
};
const entryOf = (fields: object) =>
  toTimeOffEntry({ id: 7, ...leave, ...fields, ...sick }, mapping);

describe("a leave becomes an entry", () => {
  it("with every field", () => {
    expect(entryOf({})).toEqual({
      remote_id: "7",
      employee_remote_id: "11",
      start_date: "2026-02-02",
      end_date: "2026-02-04",
      amount: 3,
      unit: "days",
      status: "approved",
      employee_note: "Operation",
      policy_remote_id: "2",
      policy_name: "Sick Time Off",
      policy_type: "sick",
      remote_created_at: "2026-01-20",
      remote_modified_at: "2026-02-03",
    });
  });

  it.each([
    ["approved", { state: "validate" }, { status: "approved" }],
    ["asked for", { state: "confirm" }, { status: "pending" }],
    ["approved once of twice", { state: "validate1" }, { status: "pending" }],
    ["refused", { state: "refuse" }, { status: "rejected" }],
    [
      "half a day",
      { leave_type_request_unit: "half_day", number_of_days: 0.5 },
      { amount: 0.5, unit: "days" },
    ],
    [
      "by the hour",
      { leave_type_request_unit: "hour", number_of_days: 0.313, number_of_hours: 2.5 },
      { amount: 2.5, unit: "hours" },
    ],
    [
      "whole days of a type by the hour",
      { leave_type_request_unit: "hour" },
      { amount: 22.8, unit: "hours" },
    ],
    [
      "by the hour before version 17",
      { leave_type_request_unit: "hour", number_of_hours: undefined, number_of_hours_display: 4 },
      { amount: 4, unit: "hours" },
    ],
    ["of nothing", { number_of_days: false }, { amount: 0, unit: "days" }],
    ["without a reason", { name: false, private_name: false }, { employee_note: null }],
    ["with a hidden reason", { name: "*****" }, { employee_note: null }],
    [
      "with a reason that the account may read",
      { name: "*****", private_name: "Knee" },
      { employee_note: "Knee" },
    ],
    [
      "without dates",
      { request_date_from: false, request_date_to: false },
      { start_date: null, end_date: null },
    ],
  ])("that is %s", (_, fields, expected) => {
    expect(entryOf(fields)).toMatchObject(expected);
  });

  it.each(["3", null, undefined])("and never counts the days %j as none", (number_of_days) => {
    expect(() => entryOf({ number_of_days })).toThrow("number_of_days has no amount");
  });

  it.each([
    ["cancelled", { state: "cancel" }],
    ["cancelled before version 19", { active: false }],
    ["not asked for yet", { state: "draft" }],
    ["of a department", { employee_id: false }],
  ])("and is left out when it is %s", (_, fields) => {
    expect(entryOf(fields)).toBeNull();
  });

  it.each([
    ["hr_holidays.leave_type_sick_time_off", "sick"],
    ["hr_holidays.l10n_be_leave_type_sick_leave_without_certificate", "sick"],
    ["hr_holidays.l10n_ch_swissdec_illness_lt", "sick"],
    ["hr_holidays.holiday_status_sl", "sick"],
    ["hr_holidays.leave_type_paid_time_off", "vacation"],
    ["hr_holidays.holiday_status_cl", "vacation"],
    ["hr_holidays.l10n_id_leave_type_annual_leave", "vacation"],
    ["hr_holidays.l10n_hk_leave_type_compassionate_leave", "bereavement"],
    ["hr_holidays.l10n_eg_leave_type_death", "bereavement"],
    ["hr_holidays.leave_type_unpaid", null],
    ["hr_holidays.leave_type_compensatory_days", null],
    ["__export__.hr_leave_type_9_sick", null],
    ["", null],
  ])("of the type %s, which is %s", (externalId, expected) => {
    expect(toPolicyType(externalId)).toBe(expected);
  });
});

describe("allocations become a balance", () => {
  const allocation = { id: 1, type_request_unit: "day", leaves_taken: 0, ...stamps };
  const balanceOf = (allocations: object[], leaves: object[] | null = null) =>
    toTimeOffBalance(
      {
        employeeId: 11,
        ...sick,
        allocations: allocations.map((fields) => ({ ...allocation, ...fields })),
        leaves: leaves?.map((fields) => ({ id: 1, ...leave, ...fields })) ?? null,
        everGranted: null,
        today: mapping.today,
      },
      mapping,
    );

  it("of their sums", () => {
    const all = [
      { virtual_remaining_leaves: 4, leaves_taken: 0.1, create_date: "2026-01-05 08:00:00" },
      { virtual_remaining_leaves: 12, leaves_taken: 0.2, write_date: "2026-02-09 08:00:00" },
    ];
    expect(balanceOf(all)).toEqual({
      employee_remote_id: "11",
      balance: 16,
      used: 0.3,
      unit: "days",
      policy_remote_id: "2",
      policy_name: "Sick Time Off",
      policy_type: "sick",
      remote_created_at: "2026-01-05",
      remote_modified_at: "2026-02-09",
    });
  });

  it.each([
    [
      "in half days",
      { type_request_unit: "half_day", virtual_remaining_leaves: 3.5 },
      { balance: 3.5, unit: "days" },
    ],
    [
      "in hours",
      { type_request_unit: "hour", virtual_remaining_leaves: 7.6 },
      { balance: 7.6, unit: "hours" },
    ],
  ])("%s", (_, fields, expected) => {
    expect(balanceOf([fields])).toMatchObject(expected);
  });

  it.each(["4", null, undefined])("and never counts %j as nothing left", (left) => {
    expect(() => balanceOf([{ virtual_remaining_leaves: left }])).toThrow("has no amount");
    expect(() => balanceOf([{ number_of_days: left }], [])).toThrow("has no amount");
  });

  it.each([
    [
      "days",
      [{ number_of_days: 20 }],
      [{}, { state: "confirm", number_of_days: 2 }],
      { balance: 15, used: 3 },
    ],
    [
      "hours",
      [{ type_request_unit: "hour", number_of_days: 2, number_of_hours_display: 16 }],
      [{ leave_type_request_unit: "hour", number_of_hours: 2.5 }],
      { balance: 13.5, used: 2.5 },
    ],
    [
      "leave before the first day of what is valid",
      [{ number_of_days: 20, date_from: "2026-02-05" }],
      [{}],
      { balance: 20, used: 0 },
    ],
    ["no leave", [{ number_of_days: 20 }, { number_of_days: 5 }], [], { balance: 25, used: 0 }],
  ])("without Odoo's own sums, as before version 18: %s", (_, allocations, leaves, expected) => {
    expect(balanceOf(allocations, leaves)).toMatchObject(expected);
  });
});

const granted = (id: number, fields: object): OdooRow => ({
  id,
  active: true,
  employee_id: 11,
  holiday_status_id: 1,
  state: "validate",
  type_request_unit: "day",
  number_of_days: 20,
  leaves_taken: 0,
  date_from: "2026-01-01",
  ...fields,
});

const rows = (): Record<string, OdooRow[]> => ({
  "hr.leave.type": [
    { id: 1, name: "Paid Time Off" },
    { id: 2, name: "Sick Time Off" },
  ],
  "hr.leave": [
    { ...leave, active: true, id: 1, employee_id: 11, holiday_status_id: 2 },
    { ...leave, active: true, id: 2, employee_id: 12, holiday_status_id: 2, state: "cancel" },
    {
      ...leave,
      active: true,
      id: 3,
      employee_id: 12,
      holiday_status_id: 1,
      request_date_from: "2026-03-01",
      request_date_to: "2026-03-10",
    },
    {
      ...leave,
      active: true,
      id: 4,
      employee_id: 12,
      holiday_status_id: 1,
      request_date_from: "2025-03-01",
      request_date_to: "2025-03-10",
    },
    {
      ...leave,
      active: false,
      id: 5,
      employee_id: 12,
      holiday_status_id: 1,
      request_date_from: "2024-03-01",
      request_date_to: "2024-03-10",
    },
  ],
  "hr.leave.allocation": [
    granted(1, { virtual_remaining_leaves: 20 }),
    granted(2, { virtual_remaining_leaves: 5, date_from: "2026-01-01", date_to: "2026-03-02" }),
    granted(3, { virtual_remaining_leaves: 7, date_from: "2025-01-01", date_to: "2025-12-31" }),
    granted(4, { virtual_remaining_leaves: 9, date_from: "2026-03-03" }),
    granted(5, { virtual_remaining_leaves: 11, state: "confirm" }),
    granted(6, { virtual_remaining_leaves: 2, employee_id: 12 }),
  ],
});

describe("reading time off", () => {
  const externalIds = {
    "hr.leave.type": { 1: "hr_holidays.leave_type_paid_time_off" },
  };

  async function start(username = "ines@example.com", version: 14 | 19 = 19) {
    const tables = odooTables(rows());
    const fake = await startFakeOdoo({ version, users: odooUsers, tables, externalIds });
    const customer = new Customer(fake.origin, undefined, undefined, { resources });
    return { fake, customer, session: await customer.signIn(username) };
  }

  it("gives the leaves that touch the range, with the types by which Odoo's modules know them", async () => {
    const { customer, session } = await start();
    const range = { start: "2026-02-04", end: "2026-03-05" };
    const entries = await customer.read("time-off-entries", session, { range });
    expect(entries.map(({ remote_id, policy_type }) => [remote_id, policy_type])).toEqual([
      ["1", null],
      ["3", "vacation"],
    ]);
  });

  it("sums the allocations that are valid today, for each person and type", async () => {
    const { customer, session } = await start();
    const balances = await customer.read("time-off-balances", session);
    expect(
      balances.map(({ employee_remote_id, balance }) => [employee_remote_id, balance]),
    ).toEqual([
      ["11", 25],
      ["12", 2],
    ]);
  });

  it("asks as often for 400 people as for one, but for the pages", async () => {
    const { fake, customer, session } = await start();
    fake.tables["hr.leave.allocation"] = Array.from({ length: 400 }, (_, index) =>
      granted(index + 1, { employee_id: index + 1, virtual_remaining_leaves: 1 }),
    );
    fake.requests.length = 0;
    await expect(customer.read("time-off-balances", session)).resolves.toHaveLength(400);
    expect(fake.requests.length).toBeLessThan(15);
  });

  it.each([14, 19] as const)(
    "leaves out what version %i calls worked time, such as a training",
    async (version) => {
      const { fake, customer, session } = await start("ines@example.com", version);
      const [paid, training] = fake.tables["hr.leave.type"]!;
      Object.assign(paid!, { time_type: "leave" });
      Object.assign(training!, { time_type: "other" });
      fake.tables["hr.leave.allocation"]!.push(granted(7, { holiday_status_id: 2 }));
      for (const resource of resources) {
        const records = await customer.read(resource, session);
        const types = records.map(({ policy_remote_id }) => policy_remote_id);
        expect([...new Set(types)]).toEqual(["1"]);
      }
    },
  );

  it("keeps the type of an entry and a balance that the account may not read", async () => {
    const { fake, customer, session } = await start();
    fake.tables["hr.leave.type"] = [];
    const ids = { policy_remote_id: "1", policy_name: "Somebody", policy_type: null };
    const entries = await customer.read("time-off-entries", session);
    expect(entries.find(({ remote_id }) => remote_id === "3")).toMatchObject(ids);
    const balances = await customer.read("time-off-balances", session);
    expect(balances[0]).toMatchObject({ balance: 25, ...ids });
  });

  /** A type of which more may be taken than was granted, with a day of last year and one of this year. */
  async function startOverdrawn(
    leaves: readonly object[],
    { allows_negative = true, ...ofAllocation }: Record<string, unknown> = {},
  ) {
    const { fake, customer, session } = await start();
    fake.tables["hr.leave.type"]![0]!["allows_negative"] = allows_negative;
    const day = { max_leaves: 1, virtual_remaining_leaves: 0, leaves_taken: 1, ...ofAllocation };
    fake.tables["hr.leave.allocation"] = [
      granted(1, { ...day, date_from: "2025-01-01", date_to: "2025-12-31" }),
      granted(2, day),
    ];
    fake.tables["hr.leave"] = leaves.map((fields, index) => ({
      ...leave,
      active: true,
      id: index + 1,
      employee_id: 11,
      holiday_status_id: 1,
      number_of_days: 6,
      ...fields,
    }));
    const [balance] = await customer.read("time-off-balances", session);
    return [balance?.balance, balance?.used];
  }

  const ofLastYear = {
    request_date_from: "2025-02-02",
    request_date_to: "2025-02-02",
    number_of_days: 1,
  };
  const ofSummer = { request_date_from: "2026-07-06", request_date_to: "2026-07-13" };

  it.each<[string, object[], Record<string, unknown>, number[]]>([
    ["6 days of 1, after 1 of 1 last year", [ofLastYear, {}], {}, [-5, 6]],
    ["6 days that wait for approval", [{ state: "confirm" }], { leaves_taken: 0 }, [-4, 0]],
    [
      "what was overdrawn last year, too",
      [{ ...ofLastYear, number_of_days: 6 }, {}],
      {},
      [-10, 11],
    ],
    ["leave of the future", [ofLastYear, ofSummer], {}, [-5, 6]],
    [
      "not leave of the future that an accrual will have granted",
      [ofLastYear, { number_of_days: 1 }, ofSummer],
      { allocation_type: "accrual" },
      [0, 1],
    ],
    ["nothing where Odoo does not allow it", [ofLastYear, {}], { allows_negative: false }, [0, 1]],
  ])("counts what was taken beyond what was granted: %s", async (_, leaves, fields, expected) => {
    expect(await startOverdrawn(leaves, fields)).toEqual(expected);
  });

  it("asks for no allocation that ended before today", async () => {
    const { fake, customer, session } = await start();
    fake.tables["hr.leave.allocation"] = Array.from({ length: 900 }, (_, index) =>
      granted(index + 1, { virtual_remaining_leaves: 1, date_to: "2025-12-31" }),
    );
    fake.tables["hr.leave.allocation"].push(granted(901, { virtual_remaining_leaves: 3 }));
    fake.requests.length = 0;
    await expect(customer.read("time-off-balances", session)).resolves.toMatchObject([
      { balance: 3 },
    ]);
    const asked = fake.requests.filter(
      ({ model, method }) => model === "hr.leave.allocation" && method === "search_read",
    );
    expect(asked).toHaveLength(2);
  });

  it("subtracts the leave of version 14 itself, which does not say what is left", async () => {
    const { customer, session } = await start("ines@example.com", 14);
    const balances = await customer.read("time-off-balances", session);
    expect(
      balances.map(({ employee_remote_id, balance, used }) => [employee_remote_id, balance, used]),
    ).toEqual([
      ["11", 80, 0],
      ["12", 14, 6],
    ]);
  });

  it("counts no allocation of version 17 that was archived, as those of people who left are", async () => {
    const { fake, customer, session } = await start("ines@example.com", 14);
    fake.tables["hr.leave.allocation"] = [
      granted(1, {}),
      granted(2, { number_of_days: 5, active: false }),
      granted(3, { employee_id: 12, active: false }),
    ];
    const balances = await customer.read("time-off-balances", session);
    expect(balances).toMatchObject([{ employee_remote_id: "11", balance: 20 }]);
    expect(balances).toHaveLength(1);
  });

  it("is refused without the right, which Odoo answers with an empty list", async () => {
    const { customer, session } = await start("officer@example.com");
    await expect(customer.inspect(session, ["company", ...resources])).resolves.toMatchObject({
      forbidden: resources,
    });
    for (const resource of resources)
      await expect(customer.read(resource, session)).rejects.toMatchObject({
        code: "insufficient_permission",
      });
  });
});
