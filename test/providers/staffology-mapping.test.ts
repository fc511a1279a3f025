import { describe, expect, test } from "vitest";
import { company } from "../../src/providers/staffology/company.ts";
import { groupFields } from "../../src/providers/staffology/groups.ts";
import { timeOffBalances } from "../../src/providers/staffology/leave-balances.ts";
import { timeOffEntries } from "../../src/providers/staffology/leave.ts";
import { employeeFields } from "../../src/providers/staffology/map-employee.ts";
import { toIdentity } from "../../src/providers/staffology/sign-in.ts";
import { taxYearOf, taxYearsOf } from "../../src/providers/staffology/tax-years.ts";
import { amara, employer, nobody } from "../support/vendors/staffology-people.ts";
import type { Wire } from "../support/vendors/staffology-payroll.ts";

const range = { start: "2026-03-01", end: "2026-03-31" };
const mapping = { today: "2026-03-02", parameters: {} };
const toEmployee = (employerId: string, employee: object) =>
  employeeFields.map({ ...employee, employerId }, mapping);
const toTimeOffBalance = (raw: object) => timeOffBalances.map(raw as never, mapping);
const toTimeOffEntry = ({ employeeId, leave }: { employeeId: string; leave: object }) =>
  timeOffEntries.map({ ...leave, employeeId } as never, { ...mapping, parameters: { range } });
const toCompany = (raw: object) => company.map(raw as never, mapping);

/** A copy with the value at the path. */
function withValue(record: Wire, path: string, value: unknown): Wire {
  const [head = "", ...rest] = path.split(".");
  const inner =
    rest.length > 0 ? withValue((record[head] ?? {}) as Wire, rest.join("."), value) : value;
  return { ...record, [head]: inner };
}

/** Finds `employments.0.pay_rate` in a record. */
function valueAt(record: unknown, path: string): unknown {
  return path.split(".").reduce((found, name) => (found as Wire | null)?.[name], record);
}

const address = { street_address: "2 Packhorse Lane, Flat 3", locality: "Todmorden" };

