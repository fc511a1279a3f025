import { describe, expect, test } from "vitest";
import type { Resource } from "../../src/model/index.ts";
import {
  joinByDay,
  listPeriods,
  type JobRows,
} from "../../src/providers/bamboohr/employment-fields.ts";
import { bamboohr } from "../../src/providers/bamboohr/index.ts";
import { idsByName } from "../../src/providers/bamboohr/people.ts";
import { typedDomain } from "../../src/providers/bamboohr/sign-in.ts";

const today = "2026-11-22";

type Mapped = Readonly<Record<string, unknown>>;

/** What the adapter makes of one raw record. */
const map = (resource: Resource, raw: object): Mapped | null =>
  bamboohr.modes.official?.resources[resource]?.map(raw as never, { today } as never) ?? null;

/** A person as the list has them, beside what other requests say. */
const employeeOf = (person: object): Mapped =>
  map("employees", { employeeId: "123", ...person }) ?? {};
const employmentsOf = (rows: Partial<JobRows>, known: object = {}): readonly Mapped[] => {
  const dated = joinByDay({ jobInfo: [], compensation: [], employmentStatus: [], ...rows });
  const employments = dated.map((one) => ({ ...one, ...known }));
  return employeeOf({ employments })["employments"] as readonly Mapped[];
};

describe("a value", () => {
  test.each([
    ["2026-03-01", "2026-03-01"],
    ["2026-03-01T23:59:59-07:00", "2026-03-01"],
    ["", null],
    ["0000-00-00", null],
    [null, null],
    ["1 March", null],
  ])("the date %j is %j", (given, expected) => {
    expect(employeeOf({ hireDate: given })["start_date"]).toBe(expected);
  });

  test.each([
    ["21.00", 21],
    ["4000.10", 4000.1],
    ["1,234.50", 1234.5],
    ["1,234,567", 1_234_567],
    ["1.234,50", null],
    ["1234,5", null],
    [5.5e-17, 5.5e-17],
    ["9".repeat(400), null],
    ["-26.36", -26.36],
    [5, 5],
    ["", null],
    ["5 days", null],
    [undefined, null],
  ])("the number %j is %j", (given, expected) => {
    expect(map("time-off-balances", { employeeId: "1", balance: given })?.["balance"]).toBe(
      expected,
    );
  });

  test.each([
    ["yes", true],
    ["No", false],
    [true, true],
    [1, true],
    ["0", false],
    ["", null],
  ])("the answer %j is %j", (given, expected) => {
    const { emergency_contacts: contacts } = employeeOf({
      emergencyContacts: [{ primaryContact: given }],
    });
    expect(contacts).toMatchObject([{ primary_contact: expected }]);
  });

  test.each([
    ["example", "example"],
    [" Example ", "example"],
    ["https://example.bamboohr.com/home/", "example"],
    ["example.bamboohr.com", "example"],
    ["EXAMPLE.BambooHR.com.", "example"],
    ["https://example.bamboohr.com:443/login.php?r=%2Fhome", "example"],
    ["a-1", "a-1"],
    ["evil.example", null],
    ["example.bamboohr.com.evil.example", null],
    ["https://evil.example/x.bamboohr.com", null],
    ["user@example.bamboohr.com", null],
    ["-a", null],
    ["a b", null],
    ["", null],
    ["x".repeat(64), null],
  ])("the company domain %j is %j", (given, expected) => {
    expect(typedDomain.labelOf({ companyDomain: given })).toBe(expected ?? "");
  });
});

