import { beforeEach, describe, expect, test } from "vitest";
import { resources as allResources } from "../../src/model/index.ts";
import type {
  FetchParameters,
  ReadContext,
  ResourceReader,
  SignInContext,
} from "../../src/providers/contract.ts";
import { employmentHero } from "../../src/providers/employment-hero/index.ts";
import { FieldError } from "../../src/providers/errors.ts";
import type { SourceRecord } from "../../src/providers/source-records.ts";
import { createHeroKeys, heroUser } from "../support/fake-employment-hero-conformance.ts";
import { SeededRandom } from "../support/seeded-random.ts";
import { TestClock } from "../support/test-clock.ts";
import {
  businessId,
  createBusiness,
  person,
  type FakeBusiness,
  type Wire,
} from "../support/vendors/employment-hero-company.ts";
import { FakeEmploymentHero } from "../support/vendors/fake-employment-hero.ts";

const { resources } = employmentHero.modes.xhr!;
type Resource = keyof typeof resources;
type Region = "au" | "nz" | "uk" | "sg" | "my";

const range = { start: "2026-01-01", end: "2026-12-31" };
const today = "2026-06-01";
const midnight = new Date(`${today}T00:00:00Z`);
let now = midnight;
let business: FakeBusiness;
let fake: FakeEmploymentHero;

beforeEach(() => {
  now = midnight;
  business = createBusiness([]);
  fake = new FakeEmploymentHero([business], createHeroKeys());
});

/** Nothing leaves the process. */
function contextOf(region: Region, timeZone: string) {
  const session = {
    region,
    key: "key-of-one",
    userId: "11",
    email: heroUser.email,
    timeZone,
    businessId: String(businessId),
  };
  const context = {
    clock: new TestClock(now),
    signal: new AbortController().signal,
    settings: {},
    cursor: undefined,
    resources: allResources,
    http: () => ({ request: async (request: AskedFor) => answer(request) }),
    withSession: (work: (of: object) => unknown) => work(session),
  } as unknown as ReadContext;
  return { session, context };
}

/** What the reader yields, and what is made of it. */
async function read<R extends Resource>(region: Region, resource: R, more: Wire = {}) {
  const { timeZone = heroUser.timeZone, ...parameters } = more as { timeZone?: string };
  const { session, context } = contextOf(region, timeZone);
  const reader: ResourceReader = resources[resource]!;
  const asked = { range, ...parameters } as FetchParameters;
  const raw: unknown[] = [];
  for await (const page of reader.fetch(context, session, asked))
    raw.push(...("records" in page ? page.records : page));
  const mapped = raw.map((one) => reader.map(one as never, { today, parameters: asked }));
  return { raw, records: mapped.filter((one) => one !== null) as SourceRecord<R>[] };
}

interface AskedFor {
  url: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
}

function answer({ url, query = {}, headers }: AskedFor) {
  const { pathname } = new URL(url);
  const path = `${pathname}?${new URLSearchParams(query).toString()}`;
  const { status, body } = fake.answer(path, headers["authorization"]);
  const bytes = Buffer.from(JSON.stringify(body));
  const json = () => JSON.parse(bytes.toString()) as unknown;
  return { status, headers: { "content-type": "application/json" }, bytes, json };
}

const address = { residentialStreetAddress: "1 Low Road", residentialPostCode: "2000" };
const taxFileNumber = "123456782";

