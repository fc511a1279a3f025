import { describe, expect, test } from "vitest";
import { isTimeZone, openZone } from "../../src/providers/kit/zone.ts";
import { personio } from "../../src/providers/personio/index.ts";
import { openRecord } from "../../src/providers/personio/personio-client.ts";
import { toTimeZone } from "../../src/providers/personio/sign-in-form.ts";
import { nextDays, toWork } from "../../src/providers/personio/timesheets.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import {
  absencePeriod,
  attribute,
  createPeople,
  dynamic,
  employee,
  period,
  timeOff,
  type PersonioRecord,
} from "../support/vendors/personio-records.ts";

const berlin = "Europe/Berlin";
const official = personio.modes.official!;

/** What the reader of a resource makes of a raw record. */
function mapOf<R extends "employees" | "time-off-entries" | "time-off-balances" | "timesheets">(
  resource: R,
) {
  const map = official.resources[resource]!.map as (
    raw: object,
    context: object,
  ) => SourceRecord<R> | null;
  return (raw: object) => map(raw, { today: "2026-03-02", parameters: {} });
}

const toEmployee = (record: object) => mapOf("employees")(openRecord(record) as object)!;
const records = createPeople().map(({ record }) => toEmployee(record));
const mapped = (values: PersonioRecord) => toEmployee(employee(1, values).record);

