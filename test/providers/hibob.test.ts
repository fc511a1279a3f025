import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Trial, type ReadRecord } from "../../src/conformance/trial.ts";
import { resources, type Resource } from "../../src/model/index.ts";
import type { ProviderRequest } from "../../src/platform/outbound/index.ts";
import { quotas } from "../../src/providers/hibob/client.ts";
import { hibob } from "../../src/providers/hibob/index.ts";
import { ProviderRegistry } from "../../src/providers/registry.ts";
import { sandbox } from "../../src/providers/sandbox/index.ts";
import { aimProvider } from "../support/aim-provider.ts";
import { ConnectVisitor, linkPath, workSignIns } from "../support/connect-visitor.ts";
import { version } from "../support/data-endpoints.ts";
import { createHarness, exchangeBody, type Harness } from "../support/harness.ts";
import { TestClock } from "../support/test-clock.ts";
import { FakeHibob, serviceUser } from "../support/vendors/fake-hibob.ts";
import { toSystem } from "../support/vendors/hibob-conformance.ts";
import { companyId, createPeople, createRows, personId } from "../support/vendors/hibob-people.ts";
import { untilSettled, WaitingClock } from "../support/waiting-clock.ts";

let fake: FakeHibob;
let trial: Trial;
beforeEach(async () => {
  fake = await FakeHibob.start();
  const subject = { definition: hibob, mode: "xhr", adapter: hibob.modes.xhr };
  trial = new Trial(subject as never, toSystem(fake), AbortSignal.timeout(30_000));
});
afterEach(async () => {
  await trial.close();
  await fake.stop();
});

/** The records of a read by their ids, without ours. */
async function read(resource: Resource, range?: { start: string; end: string }) {
  const { records } = await trial.read(resource, range && { parameters: { range } });
  return records;
}

const byId = (records: readonly ReadRecord[], id: string): ReadRecord | undefined =>
  records.find(({ remote_id: own }) => own === id);
const person = async (number: number) => byId(await read("employees"), personId(number));

/** How often each path was asked for, with `{id}` for ids. */
function countRequests(): Record<string, number> {
  const paths = fake.requests.map(({ path }) => path.replaceAll(/\/\d{19}/g, "/{id}"));
  return Object.fromEntries(
    [...Map.groupBy(paths, (path) => path)].map(([path, same]) => [path, same.length]),
  );
}

