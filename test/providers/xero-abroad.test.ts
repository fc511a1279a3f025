import { describe, expect, test } from "vitest";
import type { ResourceReader } from "../../src/providers/contract.ts";
import { OperationNotSupported, ProviderBug } from "../../src/providers/errors.ts";
import { company } from "../../src/providers/xero/company.ts";
import { employees } from "../../src/providers/xero/employees.ts";
import { payruns } from "../../src/providers/xero/payruns.ts";
import { payslips } from "../../src/providers/xero/payslips.ts";
import { readRoster } from "../../src/providers/xero/roster.ts";
import { signIn } from "../../src/providers/xero/sign-in.ts";
import { groups } from "../../src/providers/xero/settings.ts";
import { timeOffBalances, timeOffEntries } from "../../src/providers/xero/time-off.ts";
import { timesheets } from "../../src/providers/xero/timesheets.ts";
import { openDescription } from "../support/described-vendor.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import {
  createContext,
  fetchRaw,
  readMapped,
  session,
  type Answers,
} from "../support/xero-stage.ts";
import { FakeXero } from "../support/vendors/fake-xero.ts";
import {
  createCompanyAbroad,
  dateOf,
  ordinaryHours,
  taxFileNumber,
} from "../support/vendors/xero-abroad.ts";
import {
  createBlank,
  createPerson,
  idOf,
  type XeroPerson,
  type XeroRow,
} from "../support/vendors/xero-company.ts";

type Country = "NZ" | "AU";

/** All that the fake answers, without a server. */
const answersOf =
  (fake: FakeXero): Answers =>
  ({ path, query }) => {
    const whole = path.includes(".xro/") ? path : `/payroll.xro/2.0${path}`;
    const parameters = new URLSearchParams(query as Record<string, string>);
    const { status, body } = fake.answerData({ path: `${whole}?${parameters.toString()}` });
    return status === 200 ? body : undefined;
  };
const fakeOf = (people: XeroPerson[], country: Country): FakeXero =>
  new FakeXero({ company: createCompanyAbroad(people, country), tenants: [] });
const contextIn = (country: typeof session.country, answers: Answers) =>
  createContext(answers, undefined, undefined, { ...session, country });

/** Sixty people: namesakes, leavers, who came back, who left as a manager, and who has a name alone. */
function createSixty(): XeroPerson[] {
  return [
    createPerson(1, { firstName: "Łucja", lastName: "O'Brien-Ñandú" }),
    createPerson(2, { firstName: "大江", endDate: "2025-06-30T00:00:00" }),
    createBlank(3),
    createPerson(4, { firstName: "Sam", lastName: "Lee" }),
    createPerson(5, { firstName: "Sam", lastName: "Lee", endDate: "2024-12-31T00:00:00" }),
    createPerson(6, { firstName: "Tāne", lastName: "", startDate: "2026-02-02T00:00:00" }),
    createPerson(7, { startDate: "1961-05-01T00:00:00", dateOfBirth: "1945-01-24T00:00:00Z" }),
    createPerson(8, { startDate: "2026-03-02T00:00:00", endDate: "2026-03-02T00:00:00" }),
    createPerson(9, { startDate: "2026-03-03T00:00:00" }),
    ...Array.from({ length: 51 }, (_value, index) => createPerson(index + 10)),
  ];
}