describe("an enumeration", () => {
  test.each([
    ["Male", "male"],
    ["Female", "female"],
    ["Non-binary", "not_specified"],
    ["", null],
  ])("the gender %j is %j", (given, expected) => {
    expect(employeeOf({ gender: given })["gender"]).toBe(expected);
  });

  test.each([
    ["Single", "single"],
    ["Married", "married"],
    ["Divorced", "divorced"],
    ["Domestic Partnership", "other"],
    ["Common Law", "other"],
    [null, null],
  ])("the marital status %j is %j", (given, expected) => {
    expect(employeeOf({ maritalStatus: given })["marital_status"]).toBe(expected);
  });

  test.each([
    ["White (Not Hispanic or Latino)", "white"],
    ["Caucasian", "white"],
    ["Black or African American", "black"],
    ["Asian (Not Hispanic or Latino)", "asian"],
    ["Hispanic or Latino", "hispanic"],
    ["Two or More Races", "mixed"],
    ["American Indian or Alaska Native (Not Hispanic or Latino)", "other"],
    ["Native Hawaiian or Other Pacific Islander", "other"],
    ["American Indian, non-Hispanic", "other"],
    ["", null],
  ])("the ethnicity %j is %j", (given, expected) => {
    expect(employeeOf({ ethnicity: given })["ethnicity"]).toBe(expected);
  });

  test.each([
    ["Active", "2020-01-01", "active"],
    ["Active", null, "active"],
    ["Inactive", "2020-01-01", "inactive"],
    ["Inactive", "2026-11-23", "pending"],
    ["Active", "2026-11-22", "active"],
    [null, "2020-01-01", null],
    ["Suspended", null, null],
  ])("the status %j, hired %j, is %j", (status, hired, expected) => {
    expect(employeeOf({ status, hireDate: hired })["employment_status"]).toBe(expected);
  });

  test.each([
    ["Full-Time", "full_time"],
    ["full time", "full_time"],
    ["Part-Time", "part_time"],
    ["Contractor", "contractor"],
    ["Intern", "other"],
    ["Furloughed", "other"],
    ["Terminated", null],
    ["", null],
  ])("the employment status %j is %j", (given, expected) => {
    expect(employeeOf({ employmentStatusName: given })["employment_type"]).toBe(expected);
  });

  test.each([
    ["Hour", "HOUR"],
    ["Day", "DAY"],
    ["Week", "WEEK"],
    ["Month", "MONTH"],
    ["Year", "YEAR"],
    ["Quarter", null],
    ["Pay Period", null],
    ["Piece", null],
    ["Constructor", null],
    [null, null],
  ])("paid per %j is %j", (given, expected) => {
    expect(employmentsOf({ compensation: [{ startDate: today, paidPer: given }] })).toMatchObject([
      { pay_period: expected },
    ]);
  });

  test.each([
    [{ payFrequency: "Weekly" }, "weekly"],
    [{ payFrequency: "Every other week" }, "biweekly"],
    [{ payFrequency: "Twice a month" }, "semimonthly"],
    [{ payFrequency: "Monthly" }, "monthly"],
    [{ payFrequency: "Quarterly" }, "other"],
    [{ payFrequency: "Twice a year" }, "other"],
    [{ payFrequency: "Yearly" }, "year"],
    [{ payFrequency: "Every four weeks" }, "other"],
    [{ paySchedule: "Twice a month" }, "semimonthly"],
    [{ paySchedule: "US hourly" }, null],
    [{ paySchedule: "Constructor" }, null],
    [{ payFrequency: "constructor" }, "other"],
    [{}, null],
  ])("the pay frequency of %j is %j", (given, expected) => {
    expect(employmentsOf({ compensation: [{ startDate: today, ...given }] })).toMatchObject([
      { pay_frequency: expected },
    ]);
  });

  test.each([
    ["Vacation", "vacation"],
    ["PTO (US)", "vacation"],
    ["Sick Leave", "sick"],
    ["Annual leave", "vacation"],
    ["Annual Sick Leave", "sick"],
    ["Annual Personal Days", "personal"],
    ["PTO - Sick", "vacation"],
    ["PTO (Personal)", "vacation"],
    ["PTO/Holiday", "vacation"],
    ["Holiday Sick", "sick"],
    ["Bereavement", "bereavement"],
    ["Compassionate leave", "bereavement"],
    ["Jury duty", "jury_duty"],
    ["Floating Holiday", "holiday"],
    ["Personal day", "personal"],
    ["Volunteer time", "volunteer"],
    ["Work injury", null],
    ["Laptop day", null],
    ["Unpaid Sickness", "sick"],
    ["Parental", null],
    [null, null],
  ])("the policy %j is %j", (given, expected) => {
    expect(map("time-off-balances", { employeeId: "1", name: given })?.["policy_type"]).toBe(
      expected,
    );
  });

  test.each([
    ["hours", "hours"],
    ["Days", "days"],
    ["weeks", null],
    [null, null],
  ])("the unit %j is %j", (given, expected) => {
    expect(map("time-off-balances", { employeeId: "1", units: given })?.["unit"]).toBe(expected);
  });
});