describe("a person", () => {
  /** Read once for all. */
  let everybody: readonly ReadRecord[] | undefined;
  const readEverybody = async (): Promise<readonly ReadRecord[]> => {
    if (!everybody) await trial.signIn();
    return (everybody ??= await read("employees"));
  };

  test.each([
    ["who works there and has no manager", 1, { employment_status: "active", manager: null }],
    [
      "with the same name as another one, and the other words of lists",
      4,
      {
        first_name: "Jan",
        last_name: "Novák",
        gender: "not_specified",
        marital_status: "other",
        mobile_phone_number: "+48 500",
        tax_id: "NIN-4",
        home_location: { administrative_area: "NY", country: "US" },
        emergency_contacts: [{ first_name: "Ola", mobile_phone_number: "+48 12 111" }],
        work_location: { remote_id: "502", name: "Kraków" },
      },
    ],
    [
      "who has left",
      5,
      { employment_status: "inactive", termination_date: "2025-04-17", employments: [] },
    ],
    ["who will begin", 6, { employment_status: "pending", start_date: "2099-01-01" }],
    ["who will leave", 7, { employment_status: "active", termination_date: "2099-12-31" }],
    [
      "who came back",
      8,
      {
        start_date: "2024-02-05",
        employment_status: "active",
        custom_fields: { original_start_date: "2018-01-08" },
        employments: [
          { effective_date: "2024-02-05", job_title: "Planner", pay_rate: 28_000 },
          { effective_date: "2022-07-01", job_title: null, pay_rate: null, employment_type: null },
          { effective_date: "2018-01-08", job_title: "Planner", pay_rate: 25_000 },
        ],
      },
    ],
    ["on garden leave", 9, { employment_status: "leave" }],
    ["with the company's own word, active", 10, { employment_status: "active" }],
    [
      "with the company's own word, inactive, and a login that is no address",
      11,
      { employment_status: "inactive", work_email: null, personal_email: null },
    ],
    [
      "whose nationality names no country, away without an end",
      12,
      { nationality: null, custom_fields: { nationality: "Canadian" }, employment_status: "leave" },
    ],
    [
      "paid by the hour in another currency",
      13,
      {
        employments: [
          { pay_rate: 21.75, pay_period: "HOUR", pay_frequency: "biweekly", currency: "usd" },
        ],
        compensation_history: [{ pay_period: "hour" }],
      },
    ],
    [
      "paid twice a month",
      14,
      { employments: [{ pay_period: "MONTH", pay_frequency: "semimonthly" }] },
    ],
    [
      "paid by a period that is none of ours",
      15,
      { employments: [{ pay_rate: null, pay_period: null, pay_frequency: "other" }] },
    ],
    [
      "who is a contractor",
      16,
      { employment_type: "contractor", employments: [{ employment_type: "contractor" }] },
    ],
    ["who works part time", 17, { employment_type: "part_time" }],
    [
      "of another script",
      18,
      { first_name: "大江", last_name: "健", display_full_name: "大江 健" },
    ],
    [
      "of whom the name alone is known",
      19,
      {
        first_name: "Nul",
        last_name: "",
        employee_number: null,
        employment_status: null,
        employment_type: null,
        gender: null,
        tax_id: null,
        manager: null,
        bank_account: null,
        emergency_contacts: null,
        groups: [],
        home_location: { street_address: null, country: null },
        work_location: { remote_id: null, name: null },
        custom_fields: { Shoes: null, Locker: null },
      },
    ],
    [
      "with another number for taxes",
      23,
      { tax_id: "SSN-23", home_location: { post_code: "10001" } },
    ],
    [
      "with a Canadian one, in a registered partnership",
      24,
      { tax_id: "SIN-24", marital_status: "married" },
    ],
    [
      "with a foreign one, and a contact without a first name",
      25,
      {
        tax_id: "TAX-25",
        emergency_contacts: [
          { first_name: null, last_name: "Kowalska", mobile_phone_number: "+48 12 222" },
        ],
      },
    ],
    ["without a contact", 23, { emergency_contacts: null }],
    [
      "whose manager left",
      21,
      {
        last_name: "O'Brien-Ñandú",
        manager: {
          remote_id: personId(20),
          first_name: "Otto",
          last_name: "Gone",
          work_email: "otto@harbour.example",
        },
      },
    ],
  ])("%s", async (_who, number, expected) => {
    expect(byId(await readEverybody(), personId(number))).toMatchObject(expected);
  });

  test.each(["both", "flat"] as const)("is the same where fields come %s", async (shape) => {
    const nested = await readEverybody();
    await trial.signIn();
    fake.shape = shape;
    expect(await read("employees")).toEqual(nested);
  });

  test("in the United States has two letters for the state of its place", async () => {
    await trial.signIn();
    const york = { "address.siteState": "892", "address.siteCountry": "883" };
    Object.assign(fake.company.people[1]!, york);
    expect((await person(2))?.["work_location"]).toMatchObject({
      address: { administrative_area: "NY", country: "US" },
    });
  });

  test("has all rows of the tables, on whichever pages they stand", async () => {
    await trial.signIn();
    fake.rowsAtMost = 2;
    const days = (await person(22))?.["employments"] as { effective_date: string }[];
    expect(days.map((one) => one.effective_date)).toEqual([
      "2022-01-01",
      "2021-01-01",
      "2020-02-03",
    ]);
  });
});