describe.each<Country>(["NZ", "AU"])("sixty people in %s", (country) => {
  test("are all there, with the days and the state of each", async () => {
    const fake = fakeOf(createSixty(), country);
    const found = await readMapped(employees, answersOf(fake), undefined, { country });
    expect(found.map((one) => one?.remote_id)).toEqual(
      Array.from({ length: 60 }, (_value, index) => idOf(1, index + 1)),
    );
    const [first, left, blank, sam, otherSam, tane, oldest, oneDay, starter] = found;
    expect([first?.last_name, blank?.last_name, tane?.last_name]).toEqual([
      "O'Brien-Ñandú",
      "Person",
      "",
    ]);
    expect(blank).toMatchObject({ work_email: null, bank_account: null, date_of_birth: null });
    expect([left, sam, otherSam].map((one) => one?.employment_status)).toEqual([
      "inactive",
      "active",
      "inactive",
    ]);
    expect(oldest).toMatchObject({ date_of_birth: "1945-01-24", start_date: "1961-05-01" });
    expect(oneDay).toMatchObject({ employment_status: "active", termination_date: "2026-03-02" });
    expect(starter?.employment_status).toBe("pending");
    const raw = await fetchRaw(employees, contextIn(country, answersOf(fake)));
    expect(JSON.stringify(raw)).not.toContain(taxFileNumber);
  });

  test("are asked for as Xero's description of the country allows", async () => {
    const fake = fakeOf(createSixty().slice(0, 2), country);
    const asked = new Map<string, string>();
    const answers: Answers = (one) => {
      const parameters = new URLSearchParams(one.query as Record<string, string>).toString();
      const path = one.path.replace("/payroll.xro/1.0", "");
      asked.set(path.replaceAll(/[0-9a-f-]{36}/g, "id"), `${path}?${parameters}`);
      return answersOf(fake)(one);
    };
    const readers: readonly Pick<ResourceReader, "fetch">[] = [
      employees,
      groups,
      payruns,
      timeOffEntries,
      timeOffBalances,
      ...(country === "NZ" ? [timesheets] : []),
    ];
    for (const reader of readers) await fetchRaw(reader, contextIn(country, answers));
    await fetchRaw(payslips, contextIn(country, answers), { payrunRemoteId: idOf(5, 1) });
    const description = await openDescription(`xero-${country.toLowerCase()}`);
    const headers = { authorization: "Bearer access", "xero-tenant-id": "tenant" };
    for (const path of asked.values())
      expect([path, await description.check({ method: "GET", path, headers })]).toEqual([path, []]);
    expect(asked.size).toBe(country === "NZ" ? 18 : 8);
  });
});

const readWith = async (organisation: XeroRow) => {
  const fake = fakeOf([createPerson(1)], "AU");
  const answers: Answers = (asked) =>
    asked.path === "/api.xro/2.0/Organisation"
      ? { Organisations: [organisation] }
      : answersOf(fake)(asked);
  return await fetchRaw(employees, contextIn(undefined, answers));
};

const taxIdIn = async (CountryCode: string) => {
  const found = { Organisations: [{ CountryCode, TaxNumber: "101-2-303" }] };
  return (await readMapped(company, () => found))[0]?.tax_id;
};

describe("which payroll an organisation has", () => {
  test.each<[XeroRow]>([[{ Version: "AUONRAMP" }], [{ CountryCode: "AU" }], [{ Version: "AU" }]])(
    "%j is the Australian one, also where the sign-in did not tell it",
    async (organisation) => {
      expect(await readWith(organisation)).toMatchObject([{ country: "AU" }]);
    },
  );

  test.each<[XeroRow]>([[{ Version: "NZONRAMP" }], [{ CountryCode: "NZ" }], [{}]])(
    "%j is none that Australia answers, and no mistake of Xero's",
    async (organisation) => {
      const fake = createContext(
        ({ path }) => (path.endsWith("n") ? { Organisations: [organisation] } : {}),
        undefined,
        ({ path }) => (path.endsWith("/Organisation") ? 200 : 405),
        { ...session, country: undefined },
      );
      await expect(fetchRaw(employees, fake)).rejects.toThrow(OperationNotSupported);
      expect(fake.asked.at(-1)?.path).toBe("/Employees");
    },
  );

  test.each<typeof session.country>([null, undefined])(
    "of a fourth country (%j) is none: nothing of payroll is asked for",
    async (country) => {
      const context = contextIn(country, () => ({ Organisations: [{ CountryCode: "US" }] }));
      await expect(fetchRaw(payruns, context)).rejects.toThrow(OperationNotSupported);
      expect(context.asked.filter(({ path }) => path.includes("PayRuns"))).toEqual([]);
    },
  );

  test("is asked for at the sign-in's check by its own paths", async () => {
    const asked: string[] = [];
    const context = contextIn("AU", ({ path }) => (asked.push(path), {}));
    const resources = ["employees", "groups", "payruns", "timesheets"] as const;
    const check = { ...context, resources, settings: {}, log: console } as unknown;
    await signIn.check(check as Parameters<typeof signIn.check>[0], { ...session, country: "AU" });
    expect(asked.toSorted()).toEqual([
      "/Timesheets",
      "/payroll.xro/1.0/Employees",
      "/payroll.xro/1.0/PayRuns",
      "/payroll.xro/1.0/PayrollCalendars",
    ]);
  });

  test("leaves out the tax file number of an Australian company alone", async () => {
    expect([await taxIdIn("AU"), await taxIdIn("NZ")]).toEqual([null, "101-2-303"]);
  });
});