describe("people of each country", () => {
  test.each<[Region, Wire, Wire]>([
    [
      "au",
      {
        ...address,
        taxFileNumber,
        superFund1_MemberNumber: "member-77",
        employmentType: "Labour Hire",
        residentialSuburb: "SYDNEY",
        residentialState: "NSW",
        bankAccount1_BSB: "062-000",
        bankAccount1_AccountNumber: "12345678",
        rate: 0,
      },
      {
        tax_id: null,
        employment_type: "contractor",
        home_location: {
          street_address: "1 Low Road",
          locality: "SYDNEY",
          administrative_area: "NSW",
          post_code: "2000",
          country: "AU",
        },
        bank_account: { account_number: "12345678", sort_code: "062-000" },
        employments: [{ currency: "aud", pay_rate: null, pay_period: null }],
      },
    ],
    [
      "nz",
      {
        ...address,
        taxCodeDeclaration_IrdNumber: "49091850",
        residentialAddressIsOverseas: true,
        rateUnit: "Daily",
      },
      {
        tax_id: "49091850",
        home_location: { street_address: "1 Low Road", country: null },
        employments: [{ currency: "nzd", pay_period: "DAY" }],
      },
    ],
    [
      "uk",
      {
        ...address,
        employmentType: undefined,
        isIR35Contractor: true,
        payrollId: "P-9",
        externalId: "E-9",
        nationality: "UA",
        nationalInsuranceNumber: "QQ123456C",
        residentialCity: "York",
        residentialCounty: "North Yorkshire",
        residentialCountry: "Ireland",
        bankAccount1_SortCode: "11-22-33",
      },
      {
        tax_id: "QQ123456C",
        employee_number: "P-9",
        nationality: "UA",
        employment_type: "contractor",
        home_location: {
          locality: "York",
          administrative_area: "North Yorkshire",
          country: "IE",
        },
        bank_account: { sort_code: "11-22-33" },
        employments: [{ currency: "gbp", employment_type: "contractor" }],
      },
    ],
    [
      "my",
      {
        employmentType: "Permanent",
        incomeTaxNumber: "IG115002000",
        maritalStatus: "Divorced",
        ethnicity: "Iban",
        nationality: "Malaysian",
        bankAccount1_BankName: "Maybank",
        bankAccount1_AccountNumber: "5140",
        gender: "Other",
      },
      {
        tax_id: "IG115002000",
        employment_type: "full_time",
        marital_status: "divorced",
        ethnicity: "other",
        gender: "not_specified",
        nationality: null,
        home_location: null,
        bank_account: { bank_name: "Maybank" },
        custom_fields: { nationality: "Malaysian" },
        employments: [{ currency: "myr" }],
      },
    ],
  ])("of %s have the fields of its payroll", async (region, wire, expected) => {
    business.people = [person(1, wire)];
    const { raw, records } = await read(region, "employees");
    expect(records).toMatchObject([{ remote_id: "1", ...expected }]);
    const whole = JSON.stringify([raw, records]);
    expect(whole).not.toContain(taxFileNumber);
    expect(whole).not.toContain("member-77");
  });

  test.each([
    ["Nric", "S1234567D"],
    ["Fin", "S1234567D"],
    ["Passport", null],
    ["ForeignIC", null],
    [null, "S1234567D"],
  ])("have a number of %s as tax id: %s", async (identityType, taxId) => {
    const number = { nationalRegistrationIdentityNumber: "S1234567D" };
    business.people = [person(1, { identityType, ...number })];
    expect((await read("sg", "employees")).records).toMatchObject([{ tax_id: taxId }]);
  });

  test.each([
    ["2026-05-31", "inactive"],
    ["2026-06-01", "active"],
    ["2026-06-30", "active"],
    [null, "inactive"],
  ])("that were terminated with %s as last day are %s", async (endDate, status) => {
    business.people = [person(1, { status: "Terminated", endDate })];
    expect((await read("au", "employees")).records).toMatchObject([
      { employment_status: status, termination_date: endDate },
    ]);
  });

  test("have the two letters of a province of Canada", async () => {
    business.people = [person(1, { residentialCountry: "Canada", residentialState: "Ontario" })];
    expect((await read("sg", "employees")).records).toMatchObject([
      { home_location: { administrative_area: "ON", country: "CA" } },
    ]);
  });

  test.each<[string, Wire[], Wire]>([
    ["is used", [{ id: 31, name: "Leaf" }], { remote_id: "31", name: "Leaf" }],
    [
      "is not used any more",
      [{ id: 31, name: "Leaf", isDeactivated: true }],
      { remote_id: "31", name: "Leaf" },
    ],
    ["is not in the list", [{ id: 32, name: "Cup" }], { remote_id: "31", name: null }],
  ])("are of an employing entity that %s", async (_what, entities, company) => {
    business.people = [person(1, { employingEntityId: "31" }), person(2)];
    business.entities = entities;
    const { records } = await read("sg", "employees");
    expect(records.map((one) => one.custom_fields)).toEqual([{ company }, null]);
  });

  test.each<[Region, Wire, Wire]>([
    ["au", { abn: "51824753556" }, { tax_id: "51824753556" }],
    ["nz", { nzbn: "9429041535110" }, { tax_id: "9429041535110" }],
    ["my", { crn: "202001012345" }, { tax_id: "202001012345" }],
    [
      "uk",
      { chrn: "01234567", city: "York", county: "North Yorkshire", addressLine3: "Mill" },
      {
        tax_id: null,
        address: {
          street_address: "3, 09, 21, Market Street, Raffles Place, Mill",
          locality: "York",
          administrative_area: "North Yorkshire",
          post_code: "048940",
          country: "GB",
        },
      },
    ],
  ])("of %s work for a company with its tax id", async (region, wire, expected) => {
    const { uen: _uen, ...record } = business.record;
    Object.assign(business, { record: { ...record, suburb: null, state: null, ...wire } });
    fake = new FakeEmploymentHero([business], createHeroKeys());
    const { records } = await read(region, "company");
    expect(records).toMatchObject([expected]);
  });
});