describe("an employee", () => {
  test.each<[given: string, value: unknown, field: string, expected: unknown]>([
    ["id", "e-1", "remote_id", "e-1"],
    ["employmentDetails.payrollCode", "0042", "employee_number", "0042"],
    ["personalDetails.firstName", " Amara ", "first_name", "Amara"],
    ["personalDetails.firstName", null, "first_name", null],
    ["personalDetails.middleName", "Ngozi", "first_name", "Amara"],
    ["personalDetails.lastName", "Okafor", "last_name", "Okafor"],
    ["personalDetails.lastName", null, "last_name", ""],
    ["personalDetails.email", "a@b.example", "work_email", "a@b.example"],
    ["personalDetails.alternativeEmail", "c@d.example", "personal_email", "c@d.example"],
    ["personalDetails.mobile", "07700 900123", "mobile_phone_number", "07700 900123"],
    ["personalDetails.mobile", null, "mobile_phone_number", "01632 960001"],
    ["personalDetails.niNumber", "QQ123456C", "tax_id", "QQ123456C"],
    ["personalDetails.niNumber", "", "tax_id", null],
    ["personalDetails.gender", "Male", "gender", "male"],
    ["personalDetails.gender", "Female", "gender", "female"],
    ["personalDetails.gender", "New", "gender", null],
    ["personalDetails.maritalStatus", "Single", "marital_status", "single"],
    ["personalDetails.maritalStatus", "Married", "marital_status", "married"],
    ["personalDetails.maritalStatus", "Divorced", "marital_status", "divorced"],
    ["personalDetails.maritalStatus", "CivilPartnership", "marital_status", "married"],
    ["personalDetails.maritalStatus", "Widowed", "marital_status", "other"],
    ["personalDetails.maritalStatus", "Unknown", "marital_status", "not_specified"],
    ["personalDetails.maritalStatus", "New", "marital_status", null],
    ["personalDetails.dateOfBirth", "1988-02-29", "date_of_birth", "1988-02-29"],
    ["personalDetails.dateOfBirth", "1988-02-29T00:00:00", "date_of_birth", "1988-02-29"],
    ["personalDetails.dateOfBirth", "", "date_of_birth", null],
    ["status", "Current", "employment_status", "active"],
    ["status", "Former", "employment_status", "inactive"],
    ["status", "Upcoming", "employment_status", "pending"],
    ["status", "New", "employment_status", null],
    ["employmentDetails.onFurlough", true, "employment_status", "leave"],
    ["employmentDetails.onHold", true, "employment_status", "active"],
    ["employmentDetails.cisSubContractor", true, "employment_type", "contractor"],
    ["employmentDetails.cisSubContractor", false, "employment_type", null],
    ["employmentDetails.starterDetails.startDate", "2020-01-06", "start_date", "2020-01-06"],
    ["employmentDetails.leaverDetails", null, "termination_date", null],
    [
      "employmentDetails.leaverDetails",
      { hasLeft: true, leaveDate: "2026-01-31" },
      "termination_date",
      "2026-01-31",
    ],
    [
      "employmentDetails.leaverDetails",
      { hasLeft: false, leaveDate: "2026-01-31" },
      "termination_date",
      null,
    ],
    [
      "employmentDetails.leaverDetails",
      { leaveDate: "2026-01-31" },
      "termination_date",
      "2026-01-31",
    ],
    ["employmentDetails.jobTitle", "Taster", "job_title", "Taster"],
    ["employmentDetails.jobTitle", "Taster", "employments.0.job_title", "Taster"],
    ["employmentDetails.department", null, "groups", []],
    [
      "employmentDetails.department",
      { code: "R&D/1", title: "Research" },
      "groups",
      [{ remote_id: "employer-1/R&D/1", name: "Research", type: "department" }],
    ],
    ["bankDetails.accountName", "A Okafor", "bank_account.holder_name", "A Okafor"],
    ["bankDetails.accountNumber", "00001234", "bank_account.account_number", "00001234"],
    ["bankDetails.sortCode", "040004", "bank_account.sort_code", "040004"],
    ["bankDetails.bankName", "Calder Bank", "bank_account.bank_name", "Calder Bank"],
    ["bankDetails", null, "bank_account", null],
    ["tags", ["a"], "custom_fields", { tags: ["a"] }],
    ["tags", [], "custom_fields", null],
    ["tags", null, "custom_fields", null],
    ["personalDetails.photoSasUrl", "https://p.invalid/?sig=1", "avatar", undefined],
    ["personalDetails.address", null, "home_location", null],
    ["personalDetails.address", { country: "England" }, "home_location", null],
    ["personalDetails.address.line2", null, "home_location.street_address", "2 Packhorse Lane"],
    ["personalDetails.address.line1", null, "home_location.street_address", "Flat 3"],
    ["personalDetails.address.line3", "Leeds", "home_location.locality", "Leeds"],
    ["personalDetails.address.line4", "Kent", "home_location.administrative_area", "Kent"],
    ["personalDetails.address.line4", null, "home_location.administrative_area", "West Yorkshire"],
    ["personalDetails.address.postCode", "OL14 5AA", "home_location.post_code", "OL14 5AA"],
    ["personalDetails.address.country", "England", "home_location.country", "GB"],
    ["personalDetails.address.country", "Scotland", "home_location.country", "GB"],
    ["personalDetails.address.country", "Wales", "home_location.country", "GB"],
    ["personalDetails.address.country", "NorthernIreland", "home_location.country", "GB"],
    ["personalDetails.address.country", "Uk", "home_location.country", "GB"],
    ["personalDetails.address.country", "OutsideUk", "home_location.country", null],
    [
      "personalDetails.address",
      { line1: "Rue 1", country: "OutsideUk", foreignCountry: "France" },
      "home_location.country",
      "FR",
    ],
    [
      "personalDetails.address",
      { line4: "Texas", country: "OutsideUk", foreignCountry: "United States" },
      "home_location.administrative_area",
      "TX",
    ],
    [
      "personalDetails.address",
      { line1: "Rue 1", country: "OutsideUk", foreignCountry: "Elsewhere" },
      "home_location.country",
      null,
    ],
    [
      "personalDetails.address",
      { line1: "Quay 1", country: "Wales", foreignCountry: "France" },
      "home_location.country",
      "GB",
    ],
  ])("with %s %j has %s %j", (given, value, field, expected) => {
    const employee = toEmployee("employer-1", withValue(amara, given, value));
    expect(valueAt(employee, field)).toEqual(expected);
  });

  test.each([
    ["for a part of the time", { partialFurlough: true }, "active"],
    ["that has ended", { furloughStart: "2020-04-01", furloughEnd: "2021-09-30" }, "active"],
    ["that has not begun", { furloughStart: "2099-01-01" }, "active"],
    ["of today", { furloughStart: "2020-04-01", furloughEnd: "2099-12-31" }, "leave"],
  ])("on furlough %s has the status %j", (_when, furlough, status) => {
    const own = amara["employmentDetails"] as object;
    const details = { ...own, onFurlough: true, ...furlough };
    const employee = toEmployee("employer-1", { ...amara, employmentDetails: details });
    expect(employee.employment_status).toBe(status);
  });

  test.each<[basis: string, period: string, payPeriod: string | null, frequency: string]>([
    ["Hourly", "Monthly", "HOUR", "monthly"],
    ["Hourly", "FourWeekly", "HOUR", "other"],
    ["Daily", "Weekly", "DAY", "weekly"],
    ["Monthly", "Monthly", "MONTH", "monthly"],
    ["Monthly", "Weekly", "WEEK", "weekly"],
    ["Monthly", "Annual", "YEAR", "year"],
    ["Monthly", "Daily", "DAY", "other"],
    ["Monthly", "Fortnightly", null, "biweekly"],
    ["Monthly", "FourWeekly", null, "other"],
    ["Monthly", "Quarterly", null, "other"],
    ["Monthly", "HalfYearly", null, "other"],
    ["Monthly", "Custom", null, "other"],
  ])("paid %s, each %s, has pay per %s, %s", (basis, period, payPeriod, frequency) => {
    const payOptions = { basis, period, payAmount: 14.25, payAmountMultiplier: 160 };
    const employee = toEmployee("employer-1", { ...amara, payOptions });
    expect(employee.employments).toEqual([
      {
        effective_date: "2019-05-07",
        job_title: "Head of Blending",
        employment_type: null,
        pay_period: payPeriod,
        pay_rate: payPeriod === null ? null : 14.25,
        pay_frequency: frequency,
        currency: "gbp",
      },
    ]);
  });

  test("whose pay nobody has entered has none", () => {
    const payOptions = { basis: "Monthly", period: "Monthly", payAmount: 0 };
    const { employments } = toEmployee("employer-1", { ...amara, payOptions });
    expect(employments).toMatchObject([{ pay_rate: null, pay_period: null }]);
  });

  test("of whom nothing is known has nulls", () => {
    expect(toEmployee("employer-1", nobody)).toMatchObject({
      last_name: "大江",
      employment_status: "active",
      employee_number: null,
      date_of_birth: null,
      gender: null,
      start_date: null,
      employments: null,
      bank_account: null,
      home_location: null,
      groups: [],
    });
  });

  test.each(["personalDetails", "employmentDetails"])("without %s is a fault", (given) => {
    expect(() => toEmployee("employer-1", withValue(amara, given, null))).toThrow(given);
  });

  test("has the address of a home", () => {
    expect(toEmployee("employer-1", amara).home_location).toMatchObject(address);
  });
});

