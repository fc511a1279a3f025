import { describe, expect, test } from "vitest";
import { toOrganisationAddress } from "../../src/providers/xero/address.ts";
import { toCompany } from "../../src/providers/xero/company.ts";
import { toGroup } from "../../src/providers/xero/groups.ts";
import { toEmployee, type RawEmployee } from "../../src/providers/xero/map-employee.ts";
import { toPayrun } from "../../src/providers/xero/payruns.ts";
import { toPayslip } from "../../src/providers/xero/payslips.ts";
import { waitSeconds } from "../../src/providers/xero/rate-limits.ts";
import { toBalance, toEntry, toPolicyType } from "../../src/providers/xero/time-off.ts";
import { toTimesheet } from "../../src/providers/xero/timesheets.ts";
import { exampleOf, type XeroRow } from "../support/vendors/xero-company.ts";

const today = "2026-03-02";
const contract = (contractType: string | null, startDate = "2020-02-03T00:00:00") => ({
  contractType,
  startDate,
});

function employeeOf(record: XeroRow, more: Partial<RawEmployee> = {}) {
  const raw = { salaries: [], paymentMethod: null, calendar: null, ...more };
  return toEmployee(
    { record: { employeeID: "e-1", lastName: "Maple", ...record }, ...raw },
    { today },
  );
}

describe("an employee", () => {
  test.each<[XeroRow, string, unknown]>([
    [{ employeeID: "aad6" }, "remote_id", "aad6"],
    [{ firstName: "Jack " }, "first_name", "Jack"],
    [{ lastName: "Allan" }, "last_name", "Allan"],
    [{ lastName: null }, "last_name", ""],
    [{ employeeNumber: "7" }, "employee_number", undefined],
    [{ title: "Dr" }, "job_title", undefined],
    [{ email: "a@example.com" }, "work_email", "a@example.com"],
    [{ email: null }, "work_email", null],
    [{ email: "" }, "work_email", null],
    [{ phoneNumber: "0400123456" }, "mobile_phone_number", "0400123456"],
    [{ phoneNumber: null }, "mobile_phone_number", null],
    [{ nationalInsuranceNumber: "AB123456C" }, "tax_id", "AB123456C"],
    [{}, "tax_id", null],
    [{ gender: "M" }, "gender", "male"],
    [{ gender: "F" }, "gender", "female"],
    [{ gender: "toString" }, "gender", null],
    [{ gender: null }, "gender", null],
    [{ dateOfBirth: "1987-12-23T00:00:00Z" }, "date_of_birth", "1987-12-23"],
    [{ dateOfBirth: "1985-03-24" }, "date_of_birth", "1985-03-24"],
    [{ dateOfBirth: null }, "date_of_birth", null],
    [{ startDate: "2020-02-03T00:00:00" }, "start_date", "2020-02-03"],
    [{ endDate: "2025-06-30T00:00:00" }, "termination_date", "2025-06-30"],
    [{}, "termination_date", null],
    [{ createdDateUTC: "2020-02-10T10:00:24" }, "remote_created_at", "2020-02-10"],
    [{}, "employment_status", "active"],
    [{ startDate: "2026-03-02T00:00:00" }, "employment_status", "active"],
    [{ startDate: "2026-03-03T00:00:00" }, "employment_status", "pending"],
    [{ endDate: "2026-03-02T00:00:00" }, "employment_status", "active"],
    [{ endDate: "2026-03-01T00:00:00" }, "employment_status", "inactive"],
    [{ startDate: "2026-04-01", endDate: "2026-02-01" }, "employment_status", "inactive"],
    [{ contracts: [contract("FullTime")] }, "employment_type", "full_time"],
    [{ contracts: [contract("PartTime")] }, "employment_type", "part_time"],
    [{ contracts: [contract("ZeroHour")] }, "employment_type", "other"],
    [{ contracts: [contract("Unspecified")] }, "employment_type", null],
    [{ contracts: [contract(null)] }, "employment_type", null],
    [{ contracts: [] }, "employment_type", null],
    [{}, "employment_type", null],
    [
      { contracts: [contract("PartTime", "2024-01-01"), contract("FullTime", "2020-01-01")] },
      "employment_type",
      "part_time",
    ],
    [
      { contracts: [contract("PartTime", "2026-09-01"), contract("FullTime", "2020-01-01")] },
      "employment_type",
      "full_time",
    ],
    [
      { isOffPayrollWorker: true, contracts: [contract("FullTime")] },
      "employment_type",
      "contractor",
    ],
    [{ address: null }, "home_location", null],
    [
      {
        address: {
          addressLine1: "171 Midsummer Boulevard",
          addressLine2: "Flat 2",
          city: "Milton Keynes",
          county: "Buckinghamshire",
          countryName: "UNITED KINGDOM",
          postCode: "MK9 1EB",
        },
      },
      "home_location",
      {
        street_address: "171 Midsummer Boulevard, Flat 2",
        locality: "Milton Keynes",
        administrative_area: "Buckinghamshire",
        country: "GB",
        post_code: "MK9 1EB",
      },
    ],
  ])("with %j has as %s %j", (record, field, expected) => {
    expect(employeeOf(record)[field as "remote_id"]).toEqual(expected);
  });

  test.each([
    ["United Kingdom", "GB"],
    ["SCOTLAND", "GB"],
    ["GB", "GB"],
    ["Ireland", "IE"],
    ["GERMANY", "DE"],
    ["ISLE OF MAN", "IM"],
    ["UNITED STATES OF AMERICA", "US"],
    ["ATLANTIS", null],
    [null, null],
  ])("in %j lives in %j", (countryName, expected) => {
    const { home_location: home } = employeeOf({ address: { city: "Anywhere", countryName } });
    expect(home?.country).toBe(expected);
  });

  const account = { accountName: "A Maple", accountNumber: "12345678", sortCode: "111111" };
  const bank = { account_number: "12345678", sort_code: "111111", holder_name: "A Maple" };
  test.each<[XeroRow | null, unknown]>([
    [{ paymentMethod: "Electronically", bankAccounts: [account, { accountName: "B" }] }, bank],
    [{ paymentMethod: "Electronically", bankAccounts: [] }, null],
    [{ paymentMethod: "Cheque", bankAccounts: [account] }, null],
    [{ paymentMethod: "Manual", bankAccounts: null }, null],
    [null, null],
  ])("who is paid by %j has the account %j", (paymentMethod, expected) => {
    expect(employeeOf({}, { paymentMethod }).bank_account).toEqual(expected);
  });

  test("is in the group of its pay run calendar, and in no other", () => {
    const calendar = { payrollCalendarID: "216d", name: "Weekly ", calendarType: "Weekly" };
    expect(employeeOf({}, { calendar }).groups).toEqual([
      { remote_id: "216d", name: "Weekly", type: "pay_group" },
    ]);
    expect(employeeOf({ payrollCalendarID: "another" }).groups).toEqual([]);
    expect(toGroup(calendar)).toEqual({ remote_id: "216d", name: "Weekly", type: "pay_group" });
  });
});