describe("what a service user does not see", () => {
  beforeEach(() => trial.signIn());

  const lists = ["compensation_history", "employment_history", "employments"];
  test.each([
    ["nothing", {}, []],
    [
      "a category of everybody",
      { hidden: { home: "everybody" as const } },
      ["gender", "marital_status", "mobile_phone_number", "personal_email"],
    ],
    ["a category of one person", { hidden: { emergency: [personId(30)] } }, ["emergency_contacts"]],
    ["what the company added", { hidden: { own: "everybody" as const } }, ["custom_fields"]],
    [
      "one of several numbers for taxes",
      { hidden: { identification: "everybody" as const } },
      ["tax_id"],
    ],
    ["a table", { forbidden: ["/bulk/people/salaries"] }, [...lists, "custom_fields"]],
    ["when people left", { forbidden: ["/bulk/people/lifecycle"] }, [...lists, "custom_fields"]],
    ["the tables of one person", { unseen: [personId(2)] }, [...lists, "custom_fields"]],
    ["who is out", { forbidden: ["/timeoff/whosout"] }, ["employment_status"]],
    ["a module that was not bought", { missing: ["/timeoff/whosout"] }, ["employment_status"]],
    [
      "whether who is out is at work",
      { forbidden: ["/timeoff/policy-types"] },
      ["employment_status"],
    ],
  ])("%s is limited, and never told as empty", async (_what, rights, limited) => {
    Object.assign(fake, rights);
    expect(await read("employees")).toHaveLength(60);
    expect([...trial.watch.limited].toSorted()).toEqual(limited.toSorted());
  });

  test("of more fields than Bob answers is limited, too", async () => {
    const own = fake.fields.at(-1)!;
    const more = Array.from({ length: 400 }, (_value, index) => ({
      ...own,
      id: `own.custom.field_18${index}`,
      name: `More ${index}`,
    }));
    fake.fields = [...fake.fields, ...more];
    expect(Object.keys((await person(2))?.["custom_fields"] as object)).toContain("More 300");
    expect(trial.watch.limited).toEqual(["custom_fields"]);
  });

  test("of the company's own with one name are both there, by their ids", async () => {
    const own = fake.fields.at(-1)!;
    fake.fields = [...fake.fields, { ...own, id: "own.custom.field_19", name: own.name }];
    const told = Object.keys((await person(2))?.["custom_fields"] as object);
    expect(told).toEqual(
      expect.arrayContaining([`${own.name} (${own.id})`, `${own.name} (own.custom.field_19)`]),
    );
  });

  test("of the addresses of places is limited, too", async () => {
    fake.hidden = { address: "everybody" };
    expect(await read("work-locations")).toMatchObject([{ address: null }, { address: null }]);
    expect(trial.watch.limited).toEqual(["address"]);
  });

  test("of the address of a place is no matter where somebody else there tells it", async () => {
    const whole = await read("work-locations");
    fake.hidden = { address: [personId(2)] };
    expect(await read("work-locations")).toMatchObject([{ address: null }, { address: null }]);
    expect(trial.watch.limited).toEqual(["address"]);
    const { people: staff } = fake.company;
    const there = staff.find((one) => one["root.id"] === personId(2))!;
    const ofPlace = Object.entries(there).filter(([id]) => /^(?:address|work)\.site/.test(id));
    Object.assign(
      staff.find((one) => one !== there)!,
      Object.fromEntries(ofPlace),
    );
    expect(await read("work-locations")).toEqual(whole);
    expect(trial.watch.limited).toEqual([]);
  });

  test("of everybody is a missing right, and not nobody", async () => {
    fake.audience = [];
    for (const resource of ["employees", "time-off-balances", "timesheets"] as const)
      await expect(read(resource)).rejects.toMatchObject({ code: "insufficient_permission" });
  });
});

const inOrder = (found: readonly ReadRecord[]): ReadRecord[] =>
  found.toSorted((a, b) => Number(a["remote_id"]) - Number(b["remote_id"]));
const entry = (id: string, number: number, more: object) => ({
  remote_id: id,
  employee_remote_id: personId(number),
  ...more,
});
const day = (start: string, end: string | null) => ({ start_date: start, end_date: end });