test("a place without the name of its whole path has its own", async () => {
  business.locations = [{ id: 51, name: "Head office" }];
  expect((await read("sg", "work-locations")).records).toMatchObject([{ name: "Head office" }]);
});

/** Amounts by which each country takes from pay, and those that may stand inside of another one. */
const takenBy: Readonly<Record<Region, readonly string[]>> = {
  au: ["paygWithholdingAmount", "helpAmount", "sfssAmount"],
  nz: [
    "payeWithholdingAmount",
    "kiwiSaverEmployeeContributionAmount",
    "studentLoanAmount",
    "studentLoanAdditionalMandatoryAmount",
    "studentLoanAdditionalVoluntaryAmount",
  ],
  uk: [
    "payeWithholdingAmount",
    "employeeNationalInsuranceContribution",
    "studentLoanComponentAmount",
    "postGradLoanComponentAmount",
    "employeePensionContribution",
  ],
  sg: ["withholdingTaxAmount", "clearanceTaxAmount", "cpfEmployeeContributionAmount"],
  my: [
    "cp38Amount",
    "epfEmployeeAmount",
    "socsoEmployeeAmount",
    "socsoSkbbkEmployeeAmount",
    "eisEmployeeAmount",
  ],
};
const paidBy: Readonly<Record<Region, readonly string[]>> = {
  au: ["superContribution", "employerLiabilitiesTotal"],
  nz: ["esctContributionAmount", "kiwiSaverEmployerContributionAmount", "employerLiabilitiesTotal"],
  uk: [
    "employerNationalInsuranceContributionIncludingClass1A",
    "employerPensionContribution",
    "employerLiabilitiesTotal",
  ],
  sg: [
    "sdlContributionAmount",
    "cpfEmployerContributionAmount",
    "employerVoluntaryCpfAmount",
    "employerVoluntaryMediSaveAmount",
    "employerLiabilitiesTotal",
  ],
  my: [
    "epfEmployerAmount",
    "socsoEmployerAmount",
    "eisEmployerAmount",
    "hrdfAmount",
    "pcbBorneByEmployerAmount",
    "employerLiabilitiesTotal",
  ],
};
const regions = Object.keys(takenBy) as Region[];
const total = (lines: readonly { amount: number }[] | null | undefined): number =>
  (lines ?? []).reduce((sum, { amount }) => sum + amount, 0);
/** Ten thousandths as the number that JSON has. */
const written = (value: number): number => value / 10_000;

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** A slip of which every line has up to four decimals, and the totals are their exact sums. */
function generate(random: SeededRandom, region: Region, employeeId: number): Wire {
  const some = (most: number): number => random.below(most * 10_000) + 1;
  const earnings = Array.from({ length: 1 + random.below(5) }, () => some(900));
  const deductions = Array.from({ length: random.below(4) }, () => some(20));
  const expenses = Array.from({ length: random.below(3) }, () => some(50));
  const taken = takenBy[region].map((name) => [name, some(30)] as const);
  const pcb = region === "my" ? some(20) : 0;
  const sign = random.chance(0.1) ? -1 : 1;
  const gross = sum(earnings);
  const net = gross - sum(deductions) - sum(taken.map(([, value]) => value)) - pcb;
  const line = (value: number) => ({ amount: written(sign * value) });
  return {
    employeeId,
    grossEarnings: written(sign * gross),
    netEarnings: written(sign * net),
    earningsLines: earnings.map((one) => ({ grossEarnings: written(sign * one) })),
    deductions: deductions.map((one) => ({ name: "Union", ...line(one) })),
    employeeExpenses: expenses.map((one) => ({ ...line(one) })),
    otherAmounts: pcb === 0 ? [] : [{ category: "Taxes", name: "PCB", ...line(pcb) }],
    ...Object.fromEntries(taken.map(([name, value]) => [name, written(sign * value)])),
    ...Object.fromEntries(paidBy[region].map((name) => [name, 10.005])),
  };
}