describe("an employment", () => {
  const salary = {
    effectiveFrom: "2024-04-01T00:00:00",
    paymentType: "Salary",
    annualSalary: 25_000.5,
  };
  const hourly = {
    effectiveFrom: "2023-04-01T00:00:00",
    paymentType: "Hourly",
    ratePerUnit: 12.019231,
  };
  test.each<[XeroRow, object]>([
    [salary, { effective_date: "2024-04-01", pay_rate: 25_000.5, pay_period: "YEAR" }],
    [hourly, { effective_date: "2023-04-01", pay_rate: 12.019231, pay_period: "HOUR" }],
    [
      { ...salary, status: "Pending" },
      { pay_rate: 25_000.5, pay_period: "YEAR" },
    ],
    [
      { ...salary, status: "History" },
      { pay_rate: 25_000.5, pay_period: "YEAR" },
    ],
    [
      { ...hourly, ratePerUnit: null },
      { pay_rate: null, pay_period: null },
    ],
    [
      { ...salary, paymentType: "Piece" },
      { pay_rate: null, pay_period: null },
    ],
    [salary, { currency: "gbp", job_title: null, employment_type: "part_time" }],
    [hourly, { employment_type: "full_time" }],
  ])("of %j is %j", (given, expected) => {
    const contracts = [contract("FullTime", "2020-01-01"), contract("PartTime", "2024-01-01")];
    const { employments } = employeeOf({ contracts }, { salaries: [given] });
    expect(employments).toMatchObject([expected]);
  });

  test.each([
    ["Weekly", "weekly"],
    ["Fortnightly", "biweekly"],
    ["FourWeekly", "other"],
    ["Monthly", "monthly"],
    ["Quarterly", "other"],
    ["Annual", "year"],
    ["Never", null],
  ])("of a calendar that is %s is paid %s", (calendarType, expected) => {
    const { employments } = employeeOf({}, { salaries: [salary], calendar: { calendarType } });
    expect(employments?.[0]?.pay_frequency).toBe(expected);
  });
});