describe("time off", () => {
  beforeEach(() => trial.signIn());

  const year = { start: "2025-12-01", end: "2026-12-31" };
  const entries = [
    entry("9001", 2, { amount: 6, unit: "days", status: "approved", policy_type: "vacation" }),
    entry("9002", 3, { ...day("2026-03-16", "2026-03-16"), amount: 0.5, unit: "days" }),
    // What is deducted counts, of the last change.
    entry("9003", 4, {
      ...day("2026-03-16", "2026-03-16"),
      amount: 3.25,
      unit: "hours",
      policy_name: "Doctor",
      policy_type: null,
    }),
    entry("9004", 7, { amount: 2, status: "pending", policy_type: "sick" }),
    entry("9005", 10, { amount: 10, unit: "hours", policy_type: "bereavement" }),
    entry("9006", 12, { ...day("2026-03-02", null), amount: 11, unit: "days" }),
    entry("9007", 13, { ...day("2025-12-29", "2026-01-05"), amount: 3 }),
    // In the unit of the policy.
    entry("9008", 14, { amount: 1.5, unit: "hours" }),
    entry("9009", 20, { amount: 20, unit: "hours", status: "approved" }),
    entry("9010", 15, { amount: 1.5, unit: "days" }),
    entry("9012", 17, { ...day("2026-03-03", "2026-03-04"), amount: 2 }),
  ];

  test("is whole, of leavers by the changes of six months", async () => {
    const found = inOrder(await read("time-off-entries", year));
    expect(found).toMatchObject(entries);
    expect(found).toHaveLength(entries.length);
    expect(countRequests()).toMatchObject({
      "/timeoff/requests/changes": 1,
      // One for each year, and one of the sign-in.
      "/timeoff/whosout": 3,
    });
  });

  test("of two hundred years takes a request for each year in which there can be any", async () => {
    const found = await read("time-off-entries", { start: "1900-01-01", end: "2100-12-31" });
    expect(found).toHaveLength(entries.length);
    // From 2000 to 2028, and one of the sign-in.
    expect(countRequests()["/timeoff/whosout"]).toBe(29 + 1);
  });

  test("that has not begun, and has no end yet, is its first day", async () => {
    const first = { startDate: "2026-04-06", endDate: null };
    fake.company.outs.push({ ...fake.company.outs[5], ...first, requestId: 9_020 });
    const found = await read("time-off-entries", year);
    expect(byId(found, "9020")).toMatchObject({ amount: 1, unit: "days", end_date: null });
  });

  test("of hours without what is deducted counts the minutes", async () => {
    fake.company.changes = [];
    const found = await read("time-off-entries", year);
    expect(byId(found, "9003")).toMatchObject({ amount: 3.5, unit: "hours" });
  });

  test.each([
    [{ forbidden: ["/timeoff/policy-types"] }, ["amount", "unit"]],
    [{ missing: ["/timeoff/policy-types"] }, ["amount", "unit"]],
    [{}, []],
  ])("without the unit of its policy is counted, and limited, with %j", async (rights, limited) => {
    Object.assign(fake, rights);
    const week = { startDate: "2026-02-09", endDate: "2026-02-13", policyTypeDisplayName: "Gone" };
    Object.assign(fake.company.outs[7] ?? {}, { ...week, totalCost: 40 });
    const own = { ...fake.company.outs[7], requestId: 9_021, totalCost: 20 };
    fake.company.outs.push({ ...own, type: "differentDayDurations" });
    const found = await read("time-off-entries", year);
    expect(byId(found, "9008")).toMatchObject({ amount: 5, unit: "days" });
    expect(byId(found, "9021")).toMatchObject({ amount: 20, unit: "hours" });
    expect([...trial.watch.limited].toSorted()).toEqual(limited);
  });

  test("is limited by no unit that no leave needs", async () => {
    fake.forbidden = ["/timeoff/policy-types"];
    await read("time-off-entries", { start: "2026-03-03", end: "2026-03-03" });
    expect(trial.watch.limited).toEqual([]);
  });

  test.each([
    ["a Saturday", "2026-03-21", "2026-03-21", {}, 1],
    ["half a Saturday", "2026-03-21", "2026-03-21", { startPortion: "afternoon" }, 0.5],
    ["a weekend", "2026-03-21", "2026-03-22", { endPortion: "morning" }, 1.5],
    ["every morning of a weekend", "2026-03-21", "2026-03-22", { dayPortion: "morning" }, 1],
    ["Friday and half of Saturday", "2026-03-20", "2026-03-21", { endPortion: "morning" }, 1],
    ["half of Sunday, and Monday", "2026-03-22", "2026-03-23", { startPortion: "afternoon" }, 1],
    [
      "half of Friday, and Saturday",
      "2026-03-20",
      "2026-03-21",
      { startPortion: "afternoon" },
      0.5,
    ],
    [
      "a morning, told twice",
      "2026-03-20",
      "2026-03-20",
      { startPortion: "morning", endPortion: "morning" },
      0.5,
    ],
  ])("of %s without what is deducted", async (_what, startDate, endDate, more, amount) => {
    const own = { requestId: 9_022, startDate, endDate, totalCost: null };
    fake.company.outs.push({ ...fake.company.outs[0], ...own, ...more });
    const found = await read("time-off-entries", year);
    expect(byId(found, "9022")).toMatchObject({ amount, unit: "days" });
  });

  test.each([
    // One without an end goes on.
    ["2026-03-20", "2026-03-20", ["9001", "9006"]],
    ["2026-03-12", "2026-03-12", ["9001", "9006"]],
    ["2026-03-02", "2026-03-02", ["9006"]],
    ["2026-03-01", "2026-03-01", []],
    ["2026-01-16", "2026-01-20", ["9009"]],
    ["2026-01-17", "2026-01-20", []],
    ["2026-01-06", "2026-01-11", []],
  ])("from %s to %s is what overlaps the days", async (start, end, expected) => {
    const found = await read("time-off-entries", { start, end });
    expect(found.map(({ remote_id: id }) => id).toSorted()).toEqual(expected);
  });

  test.each([
    ["of an hour", { type: "hours", hoursOnDate: 3, date: "2026-03-16" }],
    ["of hours of each day", { dailyHours: 2 }],
    ["of a half day", { dayPortion: "morning" }],
    ["of a part of each day", { type: "percentageOnRange", percentageOfDay: 50 }],
    ["of other hours on each day", { type: "differentDayDurations" }],
    ["from an hour to another one", { type: "specificHoursDayDurations" }],
    ["from other hours to others on each day", { type: "DifferentSpecificHoursDayDurations" }],
    ["that waits", { status: "Pending" }],
    ["that begins at noon", { startDate: "2026-03-16", startPortion: "afternoon" }],
    ["that ends at noon", { endDate: "2026-03-16", endPortion: "morning" }],
  ])("%s leaves somebody active", async (_what, more) => {
    Object.assign(fake.company.outs[0] ?? {}, more);
    expect((await person(2))?.["employment_status"]).toBe("active");
  });

  test.each([
    ["of days", {}],
    ["whose type is not told", { type: undefined }],
    ["of the whole of each day", { type: "percentageOnRange", percentageOfDay: 100 }],
  ])("%s is leave", async (_what, more) => {
    Object.assign(fake.company.outs[0] ?? {}, more);
    expect((await person(2))?.["employment_status"]).toBe("leave");
  });

  test("of a type that is time of work, such as at home, is no absence and has no balance", async () => {
    fake.activityOf = (policy) => (policy === "Holiday" ? "workTime" : "paidTimeoff");
    expect((await person(2))?.["employment_status"]).toBe("active");
    const found = await read("time-off-entries", year);
    expect(found.map(({ policy_name: name }) => name)).not.toContain("Holiday");
    expect(found).toHaveLength(6);
    expect(
      (await read("time-off-balances")).map(({ policy_name: name }) => name).toSorted(),
    ).toEqual(["Doctor", "Sick leave"]);
  });

  test("is of no known type where nobody is out, which leaves the status as it is", async () => {
    fake.forbidden = ["/timeoff/policy-types"];
    fake.company.outs = [];
    await read("employees");
    expect(trial.watch.limited).toEqual([]);
  });

  test.each(["400", "404"])(
    "of a type that Bob lists and answers with %s is an absence, of which the status is limited",
    async (status) => {
      fake.unanswered = { Holiday: Number(status) };
      expect((await person(2))?.["employment_status"]).toBe("leave");
      expect(trial.watch.limited).toEqual(["employment_status"]);
      expect(byId(await read("time-off-entries", year), "9001")).toBeDefined();
      const balances = await read("time-off-balances");
      expect(balances.find(({ policy_name: name }) => name === "Holiday")).toMatchObject({
        unit: null,
      });
    },
  );

  test("of a part of each day counts that part where nothing is told to be deducted", async () => {
    const more = { type: "percentageOnRange", percentageOfDay: 30, totalCost: null };
    Object.assign(fake.company.outs[0] ?? {}, more);
    // Seven days from Monday to Friday.
    const found = await read("time-off-entries", year);
    expect(byId(found, "9001")).toMatchObject({ amount: 2.1, unit: "days" });
  });

  test("has a balance of each person who has not left, and each type that they have", async () => {
    fake.requests.length = 0;
    expect(await read("time-off-balances")).toMatchObject([
      {
        employee_remote_id: personId(2),
        policy_remote_id: "Doctor",
        policy_name: "Doctor",
        policy_type: null,
        balance: 4.25,
        used: 3.25,
        unit: "hours",
      },
      { policy_remote_id: "Holiday", policy_type: "vacation", used: 7.5, unit: "days" },
      { employee_remote_id: personId(3), balance: -2, used: 27 },
      { employee_remote_id: personId(4), policy_name: "Holiday", used: null },
      { employee_remote_id: personId(4), policy_name: "Sick leave", policy_type: "sick", used: 0 },
    ]);
    // Of sixty, 22 have not left.
    expect(countRequests()["/timeoff/employees/{id}/balance"]).toBe(22 * 3);
  });

  test("of which every balance is refused is a fault, and no empty list", async () => {
    fake.company.balances = {};
    await expect(read("time-off-balances")).rejects.toThrow("no balance was told");
  });
});

