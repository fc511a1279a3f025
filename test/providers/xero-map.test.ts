import { describe, expect, test } from "vitest";
import { company } from "../../src/providers/xero/company.ts";
import { employees } from "../../src/providers/xero/employees.ts";
import { limits } from "../../src/providers/xero/index.ts";
import { payruns } from "../../src/providers/xero/payruns.ts";
import { payslips } from "../../src/providers/xero/payslips.ts";
import { groups } from "../../src/providers/xero/settings.ts";
import { timeOffBalances, timeOffEntries } from "../../src/providers/xero/time-off.ts";
import { timesheets } from "../../src/providers/xero/timesheets.ts";
import { readMapped, type Answers } from "../support/xero-stage.ts";
import { exampleOf, type XeroRow } from "../support/vendors/xero-company.ts";

/** Answers by path. */
const answersOf =
  (bodies: Record<string, unknown>): Answers =>
  ({ path }) =>
    bodies[path];
const contract = (contractType: string | null, startDate = "2020-02-03T00:00:00") => ({
  contractType,
  startDate,
});

interface Details {
  salaries?: XeroRow[];
  paymentMethod?: XeroRow | null;
  calendar?: XeroRow;
}

async function employeeOf(
  record: XeroRow,
  { salaries = [], paymentMethod, calendar }: Details = {},
) {
  const person = { employeeID: "e-1", lastName: "Maple", payrollCalendarID: "216d", ...record };
  const path = `/Employees/${person.employeeID}`;
  const [employee] = await readMapped(
    employees,
    answersOf({
      "/Employees": { employees: [person] },
      [`${path}/SalaryAndWages`]: { salaryAndWages: salaries },
      [`${path}/PaymentMethods`]: paymentMethod ? { paymentMethod } : undefined,
      "/PayRunCalendars": {
        payRunCalendars: calendar ? [{ payrollCalendarID: "216d", ...calendar }] : [],
      },
    }),
  );
  return employee!;
}