const payslipsOf = async (region: Region, slips: readonly Wire[], details: Wire[] = []) => {
  business.slips = {
    502: Object.fromEntries(slips.map((one) => [String(one["employeeId"]), one])),
  };
  business.totals = { 502: details };
  const { records } = await read(region, "payslips", { payrunRemoteId: "502" });
  return records;
};

const pay = { employeeId: 1, grossEarnings: 1_000, earningsLines: [{ grossEarnings: 1_000 }] };

describe("payslips", () => {
  test("have the hours of what is paid by the hour, and the names of their lines", async () => {
    const [slip] = (await read("sg", "payslips", { payrunRemoteId: "502" })).records;
    expect(slip).toMatchObject({
      start_date: "2026-02-01",
      end_date: "2026-02-28",
      payment_date: "2026-02-27",
      currency: "sgd",
      earnings: [
        { name: "Salary", amount: 500_000, hours: null },
        { name: "Overtime", amount: 20_050, hours: 4.5 },
      ],
      deductions: [{ name: "Union" }, { name: "CDAC" }, { name: "CPF" }],
      reimbursements: [{ name: "Taxi", amount: 4_520 }],
    });
    business.payCategories = [{ id: 61, name: "Salary", rateUnit: "Hourly" }];
    const [fixed] = (await read("sg", "payslips", { payrunRemoteId: "502" })).records;
    expect(fixed?.earnings?.map(({ hours }) => hours)).toEqual([null, null]);
  });

  test("of Malaysia have the monthly tax of the other amounts", async () => {
    const tax = { category: "Taxes", name: "PCB", amount: 120.5 };
    const slip = { ...pay, netEarnings: 879.5, otherAmounts: [tax] };
    expect(await payslipsOf("my", [slip])).toMatchObject([
      { taxes: [{ name: "PCB", amount: 12_050, employer_tax: false }] },
    ]);
  });

  test("of 500 with awkward decimals add up to the last hundredth", async () => {
    const random = new SeededRandom(2026);
    for (const region of regions) {
      const slips = Array.from({ length: 100 }, (_value, index) =>
        generate(random, region, index + 1),
      );
      const records = await payslipsOf(region, slips);
      expect(records).toHaveLength(100);
      for (const [index, slip] of records.entries()) {
        const own = (slip.taxes ?? []).filter(({ employer_tax: isOfEmployer }) => !isOfEmployer);
        const net =
          (slip.gross_pay ?? NaN) -
          total(slip.deductions) -
          total(own) +
          total(slip.reimbursements);
        expect([region, index, total(slip.earnings), net]).toEqual([
          region,
          index,
          slip.gross_pay,
          slip.net_pay,
        ]);
        const employers = (slip.taxes ?? []).filter((tax) => tax.employer_tax);
        // Each is 10.005, half of a hundredth more than 1,000 of them.
        expect([...employers, ...(slip.contributions ?? [])].map(({ amount }) => amount)).toEqual(
          paidBy[region].map(() => 1_001),
        );
      }
    }
  });

  test.each<[string, Region, Wire, unknown]>([
    [
      "HELP inside of PAYG",
      "au",
      { netEarnings: 800, paygWithholdingAmount: 200, helpAmount: 40 },
      { taxes: [{ name: "PAYG", amount: 20_000, employer_tax: false }], deductions: [] },
    ],
    [
      "HELP beside PAYG",
      "au",
      { netEarnings: 760, paygWithholdingAmount: 200, helpAmount: 40 },
      {
        taxes: [
          { name: "PAYG", amount: 20_000, employer_tax: false },
          { name: "HELP", amount: 4_000, employer_tax: false },
        ],
      },
    ],
    [
      "a pension by salary sacrifice",
      "uk",
      {
        netEarnings: 950,
        employeePensionContribution: 50,
        deductions: [{ name: "Pension sacrifice", amount: 50 }],
      },
      { deductions: [{ name: "Pension sacrifice", amount: 5_000 }] },
    ],
    [
      "a sum that does not hold",
      "sg",
      { netEarnings: 700, deductions: [{ name: "Union", amount: 50 }] },
      {
        gross_pay: 100_000,
        net_pay: 70_000,
        earnings: null,
        deductions: null,
        taxes: null,
        reimbursements: null,
      },
    ],
  ])("with %s are read by what adds up", async (_title, region, wire, expected) => {
    expect(await payslipsOf(region, [{ ...pay, ...wire }])).toMatchObject([expected as object]);
  });

  test("are not there for a run that is open, is gone, or has what was paid elsewhere", async () => {
    for (const payrunRemoteId of ["503", "599", "504"])
      expect((await read("sg", "payslips", { payrunRemoteId })).records).toEqual([]);
    const { records } = await read("sg", "payruns");
    expect(records.map((one) => one.remote_id)).toEqual(["501", "502", "503", "505"]);
    expect(records[0]).toEqual({
      remote_id: "501",
      state: "paid",
      type: "regular",
      start_date: "2026-01-01",
      end_date: "2026-01-28",
      payment_date: "2026-01-27",
    });
  });

  test("of somebody who is left out of the run, and of an amount that is no number", async () => {
    const slip = { ...pay, netEarnings: 1_000 };
    expect(await payslipsOf("sg", [slip], [{ employeeId: 1, isExcluded: true }])).toEqual([]);
    await expect(payslipsOf("sg", [{ ...slip, grossEarnings: "much" }])).rejects.toThrow(
      "cannot be read as money",
    );
  });
});