describe("working times", () => {
  const range = { start: "2026-01-01", end: "2026-03-31" };
  const times = [
    ["1", "2026-03-02T09:00:00Z", "2026-03-02T12:30:00Z", 3.5],
    ["3", "2026-03-03T00:00:00Z", null, 455 / 60],
    ["5", "2026-03-30T08:00:00Z", "2026-03-30T16:15:00Z", 8.25],
    ["6", "2026-01-05T00:00:00Z", null, 1],
    ["7", "2026-02-01T00:15:00Z", "2026-02-01T02:15:00Z", 2],
  ].map(([remote_id, start_time, end_time, hours_worked]) => ({
    remote_id,
    start_time,
    end_time,
    hours_worked,
  }));

  test("are those of the zone that was typed, on pages, and without breaks", async () => {
    await trial.signIn();
    fake.rowsAtMost = 1;
    const found = inOrder(await read("timesheets", range));
    expect(found).toMatchObject(times);
    expect(found).toHaveLength(times.length);
  });

  test("are of UTC where no zone was typed, and of a day in UTC in each case", async () => {
    await trial.signIn({ formValues: { ...serviceUser, time_zone: "" } });
    const found = await read("timesheets", { start: "2026-03-30", end: "2026-03-30" });
    expect(found).toMatchObject([{ start_time: "2026-03-30T09:00:00Z" }]);
    await trial.signIn({ formValues: { ...serviceUser, time_zone: "Europe/Warsaw" } });
    expect(await read("timesheets", { start: "2026-01-31", end: "2026-01-31" })).toMatchObject([
      { remote_id: "7", start_time: "2026-01-31T23:15:00Z" },
    ]);
  });

  test("of two hundred years are asked for on those days on which there can be any", async () => {
    await trial.signIn();
    fake.requests.length = 0;
    const found = await read("timesheets", { start: "1900-01-01", end: "2100-12-31" });
    expect(found).toHaveLength(times.length);
    const days = fake.requests
      .filter(({ path }) => path === "/attendance/entries/search")
      .map(({ body }) => (JSON.parse(body) as { filters: { values: string[] }[] }).filters)
      .map(([, from, to]) => [from?.values[0], to?.values[0]]);
    expect([days[0]?.[0], days.at(-1)?.[1]]).toEqual(["2015-01-01", "2026-04-16"]);
    // 4,124 days.
    expect(days).toHaveLength(134);
  });

  test("of days that are still far away are none", async () => {
    await trial.signIn();
    fake.requests.length = 0;
    expect(await read("timesheets", { start: "2090-01-01", end: "2100-12-31" })).toEqual([]);
    expect(countRequests()["/attendance/entries/search"]).toBeUndefined();
  });

  test("of a company without the module are not there", async () => {
    fake.missing = ["/attendance/"];
    expect(await trial.signIn()).toMatchObject({ unsupported: ["timesheets"], forbidden: [] });
    await expect(read("timesheets", range)).rejects.toMatchObject({ kind: "not-supported" });
  });
});

