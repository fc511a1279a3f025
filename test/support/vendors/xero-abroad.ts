// The company of the fake in New Zealand and in Australia: the people of the British one, as Xero writes them there.
import {
  createCompany,
  exampleOf,
  idOf,
  type AustralianCompany,
  type XeroCompany,
  type XeroPerson,
  type XeroRow,
} from "./xero-company.ts";

/** Ids of the examples. */
export const annualLeave = "b0b1b79e-2a25-46c2-ad08-ca25ef48d7e4";
const holidayPay = "0441497f-5dc7-4cd3-a90d-f2e07e21b2a6";
const ordinaryTime = "f9d8f5b5-9049-47f4-8541-35e200f750a5";
const employeeKiwiSaver = "b5efd8d1-0c93-4a14-a314-b5cba4a4e6b3";
export const ordinaryHours = "ab874dfb-ab09-4c91-954e-43acf6fc23b4";
export const australianLeave = "fbcc9dab-6238-43d9-a3f4-d768423fdcfa";

/** Somebody without a contract, a county and a British number. */
function ofNewZealand(person: XeroPerson): XeroPerson {
  const { record, balances, leave } = person;
  const {
    contracts: _contracts,
    nationalInsuranceNumber,
    isOffPayrollWorker: _is,
    ...rest
  } = record;
  const inDollars = { name: "Holiday Pay", leaveTypeID: holidayPay, typeOfUnits: "Dollars" };
  return {
    ...person,
    record: {
      ...rest,
      ...(record["address"] ? { address: ofAuckland } : {}),
      ...(nationalInsuranceNumber
        ? { jobTitle: "Baker", engagementType: engagementOf(record) }
        : {}),
    },
    // As in the description's example, which has no `paymentMethod`.
    paymentMethod: person.paymentMethod && {
      bankAccounts: [
        { accountName: "Part", accountNumber: "0607050201419111", calculationType: "FixedAmount" },
        {
          accountName: `Account of ${String(record["firstName"])}`,
          accountNumber: "0607050201419000",
          sortCode: null,
          calculationType: "Balance",
        },
      ],
    },
    tax: nationalInsuranceNumber ? { irdNumber: "111111111", taxCode: "M" } : undefined,
    leave: leave.flatMap((one) => [
      { ...one, leaveTypeID: annualLeave, periods: inHours(one["periods"] as XeroRow[]) },
      // Nobody can say in hours or days how long it is.
      {
        ...one,
        leaveID: `${String(one["leaveID"])}-w`,
        periods: [{ numberOfUnits: 1, typeOfUnits: "Weeks", periodStatus: "Estimated" }],
      },
    ]),
    balances: balances.flatMap((one) => [
      { ...one, name: "Annual Leave", leaveTypeID: annualLeave },
      { ...inDollars, balance: 120.5 },
    ]),
  };
}

function engagementOf(record: XeroRow): string {
  return record["payrollCalendarID"] === twiceMonthly ? "Casual" : "Permanent";
}

const ofAuckland = {
  addressLine1: "30 Queen Street",
  addressLine2: null,
  suburb: "Ponsonby",
  city: "Auckland",
  countryName: "NEW ZEALAND",
  postCode: "1011",
};

function inHours(periods: readonly XeroRow[]): XeroRow[] {
  return periods.map((one) => ({
    ...one,
    typeOfUnits: "Hours",
    numberOfUnitsTaken: 1,
    typeOfUnitsTaken: "Weeks",
  }));
}

/** With KiwiSaver of employee and employer, and taxes that have no name. */
function payslipOfNewZealand(fields: XeroRow): XeroRow {
  const [example] = exampleOf("/PaySlips", "xero-nz")!["paySlips"] as XeroRow[];
  return {
    ...example,
    timesheetEarningsLines: [{ earningsRateID: ordinaryTime, numberOfUnits: 2, amount: 50 }],
    deductionLines: [
      {
        deductionTypeID: "a131596e-2f83-4f6c-9573-99c4cbfcefd1",
        displayName: "Rent",
        amount: 20.05,
      },
    ],
    reimbursementLines: [
      { reimbursementTypeID: "ddf9b572-5861-4f97-a109-9d612df52242", amount: 4.5 },
    ],
    statutoryDeductionLines: [{ statutoryDeductionTypeID: employeeKiwiSaver, amount: 4.86 }],
    grossEarnings: 212,
    // 212 - 19.26 - 20.05 - 4.86 + 4.50
    totalPay: 172.33,
    ...fields,
  };
}