describe("an employee", () => {
  test.each<[XeroRow, string, unknown]>([
    [{ employeeID: "aad6" }, "remote_id", "aad6"],
    [{ firstName: "Jack " }, "first_name", "Jack"],
    [{ lastName: "Allan" }, "last_name", "Allan"],
    [{ lastName: null }, "last_name", ""],
    [{ employeeNumber: "7" }, "employee_number", undefined],
    [{ title: "Dr" }, "job_title", null],
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
  ])("with %j has as %s %j", async (record, field, expected) => {
    expect((await employeeOf(record))[field as "remote_id"]).toEqual(expected);
  });

  test.each([
    ["United Kingdom", "GB"],
    ["SCOTLAND", "GB"],
    ["GB", "GB"],
    ["Ireland", "IE"],
    ["GERMANY", "DE"],
    ["ISLE OF MAN", "IM"],
    ["UNITED STATES OF AMERICA", "US"],
    ["GBR", "GB"],
    ["fra", "FR"],
    ["Republic of Ireland", "IE"],
    ["ATLANTIS", null],
    [null, null],
  ])("in %j lives in %j", async (countryName, expected) => {
    const { home_location: home } = await employeeOf({
      address: { city: "Anywhere", countryName },
    });
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
  ])("who is paid by %j has the account %j", async (paymentMethod, expected) => {
    expect((await employeeOf({}, { paymentMethod })).bank_account).toEqual(expected);
  });

  test("is in the group of its pay run calendar, and in no other", async () => {
    const calendar = { payrollCalendarID: "216d", name: "Weekly ", calendarType: "Weekly" };
    const group = { remote_id: "216d", name: "Weekly", type: "pay_group" };
    expect((await employeeOf({}, { calendar })).groups).toEqual([group]);
    expect((await employeeOf({ payrollCalendarID: "another" }, { calendar })).groups).toEqual([]);
    const answers = answersOf({ "/PayRunCalendars": { payRunCalendars: [calendar] } });
    expect(await readMapped(groups, answers)).toEqual([group]);
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
    [salary, { currency: "gbp", employment_type: "part_time" }],
    [hourly, { employment_type: "full_time" }],
  ])("of %j is %j", async (given, expected) => {
    const contracts = [contract("FullTime", "2020-01-01"), contract("PartTime", "2024-01-01")];
    const { employments } = await employeeOf({ contracts }, { salaries: [given] });
    expect(employments).toMatchObject([expected]);
  });

  test("of an off-payroll worker is one of a contractor", async () => {
    const { employments } = await employeeOf({ isOffPayrollWorker: true }, { salaries: [salary] });
    expect(employments).toMatchObject([{ employment_type: "contractor" }]);
  });

  test.each([
    ["Weekly", "weekly"],
    ["Fortnightly", "biweekly"],
    ["FourWeekly", "other"],
    ["Monthly", "monthly"],
    ["Quarterly", "other"],
    ["Annual", "year"],
    ["Never", null],
  ])("of a calendar that is %s is paid %s", async (calendarType, expected) => {
    const { employments } = await employeeOf(
      {},
      { salaries: [salary], calendar: { calendarType } },
    );
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
  ])("with %j is %j", async (given, expected) => {
    const answers = answersOf({ "/PayRuns": { payRuns: [{ ...payrun, ...given }] } });
    expect(await readMapped(payruns, answers)).toMatchObject([expected]);
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
  const names = {
    "/EarningsRates": {
      earningsRates: [
        { earningsRateID: "r1", name: "Regular Hours", typeOfUnits: "hours" },
        { earningsRateID: "r2", name: "Day rate", typeOfUnits: "days" },
        {
          earningsRateID: "r3",
          name: "Overtime",
          typeOfUnits: null,
          rateType: "MultipleOfOrdinaryEarningsRate",
        },
      ],
    },
    "/Deductions": { deductions: [{ deductionId: "d1", deductionName: "Pension (NPA)" }] },
    "/EarningsOrders": { statutoryDeductions: [{ id: "o1", name: "AEO (fines)" }] },
    "/Benefits": { benefits: [{ id: "b1", name: "Pensions" }] },
    "/Reimbursements": { reimbursements: [{ reimbursementID: "m1", name: "Mileage" }] },
  };
  const of = async (payslip: XeroRow) => {
    const [made] = await readMapped(
      payslips,
      answersOf({
        "/PayRuns/run-1": { payRun: payrun },
        "/Payslips": { paySlips: [{ paySlipID: "s-1", employeeID: "e-1", ...payslip }] },
        ...names,
      }),
      { payrunRemoteId: "run-1" },
    );
    return made;
  };

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
  ])("with %j has %j", async (payslip, expected) => {
    expect(await of(payslip)).toMatchObject(expected);
  });

  test("of Xero's own example has its lines", async () => {
    const [payslip] = exampleOf("/Payslips")!["paySlips"] as XeroRow[];
    expect(await of(payslip!)).toMatchObject({
      gross_pay: 48_077,
      net_pay: 38_654,
      earnings: [{ amount: 48_077 }],
      taxes: [{ amount: 4_860 }, { amount: 3_825 }, { amount: 4_399, employer_tax: true }],
    });
  });
});

const period = (numberOfUnits: number | null, periodStatus: string | null) => ({
  numberOfUnits,
  periodStatus,
});

const people = { "/Employees": { employees: [{ employeeID: "aad6" }] } };