describe("a sign-in", () => {
  test("says which data there are", async () => {
    expect(await trial.signIn()).toMatchObject({ unsupported: [], forbidden: [] });
    expect(resources.filter((one) => !trial.resources.includes(one)).toSorted()).toEqual([
      "payruns",
      "payslips",
    ]);
    expect(await read("company")).toMatchObject([{ remote_id: companyId, legal_name: null }]);
  });

  test("is made at a company of 12,000 people, of whom Bob gives all at once", async () => {
    const [one] = fake.company.people;
    fake.company.people = Array.from({ length: 12_000 }, () => one!);
    expect(await trial.signIn()).toBeDefined();
  });

  test("names what is refused, and goes on", async () => {
    fake.forbidden = ["/timeoff/policy-types", "/attendance/"];
    const { forbidden = [] } = await trial.signIn();
    expect([...forbidden].toSorted()).toEqual(["time-off-balances", "timesheets"]);
  });

  test.each([
    ["whose people are none", { audience: [] }],
    ["that may not search", { forbidden: ["/people/"] }],
    ["that does not see the company", { hidden: { root: "everybody" as const } }],
  ])("of a service user %s is refused, with the right that is missing", async (_who, rights) => {
    Object.assign(fake, rights);
    await expect(trial.signIn()).rejects.toMatchObject({ field: "id" });
  });

  test("with a wrong token asks once: a firewall blocks who goes on", async () => {
    fake.hasFirewall = true;
    const wrong = { ...serviceUser, token: "wrong", time_zone: "" };
    await expect(trial.signIn({ formValues: wrong })).rejects.toMatchObject({
      code: "incorrect_username_or_password",
    });
    expect(fake.requests).toHaveLength(1);
  });

  test("that has ended ends a read at its first request", async () => {
    await trial.signIn();
    fake.users = [];
    fake.requests.length = 0;
    await expect(read("time-off-balances")).rejects.toMatchObject({
      code: "reauthentication_required",
    });
    expect(fake.requests).toHaveLength(1);
  });
});

