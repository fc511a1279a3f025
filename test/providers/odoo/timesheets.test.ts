import { afterEach, describe, expect, it } from "vitest";
import {
  toAttendance,
  toHoursPerUnit,
  toProjectLine,
} from "../../../src/providers/odoo/timesheets.ts";
import type { FakeOdooOptions, OdooRow } from "../../support/fake-odoo.ts";
import { closeAll, Customer, startFakeOdoo } from "../../support/odoo-customer.ts";
import { odooTables, odooUsers } from "../../support/odoo-desk-data.ts";

afterEach(closeAll);

const mapping = { today: "2026-03-02" };
const stamps = { create_date: "2026-03-02 21:30:00", write_date: "2026-03-03 00:10:00" };
const attendance = {
  employee_id: [11, "Nadia"],
  check_in: "2026-03-01 21:00:00",
  check_out: "2026-03-02 05:30:12",
  worked_hours: 7.503333333333333,
  ...stamps,
};
const line = { employee_id: [11, "Nadia"], date: "2026-03-02", unit_amount: 0.25, ...stamps };
const dates = { remote_created_at: "2026-03-02", remote_modified_at: "2026-03-03" };

describe("a timesheet", () => {
  it("of an attendance has the hours without the break, and times in UTC", () => {
    expect(toAttendance({ id: 5, ...attendance }, mapping)).toEqual({
      remote_id: "attendance-5",
      employee_remote_id: "11",
      start_time: "2026-03-01T21:00:00Z",
      end_time: "2026-03-02T05:30:12Z",
      hours_worked: 7.503333,
      ...dates,
    });
  });

  it("of a project line has the day at 00:00 and no end", () => {
    expect(toProjectLine({ id: 5, ...line, hoursPerUnit: 8 }, mapping)).toEqual({
      remote_id: "line-5",
      employee_remote_id: "11",
      start_time: "2026-03-02T00:00:00Z",
      end_time: null,
      hours_worked: 2,
      ...dates,
    });
  });

  it("is none for an open attendance, a line of nobody and a quantity that is no time", () => {
    expect(
      toAttendance({ id: 5, ...attendance, check_out: false, worked_hours: 0 }, mapping),
    ).toBeNull();
    expect(toAttendance({ id: 5, ...attendance, employee_id: false }, mapping)).toBeNull();
    expect(
      toProjectLine({ id: 5, ...line, employee_id: false, hoursPerUnit: 1 }, mapping),
    ).toBeNull();
    expect(toProjectLine({ id: 5, ...line, hoursPerUnit: null }, mapping)).toBeNull();
  });

  it.each(["8", null, undefined, Number.POSITIVE_INFINITY])(
    "never counts the hours %j as none",
    (hours) => {
      const bug = expect.objectContaining({ name: "ProviderBug" });
      expect(() => toAttendance({ id: 5, ...attendance, worked_hours: hours }, mapping)).toThrow(
        bug,
      );
      expect(() =>
        toProjectLine({ id: 5, ...line, unit_amount: hours, hoursPerUnit: 1 }, mapping),
      ).toThrow(bug);
      expect(
        toProjectLine({ id: 5, ...line, unit_amount: false, hoursPerUnit: 1 }, mapping)
          ?.hours_worked,
      ).toBe(0);
    },
  );
});

const units19: OdooRow[] = [
  { id: 4, name: "Hours", factor: 1, relative_factor: 1 },
  { id: 5, name: "Days", factor: 8, relative_factor: 8, relative_uom_id: [4, "Hours"] },
  {
    id: 6,
    name: "Minutes",
    factor: 0.0166667,
    relative_factor: 0.0166667,
    relative_uom_id: [4, "Hours"],
  },
  { id: 1, name: "Units", factor: 1, relative_factor: 1 },
];
const units14: OdooRow[] = [
  { id: 4, name: "Hours", factor: 8, category_id: [3, "Working Time"] },
  { id: 5, name: "Days", factor: 1, category_id: [3, "Working Time"] },
  { id: 1, name: "Units", factor: 1, category_id: [1, "Unit"] },
];