describe("pay", () => {
  test.each([
    [{ value: "4000.10", currency: "USD" }, 4000.1, "usd"],
    [{ value: 21, currency: "CAD" }, 21, "cad"],
    ["21.00 CAD", 21, "cad"],
    ["52,000.00 GBP", 52_000, "gbp"],
    ["21.00", 21, null],
    [{ value: null, currency: "" }, null, null],
    [null, null, null],
  ])("the rate %j is %j %j", (given, amount, currency) => {
    const pay = [{ startDate: today, rate: given, paidPer: "Year" }];
    expect(employmentsOf({ compensation: pay })).toMatchObject([{ pay_rate: amount, currency }]);
  });

  test("by a period that there is not has no rate, and keeps its currency", () => {
    const row = { rate: "9000.00 USD", paidPer: "Quarter", reason: "Hired" };
    expect(employmentsOf({ compensation: [{ startDate: today, ...row }] })).toMatchObject([
      {
        pay_rate: null,
        pay_period: null,
        pay_frequency: null,
        currency: "usd",
        notes: "Hired",
      },
    ]);
  });
});

/** A row of the table of jobs, with the ids that its names stand for. */
const jobRow = (id: string, row: object) => ({
  id,
  ...row,
});

const idsOf = (people: Readonly<Record<string, object>>) =>
  idsByName({
    ids: [],
    limited: [],
    areListed: true,
    byId: new Map(Object.entries(people)) as never,
  });

describe("employments", () => {
  test("are one for each day of the three tables, in any order of their rows", () => {
    const found = employmentsOf({
      jobInfo: [
        jobRow("3", { date: "2099-01-01", jobTitle: "Owner", department: "Logistics" }),
        jobRow("1", { date: "2020-03-01", jobTitle: "Junior", department: "Logistics" }),
        jobRow("2", { date: "2022-05-01", jobTitle: "Planner", department: "Logistics" }),
      ],
      compensation: [
        { id: "5", startDate: "2022-05-01", rate: "21.00 CAD", paidPer: "Hour", comment: "Review" },
        { id: "4", startDate: "2020-06-01", rate: "19.50 CAD", paidPer: "Hour" },
      ],
      employmentStatus: [
        { id: "7", date: "2021-01-01", employmentStatus: "Full-Time" },
        { id: "6", date: "2020-03-01", employmentStatus: "Intern" },
        { id: "8", date: "0000-00-00", employmentStatus: "Terminated" },
      ],
    });
    const told = found.map((each) => [
      each["effective_date"],
      each["job_title"],
      each["pay_rate"],
      each["employment_type"],
      each["notes"],
    ]);
    expect(told).toEqual([
      ["2020-03-01", "Junior", null, "other", null],
      ["2020-06-01", "Junior", 19.5, "other", null],
      ["2021-01-01", "Junior", 19.5, "full_time", null],
      ["2022-05-01", "Planner", 21, "full_time", "Review"],
      ["2099-01-01", "Owner", 21, "full_time", "Review"],
    ]);
  });

  test("have the ids of the names in their rows, and none of a value that is archived", () => {
    const job = [
      jobRow("1", { date: "2020-03-01", department: "Logistics", reportsTo: "Lena Berg" }),
      jobRow("2", { date: "2021-03-01", department: "Old", reportsTo: "Nobody" }),
    ];
    const department = [
      { id: 11, name: "Logistics" },
      { id: 12, name: "Old", archived: "yes" },
    ];
    const known = {
      departments: new Map([["department", department]]),
      people: new Map([["Lena Berg", "1"]]),
    };
    expect(employmentsOf({ jobInfo: job }, known)).toMatchObject([
      { group_remote_id: "department-11", group_name: "Logistics", manager_remote_id: "1" },
      { group_remote_id: null, group_name: "Old", manager_remote_id: null },
    ]);
  });

  test("of two rows of one day the newer one counts, whose id is the greater number", () => {
    const rows = [
      jobRow("10", { date: "2020-03-01", jobTitle: "Newer" }),
      jobRow("9", { date: "2020-03-01", jobTitle: "Older" }),
    ];
    expect(employmentsOf({ jobInfo: rows })).toMatchObject([{ job_title: "Newer" }]);
  });

  test("name a manager by first or preferred name, and nobody when two people have the name", () => {
    const ids = idsOf({
      "1": { firstName: "Lena", preferredName: "Lee", lastName: "Berg" },
      "2": { firstName: "Sam", lastName: "Holm" },
      "3": { firstName: "Samuel", preferredName: "Sam", lastName: "Holm" },
    });
    const names = ["Lena Berg", "Lee Berg", "Sam Holm", "Samuel Holm", "Nobody"];
    expect(names.map((name) => ids.get(name ?? "") ?? null)).toEqual(["1", "1", null, "3", null]);
  });
});