describe("a company", () => {
  test.each<[given: string, value: unknown, field: string, expected: unknown]>([
    ["name", "Pennine Tea Ltd", "legal_name", "Pennine Tea Ltd"],
    ["name", null, "legal_name", "Pennine Tea"],
    ["displayName", "Tea", "display_name", "Tea"],
    ["displayName", null, "display_name", "Pennine Tea Ltd"],
    ["hmrcDetails", { officeNumber: "123", payeReference: "AB456" }, "tax_id", "123/AB456"],
    ["hmrcDetails", { officeNumber: "123", payeReference: "123/AB456" }, "tax_id", "123/AB456"],
    ["hmrcDetails", { officeNumber: null, payeReference: "AB456" }, "tax_id", "AB456"],
    ["hmrcDetails", { officeNumber: "123", payeReference: null, utr: "1" }, "tax_id", null],
    ["hmrcDetails", undefined, "tax_id", null],
    ["address.line3", "Halifax", "address.locality", "Halifax"],
    ["address", undefined, "address", null],
  ])("with %s %j has %s %j", (given, value, field, expected) => {
    expect(valueAt(toCompany(withValue(employer, given, value)), field)).toEqual(expected);
  });

  test("that is archived is left out", () => {
    expect(toCompany({ ...employer, archived: true })).toBeNull();
  });
});

