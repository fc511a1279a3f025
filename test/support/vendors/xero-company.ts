import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../program-environment.ts";

export type XeroRow = Record<string, unknown>;

export interface XeroPerson {
  record: XeroRow;
  salaries: XeroRow[];
  /** Undefined for somebody whose pay is not set up: Xero has no such path then. */
  paymentMethod: XeroRow | undefined;
  /** In New Zealand. */
  tax?: XeroRow | undefined;
  leave: XeroRow[];
  balances: XeroRow[];
}

/** What an organisation has. The lists without people are the examples of Xero's own description. */
export interface XeroCompany {
  organisation: XeroRow;
  people: XeroPerson[];
  calendars: XeroRow[];
  timesheets: XeroRow[];
  payruns: (XeroRow & { paySlips: XeroRow[] })[];
  /** Whose description has the examples of the lists without people. */
  vendor?: Description;
  /** Of the payroll that only Australia has. */
  australia?: AustralianCompany;
}

/** What the Australian payroll has, as it writes it. */
export interface AustralianCompany {
  people: XeroRow[];
  calendars: XeroRow[];
  payItems: XeroRow;
  leave: XeroRow[];
  payruns: XeroRow[];
  payslips: XeroRow[];
}

interface Examples {
  paths: Record<
    string,
    { get: { responses: { 200: { content: { "application/json": { example: XeroRow } } } } } }
  >;
}
type Description = "xero" | "xero-nz" | "xero-au";

const descriptions = new Map<Description, Examples>();

/** Null for a path that the description does not have. */
export function exampleOf(path: string, vendor: Description = "xero"): XeroRow | null {
  const text = () => readFileSync(join(projectDir, `test/vendors/${vendor}.json`), "utf8");
  const description = descriptions.get(vendor) ?? (JSON.parse(text()) as Examples);
  descriptions.set(vendor, description);
  const operation = description.paths[path];
  return operation
    ? structuredClone(operation.get.responses[200].content["application/json"].example)
    : null;
}

/** Ids of the examples. */
const monthly = "5e813d9e-949c-461f-8a89-e9ee8955a254";
const regularHours = "87f5b43a-cf51-4b74-92de-94c819e82d27";
const holiday = "ed08dffe-788e-4b24-9630-f0fa2f4d164c";

/** Lines of the kinds that the example of a payslip has none of. */
const otherLines = {
  deductionLines: [{ deductionTypeID: "7c736d59-a624-4584-920b-e9910d2887a0", amount: 9.62 }],
  courtOrderLines: [{ courtOrderTypeID: "f7a63612-a68d-431e-96d4-3fd0708e46b5", amount: 20 }],
  benefitLines: [
    { benefitTypeID: "17ee7e28-9f4c-4675-9590-cc0547c9f7ac", displayName: "Pension", amount: 9.62 },
  ],
  reimbursementLines: [
    { reimbursementTypeID: "8e8d7849-26e1-41d1-a41f-7e1d0bfa147b", description: null, amount: 4.5 },
  ],
  timesheetEarningsLines: [{ earningsRateID: regularHours, numberOfUnits: 2, amount: 24.04 }],
};