describe("a pay run", () => {
  const payrun = {
    payRunID: "e0a5",
    periodStartDate: "2026-02-01T00:00:00",
    periodEndDate: "2026-02-28T00:00:00",
    paymentDate: "2026-03-02T00:00:00",
    payRunStatus: "Posted",
    payRunType: "Scheduled",
  };
  test.each<[XeroRow, object]>([
    [{}, { remote_id: "e0a5", state: "paid", type: "regular", payment_date: "2026-03-02" }],
    [{}, { start_date: "2026-02-01", end_date: "2026-02-28" }],
    [{ paymentDate: "2026-03-03T00:00:00" }, { state: "pending" }],
    [{ payRunStatus: "Draft", paymentDate: "2026-02-03T00:00:00" }, { state: "pending" }],
    [{ paymentDate: null }, { state: "pending", payment_date: null }],
    [{ payRunType: "Unscheduled" }, { type: "off_cycle" }],
    [{ payRunType: "EarlierYearUpdate" }, { type: "correction" }],
    [{ payRunType: "Another" }, { type: null }],
  ])("with %j is %j", (given, expected) => {
    expect(toPayrun({ ...payrun, ...given }, { today })).toMatchObject(expected);
  });
});

describe("a payslip", () => {
  const payrun = {
    payRunID: "run-1",
    payRunType: "Unscheduled",
    periodStartDate: "2020-02-03T00:00:00",
    periodEndDate: "2020-02-09T00:00:00",
    paymentDate: "2020-02-10T00:00:00",
  };
  const hours = { name: "Regular Hours", typeOfUnits: "hours" };
  const days = { name: "Day rate", typeOfUnits: "days" };
  const overtime = {
    name: "Overtime",
    typeOfUnits: null,
    rateType: "MultipleOfOrdinaryEarningsRate",
  };
  const names = {
    earnings: { r1: hours, r2: days, r3: overtime },
    deductions: { d1: { deductionName: "Pension (NPA)" } },
    courtOrders: { o1: { name: "AEO (fines)" } },
    benefits: { b1: { name: "Pensions" } },
    reimbursements: { m1: { name: "Mileage" } },
  };
  const of = (payslip: XeroRow) => toPayslip({ payslip, payrun, names });

  test.each<[XeroRow, object]>([
    [
      { paySlipID: "ed3f", employeeID: "aad6" },
      {
        remote_id: "ed3f",
        employee_remote_id: "aad6",
        payrun_remote_id: "run-1",
        payrun_type: "off_cycle",
        currency: "gbp",
        start_date: "2020-02-03",
        end_date: "2020-02-09",
        payment_date: "2020-02-10",
      },
    ],
    [
      { grossEarnings: 480.77, totalPay: 386.54 },
      { gross_pay: 48_077, net_pay: 38_654 },
    ],
    [
      { grossEarnings: 1.005, totalPay: -0.29 },
      { gross_pay: 101, net_pay: -29 },
    ],
    [{ grossEarnings: null }, { gross_pay: null, net_pay: null }],
    [
      {
        earningsLines: [
          { earningsRateID: "r1", displayName: "Hours", numberOfUnits: 40, amount: 480.77 },
        ],
      },
      { earnings: [{ name: "Hours", amount: 48_077, hours: 40 }] },
    ],
    [
      { leaveEarningsLines: [{ earningsRateID: "r1", numberOfUnits: 7.5, amount: 90.1 }] },
      { earnings: [{ name: "Regular Hours", amount: 9_010, hours: 7.5 }] },
    ],
    [
      { timesheetEarningsLines: [{ earningsRateID: "r2", numberOfUnits: 2, amount: 200 }] },
      { earnings: [{ name: "Day rate", amount: 20_000, hours: null }] },
    ],
    [
      { earningsLines: [{ earningsRateID: "r3", numberOfUnits: 3, amount: 54.09 }] },
      { earnings: [{ name: "Overtime", amount: 5_409, hours: 3 }] },
    ],
    [
      { earningsLines: [{ earningsRateID: "gone", numberOfUnits: 1, amount: 10 }] },
      { earnings: [{ name: "Earnings", amount: 1_000, hours: null }] },
    ],
    [
      {
        deductionLines: [{ deductionTypeID: "d1", amount: 9.62 }],
        courtOrderLines: [{ courtOrderTypeID: "o1", amount: 20 }],
      },
      {
        deductions: [
          { name: "Pension (NPA)", amount: 962 },
          { name: "AEO (fines)", amount: 2_000 },
        ],
      },
    ],
    [
      {
        employeeTaxLines: [{ description: "PAYE", amount: 48.6 }],
        employerTaxLines: [{ description: "Employer NIC", amount: 43.99 }],
      },
      {
        taxes: [
          { name: "PAYE", amount: 4_860, employer_tax: false },
          { name: "Employer NIC", amount: 4_399, employer_tax: true },
        ],
      },
    ],
    [
      { benefitLines: [{ benefitTypeID: "b1", displayName: "Employer pension", amount: 9.62 }] },
      { contributions: [{ name: "Employer pension", amount: 962 }] },
    ],
    [
      { benefitLines: [{ benefitTypeID: "b1", amount: 9.62 }] },
      { contributions: [{ name: "Pensions", amount: 962 }] },
    ],
    [
      { reimbursementLines: [{ reimbursementTypeID: "m1", description: "Train", amount: 4.5 }] },
      { reimbursements: [{ name: "Train", amount: 450 }] },
    ],
    [
      { reimbursementLines: [{ reimbursementTypeID: "m1", description: null, amount: 4.5 }] },
      { reimbursements: [{ name: "Mileage", amount: 450 }] },
    ],
    [
      { leaveAccrualLines: [{ numberOfUnits: 1 }], paymentLines: [{ amount: 384.3 }] },
      { earnings: [], deductions: [], taxes: [], contributions: [], reimbursements: [] },
    ],
  ])("with %j has %j", (payslip, expected) => {
    expect(of(payslip)).toMatchObject(expected);
  });

  test("of Xero's own example has its lines", () => {
    const [payslip] = exampleOf("/Payslips")!["paySlips"] as XeroRow[];
    expect(of(payslip!)).toMatchObject({
      gross_pay: 48_077,
      net_pay: 38_654,
      earnings: [{ name: "Regular Hours", amount: 48_077 }],
      taxes: [{ amount: 4_860 }, { amount: 3_825 }, { amount: 4_399, employer_tax: true }],
    });
  });
});