test("a sign-in keeps whose key it is, and where their clocks are", async () => {
  const { context, session } = contextOf("au", "Tasmania Standard Time");
  fake.keys = fake.keys.map((one) => ({
    ...one,
    user: { ...one.user, timeZone: "Tasmania Standard Time" },
  }));
  const { login, identity } = employmentHero.modes.xhr!;
  const typed = { region: "au", key: " key-of-one " };
  const signedIn = await login(context as unknown as SignInContext, typed);
  expect(signedIn).toEqual({
    session: {
      region: "au",
      key: "key-of-one",
      userId: "11",
      email: "payroll@bureau.example",
      timeZone: "Tasmania Standard Time",
      businessId: String(businessId),
    },
  });
  expect(await identity(context, session)).toEqual({
    name: "Petra Payroll",
    email: "payroll@bureau.example",
    phone_number: null,
  });
});

test("a sign-in again with a business of another country is refused", async () => {
  const { context, session } = contextOf("nz", "");
  const again = { ...context, previousSession: session } as unknown as SignInContext;
  const typed = { region: "au", key: "key-of-one" };
  await expect(employmentHero.modes.xhr!.login(again, typed)).rejects.toThrow(FieldError);
});

const shift = (id: number, start: string, over: Wire = {}): Wire => ({
  id,
  employeeId: 1,
  startTime: `${start}T09:00:00`,
  endTime: `${start}T10:00:00`,
  ...over,
});

describe("times", () => {
  test("of what is no work are left out, and unpaid breaks are taken off", async () => {
    const { records } = await read("sg", "timesheets");
    expect(records.map(({ remote_id: id, hours_worked: hours }) => [id, hours])).toEqual([
      ["901", 8],
      ["902", 7.25],
    ]);
  });

  test.each<[string, Region, Wire, string, string]>([
    [
      "by the state",
      "au",
      { locationId: "54" },
      "AUS Eastern Standard Time",
      "2026-01-04T23:00:00Z",
    ],
    ["of the user", "au", {}, "W. Australia Standard Time", "2026-01-05T01:00:00Z"],
    ["of Sydney otherwise", "au", {}, "Mars Standard Time", "2026-01-04T22:00:00Z"],
    ["of New Zealand", "nz", {}, "GMT Standard Time", "2026-01-04T20:00:00Z"],
    ["of the United Kingdom", "uk", {}, "", "2026-01-05T09:00:00Z"],
    ["of Malaysia", "my", {}, "", "2026-01-05T01:00:00Z"],
  ])("are those of the clocks %s (%s)", async (_title, region, over, timeZone, start) => {
    business.locations = [{ id: 54, name: "Cairns", state: "QLD" }];
    business.timesheets = [shift(1, "2026-01-05", over)];
    const { records } = await read(region, "timesheets", { timeZone });
    expect(records).toMatchObject([{ start_time: start, hours_worked: 1 }]);
  });

  test("of an hour that the clocks skip, and in summer", async () => {
    business.timesheets = [
      shift(1, "2026-07-06"),
      shift(2, "2026-03-29", { startTime: "2026-03-29T00:30:00", endTime: "2026-03-29T03:30:00" }),
    ];
    const { records } = await read("uk", "timesheets");
    expect(records.map((one) => [one.start_time, one.hours_worked])).toEqual([
      ["2026-07-06T08:00:00Z", 1],
      ["2026-03-29T00:30:00Z", 2],
    ]);
  });
});