describe("a unit of time has", () => {
  it.each([
    [
      "1 hour, 8 and a minute's in version 19",
      units19,
      4,
      [
        [4, 1],
        [5, 8],
        [6, 0.0166667],
      ],
    ],
    [
      "1 hour and 8 before it",
      units14,
      4,
      [
        [4, 1],
        [5, 8],
      ],
    ],
    ["no hours when the server has no hour", units14, undefined, []],
  ])("%s", (_, units, hourId, expected) => {
    expect([...toHoursPerUnit(units, hourId)]).toEqual(expected);
  });
});

describe("reading timesheets", () => {
  const range = { start: "2026-03-02", end: "2026-03-02" };
  const rows = {
    "hr.attendance": [
      {
        ...attendance,
        id: 1,
        employee_id: 11,
        check_in: "2026-03-02 23:59:59",
        check_out: "2026-03-03 03:00:00",
      },
      { ...attendance, id: 2, employee_id: 11 },
      { ...attendance, id: 3, employee_id: 12, check_in: "2026-03-02 00:00:00", check_out: false },
    ],
    "uom.uom": units19.map((unit) => ({ ...unit, relative_uom_id: unit["relative_uom_id"] && 4 })),
    "account.analytic.line": [
      { ...line, id: 1, employee_id: 11, project_id: 7, product_uom_id: 4 },
      { ...line, id: 2, employee_id: 11, project_id: 7, product_uom_id: 5 },
      { ...line, id: 3, employee_id: 11, project_id: 7, product_uom_id: 4, holiday_id: 1 },
      { ...line, id: 4, employee_id: 11, project_id: 7, product_uom_id: 4, global_leave_id: 1 },
      { ...line, id: 5, employee_id: 11, project_id: false, product_uom_id: 4 },
      { ...line, id: 6, employee_id: 11, project_id: 7, product_uom_id: 4, date: "2026-03-03" },
    ],
  };
  const externalIds = { "uom.uom": { 4: "uom.product_uom_hour" } };

  async function start(
    timesheets: string,
    options: Partial<FakeOdooOptions> = {},
    username?: string,
  ) {
    const tables = odooTables(rows);
    const fake = await startFakeOdoo({
      version: 19,
      users: odooUsers,
      tables,
      externalIds,
      ...options,
    });
    const customer = new Customer(fake.origin, undefined, undefined, {
      resources: ["timesheets"],
      settings: timesheets === "" ? {} : { timesheets },
    });
    return { customer, session: await customer.signIn(username) };
  }

  it.each(["", "attendances"])(
    "gives the attendances that began in the range: %j",
    async (choice) => {
      const { customer, session } = await start(choice);
      const sheets = await customer.read("timesheets", session, { range });
      expect(sheets.map(({ remote_id }) => remote_id)).toEqual(["attendance-1"]);
    },
  );

  it("gives the lines of projects in hours, without those that time off made", async () => {
    const { customer, session } = await start("projects");
    const sheets = await customer.read("timesheets", session, { range });
    expect(sheets.map(({ remote_id, hours_worked }) => [remote_id, hours_worked])).toEqual([
      ["line-1", 0.25],
      ["line-2", 2],
    ]);
  });

  it("fails when nothing says which unit is an hour, which would leave out every line", async () => {
    const { customer, session } = await start("projects", { externalIds: {} });
    await expect(customer.read("timesheets", session, { range })).rejects.toMatchObject({
      name: "ProviderBug",
    });
  });

  it.each(["attendances", "projects"])(
    "is refused without the right of the %s, though Odoo answers",
    async (choice) => {
      const { customer, session } = await start(choice, {}, "officer@example.com");
      await expect(customer.inspect(session, ["company", "timesheets"])).resolves.toMatchObject({
        forbidden: ["timesheets"],
      });
      await expect(customer.read("timesheets", session, { range })).rejects.toMatchObject({
        code: "insufficient_permission",
      });
    },
  );

  it.each([
    ["hr.attendance", ["timesheets"], []],
    ["account.analytic.line", [], ["timesheets"]],
  ])("depends on what was chosen: without %s", async (model, ofAttendances, ofProjects) => {
    for (const [choice, unsupported] of [
      ["attendances", ofAttendances],
      ["projects", ofProjects],
    ] as const) {
      const { customer, session } = await start(choice, { without: [model] });
      await expect(customer.inspect(session)).resolves.toMatchObject({ unsupported });
    }
  });
});