describe("an employee", () => {
  test("with all that is mapped", () => {
    expect(records[0]).toEqual({
      remote_id: "11",
      employee_number: "N-11",
      first_name: "Nadia",
      last_name: "van den Éynde",
      display_full_name: "Nadia Éynde",
      work_email: "nadia@example.com",
      gender: "female",
      date_of_birth: "1985-07-30",
      nationality: "NL",
      job_title: "Planner",
      employment_status: "active",
      employment_type: null,
      start_date: "2014-11-09",
      termination_date: null,
      remote_created_at: "2017-05-23",
      home_location: { street_address: "Kade 12" },
      work_location: { remote_id: "41", name: "München", type: "office" },
      manager: { remote_id: "14", first_name: null, last_name: null, work_email: null },
      groups: [
        { remote_id: "department-21", name: "Support", type: "department" },
        { remote_id: "team-21", name: "Night", type: "team" },
        { remote_id: "cost_centre-31", name: "Rhine", type: "cost_centre" },
      ],
      employments: [
        {
          effective_date: "2014-11-09",
          job_title: "Planner",
          employment_type: null,
          pay_rate: 3000.5,
          pay_period: "MONTH",
          currency: "eur",
          group_remote_id: "department-21",
          group_name: "Support",
          manager_remote_id: "14",
        },
      ],
      bank_account: { iban: "DE89370400440532013000" },
      custom_fields: {
        IBAN: "DE89 3704 0044 0532 0130 00",
        Shirt: "M",
        Birthday: "1985-07-30T00:00:00+02:00",
        Number: "N-11",
        Street: "Kade 12",
        Nationality: "Niederlande",
        company: { remote_id: "7033", name: "Ferme & Fils GmbH" },
        weekly_working_hours: 40,
      },
    });
  });

  test("of whom Personio tells the name alone", () => {
    const { remote_id, last_name, groups, employments, ...rest } = records[1]!;
    expect([remote_id, last_name, groups, employments]).toEqual(["12", "大江", [], []]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  test("whose attributes have no value is as one whose attributes are missing", () => {
    const names = Object.keys(createPeople()[0]!.record["attributes"] as object);
    const empty = Object.fromEntries(names.slice(1, -6).map((name) => [name, null]));
    expect(mapped(empty)).toEqual(mapped({}));
    expect(mapped({ ...empty, preferred_name: " ", hourly_salary: "", fix_salary: "" })).toEqual(
      mapped({}),
    );
  });

  test.each([
    ["Germany", "DE"],
    ["FRA", "FR"],
    ["es", "ES"],
    ["Atlantis", null],
    ["", null],
  ])("of nationality %j has %j, and the text among the custom fields", (value, expected) => {
    const { record } = employee(1, {});
    Object.assign(record["attributes"] as object, {
      dynamic_7: dynamic("Citizenship", value, "nationality"),
    });
    const { nationality, custom_fields } = toEmployee(record);
    expect(nationality).toBe(expected);
    expect(custom_fields).toEqual({ Citizenship: value });
  });

  test("keeps its legal entity and its hours apart from attributes of the company that have their names", () => {
    const { record } = employee(1, {
      subcompany: { type: "Subcompany", attributes: { id: 8, name: null } },
      weekly_working_hours: "19.5",
      employment_type: "internal",
    });
    Object.assign(record["attributes"] as object, {
      dynamic_7: dynamic("company", "Acme"),
      dynamic_8: dynamic("weekly_working_hours", 3),
    });
    expect(toEmployee(record)).toMatchObject({
      // Hours alone decide nothing.
      employment_type: null,
      custom_fields: {
        "company (dynamic_7)": "Acme",
        "weekly_working_hours (dynamic_8)": 3,
        company: { remote_id: "8", name: null },
        weekly_working_hours: 19.5,
      },
    });
  });

  test.each([
    ["active", true, "leave"],
    ["active", false, "active"],
    ["onboarding", true, "pending"],
    ["inactive", true, "inactive"],
    [null, true, null],
  ])("who is %s, and on leave today: %s, is %s", (status, isAway, expected) => {
    const opened = openRecord(employee(1, { status }).record) as object;
    expect(mapOf("employees")({ ...opened, isAway })?.employment_status).toBe(expected);
  });

  test("has two of the company's attributes of the same label beside each other", () => {
    const { record } = employee(1, {});
    Object.assign(record["attributes"] as object, {
      dynamic_7: dynamic("Note", "a"),
      dynamic_8: dynamic("Note", 3),
      dynamic_9: dynamic("", ["x"]),
    });
    expect(toEmployee(record).custom_fields).toEqual({
      "Note (dynamic_7)": "a",
      "Note (dynamic_8)": 3,
      dynamic_9: ["x"],
    });
  });

  test("has the names of a manager where Personio tells them", () => {
    const names = { id: 2, first_name: "Ida", last_name: "Roth", email: "ida@example.com" };
    const attributes = Object.fromEntries(
      Object.entries(names).map(([name, value]) => [name, attribute(name, value)]),
    );
    expect(mapped({ supervisor: { type: "Employee", attributes } }).manager).toEqual({
      remote_id: "2",
      first_name: "Ida",
      last_name: "Roth",
      work_email: "ida@example.com",
    });
  });
});

describe("a value", () => {
  test.each([
    ["2014-11-09T00:00:00+01:00", "2014-11-09"],
    ["2020-02-01T00:00:00+0100", "2020-02-01"],
    ["2022-06-20T14:29:56.510Z", "2022-06-20"],
    ["2026-07-01", "2026-07-01"],
    ["", null],
    [null, null],
    [20260701, null],
  ])("%j is the day %s, as it is written", (value, expected) => {
    const { start_date, termination_date, remote_created_at } = mapped({
      hire_date: value,
      termination_date: value,
      created_at: value,
    });
    expect([start_date, termination_date, remote_created_at]).toEqual(Array(3).fill(expected));
  });

  test.each([
    ["male", "male"],
    ["female", "female"],
    ["diverse", "not_specified"],
    ["undefined", "not_specified"],
    [null, null],
  ])("gender %s is %s", (value, expected) => {
    expect(mapped({ gender: value }).gender).toBe(expected);
  });

  test.each([
    ["active", "active"],
    ["onboarding", "pending"],
    ["leave", "leave"],
    ["inactive", "inactive"],
    ["paused", null],
    [null, null],
  ])("status %s is %s", (value, expected) => {
    expect(mapped({ status: value }).employment_status).toBe(expected);
  });

  test.each([
    ["external", "contractor"],
    ["internal", null],
    [null, null],
  ])("employment type %s is %s", (value, expected) => {
    expect(mapped({ employment_type: value }).employment_type).toBe(expected);
  });

  test.each([
    [{ fix_salary: [3000, "EUR"], fix_salary_interval: "monthly" }, [3000, "MONTH", "eur"]],
    [{ fix_salary: ["36000.50", "GBP"], fix_salary_interval: "yearly" }, [36000.5, "YEAR", "gbp"]],
    [{ hourly_salary: [0, "EUR"], fix_salary: [1, "EUR"] }, [null, null, null]],
    [{ hourly_salary: ["21.3", "CHF"], fix_salary: [1, "EUR"] }, [21.3, "HOUR", "chf"]],
    [{ fix_salary: [900, "EUR"], fix_salary_interval: "quarterly" }, [null, null, null]],
    [{ fix_salary: [null, "EUR"], fix_salary_interval: "monthly" }, [null, null, null]],
    [{ fix_salary: [0, "EUR"], fix_salary_interval: "monthly" }, [null, null, null]],
    [{ fix_salary: 5, fix_salary_interval: "monthly" }, [5, "MONTH", null]],
    [{}, [null, null, null]],
  ])("pay %j is %j", (values, expected) => {
    const [job] = mapped({ position: "Clerk", ...values }).employments ?? [];
    expect([job?.pay_rate, job?.pay_period, job?.currency]).toEqual(expected);
  });

  test.each([
    ["paid_vacation", "vacation"],
    ["sick_leave", "sick"],
    ["public_duty", "jury_duty"],
    ...(
      "family_care maternity_parental_leave child_care short_time_allowance quarantine irrevocable_exemption " +
      "strike_and_lockout unpaid_suspension unpaid_vacation unexcused_absence offsite_work other undefined"
    )
      .split(" ")
      .map((category) => [category, null]),
    [null, null],
  ])("category %s is %s", (category, expected) => {
    const type = { id: 1, category };
    expect(toBalance({ id: 1, type })?.policy_type ?? null).toBe(expected);
  });

  test.each([
    ["day", "days"],
    ["hour", "hours"],
    [null, null],
  ])("unit %s is %s", (unit, expected) => {
    expect(toBalance({ id: 1, type: { id: 1, unit } })?.unit).toBe(expected);
  });
});

const toEntry = (record: object, read: object) =>
  mapOf("time-off-entries")({ ...(openRecord(record) as object), ...read, timeZone: berlin });
const hourly = { id: "53", name: "Extra", category: "sick_leave", unit: "hour" } as const;
const inDays = (values: PersonioRecord = {}) => {
  const record = timeOff(61, values);
  const type = openRecord((record["attributes"] as PersonioRecord)["time_off_type"]);
  return toEntry(record, { unit: "days", type });
};
const inHours = (values: PersonioRecord = {}, type: typeof hourly | null = hourly) =>
  toEntry(absencePeriod("9bba", values), { unit: "hours", type });

describe("an absence", () => {
  test("in days", () => {
    expect(inDays()).toEqual({
      remote_id: "61",
      employee_remote_id: "11",
      start_date: "2026-02-02",
      end_date: "2026-02-04",
      amount: 2.5,
      unit: "days",
      status: "approved",
      employee_note: null,
      policy_remote_id: "51",
      policy_name: "Paid vacation",
      policy_type: "vacation",
      remote_created_at: "2026-01-17",
      remote_modified_at: "2026-01-18",
    });
  });

  test("in hours, which ends at midnight and is counted in minutes", () => {
    expect(inHours()).toEqual({
      remote_id: "9bba",
      employee_remote_id: "11",
      start_date: "2026-02-10",
      end_date: "2026-02-11",
      amount: 16,
      unit: "hours",
      status: "approved",
      employee_note: "moving",
      policy_remote_id: "53",
      policy_name: "Extra",
      policy_type: "sick",
      remote_created_at: "2026-02-01",
      remote_modified_at: "2026-02-02",
    });
  });

  test.each([
    ["approved", "approved"],
    ["pending", "pending"],
    ["rejected", "rejected"],
    ["escalated", null],
    [null, null],
  ])("of status %s is %s", (status, expected) => {
    expect([inDays({ status })?.status, inHours({ status })?.status]).toEqual([expected, expected]);
  });

  test.each([
    ["2026-07-01T06:00:00Z", "2026-07-01T10:00:00Z", berlin, "2026-07-01", "2026-07-01"],
    ["2026-06-30T22:00:00Z", "2026-07-01T22:00:00Z", berlin, "2026-07-01", "2026-07-01"],
    [
      "2026-06-30T22:30:00Z",
      "2026-07-01T10:00:00Z",
      "America/New_York",
      "2026-06-30",
      "2026-07-01",
    ],
    ["2026-06-30T22:30:00Z", "2026-07-01T10:00:00Z", null, "2026-07-01", "2026-07-01"],
    ["2026-06-30T22:30:00Z", null, berlin, "2026-07-01", null],
    ["2026-06-30T22:30:00Z", "2026-07-01T10:00:00Z", "Gotham", "2026-07-01", "2026-07-01"],
    ["2026-07-01", "2026-07-02", berlin, "2026-07-01", "2026-07-02"],
    [null, "2026-07-01T22:00:00Z", berlin, null, "2026-07-02"],
    [null, "soon", berlin, null, null],
  ])("from %s to %s in %s is from %s to %s", (start, end, timezone, first, last) => {
    expect(inHours({ start, end, timezone })).toMatchObject({ start_date: first, end_date: last });
  });

  test("in hours of a type that is gone, written beside its id", () => {
    const absence_type = { id: "a-53", name: "Old", time_off_type_id: 99 };
    expect(inHours({ absence_type }, null)).toMatchObject({
      policy_remote_id: "99",
      policy_name: "Old",
      policy_type: null,
    });
  });

  test("that was cancelled is left out, and so is work at home", () => {
    const time_off_type = { attributes: { id: 54, name: "Home", category: "offsite_work" } };
    expect([
      inDays({ status: "cancelled" }),
      inHours({ status: "cancelled" }),
      inDays({ time_off_type }),
    ]).toEqual([null, null, null]);
  });
});

function toBalance(balance: PersonioRecord) {
  return mapOf("time-off-balances")({ ...balance, employeeId: "11" });
}

describe("a balance", () => {
  const type = { id: "53", name: "Extra", category: "sick_leave", unit: "hour" } as const;

  test.each([
    [
      { id: 53, name: "Overtime", category: null, balance: -3, type },
      ["53", "Overtime", "hours", "sick", -3],
    ],
    [{ id: 51, category: "paid_vacation", balance: "10.5" }, ["51", null, null, "vacation", 10.5]],
    [
      { id: 51, category: "custom_absence", balance: null, type },
      ["51", "Extra", "hours", null, null],
    ],
  ])("%j is %j", (balance, expected) => {
    const made = toBalance(balance);
    expect([
      made?.policy_remote_id,
      made?.policy_name,
      made?.unit,
      made?.policy_type,
      made?.balance,
    ]).toEqual(expected);
    expect(made).toMatchObject({ employee_remote_id: "11", used: null });
  });

  test("of work at home is left out", () => {
    expect(toBalance({ id: 54, category: "offsite_work", balance: 1 })).toBeNull();
    expect(toBalance({ id: 54, type: { ...type, category: "offsite_work" } })).toBeNull();
  });
});

const sheetsOf = (periods: readonly PersonioRecord[], timeZone = berlin) =>
  toWork(periods, timeZone).map((work) => mapOf("timesheets")(work));

describe("a period of work", () => {
  test("over midnight, with two breaks", () => {
    const day = { attribution_date: "2026-03-02" };
    expect(
      sheetsOf([
        period("w", "WORK", ["2026-03-02T20:00:00", "2026-03-03T04:00:00"], {
          created_at: "2026-03-03T05:00:00Z",
        }),
        period("b1", "BREAK", ["2026-03-02T22:00:00", "2026-03-02T22:45:00"]),
        period("b2", "BREAK", ["2026-03-03T01:00:00", "2026-03-03T01:15:00"], day),
      ]),
    ).toEqual([
      {
        remote_id: "w",
        employee_remote_id: "11",
        start_time: "2026-03-02T19:00:00Z",
        end_time: "2026-03-03T03:00:00Z",
        hours_worked: 7,
        remote_created_at: "2026-03-03",
        remote_modified_at: "2026-03-03",
      },
    ]);
  });

  test.each([
    ["of another person", { person: { id: "12" } }, 8],
    ["that was rejected", { approval: { status: "REJECTED" } }, 8],
    ["of another day", { attribution_date: "2026-03-03" }, 8],
    ["beside the work", { start: { date_time: "2026-03-02T17:30:00" } }, 8],
    ["that goes on", { end: null }, 8],
    ["that is only partly in it", { start: { date_time: "2026-03-02T16:30:00" } }, 7.5],
  ])("loses no more than its own part of a break %s", (_what, values, hours) => {
    const at = ["2026-03-02T12:00:00", "2026-03-02T18:00:00"] as [string, string];
    const sheets = sheetsOf([
      period("w", "WORK", ["2026-03-02T09:00:00", "2026-03-02T17:00:00"]),
      period("b", "BREAK", at, values),
    ]);
    expect(sheets[0]?.hours_worked).toBe(hours);
  });

  test("that goes on or was rejected is left out, one that is not confirmed is not", () => {
    const times = ["2026-03-02T09:00:00", "2026-03-02T17:00:00"] as [string, string];
    expect(
      sheetsOf([
        period("open", "WORK", [times[0], null]),
        period("no", "WORK", times, { approval: { status: "REJECTED" } }),
        period("yes", "WORK", times, { approval: { status: "PENDING" } }),
      ]).map((sheet) => sheet?.remote_id ?? null),
    ).toEqual([null, null, "yes"]);
  });

  test.each([
    [nextDays(14, 100), 14],
    [nextDays(1, 0), 2],
    [nextDays(8, 10), 14],
    [nextDays(4, 3_000), 4],
    [nextDays(4, 5_000), 2],
    [nextDays(1, 9_000), 1],
  ])("is asked for by spans of days: %d", (days, expected) => {
    expect(days).toBe(expected);
  });
});

describe("a local time", () => {
  test.each([
    ["2026-01-15T09:00:00", berlin, "2026-01-15T08:00:00.000Z"],
    ["2026-07-15T09:00:00", berlin, "2026-07-15T07:00:00.000Z"],
    // The clocks skip the hour, and then show it twice.
    ["2026-03-29T02:30:00", berlin, "2026-03-29T01:30:00.000Z"],
    ["2026-03-29T03:00:00", berlin, "2026-03-29T01:00:00.000Z"],
    ["2026-10-25T02:30:00", berlin, "2026-10-25T00:30:00.000Z"],
    ["2026-10-25T03:00:00", berlin, "2026-10-25T02:00:00.000Z"],
    ["2026-07-15T23:30:00", "America/New_York", "2026-07-16T03:30:00.000Z"],
    ["2026-07-15T09:00", "Asia/Kolkata", "2026-07-15T03:30:00.000Z"],
    ["2026-07-15T24:00:00", "UTC", "2026-07-16T00:00:00.000Z"],
    ["2026-07-15T09:00:00+0200", "UTC", "2026-07-15T07:00:00.000Z"],
    ["2026-07-15T09:00:00.5Z", berlin, "2026-07-15T09:00:00.500Z"],
  ])("%s in %s is %s", (local, zone, expected) => {
    expect(openZone(zone).toInstant(local)?.toISOString()).toBe(expected);
  });

  test.each(["", "soon", "2026-07-15"])("%j is none", (text) => {
    expect(openZone(berlin).toInstant(text)).toBeNull();
  });
});

describe("the time zone of the form", () => {
  test.each([
    ["Europe/Berlin", true],
    ["America/Argentina/Buenos_Aires", true],
    ["UTC", true],
    ["Europe/Gotham", false],
    ["+02:00", false],
    ["", false],
  ])("%j is a name: %s", (name, expected) => {
    expect(isTimeZone(name)).toBe(expected);
  });

  test("is the usual one when it is left empty, and is refused when there is none of this name", () => {
    expect([toTimeZone({}), toTimeZone({ time_zone: " Europe/Madrid " })]).toEqual([
      berlin,
      "Europe/Madrid",
    ]);
    const typed = { client_id: "papi-1", client_secret: "s" };
    const isAccepted = (values: object) => official.form.safeParse({ ...typed, ...values }).success;
    expect([
      isAccepted({}),
      isAccepted({ time_zone: " Europe/Madrid" }),
      isAccepted({ time_zone: "Madrid" }),
    ]).toEqual([true, true, false]);
  });
});

test.each([
  [200, { remaining: "0", "requested-tokens": "1", "replenish-rate": "10" }, 0.1],
  [200, { remaining: "1", "requested-tokens": "5", "replenish-rate": "2" }, 2],
  [200, { remaining: "3", "requested-tokens": "1", "replenish-rate": "10" }, undefined],
  [200, { remaining: "0", "requested-tokens": "1", "replenish-rate": "0.00001" }, 60],
  [200, { remaining: "0" }, undefined],
  [200, {}, undefined],
  [429, { remaining: "0", "requested-tokens": "1", "replenish-rate": "10" }, undefined],
])("after a %d with the limit at %j the adapter waits %s seconds", (status, limit, expected) => {
  const headers = Object.fromEntries(
    Object.entries(limit).map(([name, value]) => [`x-ratelimit-${name}`, value]),
  );
  expect(personio.limits?.waitSeconds?.({ status, headers, now: new Date() })).toBe(expected);
});