/** Rows of the table of statuses. */
const statusRows = (...days: readonly [string, string][]) =>
  days.map(([date, employmentStatus], index) => ({
    id: String(index),
    date,
    employmentStatus,
  }));

describe("an employee", () => {
  test.each([
    [{ firstName: "Ava" }, { first_name: "Ava" }],
    [{ firstName: "Ava", preferredName: "A" }, { first_name: "Ava" }],
    [{ lastName: "Nguyen" }, { last_name: "Nguyen" }],
    [{ lastName: null }, { last_name: "" }],
    [{ employeeNumber: "N-7" }, { employee_number: "N-7", remote_id: "123" }],
    [{ workEmail: "a@example.com" }, { work_email: "a@example.com" }],
    [{ homeEmail: "a@home.example" }, { personal_email: "a@home.example" }],
    [{ mobilePhone: "+1" }, { mobile_phone_number: "+1" }],
    [{ jobTitleName: "Planner" }, { job_title: "Planner" }],
    [{ nationality: "ca" }, { nationality: "CA", custom_fields: null }],
    [{ nationality: "Kenya", countries: new Map([["Kenya", "KE"]]) }, { nationality: "KE" }],
    [{ nationality: "Kanada" }, { nationality: "CA" }],
    [
      { nationality: "Canadian", customFields: { Badge: "7" } },
      { nationality: null, custom_fields: { Badge: "7", nationality: "Canadian" } },
    ],
    [
      { workEmail: "ava.n", homeEmail: "none" },
      { work_email: null, personal_email: null },
    ],
    [{ birthDate: "1985-07-30" }, { date_of_birth: "1985-07-30" }],
    [{ birthDate: "0000-00-00" }, { date_of_birth: null }],
    [{ hireDate: "2020-03-01" }, { start_date: "2020-03-01" }],
    [{ terminationDate: "2025-06-30" }, { termination_date: "2025-06-30" }],
    [{ terminationDate: "" }, { termination_date: null }],
    [{ ssn: "1", sin: "2", nin: "3" }, { tax_id: "1" }],
    [{ ssn: "", sin: "2", nin: "3" }, { tax_id: "2" }],
    [{ nin: "3" }, { tax_id: "3" }],
    [{ employmentStatusName: "Part-Time" }, { employment_type: "part_time" }],
    [{ photoUrl: "https://images.example/1?Signature=x" }, {}],
    [
      { reportsToId: "1", reportsToName: "Lena van Berg" },
      { manager: { remote_id: "1", first_name: "Lena van", last_name: "Berg" } },
    ],
    [{ reportsToId: null, reportsToName: "" }, { manager: null }],
  ])("of %j has %j", (person, expected) => {
    const employee = employeeOf(person);
    expect(employee).toMatchObject(expected);
    expect(employee).not.toHaveProperty("avatar");
    expect(employee).not.toHaveProperty("bank_account");
  });

  describe("who came back", () => {
    const left: readonly [string, string][] = [
      ["2015-02-01", "Full-Time"],
      ["2018-06-30", "Terminated"],
    ];

    test.each<[name: string, days: [string, string][], start: string, original: string | null]>([
      ["after years", [...left, ["2024-03-01", "Part-Time"]], "2024-03-01", "2015-02-01"],
      ["the next day", [...left, ["2018-07-01", "Full-Time"]], "2015-02-01", null],
      [
        "and left again",
        [...left, ["2024-03-01", "Intern"], ["2025-01-31", "Terminated"]],
        "2024-03-01",
        "2015-02-01",
      ],
      ["later than today", [...left, ["2027-01-01", "Full-Time"]], "2027-01-01", "2015-02-01"],
      ["never", [...left], "2015-02-01", null],
    ])("%s", (_name, days, start, original) => {
      const found = employeeOf({
        hireDate: "2015-02-01",
        periods: listPeriods(statusRows(...days)),
      });
      expect(found).toMatchObject({
        start_date: start,
        custom_fields: original === null ? null : { original_start_date: original },
      });
    });

    test.each([
      ["is pending until the day", "Inactive", "2018-06-30", "2027-01-01", "pending", null],
      ["is there from that day on", "Active", "2018-06-30", today, "active", null],
      ["leaves before", "Active", "2027-01-31", "2027-06-01", "active", "2027-01-31"],
    ])("%s", (_name, status, last, back, expected, termination) => {
      const days: [string, string][] = [
        ["2015-02-01", "Full-Time"],
        [last, "Terminated"],
        [back, "Full-Time"],
      ];
      const periods = listPeriods(statusRows(...days));
      const person = { hireDate: "2015-02-01", terminationDate: last, status, periods };
      expect(employeeOf(person)).toMatchObject({
        employment_status: expected,
        termination_date: termination,
      });
    });

    test("has both jobs, and between them none", () => {
      const jobInfo = [
        { id: "1", date: "2015-02-01", jobTitle: "Junior" },
        { id: "2", date: "2024-03-01", jobTitle: "Planner" },
      ];
      const compensation = [{ id: "3", startDate: "2015-02-01", rate: "20 USD", paidPer: "Hour" }];
      const employmentStatus = statusRows(...left, ["2024-03-01", "Part-Time"]);
      expect(employmentsOf({ jobInfo, compensation, employmentStatus })).toMatchObject([
        { effective_date: "2015-02-01", job_title: "Junior", pay_rate: 20 },
        { effective_date: "2018-06-30", job_title: null, pay_rate: null, employment_type: null },
        { effective_date: "2024-03-01", job_title: "Planner", employment_type: "part_time" },
      ]);
      const gone = { jobInfo: jobInfo.slice(0, 1), employmentStatus: statusRows(...left) };
      expect(employmentsOf(gone)).toMatchObject([{ job_title: "Junior" }, { job_title: "Junior" }]);
    });
  });

  test("has the address of a manager who is on the list", () => {
    const person = { reportsToId: "1", reportsToName: "Lena Berg" };
    const manager = { workEmail: "lena@acme.example" };
    expect(employeeOf({ ...person, manager })["manager"]).toMatchObject({
      work_email: "lena@acme.example",
    });
    expect(employeeOf(person)["manager"]).toMatchObject({ work_email: null });
  });

  test.each([
    ["US", { state: "Utah", stateCode: "UT" }, { administrative_area: "UT", country: "US" }],
    ["CA", { state: "AB" }, { administrative_area: "AB", country: "CA" }],
    ["US", { state: "Utah" }, { administrative_area: null, country: "US" }],
    ["DE", { state: "Bayern", stateCode: "BY" }, { administrative_area: "Bayern", country: "DE" }],
    ["TV", { city: "Funafuti" }, { locality: "Funafuti", country: null }],
    [null, { city: "Lindon" }, { locality: "Lindon", country: null }],
  ])("lives in %s by %j: %j", (code, person, expected) => {
    const country = code === null ? null : `Land of ${code}`;
    const countries = new Map([[country, code]]);
    expect(employeeOf({ ...person, country, countries })["home_location"]).toMatchObject(expected);
  });

  test("has an address of two lines, and none when nothing is known", () => {
    const person = { address1: "335 S 560 W", address2: "Suite 200", zipcode: "84042" };
    expect(employeeOf(person)["home_location"]).toMatchObject({
      street_address: "335 S 560 W, Suite 200",
      post_code: "84042",
    });
    expect(employeeOf({ address1: "" })["home_location"]).toBeNull();
  });

  test("has contacts and dependents with names in parts or in one", () => {
    const { emergency_contacts: contacts, dependents } = employeeOf({
      emergencyContacts: [{ name: "Ada van Holm", relationship: "Parent", primaryContact: "no" }],
      dependents: [{ firstName: "Ida", middleName: null, lastName: "Holm" }],
    });
    expect(contacts).toEqual([
      {
        first_name: "Ada van",
        last_name: "Holm",
        relationship: "Parent",
        mobile_phone_number: null,
        primary_contact: false,
      },
    ]);
    expect(dependents).toEqual([{ name: "Ida Holm", relationship: null }]);
  });
});