const entryOf = async (given: XeroRow, name: string | null) => {
  const [entry] = await readMapped(
    timeOffEntries,
    answersOf({
      ...people,
      "/LeaveTypes": { leaveTypes: [{ leaveTypeID: "ed08", name }] },
      "/Employees/aad6/Leave": { leave: [given] },
    }),
  );
  return entry;
};

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
  ])("with %j is %j", async (given, expected) => {
    expect(await entryOf({ ...leave, ...given }, "Holiday")).toMatchObject(expected);
  });

  test.each([
    ["Holiday", "vacation"],
    ["Sick", "sick"],
    ["Sick Leave", "sick"],
    ["Bereavement", "bereavement"],
    ["Parental Leave", null],
    [null, null],
  ])("under the policy %j is for %j", async (name, expected) => {
    expect((await entryOf(leave, name))?.policy_type).toBe(expected);
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
])("the balance %j is %j, and what was used is not known", async (balance, expected) => {
  const list = { leaveBalances: [balance] };
  const answers = answersOf({ ...people, "/Employees/aad6/LeaveBalances": list });
  const [record] = await readMapped(timeOffBalances, answers);
  expect(record).toMatchObject({ employee_remote_id: "aad6", ...expected });
  expect(record?.used).toBeUndefined();
});

describe("a line of a timesheet", () => {
  const line = {
    timesheetLineID: "6cc1",
    earningsRateID: "r1",
    date: "2020-04-13T00:00:00",
    numberOfUnits: 7.25,
  };
  const timesheet = {
    timesheetID: "t-1",
    employeeID: "aad6",
    updatedDateUTC: "2020-04-14T16:31:35",
    timesheetLines: [line],
  };
  const recordOf = async (rate: XeroRow | undefined) => {
    const [record] = await readMapped(
      timesheets,
      answersOf({
        "/PayRunCalendars": { payRunCalendars: [] },
        "/Timesheets": { timesheets: [timesheet] },
        "/Timesheets/t-1": { timesheet },
        "/EarningsRates": { earningsRates: rate ? [{ earningsRateID: "r1", ...rate }] : [] },
      }),
      { range: { start: "2020-04-01", end: "2020-04-30" } },
    );
    return record;
  };

  test("has a day, hours, and no hours of the clock", async () => {
    expect(await recordOf({ typeOfUnits: "Hours" })).toEqual({
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
  ])("of the rate %j is read: %s", async (rate, isRead) => {
    expect((await recordOf(rate)) !== null).toBe(isRead);
  });
});

const companyOf = async (organisation: XeroRow) => {
  const answers = answersOf({ "/api.xro/2.0/Organisation": { Organisations: [organisation] } });
  const [made] = await readMapped(company, answers);
  return made!;
};

describe("a company", () => {
  const street = {
    AddressType: "STREET",
    AddressLine1: "1 Mill Lane",
    AddressLine2: "Floor 2",
    AddressLine3: "Gate 3",
    AddressLine4: "Yard",
    City: "Leeds",
    Region: "Yorkshire",
    PostalCode: "LS1 1AA",
    Country: "United Kingdom",
  };
  test("is known by its legal name and its own, and has its address of the street", async () => {
    expect(
      await companyOf({
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
        street_address: "1 Mill Lane, Floor 2, Gate 3, Yard",
        locality: "Leeds",
        administrative_area: "Yorkshire",
        country: "GB",
        post_code: "LS1 1AA",
      },
    });
  });

  test.each<[string, XeroRow[], string, object]>([
    ["POBOX", [{ City: "York", Country: "" }], "GB", { locality: "York", country: "GB" }],
    ["POBOX", [{ City: "Cork", Country: "IRL" }], "GB", { country: "IE" }],
    ["STREET", [], "GB", { locality: null, country: "GB" }],
    ["OTHER", [{ City: "York" }], "GB", { locality: null, country: "GB" }],
  ])("with the %s address %j in %j is at %j", async (AddressType, addresses, code, expected) => {
    const { address } = await companyOf({
      CountryCode: code,
      Addresses: addresses.map((one) => ({ AddressType, ...one })),
    });
    expect(address).toMatchObject(expected);
  });

  test("without an address and a country is nowhere", async () => {
    const street = { AddressType: "STREET", City: "" };
    expect((await companyOf({ Addresses: [street] })).address).toBeNull();
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
  expect(limits.waitSeconds?.({ status, headers, now: new Date() })).toBe(expected);
});