describe("time off", () => {
  test.each<[string, string, string | null]>([
    ["PersonalCarersLeave", "Carers", "sick"],
    ["OccupationalSickLeave", "Company", "sick"],
    ["StatutoryParentalBereavementLeave", "Parental", "bereavement"],
    ["LongServiceLeave", "Annual long service", null],
    ["Standard", "Public holiday swap", "vacation"],
    ["Standard", "Summer vacation", "vacation"],
    ["Standard", "Sick days", "sick"],
    ["Standard", "Medical", "sick"],
    ["Standard", "Hospitalisation", "sick"],
    ["Standard", "Bereavement", "bereavement"],
    ["Standard", "Compassionate leave", "bereavement"],
    ["Standard", "Jury service", "jury_duty"],
    ["Standard", "Study", null],
  ])("of the kind %s, called %s, is %s", async (leaveCategoryType, name, type) => {
    business.leaveCategories = [{ id: 71, name, leaveCategoryType, leaveUnitType: "Days" }];
    const [entry] = (await read("nz", "time-off-entries")).records;
    expect(entry?.policy_type).toBe(type);
  });

  test("of Australia is in hours whatever its category counts in", async () => {
    business.leave = [
      { ...business.leave[5], totalUnits: undefined, totalHours: 15.2 },
      { ...business.leave[0], totalUnits: undefined, totalHours: 7.6 },
    ];
    const { records } = await read("au", "time-off-entries");
    expect(records.map(({ amount, unit }) => [amount, unit])).toEqual([
      [15.2, "hours"],
      [7.6, "hours"],
    ]);
  });

  test("in weeks is left out, and its balance is in hours", async () => {
    const entries = (await read("nz", "time-off-entries")).records;
    expect(entries.map((one) => [one.remote_id, one.start_date, one.amount, one.unit])).toEqual([
      ["801", "2025-12-29", 4, "days"],
      ["802", "2026-02-10", 0.5, "days"],
      ["803", "2026-03-02", 6.5, "hours"],
      ["804", "2026-03-02", 1, "days"],
    ]);
    const { records } = await read("nz", "time-off-balances");
    expect(records.at(-1)).toMatchObject({ balance: 56.25, unit: "hours", policy_type: null });
  });

  test.each<[Region, string]>([
    ["au", "2026-06-01"],
    ["nz", "2026-06-01"],
    ["uk", "2026-05-31"],
    ["sg", "2026-06-01"],
  ])("has the balances of today in %s", async (region, day) => {
    now = new Date("2026-05-31T22:00:00Z");
    await read(region, "time-off-balances");
    const asked = fake.requests.find(({ path }) => path.endsWith("/report/leavebalances"));
    expect(asked?.query).toEqual({ AsAtDate: day });
  });

  test("has no balance of a category whose balance is not kept", async () => {
    Object.assign(business.leaveCategories[0]!, { isBalanceUntracked: true });
    Object.assign(business.leaveCategories[1]!, { isBalanceUntracked: false });
    const { records } = await read("sg", "time-off-balances");
    expect(records.map(({ policy_name: name, balance }) => [name, balance])).toEqual([
      ["Annual leave", null],
      ["Outpatient", 52.25],
      ["Annual leave", null],
      ["Long service", 56.25],
    ]);
  });
});