/** An id of the form that Xero's are. */
export function idOf(kind: number, number: number): string {
  return `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export function createPerson(number: number, fields: XeroRow = {}): XeroPerson {
  return {
    record: {
      employeeID: idOf(1, number),
      title: "Mx",
      firstName: `First${number}`,
      lastName: `Last${number}`,
      dateOfBirth: "1987-12-23T00:00:00Z",
      gender: number % 2 === 0 ? "F" : "M",
      email: `person.${number}@example.com`,
      phoneNumber: "0400123456",
      nationalInsuranceNumber: "AB123456C",
      startDate: "2020-02-03T00:00:00",
      address: {
        addressLine1: "171 Midsummer Boulevard",
        city: "Milton Keynes",
        county: null,
        countryName: "UNITED KINGDOM",
        postCode: "MK9 1EB",
      },
      payrollCalendarID: monthly,
      updatedDateUTC: "2026-02-13T16:48:51",
      createdDateUTC: "2020-02-13T16:32:12",
      isOffPayrollWorker: false,
      contracts: [
        {
          publicKey: idOf(2, number),
          isFixedTerm: false,
          employmentStatus: "Employee",
          contractType: "FullTime",
          startDate: "2020-02-03T00:00:00",
          fixedTermEndDate: null,
        },
      ],
      ...fields,
    },
    salaries: [
      {
        salaryAndWagesID: idOf(3, number),
        earningsRateID: regularHours,
        numberOfUnitsPerWeek: 40,
        ratePerUnit: null,
        effectiveFrom: "2020-04-01T00:00:00",
        annualSalary: 25_000 + number,
        status: "Active",
        paymentType: "Salary",
      },
    ],
    paymentMethod: {
      paymentMethod: "Electronically",
      bankAccounts: [
        { accountName: `Account of ${number}`, accountNumber: "12345678", sortCode: "111111" },
      ],
    },
    leave: [
      {
        leaveID: idOf(4, number),
        leaveTypeID: holiday,
        description: "Majorca",
        startDate: "2026-02-16T00:00:00",
        endDate: "2026-02-20T00:00:00",
        periods: [
          {
            periodStartDate: "2026-02-01T00:00:00",
            periodEndDate: "2026-02-28T00:00:00",
            numberOfUnits: 37.5,
            periodStatus: "Approved",
          },
        ],
        updatedDateUTC: "2026-02-10T10:15:53",
      },
    ],
    balances: [{ name: "Holiday", leaveTypeID: holiday, balance: 32, typeOfUnits: "Hours" }],
  };
}

/** Somebody whose name and nothing else was typed. */
export function createBlank(number: number): XeroPerson {
  const record = {
    employeeID: idOf(1, number),
    firstName: "Blank",
    lastName: "Person",
    email: null,
    address: null,
    updatedDateUTC: "2026-02-13T16:48:51",
    contracts: [],
  };
  return { record, salaries: [], paymentMethod: undefined, leave: [], balances: [] };
}

export function createCompany(people: XeroPerson[]): XeroCompany {
  const payslips = (exampleOf("/Payslips")?.["paySlips"] ?? []) as XeroRow[];
  const payrun = {
    payRunID: idOf(5, 1),
    payrollCalendarID: monthly,
    periodStartDate: "2026-02-01T00:00:00",
    periodEndDate: "2026-02-28T00:00:00",
    paymentDate: "2026-02-27T00:00:00",
    payRunStatus: "Posted",
    payRunType: "Scheduled",
    calendarType: "Monthly",
    paySlips: payslips.map((payslip) => ({
      ...payslip,
      ...otherLines,
      grossEarnings: 504.81,
      totalPay: 392.84,
      payRunID: idOf(5, 1),
      employeeID: idOf(1, 1),
    })),
  };
  return {
    organisation: {
      OrganisationID: idOf(9, 1),
      Name: "Maple & Söhne",
      LegalName: "Maple & Söhne Ltd",
      Version: "UK",
      CountryCode: "GB",
      TaxNumber: "101-2-303",
      CreatedDateUTC: "/Date(1552404447003)/",
      Addresses: [
        { AddressType: "POBOX", AddressLine1: "PO Box 1", City: "Leeds", PostalCode: "LS1 1AA" },
        {
          AddressType: "STREET",
          AddressLine1: "1 Mill Lane",
          AddressLine2: "Floor 2",
          City: "Milton Keynes",
          Region: "Buckinghamshire",
          PostalCode: "MK9 1EB",
          Country: "United Kingdom",
        },
      ],
    },
    people,
    calendars: (exampleOf("/PayRunCalendars")?.["payRunCalendars"] ?? []) as XeroRow[],
    timesheets: [
      {
        timesheetID: idOf(6, 1),
        payrollCalendarID: monthly,
        employeeID: idOf(1, 1),
        startDate: "2026-02-16T00:00:00",
        endDate: "2026-02-22T00:00:00",
        status: "Approved",
        totalHours: 14,
        updatedDateUTC: "2026-02-23T10:00:00",
        timesheetLines: [
          {
            timesheetLineID: idOf(7, 1),
            date: "2026-02-16T00:00:00",
            earningsRateID: regularHours,
            numberOfUnits: 8,
          },
          {
            timesheetLineID: idOf(7, 2),
            date: "2026-02-18T00:00:00",
            earningsRateID: regularHours,
            numberOfUnits: 6,
          },
        ],
      },
    ],
    payruns: [payrun],
  };
}