test.each([
  [{ "x-ratelimit-reset": "1773653440" }, 40],
  [{ "x-ratelimit-reset": "1773653000" }, 1],
  [{ "x-ratelimit-reset": "1893456000" }, 120],
  [{ "x-ratelimit-reset": "soon" }, undefined],
  [{ "x-ratelimit-reset": "1773653440", "retry-after": "9" }, undefined],
  [{}, undefined],
])("after a refusal with %j it waits %s seconds", (headers, expected) => {
  const now = new Date(1_773_653_400_000);
  expect(hibob.limits?.waitSeconds?.({ status: 429, headers, now })).toBe(expected);
  expect(hibob.limits?.waitSeconds?.({ status: 200, headers, now })).toBeUndefined();
});

describe("by HTTP", () => {
  const clock = new WaitingClock();
  let harness: Harness;
  let own: FakeHibob;
  beforeAll(async () => {
    own = await FakeHibob.start();
    const registry = new ProviderRegistry([sandbox, aimProvider(hibob, own.origin)]);
    harness = await createHarness({ clock, registry });
  });
  afterAll(async () => {
    await harness.close();
    await own.stop();
  });

  const readOf = async (bearer: string, resource: string) => {
    const get = () => harness.http.get(`${version}/xhr/${resource}`, { bearer });
    await untilSettled(harness, get);
    return await get();
  };

  test("somebody signs in, and all people are read", async () => {
    own.now = () => clock.now();
    const { client, secret } = await harness.createClient();
    const work = workSignIns(harness);
    const visitor = new ConnectVisitor(harness.baseUrl);
    const form = await visitor.open(linkPath(client, { provider: "hibob" }));
    const sent = await visitor.send(form, "sign-in", { ...serviceUser, time_zone: "" });
    await work.drained();
    const { left = "" } = await visitor.open(sent.path);
    await work.stop();
    const code = new URL(left).searchParams.get("code") ?? "";
    const json = exchangeBody({ client, secret, code });
    const { body } = await harness.http.post(`${version}/management/token`, { json });
    const { access_token: token } = body as { access_token: string };
    expect((await readOf(token, "company")).body).toMatchObject([{ remote_id: companyId }]);
    expect(await readOf(token, "payruns?start_date=2026-01-01&end_date=2026-01-31")).toMatchObject({
      status: 501,
    });
    const people = (await readOf(token, "employees")).body as ReadRecord[];
    expect(new Set(people.map(({ remote_id: id }) => id)).size).toBe(60);
    const days = "start_date=2026-03-01&end_date=2026-03-31";
    for (const one of [`time-off-entries?${days}`, `timesheets?${days}`, "work-locations"])
      expect(await readOf(token, one)).toMatchObject({ status: 200 });
    // What Bob says of a request that it refuses may name people.
    const secrets = [
      "Nowak-Åberg",
      "lucja@harbour.example",
      "GB29",
      "QQ123456C",
      serviceUser.token,
    ];
    own.interfere = () => ({ status: 400, body: { key: "refused", error: secrets.join(", ") } });
    const refused = await readOf(token, "groups");
    expect(refused.status).toBe(500);
    const told = [...harness.logLines, JSON.stringify(refused.body)].join("\n");
    expect(told).toContain("hibob");
    expect(secrets.filter((one) => told.includes(one))).toEqual([]);
  });
});