describe("a group", () => {
  const path = "https://elsewhere.invalid/employers/1";
  test.each<[type: "department" | "cost_centre", url: string | null, remoteId: string]>([
    ["department", `${path}/departments/BLEND`, "e1/BLEND"],
    ["department", `${path}/departments/R%26D%2F1`, "e1/R&D/1"],
    ["department", `${path}/departments/Department?code=R%26D%2F1`, "e1/R&D/1"],
    ["department", "/employers/1/departments/BLEND", "e1/BLEND"],
    ["department", `${path}/departments/100%`, "e1/100%"],
    ["department", null, "e1/d-1"],
    ["cost_centre", `${path}/costcentres/CC%2010`, "e1/costcentres/CC 10"],
  ])("of type %s with the address %s is %s", (type, url, remoteId) => {
    const group = { id: "d-1", name: "Blending", metadata: null, url };
    expect(groupFields.map({ ...group, employerId: "e1", type }, mapping)).toEqual({
      remote_id: remoteId,
      name: "Blending",
      type,
    });
  });
});

describe("leave", () => {
  const taken = {
    id: "l-1",
    type: "Holiday",
    from: "2026-03-02T12:00:00",
    to: "2026-03-04T23:59:59",
    workingDays: 2.5,
    totalDays: 3,
    workingDaysOverride: null,
    isReversed: false,
    notes: "what the clerk wrote",
  };

  test.each<[given: string, value: unknown, field: string, expected: unknown]>([
    ["id", "l-2", "remote_id", "l-2"],
    ["from", "2026-03-02T12:00:00", "start_date", "2026-03-02"],
    ["from", "2026-03-02T23:00:00Z", "start_date", "2026-03-02"],
    ["to", "2026-03-04T11:59:59", "end_date", "2026-03-04"],
    ["workingDays", 2.5, "amount", 2.5],
    ["workingDaysOverride", 0, "amount", 0],
    ["totalDays", 9, "unit", "days"],
    ["notes", "private", "employee_note", undefined],
    ["pay", "DoNotPay", "status", "approved"],
    ["type", "Holiday", "policy_type", "vacation"],
    ["type", "Sick", "policy_type", "sick"],
    ["type", "Bereavement", "policy_type", "bereavement"],
    ["type", "BereavementNorthernIreland", "policy_type", "bereavement"],
    ["type", "Unauthorised", "policy_type", null],
    ["type", "Maternity", "policy_type", null],
    ["type", "Paternity", "policy_type", null],
    ["type", "Adoption", "policy_type", null],
    ["type", "SharedParental", "policy_type", null],
    ["type", "SharedParentalAdoption", "policy_type", null],
    ["type", "PaternityAdoption", "policy_type", null],
    ["type", "StrikeAction", "policy_type", null],
    ["type", "NeonatalCare", "policy_type", null],
    ["type", "AuthorisedUnpaid", "policy_type", null],
    ["type", "StrikeAction", "policy_remote_id", "StrikeAction"],
  ])("with %s %j has %s %j", (given, value, field, expected) => {
    const entry = toTimeOffEntry({ employeeId: "e-1", leave: { ...taken, [given]: value } });
    expect(valueAt(entry, field)).toEqual(expected);
    expect(entry?.employee_remote_id).toBe("e-1");
  });

  test("that was taken back is left out", () => {
    expect(toTimeOffEntry({ employeeId: "e-1", leave: { ...taken, isReversed: true } })).toBeNull();
  });
});