const list = (count: number, first = 1) =>
  Array.from({ length: count }, (_value, index) => ({ EmployeeID: idOf(1, first + index) }));

const rosterOf = async (lists: Record<string, XeroRow[]>) => {
  const context = contextIn("AU", ({ query, page }) => {
    const [, status = ""] = /"(\w+)"/.exec(String(query["where"])) ?? [];
    return { Employees: (lists[status] ?? []).slice((page - 1) * 100, page * 100) };
  });
  return { ...(await readRoster(context)), asked: context.asked.length };
};

describe("the lists of people in Australia", () => {
  test.each<[number, number, number]>([
    [99, 0, 2],
    [100, 0, 5],
    [101, 1, 5],
  ])("of %i and %i are whole after %i requests", async (active, left, requests) => {
    const found = await rosterOf({ ACTIVE: list(active), TERMINATED: list(left, 500) });
    expect([found.listed.length, found.isWhole, found.asked]).toEqual([
      active + left,
      true,
      requests,
    ]);
  });

  test("have somebody who moves between them once, as the one who left", async () => {
    const left = { EmployeeID: idOf(1, 2), Status: "TERMINATED" };
    const { listed } = await rosterOf({ ACTIVE: list(3), TERMINATED: [left] });
    expect(listed.map(({ record }) => (record as XeroRow)["status"])).toEqual([
      undefined,
      "TERMINATED",
      undefined,
    ]);
  });

  test.each<[string, unknown]>([
    ["no list", {}],
    ["something else than a person", [null]],
    ["nobody's id", [{ FirstName: "Ada" }]],
  ])("with %s are a mistake of Xero's, and nobody has left", async (_name, Employees) => {
    const context = contextIn("AU", () => ({ Employees }));
    await expect(readRoster(context)).rejects.toThrow(ProviderBug);
  });
});

const payItems = {
  PayItems: {
    EarningsRates: [
      {
        EarningsRateID: ordinaryHours,
        Name: "Ordinary",
        TypeOfUnits: "Hours",
        RatePerUnit: "41.5",
      },
      { EarningsRateID: "by-day", Name: "Day", TypeOfUnits: "Days", RatePerUnit: 300 },
      { EarningsRateID: "overtime", Name: "Overtime", RateType: "MULTIPLE" },
    ],
    LeaveTypes: [
      {
        LeaveTypeID: "annual",
        Name: "Time Out",
        TypeOfUnits: "Hours",
        LeaveCategoryCode: "ANNUALLEAVE",
      },
      { LeaveTypeID: "days", Name: "Personal/Carer's Leave", TypeOfUnits: "Days" },
      { LeaveTypeID: "weeks", Name: "Long Service Leave", TypeOfUnits: "Weeks" },
      { LeaveTypeID: "jury", Name: "Other", LeaveCategoryCode: "JURYDUTYLEAVE" },
      { LeaveTypeID: "kind", Name: "Compassionate Leave (paid)" },
    ],
  },
};