test("a company has its domain as id, and neither country nor tax number", () => {
  const address = { line1: "335 S 560 W", line2: "", city: "Lindon", state: "UT", zip: "84042" };
  const information = { legalName: "Lindgren, Inc.", displayName: "Lindgren", address };
  expect(map("company", { domain: "lindgren", ...information })).toEqual({
    remote_id: "lindgren",
    legal_name: "Lindgren, Inc.",
    display_name: "Lindgren",
    address: {
      street_address: "335 S 560 W",
      locality: "Lindon",
      administrative_area: "UT",
      post_code: "84042",
    },
  });
});

test("a remote place has no address", () => {
  const place = { id: "21", label: "Lindon", archived: false };
  const address = {
    city: "Toronto",
    state: { name: "Ontario", abbreviation: "ON" },
    country: { isoCode: "CA" },
  };
  expect(map("work-locations", { ...place, address })).toMatchObject({
    remote_id: "21",
    name: "Lindon",
    address: { administrative_area: "ON", country: "CA" },
  });
  const leeds = { city: "Leeds", state: { name: "West Yorkshire" }, country: { isoCode: "GB" } };
  expect(map("work-locations", { ...place, address: leeds })).toMatchObject({
    address: { administrative_area: "West Yorkshire" },
  });
  const remote = { ...address, remoteLocation: true };
  expect(map("work-locations", { ...place, address: remote })).toMatchObject({ address: null });
});