describe("the holidays that are left", () => {
  const all = {
    allowance: 28,
    allowanceRemaining: 18.5,
    allowanceUsed: 9.5,
    accruedHoursBalance: 12.25,
    accruedHoursPaid: 40,
    accruedPaymentBalance: 512.4,
    accruedPaymentPaid: 99,
    enhancedDaysAllowance: 33.6,
    enhancedDaysTaken: 4.2,
  };

  test.each<
    [type: string | null, balance: number | null, used: number | null, unit: string | null]
  >([
    ["Days", 18.5, 9.5, "days"],
    ["Accrual_Hours", 12.25, 40, "hours"],
    ["Accrual_Days", 18.5, 9.5, "days"],
    ["Avg_Enhanced_Days", 29.4, 4.2, "days"],
    ["Accrual_Money", null, null, null],
    [null, null, null, null],
  ])("of type %s are %s, %s used, in %s", (holidayType, balance, used, unit) => {
    expect(toTimeOffBalance({ id: "e-1", leaveSettings: { ...all, holidayType } })).toEqual({
      employee_remote_id: "e-1",
      balance,
      used,
      unit,
      policy_remote_id: "Holiday",
      policy_name: "Holiday",
      policy_type: "vacation",
    });
  });

  test("of enhanced days are with what was adjusted by hand", () => {
    const leaveSettings = { ...all, holidayType: "Avg_Enhanced_Days", enhancedDaysBalance: 31.4 };
    expect(toTimeOffBalance({ id: "e-1", leaveSettings })).toMatchObject({
      balance: 31.4,
      used: 4.2,
    });
  });

  test.each([
    [{ averageDaysAllowance: 5.6, averageDaysTaken: 1.2 }, 33.8, 5.4],
    [{ averageDaysBalance: 5, averageDaysAllowance: 5.6, averageDaysTaken: 1.2 }, 34.4, 5.4],
    [{ averageDaysBalance: 0, averageDaysTaken: 0 }, 29.4, 4.2],
  ])("of enhanced days have average ones too, with %j", (average, balance, used) => {
    const leaveSettings = { ...all, ...average, holidayType: "Avg_Enhanced_Days" };
    expect(toTimeOffBalance({ id: "e-1", leaveSettings })).toMatchObject({ balance, used });
  });

  test("of enhanced days are not known where those are not", () => {
    const leaveSettings = { holidayType: "Avg_Enhanced_Days", averageDaysBalance: 5 };
    expect(toTimeOffBalance({ id: "e-1", leaveSettings })).toMatchObject({ balance: null });
  });

  test("that are not known are left out", () => {
    expect(toTimeOffBalance(nobody)).toBeNull();
  });
});

describe("the user", () => {
  test.each([
    [
      { firstName: "Morwenna", lastName: "Trelawny", emailAddress: "m@b.example" },
      { name: "Morwenna Trelawny", email: "m@b.example", phone_number: null },
    ],
    [
      {
        firstName: null,
        lastName: "Trelawny",
        emailAddress: null,
        telephoneNumber: "01632 960002",
      },
      { name: "Trelawny", email: "", phone_number: "01632 960002" },
    ],
    [
      { emailAddress: "m@b.example" },
      { name: "m@b.example", email: "m@b.example", phone_number: null },
    ],
  ])("%j is %j", (account, identity) => {
    expect(toIdentity(account)).toEqual(identity);
  });
});

describe("a tax year", () => {
  test.each([
    ["2026-04-05", "Year2025"],
    ["2026-04-06", "Year2026"],
    ["2026-12-31", "Year2026"],
    ["2027-01-01", "Year2026"],
  ])("has the day %s: %s", (day, taxYear) => {
    expect(taxYearOf(day)).toBe(taxYear);
  });

  test.each([
    ["2024-04-05", "2026-04-06", ["Year2023", "Year2024", "Year2025", "Year2026"]],
    ["2025-06-01", "2025-06-30", ["Year2025"]],
    // Staffology begins with 2017, and has no year long before it begins.
    ["1900-01-01", "2018-04-06", ["Year2017", "Year2018"]],
    ["2026-03-01", "2100-01-01", ["Year2025", "Year2026"]],
    ["2030-01-01", "2031-01-01", []],
  ])("from %s to %s are asked: %j", (start, end, taxYears) => {
    expect(taxYearsOf({ start, end }, "2026-03-20")).toEqual(taxYears);
  });
});