async function australianOf(fields: XeroRow) {
  const base = { EmployeeID: "e-1", LastName: "Maple", PayrollCalendarID: "c-1" };
  const person = { ...base, OrdinaryEarningsRateID: ordinaryHours, ...fields };
  const answers: Answers = ({ path, query }) => {
    if (path.endsWith("/PayItems")) return payItems;
    if (path.endsWith("/PayrollCalendars"))
      return { PayrollCalendars: [{ PayrollCalendarID: "c-1", CalendarType: "TWICEMONTHLY" }] };
    if (path.endsWith("/e-1")) return { Employees: [person] };
    return { Employees: String(query["where"]).includes("ACTIVE") ? [base] : [] };
  };
  return (await readMapped(employees, answers, undefined, { country: "AU" }))[0]!;
}

const line = (fields: XeroRow) => ({ EarningsRateID: ordinaryHours, ...fields });

describe("somebody in Australia", () => {
  test.each<[XeroRow, object]>([
    [{ DateOfBirth: "/Date(-786931200000+0000)/" }, { date_of_birth: "1945-01-24" }],
    [{ DateOfBirth: "/Date(321494400000)/" }, { date_of_birth: "1980-03-10" }],
    // Auckland and Sydney, in summer and winter: the day is the one in UTC.
    [{ StartDate: "/Date(1547164800000+1300)/" }, { start_date: "2019-01-11" }],
    [{ StartDate: "/Date(1561932000000+1000)/" }, { start_date: "2019-06-30" }],
    [{ DateOfBirth: "/Date(1e9)/" }, { date_of_birth: null }],
    [{ Gender: "N" }, { gender: "not_specified" }],
    [{ Gender: "I" }, { gender: "not_specified" }],
    [{ Phone: "1", Mobile: "2" }, { mobile_phone_number: "2" }],
    [{ Phone: "1", Mobile: "" }, { mobile_phone_number: "1" }],
    [{ Status: "TERMINATED" }, { employment_status: "inactive", termination_date: null }],
    [
      { Status: "TERMINATED", TerminationDate: dateOf("2026-04-01") },
      { employment_status: "active", termination_date: "2026-04-01" },
    ],
    [{ EmploymentType: "CONTRACTOR" }, { employment_type: "contractor" }],
    [{ TaxDeclaration: { EmploymentBasis: "PARTTIME" } }, { employment_type: "part_time" }],
    [{ TaxDeclaration: { EmploymentBasis: "CASUAL" } }, { employment_type: "other" }],
    [{ TaxDeclaration: { EmploymentBasis: "LABOURHIRE" } }, { employment_type: "contractor" }],
    [{ TaxDeclaration: { EmploymentBasis: "SUPERINCOMESTREAM" } }, { employment_type: "other" }],
    [{ TaxDeclaration: { EmploymentBasis: "NONEMPLOYEE" } }, { employment_type: "other" }],
    [{ TaxDeclaration: { TaxFileNumber: taxFileNumber } }, { tax_id: null }],
    [{ HomeAddress: { Region: "vic" } }, { home_location: { administrative_area: "Victoria" } }],
    [{ HomeAddress: { Region: "Java" } }, { home_location: { administrative_area: "Java" } }],
    [{ BankAccounts: [{ BSB: "1" }, { BSB: "2" }] }, { bank_account: { sort_code: "1" } }],
    [{ PayTemplate: { EarningsLines: [] } }, { employments: [] }],
    [{ PayTemplate: { EarningsLines: [line({}), line({})] } }, { employments: [] }],
  ])("with %j is %j", async (fields, expected) => {
    expect(await australianOf(fields)).toMatchObject(expected);
  });

  test.each<[XeroRow, string, number | null, string | null]>([
    [{ CalculationType: "USEEARNINGSRATE" }, ordinaryHours, 41.5, "HOUR"],
    [{ CalculationType: "ENTEREARNINGSRATE", RatePerUnit: 39 }, ordinaryHours, 39, "HOUR"],
    [{ CalculationType: "ANNUALSALARY", AnnualSalary: 90_000.5 }, "by-day", 90_000.5, "YEAR"],
    [{ CalculationType: "USEEARNINGSRATE" }, "by-day", null, null],
    [{ CalculationType: "ENTEREARNINGSRATE", RatePerUnit: 39 }, "gone", null, null],
  ])("paid by %j of %s is paid %j for a %j", async (fields, rate, amount, period) => {
    const { employments } = await australianOf({
      OrdinaryEarningsRateID: rate,
      PayTemplate: { EarningsLines: [{ EarningsRateID: rate, ...fields }] },
    });
    expect(employments).toMatchObject([
      { pay_rate: amount, pay_period: period, pay_frequency: "semimonthly", currency: "aud" },
    ]);
  });
});