/** `/Date(…)/` of a day, or of a moment. */
export function dateOf(day: unknown): string | undefined {
  return typeof day === "string"
    ? `/Date(${Date.parse(/T/.test(day) ? `${day.slice(0, 19)}Z` : day)}+0000)/`
    : undefined;
}

/** All that Xero tells of somebody, whose pay is by the year when it is in Britain. */
export function ofAustralia({ record, salaries, paymentMethod, balances }: XeroPerson): XeroRow {
  const isBlank = salaries.length === 0;
  const ended = record["endDate"] as string | undefined;
  const common = {
    EmployeeID: record["employeeID"],
    FirstName: record["firstName"],
    LastName: record["lastName"],
    Status: ended !== undefined && ended < "2026" ? "TERMINATED" : "ACTIVE",
    Email: record["email"],
    PayrollCalendarID: record["payrollCalendarID"],
    OrdinaryEarningsRateID: ordinaryHours,
    UpdatedDateUTC: dateOf(record["updatedDateUTC"]),
  };
  if (isBlank) return common;
  return {
    ...common,
    DateOfBirth: dateOf(record["dateOfBirth"]),
    Gender: record["gender"],
    Phone: "02 5550 0100",
    Mobile: record["phoneNumber"],
    StartDate: dateOf(record["startDate"]),
    TerminationDate: dateOf(ended),
    JobTitle: "Baker",
    HomeAddress: {
      AddressLine1: "101 Green St",
      City: "Perth",
      Region: "WA",
      PostalCode: "6000",
      Country: "AUSTRALIA",
    },
    TaxDeclaration: { EmploymentBasis: "FULLTIME", TaxFileNumber: taxFileNumber },
    BankAccounts: paymentMethod ? bankAccounts : [],
    PayTemplate: {
      EarningsLines: salaries.map(({ annualSalary }) => ({
        EarningsRateID: ordinaryHours,
        CalculationType: "ANNUALSALARY",
        AnnualSalary: annualSalary,
      })),
    },
    LeaveBalances: balances.map(({ balance }) => ({
      LeaveName: "Annual Leave",
      LeaveTypeID: australianLeave,
      NumberOfUnits: balance,
      TypeOfUnits: "Hours",
    })),
  };
}

/** Nothing of Rollcall may ever have it. */
export const taxFileNumber = "865414088";
const bankAccounts = [
  { AccountName: "Part", BSB: "111111", AccountNumber: "11111111", Remainder: false, Amount: 50 },
  { AccountName: "Pay", BSB: "062000", AccountNumber: "87654321", Remainder: true },
];

function leaveOfAustralia({ record, leave }: XeroPerson): XeroRow[] {
  return leave.map((one) => ({
    LeaveApplicationID: one["leaveID"],
    EmployeeID: record["employeeID"],
    LeaveTypeID: australianLeave,
    Title: "vacation",
    Description: one["description"],
    StartDate: dateOf(one["startDate"]),
    // As Xero tells some: the day is the one in UTC all the same.
    EndDate: dateOf(`${String(one["endDate"]).slice(0, 10)}T22:00:00`),
    PayOutType: "DEFAULT",
    UpdatedDateUTC: dateOf(one["updatedDateUTC"]),
    LeavePeriods: (one["periods"] as XeroRow[]).map(({ numberOfUnits }) => ({
      NumberOfUnits: numberOfUnits,
      LeavePeriodStatus: "SCHEDULED",
    })),
  }));
}