const period = (numberOfUnits: number | null, periodStatus: string | null) => ({
  numberOfUnits,
  periodStatus,
});

describe("a time off entry", () => {
  const leave = {
    leaveID: "384b",
    leaveTypeID: "ed08",
    description: "Vacation to Majorca",
    startDate: "2020-02-17T00:00:00",
    endDate: "2020-02-21T00:00:00",
    updatedDateUTC: "2020-02-10T10:15:53",
  };
  test.each<[XeroRow, object]>([
    [
      { periods: [period(40, "Approved")] },
      {
        remote_id: "384b",
        employee_remote_id: "aad6",
        start_date: "2020-02-17",
        end_date: "2020-02-21",
        amount: 40,
        unit: "hours",
        status: "approved",
        employee_note: "Vacation to Majorca",
        policy_remote_id: "ed08",
        policy_name: "Holiday",
        policy_type: "vacation",
        remote_modified_at: "2020-02-10",
      },
    ],
    [
      { periods: [period(0.1, "Approved"), period(0.2, "Completed")] },
      { amount: 0.3, status: "approved" },
    ],
    [{ periods: [period(8, "Approved"), period(8, null)] }, { amount: 16, status: null }],
    [{ periods: [] }, { amount: 0, status: null }],
    [{ periods: null }, { amount: 0, status: null }],
    [{ description: "" }, { employee_note: null }],
  ])("with %j is %j", (given, expected) => {
    const type = { leaveTypeID: "ed08", name: "Holiday" };
    expect(toEntry({ employeeId: "aad6", leave: { ...leave, ...given }, type })).toMatchObject(
      expected,
    );
  });

  test.each([
    ["Holiday", "vacation"],
    ["Sick", "sick"],
    ["Sick Leave", "sick"],
    ["Bereavement", "bereavement"],
    ["Parental Leave", null],
    [null, null],
  ])("under the policy %j is for %j", (name, expected) => {
    expect(toPolicyType(name)).toBe(expected);
  });
});