const leaveOf = async (fields: XeroRow, ...statuses: string[]) => {
  const leave = {
    LeaveApplicationID: "l-1",
    EmployeeID: "e-1",
    LeaveTypeID: "annual",
    LeavePeriods: statuses.map((LeavePeriodStatus) => ({
      NumberOfUnits: 3.8,
      LeavePeriodStatus,
    })),
    ...fields,
  };
  const answers: Answers = ({ path }) =>
    path.endsWith("/PayItems") ? payItems : { LeaveApplications: [leave] };
  const entries = await readMapped(timeOffEntries, answers, undefined, { country: "AU" });
  return entries.filter((entry) => entry !== null);
};

describe("leave in Australia", () => {
  test.each<[XeroRow, string[], object[]]>([
    [{}, ["SCHEDULED", "PROCESSED"], [{ status: "approved", amount: 7.6, unit: "hours" }]],
    [{}, ["REQUESTED"], [{ status: "pending", policy_type: "vacation" }]],
    [{}, ["REJECTED"], [{ status: "rejected" }]],
    [{}, ["REQUESTED", "REJECTED"], [{ status: null }]],
    [{ LeaveTypeID: "days" }, ["SCHEDULED"], [{ unit: "days", policy_type: "sick" }]],
    [{ LeaveTypeID: "jury" }, ["SCHEDULED"], [{ unit: "hours", policy_type: "jury_duty" }]],
    [{ LeaveTypeID: "kind" }, ["SCHEDULED"], [{ policy_type: "bereavement" }]],
    [{ LeaveTypeID: null }, ["REQUESTED"], [{ policy_remote_id: null, unit: "hours" }]],
    [{ LeaveTypeID: "weeks" }, ["SCHEDULED"], []],
    [{ PayOutType: "CASHED_OUT" }, ["SCHEDULED"], []],
  ])("with %j and %j is %j", async (fields, statuses, expected) => {
    expect(await leaveOf(fields, ...statuses)).toMatchObject(expected);
  });

  test("of Perth, as its day is in UTC", async () => {
    const [StartDate, EndDate] = [dateOf("2026-07-06T00:00:00"), dateOf("2026-07-07T22:00:00")];
    expect(await leaveOf({ StartDate, EndDate })).toMatchObject([
      { start_date: "2026-07-06", end_date: "2026-07-07" },
    ]);
  });
});

const run = { PayRunID: "run-1", PayRunPeriodStartDate: dateOf("2026-02-01") };
const runDays = { PayRunPeriodEndDate: dateOf("2026-02-28"), PaymentDate: dateOf("2026-02-27") };

async function slipsOf(slips: readonly { summary: XeroRow; detail: XeroRow }[]) {
  const summaries = slips.map(({ summary }, index) => ({ PayslipID: `s-${index}`, ...summary }));
  const details = new Map(slips.map(({ detail }, index) => [`s-${index}`, detail]));
  const answers: Answers = ({ path }) => {
    if (path.endsWith("/PayItems")) return payItems;
    if (path.endsWith("/run-1")) return { PayRuns: [{ ...run, ...runDays, Payslips: summaries }] };
    const id = path.split("/").at(-1) ?? "";
    const detail = details.get(id);
    return detail && { Payslip: { PayslipID: id, EmployeeID: "e-1", ...detail } };
  };
  const parameters = { payrunRemoteId: "run-1" };
  return await readMapped(payslips, answers, parameters, { country: "AU" });
}