/** One pay run for a month, with a payslip that has a line of each kind. */
function payrunOfAustralia(
  number: number,
  days: { start: string; end: string; paid: string },
): { payrun: XeroRow; payslip: XeroRow } {
  const ids = { EmployeeID: idOf(1, 1), PayslipID: idOf(11, number) };
  return {
    payrun: {
      PayRunID: idOf(5, number),
      PayrollCalendarID: "5e813d9e-949c-461f-8a89-e9ee8955a254",
      PayRunPeriodStartDate: dateOf(days.start),
      PayRunPeriodEndDate: dateOf(days.end),
      PaymentDate: dateOf(days.paid),
      PayRunStatus: "POSTED",
      Payslips: [
        {
          ...ids,
          // 1,000.00 + 2,334.72 + 933.89 + 163.43 + 150.50 + 60
          Wages: 4_642.54,
          Tax: 815,
          Deductions: 104.05,
          Reimbursements: 55,
          // Of the total, without what is paid back.
          NetPay: 3_723.49,
          Super: 400.25,
        },
      ],
    },
    payslip: {
      ...ids,
      Tax: 815,
      NetPay: 3_723.49,
      EarningsLines: [
        { EarningsRateID: ordinaryHours, FixedAmount: 1_000 },
        { EarningsRateID: ordinaryHours, RatePerUnit: 30.72, NumberOfUnits: 76 },
      ],
      LeaveEarningsLines: [
        { EarningsRateID: ordinaryHours, RatePerUnit: 30.72, NumberOfUnits: 30.4 },
        { EarningsRateID: ordinaryHours, RatePerUnit: 5.376, NumberOfUnits: 30.4 },
        {
          EarningsRateID: ordinaryHours,
          RatePerUnit: 30.1,
          NumberOfUnits: 5,
          PayOutType: "CASHED_OUT",
        },
      ],
      TimesheetEarningsLines: [
        { EarningsRateID: ordinaryHours, RatePerUnit: 30, NumberOfUnits: 2 },
      ],
      DeductionLines: [{ DeductionTypeID: unionFees, Amount: 4.05 }],
      SuperannuationLines: [
        { ContributionType: "SGC", Amount: 300.25 },
        { ContributionType: "EMPLOYERADDITIONAL", Amount: 100 },
        { ContributionType: "SALARYSACRIFICE", Amount: 60 },
        { ContributionType: "EMPLOYEE", Amount: 40 },
      ],
      ReimbursementLines: [{ ReimbursementTypeID: travelCosts, Amount: 55 }],
      TaxLines: [
        { TaxTypeName: "PAYG Tax", Description: "Resident", Amount: 800 },
        { TaxTypeName: "HELP Component", Amount: 15 },
      ],
    },
  };
}

const unionFees = "727af5e8-b347-4ae7-85fc-9b82266d0aec";
const travelCosts = "98ba33b2-db5b-4204-bcac-5ddd98d63524";

function createAustralianCompany(people: readonly XeroPerson[]): AustralianCompany {
  const february = payrunOfAustralia(1, {
    start: "2026-02-01",
    end: "2026-02-28",
    paid: "2026-02-27",
  });
  const january = payrunOfAustralia(2, {
    start: "2026-01-01",
    end: "2026-01-31",
    paid: "2026-01-30",
  });
  return {
    people: people.map(ofAustralia),
    calendars: [
      ["5e813d9e-949c-461f-8a89-e9ee8955a254", "Monthly", "MONTHLY"],
      ["d45bc68f-59d6-4000-929d-1058dcfa79e1", "Fortnightly", "FORTNIGHTLY"],
      [twiceMonthly, "Twice a month", "TWICEMONTHLY"],
    ].map(([PayrollCalendarID, Name, CalendarType]) => ({ PayrollCalendarID, Name, CalendarType })),
    payItems: exampleOf("/PayItems", "xero-au")!["PayItems"] as XeroRow,
    leave: people.flatMap(leaveOfAustralia),
    payruns: [february.payrun, january.payrun],
    payslips: [february.payslip, january.payslip],
  };
}

export const twiceMonthly = "216d80e6-af55-47b1-b718-9457c3f5d2fe";

/** The same company, as Xero has it in New Zealand or in Australia. */
export function createCompanyAbroad(people: XeroPerson[], country: "NZ" | "AU"): XeroCompany {
  const british = createCompany(people);
  const organisation = {
    ...british.organisation,
    Version: country,
    CountryCode: country,
    Addresses: [
      {
        AddressType: "STREET",
        AddressLine1: "1 Mill Lane",
        City: "Hobart",
        Region: "TAS",
        PostalCode: "7000",
      },
    ],
  };
  const calendars = [
    ...british.calendars,
    { payrollCalendarID: twiceMonthly, name: "Twice a month", calendarType: "TwiceMonthly" },
  ];
  const rate = country === "NZ" ? ordinaryTime : ordinaryHours;
  const timesheets = british.timesheets.map((one) => ({
    ...one,
    timesheetLines: (one["timesheetLines"] as XeroRow[]).map((line) => ({
      ...line,
      earningsRateID: rate,
    })),
  }));
  const abroad = { ...british, organisation, calendars, timesheets };
  if (country === "AU") return { ...abroad, australia: createAustralianCompany(people) };
  const payruns = british.payruns.map((payrun) => ({
    ...payrun,
    paySlips: payrun.paySlips.map(({ paySlipID, employeeID, payRunID }) =>
      payslipOfNewZealand({ paySlipID, employeeID, payRunID }),
    ),
  }));
  return { ...abroad, people: people.map(ofNewZealand), payruns, vendor: "xero-nz" };
}