test.each<[XeroRow, object]>([
  [
    { name: "Holiday", leaveTypeID: "ed08", balance: 32, typeOfUnits: "Hours" },
    {
      balance: 32,
      unit: "hours",
      policy_name: "Holiday",
      policy_remote_id: "ed08",
      policy_type: "vacation",
    },
  ],
  [
    { name: "Parental Leave", balance: -80, typeOfUnits: "Hours" },
    { balance: -80, policy_type: null },
  ],
  [
    { balance: null, typeOfUnits: "days" },
    { balance: null, unit: "days" },
  ],
  [
    { balance: 3, typeOfUnits: "Weeks" },
    { balance: 3, unit: null },
  ],
])("the balance %j is %j, and what was used is not known", (balance, expected) => {
  const record = toBalance({ employeeId: "aad6", balance });
  expect(record).toMatchObject({ employee_remote_id: "aad6", ...expected });
  expect(record.used).toBeUndefined();
});

describe("a line of a timesheet", () => {
  const line = { timesheetLineID: "6cc1", date: "2020-04-13T00:00:00", numberOfUnits: 7.25 };
  const timesheet = { employeeID: "aad6", updatedDateUTC: "2020-04-14T16:31:35" };
  test("has a day, hours, and no hours of the clock", () => {
    expect(toTimesheet({ timesheet, line, rate: { typeOfUnits: "Hours" } })).toEqual({
      remote_id: "6cc1",
      employee_remote_id: "aad6",
      start_time: "2020-04-13T00:00:00Z",
      end_time: null,
      hours_worked: 7.25,
      remote_modified_at: "2020-04-14",
    });
  });

  test.each<[XeroRow | undefined, boolean]>([
    [{ typeOfUnits: "hours" }, true],
    [{ typeOfUnits: "Hour" }, true],
    [{ typeOfUnits: null, rateType: "MultipleOfOrdinaryEarningsRate" }, true],
    [{ typeOfUnits: null, rateType: "FixedAmount" }, false],
    [{ typeOfUnits: "days" }, false],
    [{ typeOfUnits: "miles" }, false],
    [undefined, false],
  ])("of the rate %j is read: %s", (rate, isRead) => {
    expect(toTimesheet({ timesheet, line, rate }) !== null).toBe(isRead);
  });
});

describe("a company", () => {
  const street = {
    AddressType: "STREET",
    AddressLine1: "1 Mill Lane",
    AddressLine2: "Floor 2",
    AddressLine4: "Yard",
    City: "Leeds",
    Region: "Yorkshire",
    PostalCode: "LS1 1AA",
    Country: "United Kingdom",
  };
  test("is known by its legal name and its own, and has its address of the street", () => {
    expect(
      toCompany({
        OrganisationID: "b2c8",
        LegalName: "Maple Ltd",
        Name: "Maple",
        TaxNumber: "101-2-303",
        CountryCode: "GB",
        Addresses: [{ AddressType: "POBOX", City: "York" }, street],
      }),
    ).toEqual({
      remote_id: "b2c8",
      legal_name: "Maple Ltd",
      display_name: "Maple",
      tax_id: "101-2-303",
      address: {
        street_address: "1 Mill Lane, Floor 2, Yard",
        locality: "Leeds",
        administrative_area: "Yorkshire",
        country: "GB",
        post_code: "LS1 1AA",
      },
    });
  });

  test.each<[XeroRow | null, string | null, object]>([
    [{ City: "York", Country: "" }, "GB", { locality: "York", country: "GB" }],
    [null, "GB", { locality: null, country: "GB" }],
  ])("with the address %j in %j is at %j", (address, code, expected) => {
    expect(toOrganisationAddress(address, code)).toMatchObject(expected);
  });

  test("without an address and a country is nowhere", () => {
    expect(toOrganisationAddress({ City: "" }, null)).toBeNull();
  });
});

test.each<[number, Record<string, string>, number | undefined]>([
  [429, { "x-rate-limit-problem": "concurrent" }, 2],
  [429, { "x-rate-limit-problem": "Concurrent limit" }, 2],
  [429, { "x-rate-limit-problem": "Minute" }, 60],
  [429, { "x-rate-limit-problem": "appminute" }, 60],
  [429, { "x-rate-limit-problem": "day" }, 3_600],
  [429, { "x-rate-limit-problem": "day", "retry-after": "66975" }, undefined],
  [429, {}, undefined],
  [200, { "x-rate-limit-problem": "day" }, undefined],
])("an answer %d with %j asks to wait %j seconds by its word", (status, headers, expected) => {
  expect(waitSeconds({ status, headers, now: new Date() })).toBe(expected);
});