/** In simulated time: each request comes as late as the host spreads them. */
async function readMany(bob: FakeHibob) {
  const clock = new TestClock();
  bob.now = () => clock.now();
  bob.countsMinutes = true;
  const request = async ({ url, method = "GET", query = {}, json, headers }: ProviderRequest) => {
    clock.advance(60 / quotas.others.perMinute);
    const asked = new URL(url);
    for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, String(value));
    const type = { "content-type": "application/json" };
    const given = { ...headers, ...(json !== undefined && type) };
    const body = JSON.stringify(json) ?? "";
    const told = bob.answer({ method, url: asked.href, headers: given, body });
    if (told === "cut-off") throw new Error("it was cut off");
    const bytes = Buffer.from(JSON.stringify(told.body));
    const parsed = (): unknown => JSON.parse(bytes.toString());
    return { status: told.status, headers: { ...type, ...told.headers }, bytes, json: parsed };
  };
  const session = { ...serviceUser, companyId };
  const context = {
    clock,
    http: () => ({ request }),
    withSession: async (work: (given: object) => unknown) => await work(session),
    isWanted: () => true,
    limited: () => undefined,
  };
  const reader = hibob.modes.xhr!.resources.employees!;
  const found: unknown[] = [];
  for await (const page of reader.fetch(context as never, session, {}))
    found.push(...("records" in page ? page.records : page));
  const mapping = { today: "2026-03-16", parameters: {} };
  return found.map((one) => reader.map(one as never, mapping)!);
}

describe("5,000 people", () => {
  test("are read whole at Bob's limits, and a day's polls take a small part of them", async () => {
    fake.company.people = createPeople(5_000);
    fake.company.tables = createRows(5_000);
    for (const one of ["address", "emergency", "eeo", "identification", "payroll", "own"])
      fake.hidden[one] = "everybody";
    const found = await readMany(fake);
    expect(new Set(found.map((one) => one.remote_id)).size).toBe(5_000);
    expect(found.at(-1)).toMatchObject({ employments: [{ job_title: "Planner" }] });
    // Fields, lists, ids, and who is out; 200 people, and 200 rows of three tables, and the empty one.
    const least = 4 + 25 + 3 * 25 + 1;
    expect(fake.requests.length).toBeLessThanOrEqual(Math.floor(least * 1.05));
    expect(fake.refused).toBe(0);
    // A poll an hour takes less than a tenth of what is free in a day, of each limit.
    const searches = fake.requests.filter(({ path }) => path === "/people/search").length;
    for (const count of [searches, fake.requests.length - searches])
      expect(count * 24).toBeLessThanOrEqual((50 * 60 * 24) / 10);
  });

  test("are not asked for faster than Bob takes it", () => {
    const most = { search: 50, balances: 50, attendance: 200, others: 50 };
    for (const [name, perMinute] of Object.entries(most))
      expect(hibob.limits?.quotas?.[name]?.perMinute).toBeLessThan(perMinute);
  });
});