const leaveLine = (RatePerUnit: number, NumberOfUnits: number, fields: XeroRow = {}) => ({
  EarningsRateID: ordinaryHours,
  RatePerUnit,
  NumberOfUnits,
  ...fields,
});

const cents = (count: number) => count / 100;

const sum = (list: readonly { amount: number }[] | null | undefined) =>
  (list ?? []).reduce((all, { amount }) => all + amount, 0);

describe("a payslip in Australia", () => {
  test.each<[XeroRow[], (number | null)[], string]>([
    [[leaveLine(30, 8), leaveLine(30, 8)], [8, 8], "two days of leave"],
    [[leaveLine(30, 8), leaveLine(5.25, 8)], [8, null], "leave and its loading"],
    [[leaveLine(30, 8), leaveLine(5.25, 4)], [8, 4], "leave of other hours"],
    [[leaveLine(30, 8), leaveLine(0, 8)], [8, 8], "leave and unpaid leave"],
    [[leaveLine(30, 8), leaveLine(15, 8)], [8, 8], "leave and leave at half pay"],
    [
      [leaveLine(30, 8, { PayOutType: "CASHED_OUT" }), leaveLine(5.25, 8)],
      [null, 8],
      "leave beside leave that is paid out",
    ],
  ])("with %j has the hours %j: %s", async (lines, hours) => {
    const [slip] = await slipsOf([{ summary: {}, detail: { LeaveEarningsLines: lines } }]);
    expect(slip?.earnings?.map((one) => one.hours)).toEqual(hours);
  });

  test.each<[number, number]>([
    [60, 1],
    [0, 0],
    [10, 0],
  ])("whose deductions are %d has %i of them for super", async (Deductions, count) => {
    const SuperannuationLines = [
      { ContributionType: "SALARYSACRIFICE", Amount: 60 },
      { ContributionType: "SGC", Amount: 12 },
    ];
    const [slip] = await slipsOf([{ summary: { Deductions }, detail: { SuperannuationLines } }]);
    expect(slip?.deductions).toHaveLength(count);
    expect(slip?.contributions).toEqual([{ name: "Superannuation guarantee", amount: 1_200 }]);
  });

  test("of a rate that is a multiple of the ordinary one is in hours", async () => {
    const EarningsLines = [
      { EarningsRateID: "overtime", RatePerUnit: 45.55, NumberOfUnits: 1.1 },
      { EarningsRateID: "by-day", RatePerUnit: 300, NumberOfUnits: 1 },
    ];
    const [slip] = await slipsOf([{ summary: {}, detail: { EarningsLines } }]);
    expect(slip?.earnings).toEqual([
      { name: "Overtime", amount: 5_011, hours: 1.1 },
      { name: "Day", amount: 30_000, hours: null },
    ]);
  });

  test.each(["1,5", "1e3", "much"])("with a rate of %j is a mistake of Xero's", async (rate) => {
    const detail = { EarningsLines: [{ RatePerUnit: rate, NumberOfUnits: 1 }] };
    await expect(slipsOf([{ summary: {}, detail }])).rejects.toThrow(ProviderBug);
  });

  test("adds up to the cent, five hundred times with awkward decimals", async () => {
    const random = new SeededRandom(20_260_302);
    const slips = Array.from({ length: 500 }, () => {
      const lines = Array.from({ length: 1 + random.below(5) }, () => ({
        EarningsRateID: ordinaryHours,
        RatePerUnit: random.below(1_000_000) / 10_000,
        NumberOfUnits: random.below(100_000) / 1_000,
      }));
      // In ten millionths, of which a cent has a hundred thousand: by whole numbers alone.
      const wages = lines
        .map(({ RatePerUnit: rate, NumberOfUnits: units }) =>
          Math.floor((Math.round(rate * 1e4) * Math.round(units * 1e3) + 50_000) / 100_000),
        )
        .reduce((sum, one) => sum + one, 0);
      const [tax, fee, paidBack] = [random.below(90_001), random.below(999), random.below(9_999)];
      return {
        gross: wages,
        net: wages - tax - fee + paidBack,
        summary: {
          Wages: cents(wages),
          Deductions: cents(fee),
          NetPay: cents(wages - tax - fee),
          Reimbursements: cents(paidBack),
        },
        detail: {
          EarningsLines: lines,
          DeductionLines: [{ Amount: cents(fee) }],
          TaxLines: [{ TaxTypeName: "PAYG Tax", Amount: cents(tax) }],
          ReimbursementLines: [{ Description: "Bus", Amount: cents(paidBack) }],
        },
      };
    });
    const read = await slipsOf(slips);
    const byId = new Map(read.map((one) => [one?.remote_id, one]));
    for (const [index, { gross, net }] of slips.entries()) {
      const slip = byId.get(`s-${index}`);
      expect([slip?.gross_pay, slip?.net_pay]).toEqual([gross, net]);
      expect(sum(slip?.earnings)).toBe(gross);
      const taken = sum(slip?.deductions) + sum(slip?.taxes);
      expect(gross - taken + sum(slip?.reimbursements)).toBe(net);
    }
    expect(read).toHaveLength(500);
  });

  test("that was deleted meanwhile is passed over, and the others are there", async () => {
    const slips = [
      { summary: {}, detail: {} },
      { summary: { PayslipID: "gone" }, detail: {} },
    ];
    expect(await slipsOf(slips)).toHaveLength(1);
  });
});