describe("a request for time off", () => {
  const request = {
    id: "1659",
    employeeId: "5",
    start: "2026-03-09",
    end: "2026-03-10",
    created: "2026-01-28",
    status: { status: "approved", lastChanged: "2026-02-07" },
    type: { id: "78", name: "Vacation" },
    amount: { unit: "days", amount: "1.5" },
    notes: { employee: "Familie", manager: "not ours" },
  };

  test("has ids and amounts of text or of numbers", () => {
    const expected = {
      remote_id: "1659",
      employee_remote_id: "5",
      start_date: "2026-03-09",
      end_date: "2026-03-10",
      amount: 1.5,
      unit: "days",
      status: "approved",
      employee_note: "Familie",
      policy_remote_id: "78",
      policy_name: "Vacation",
      policy_type: "vacation",
      remote_created_at: "2026-01-28",
      remote_modified_at: "2026-02-07",
    };
    expect(map("time-off-entries", request)).toEqual(expected);
    const numbers = { id: 1659, employeeId: 5, amount: { unit: "days", amount: 1.5 } };
    expect(map("time-off-entries", { ...request, ...numbers, notes: [] })).toEqual({
      ...expected,
      employee_note: null,
    });
  });

  test.each([
    ["approved", "approved"],
    ["requested", "pending"],
    ["denied", "rejected"],
    ["on hold", null],
  ])("%s is %j", (status, expected) => {
    expect(map("time-off-entries", { ...request, status: { status } })).toMatchObject({
      status: expected,
    });
  });

  test.each(["canceled", "superceded"])("%s is left out", (status) => {
    expect(map("time-off-entries", { ...request, status: { status } })).toBeNull();
  });

  test("without an id or an amount breaks BambooHR's own contract", () => {
    expect(() => map("time-off-entries", { ...request, id: null })).toThrow(
      "has no remote_id (id)",
    );
    expect(() => map("time-off-entries", { ...request, amount: {} })).toThrow("no amount");
  });
});

test.each([
  ["accruing", "-26.36", -26.36],
  ["manual", "24.5000", 24.5],
  ["discretionary", "0.00", null],
])("a balance that is %s and says %s is %j", (policyType, balance, expected) => {
  const entry = { timeOffType: "79", name: "Sick", units: "hours", balance, policyType };
  const used = { employeeId: "5", usedYearToDate: "12.2500" };
  expect(map("time-off-balances", { ...entry, ...used })).toEqual({
    employee_remote_id: "5",
    balance: expected,
    used: 12.25,
    unit: "hours",
    policy_remote_id: "79",
    policy_name: "Sick",
    policy_type: "sick",
  });
});

test("a person without a name is nobody's manager, and a last name alone names nobody else", () => {
  const ids = idsOf({
    "1": { firstName: null, preferredName: null, lastName: "" },
    "2": { firstName: "Ada", preferredName: null, lastName: "Berg" },
    "3": { firstName: null, preferredName: null, lastName: "Berg" },
  });
  const names = [null, "", undefined, "Berg", "Ada Berg"];
  expect(names.map((name) => ids.get(name ?? "") ?? null)).toEqual([null, null, null, "3", "2"]);
});

describe("a timesheet", () => {
  const entry = {
    id: 1,
    employeeId: 5,
    date: "2026-03-02",
    createdAt: "2026-03-02T18:00:00+00:00",
  };

  test.each([
    [
      "by the clock, in UTC",
      { start: "2026-03-02T09:00:00-07:00", end: "2026-03-02T12:30:00-07:00", hours: 3.5 },
      ["2026-03-02T16:00:00Z", "2026-03-02T19:30:00Z", 3.5],
    ],
    ["of hours alone", { hours: "7.25" }, ["2026-03-02T00:00:00Z", null, 7.25]],
    ["of no hours", { hours: 0 }, ["2026-03-02T00:00:00Z", null, 0]],
  ])("%s", (_name, fields, [start, end, hours]) => {
    expect(map("timesheets", { ...entry, ...fields })).toMatchObject({
      remote_id: "1",
      employee_remote_id: "5",
      start_time: start,
      end_time: end,
      hours_worked: hours,
      remote_created_at: "2026-03-02",
      remote_modified_at: null,
    });
  });

  test("that is still open is left out", () => {
    expect(map("timesheets", { ...entry, start: "2026-03-02T09:00:00Z", hours: null })).toBeNull();
  });

  test.each([["seven"], [{}], [true]])("of %j hours breaks BambooHR's own contract", (hours) => {
    expect(() => map("timesheets", { ...entry, hours })).toThrow("hours");
  });

  test("has no time of a text without an offset", () => {
    for (const start of ["2026-03-02T09:00:00", "nonsense Z"])
      expect(map("timesheets", { ...entry, start, date: null, hours: 1 })).toMatchObject({
        start_time: null,
      });
  });
});