const readOne = async (change: (person: XeroPerson) => void) => {
  const fake = fakeOf([createPerson(1)], "NZ");
  change(fake.company.people[0]!);
  const asIs = { country: "NZ" as const };
  const answers = answersOf(fake);
  const [person] = await readMapped(employees, answers, undefined, asIs);
  const entries = await readMapped(timeOffEntries, answers, undefined, asIs);
  const balances = await readMapped(timeOffBalances, answers, undefined, asIs);
  return { person: person!, entries, balances };
};

const period = (typeOfUnits: string, periodStatus = "Approved") => ({
  numberOfUnits: 1.5,
  typeOfUnits,
  periodStatus,
});

const linesOf = (found: readonly number[]) => found.map((one) => ({ amount: cents(one) }));
const total = (...found: readonly (readonly number[])[]): number =>
  found.flat().reduce((all, one) => all + one, 0);

describe("in New Zealand", () => {
  test.each([
    ["Casual", "other"],
    ["Permanent", null],
    ["FixedTerm", null],
  ])("who is engaged as %s is %j", async (engagementType, type) => {
    const { person } = await readOne(({ record }) => Object.assign(record, { engagementType }));
    expect(person).toMatchObject({
      employment_type: type,
      employments: [{ employment_type: type }],
    });
  });

  test.each(["Cheque", "Manual"])("who is paid by %s has no account", async (paymentMethod) => {
    const { person } = await readOne((one) => Object.assign(one.paymentMethod!, { paymentMethod }));
    expect(person.bank_account).toBeNull();
  });

  test("payslips add up to the cent, five hundred times with awkward decimals", async () => {
    const random = new SeededRandom(20_261_126);
    const amounts = (most: number) =>
      Array.from({ length: random.below(4) }, () => random.below(most));
    const slips = Array.from({ length: 500 }, (_value, index) => {
      const [earned, leave, sheets] = [amounts(999_999), amounts(99_999), amounts(99_999)];
      const [deducted, statutory, tax] = [amounts(9_999), amounts(9_999), amounts(90_001)];
      const [paidBack, ofEmployer, saver] = [amounts(9_999), amounts(9_999), amounts(9_999)];
      const gross = total(earned, leave, sheets);
      const net = gross - total(deducted, statutory, tax) + total(paidBack);
      const slip = {
        paySlipID: `s-${index}`,
        employeeID: "e-1",
        grossEarnings: cents(gross),
        totalPay: cents(net),
        earningsLines: linesOf(earned),
        leaveEarningsLines: linesOf(leave),
        timesheetEarningsLines: linesOf(sheets),
        deductionLines: linesOf(deducted),
        statutoryDeductionLines: linesOf(statutory),
        superannuationLines: linesOf(saver),
        reimbursementLines: linesOf(paidBack),
        employeeTaxLines: linesOf(tax),
        employerTaxLines: linesOf(ofEmployer),
      };
      return { gross, net, slip, ofEmployer: total(ofEmployer), saver: total(saver) };
    });
    const [periodStartDate, periodEndDate] = ["2026-02-01", "2026-02-28"];
    const payRun = { payRunID: "run", periodStartDate, periodEndDate, paymentDate: periodEndDate };
    const own = answersOf(fakeOf([createPerson(1)], "NZ"));
    const answers: Answers = (asked) => {
      if (asked.path === "/PayRuns/run") return { payRun };
      if (asked.path === "/PaySlips")
        return { pagination: { page: 1, pageCount: 1 }, paySlips: slips.map(({ slip }) => slip) };
      return own(asked);
    };
    const read = await readMapped(payslips, answers, { payrunRemoteId: "run" }, { country: "NZ" });
    expect(read).toHaveLength(500);
    for (const [index, { gross, net, ofEmployer, saver }] of slips.entries()) {
      const slip = read[index];
      const theirs = (slip?.taxes ?? []).filter(({ employer_tax: isEmployers }) => !isEmployers);
      expect([slip?.gross_pay, slip?.net_pay, sum(slip?.earnings)]).toEqual([gross, net, gross]);
      expect(gross - sum(slip?.deductions) - sum(theirs) + sum(slip?.reimbursements)).toBe(net);
      expect(sum(slip?.taxes) - sum(theirs)).toBe(ofEmployer);
      expect(sum(slip?.contributions)).toBe(saver);
    }
  });

  test("who has no tax set up has no number, and the pay of an hour is not of a year", async () => {
    const { person } = await readOne((one) => {
      one.tax = undefined;
      one.salaries = [{ paymentType: "Hourly", ratePerUnit: 25, annualSalary: 25 }];
    });
    expect(person).toMatchObject({
      tax_id: null,
      employments: [{ pay_rate: 25, pay_period: "HOUR", currency: "nzd" }],
    });
  });

  test.each<[XeroRow[], unknown]>([
    [[period("Days")], expect.objectContaining({ amount: 1.5, unit: "days", status: "approved" })],
    [
      [period("hours", "Estimated")],
      expect.objectContaining({ amount: 1.5, unit: "hours", status: null }),
    ],
    [[period("Weeks")], null],
    [[period("Hours"), period("Days")], null],
  ])("leave of %j is %j", async (periods, expected) => {
    const { entries } = await readOne(({ leave }) => {
      leave.splice(1);
      Object.assign(leave[0]!, { periods });
    });
    expect(entries).toEqual([expected]);
  });

  test("leave that is paid out is none", async () => {
    const cashUp = "71b548db-6e40-4b64-be8b-f6a71455d8ab";
    const { entries } = await readOne(({ leave }) => {
      leave.splice(1);
      Object.assign(leave[0]!, { leaveTypeID: cashUp });
    });
    expect(entries).toEqual([null]);
  });

  test("a balance in weeks has no unit, and one in dollars is none", async () => {
    const { balances } = await readOne((one) => {
      one.balances = ["Weeks", "Dollars", "Days"].map((typeOfUnits) => ({
        name: "Holiday Pay",
        typeOfUnits,
        balance: 2,
      }));
    });
    expect(balances).toMatchObject([
      { unit: null, balance: 2, policy_type: null },
      { unit: "days", balance: 2 },
    ]);
  });
});
