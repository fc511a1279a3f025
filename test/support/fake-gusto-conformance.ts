import type {
  Conformance,
  ExpectedRecords,
  FakeSystem,
  Scenario,
} from "../../src/providers/conformance.ts";
import type { Mode } from "../../src/model/index.ts";
import { meaningsOfGusto } from "./gusto-meanings.ts";
import {
  allScopes,
  FakeGusto,
  otherCode,
  refusal,
  rightCode,
  type GustoReply,
} from "./vendors/fake-gusto.ts";
import {
  companyId,
  contractorId,
  createCompany,
  createPerson,
  departmentId,
  idOf,
  locationId,
  personId,
  policyId,
  runId,
  type GustoCompany,
} from "./vendors/gusto-company.ts";

/** How Gusto is checked: beside the fake of the tests. */
export const gustoConformances: readonly Conformance[] = (["xhr", "official"] as const).map(
  (mode: Mode) => ({
    mode,
    start: (scenario) => startGusto(mode, scenario),
    meanings: meaningsOfGusto[mode],
    leavesOut: { "wrong-password": "the password is typed on Gusto's own page" },
  }),
);

const hiddenScopes = new Set([
  "compensations:read",
  "employments:read",
  "pay_schedules:read",
  "departments:read",
  "employee_benefits:read:phi",
]);

async function startGusto(mode: Mode, scenario: Scenario): Promise<FakeSystem> {
  const company = createCompany();
  const fake = new FakeGusto({ company, perMinute: Infinity });
  if (isLong(scenario)) fake.mostOnPage = 25;
  if (scenario === "two-pages") fake.mostOnPage = 5;
  if (scenario === "missing-rights")
    fake.scopes = allScopes.filter((scope) => !hiddenScopes.has(scope));
  if (scenario === "no-rights") fake.scopes = [];
  const baseUrl = await fake.start();
  return {
    baseUrl,
    formValues: {},
    code: rightCode,
    otherAccount: { formValues: {}, code: otherCode },
    expected: mode === "xhr" ? { ...expectedPeople, ...expectedPay } : expectedPeople,
    texts: ["Łucja", "健", "O'Brien-Ñandú"],
    counts: countsOf(company),
    range: { start: "2026-01-01", end: "2026-07-31" },
    openSessions: () => fake.openSessions,
    afterSignIn: () => {
      if (scenario === "dead-session") fake.revokeTokens();
      if (scenario === "expired-session") fake.endAccessTokens();
      if (scenario === "expired-between-pages") endOnce(fake);
      const trouble = troubles[scenario];
      if (trouble) fake.interfere = trouble;
    },
    change: () => change(fake),
    close: () => fake.stop(),
  };
}

function countsOf({ staff, contractors, departments }: GustoCompany) {
  return { employees: staff.length + contractors.length, groups: departments.length };
}

function isLong(scenario: Scenario): boolean {
  return ["expired-between-pages", "changes", "cut-off"].includes(scenario);
}

/** One person has another email address, one comes and one goes. */
function change({ company }: FakeGusto): void {
  Object.assign(company.staff[0]!, { work_email: "new@bakery.example" });
  company.staff = [...company.staff.slice(0, -1), createPerson(900)];
}

/** When the second page of people is read. */
function endOnce(fake: FakeGusto): void {
  let isEnded = false;
  fake.interfere = ({ path }) => {
    if (!isEnded && path.includes("/employees?") && path.includes("page=2")) {
      isEnded = true;
      fake.endAccessTokens();
    }
    return undefined;
  };
}

const always = (reply: GustoReply) => (): GustoReply => reply;
const troubles: Partial<Record<Scenario, FakeGusto["interfere"]>> = {
  "rate-limited-seconds": always({ status: 429, headers: { "retry-after": "30" } }),
  "rate-limited-date": () => ({
    status: 429,
    headers: { "retry-after": new Date(Date.now() + 30_000).toUTCString() },
  }),
  "rate-limited": always({ status: 429, body: refusal("rate_limit") }),
  "server-error": always({ status: 503, body: refusal("unavailable") }),
  "cut-off": ({ path }) =>
    path.includes("/employees?") ? { status: 200, isCutOff: true, body: [{}] } : undefined,
};

const sanFrancisco = {
  street_address: "300 3rd Street, Floor 2",
  locality: "San Francisco",
  administrative_area: "CA",
  country: "US",
  post_code: "94107",
};
const reno = {
  street_address: "1 Mill Lane",
  locality: "Reno",
  administrative_area: "NV",
  country: "US",
  post_code: "89501",
};

const cafe = { remote_id: departmentId(2), name: "Café & Küche", type: "department" };
const yearly = { pay_period: "YEAR", currency: "usd" };
const today = {
  employment_type: "full_time",
  pay_frequency: "biweekly",
};

/** Written from the made-up company, and not from what the adapter makes of it. */
const expectedPeople: ExpectedRecords = {
  company: [
    {
      remote_id: companyId,
      legal_name: "Maple & Söhne LLC",
      display_name: "Maple Bakery",
      tax_id: "00-0000001",
      address: reno,
    },
  ],
  groups: [cafe],
  "work-locations": [
    { remote_id: locationId(1), name: null, address: sanFrancisco },
    { remote_id: locationId(2), address: reno },
  ],
  employees: [
    {
      remote_id: personId(1),
      employee_number: "46f001",
      first_name: "Łucja",
      last_name: "O'Brien-Ñandú",
      display_full_name: "Lu O'Brien-Ñandú",
      job_title: "Baker",
      work_email: "person.1@bakery.example",
      personal_email: "person.1@home.example",
      mobile_phone_number: "4155550001",
      date_of_birth: "1988-04-05",
      employment_status: "active",
      employment_type: "full_time",
      start_date: "2020-02-03",
      termination_date: null,
      manager: null,
      home_location: {
        street_address: "1 Maple Street, Apt. 2",
        locality: "Oakland",
        administrative_area: "CA",
        country: "US",
        post_code: "94607",
      },
      work_location: { remote_id: locationId(2), address: reno },
      groups: [cafe],
      custom_fields: { Locker: "1" },
      employments: [
        { effective_date: "2024-07-01", job_title: "Baker", pay_rate: 52_001.5, ...yearly },
        {
          effective_date: "2020-02-03",
          pay_rate: 48_000,
          ...yearly,
          pay_frequency: null,
          employment_type: null,
        },
      ],
      employment_history: [
        {
          effective_date: "2024-07-01",
          group_remote_id: departmentId(2),
          group_name: "Café & Küche",
        },
        { effective_date: "2020-02-03", group_remote_id: null, group_name: null },
      ],
    },
    { remote_id: personId(3), employment_status: "pending", employments: [], work_location: {} },
    {
      remote_id: personId(6),
      employment_status: "inactive",
      start_date: "2019-05-06",
      termination_date: "2025-06-30",
    },
    {
      remote_id: personId(7),
      manager: {
        remote_id: personId(6),
        first_name: "First6",
        work_email: "person.6@bakery.example",
      },
    },
    {
      remote_id: personId(8),
      employment_status: "active",
      start_date: "2022-05-02",
      termination_date: null,
      employments: [
        {
          effective_date: "2022-05-02",
          pay_rate: 52_008.5,
          ...yearly,
          employment_type: "full_time",
        },
        { effective_date: "2015-01-05", pay_rate: null, employment_type: "part_time" },
      ],
      custom_fields: { Locker: "8", original_start_date: "2015-01-05" },
    },
    { remote_id: personId(9), employment_status: "active", termination_date: "2099-12-31" },
    { remote_id: personId(10), employment_status: "pending" },
    {
      remote_id: personId(11),
      employments: [{ effective_date: "2011-09-01", pay_rate: null, pay_period: null }],
    },
    {
      remote_id: personId(12),
      job_title: "Baker",
      start_date: "2021-03-01",
      employments: [
        { effective_date: "2024-07-01", job_title: "Baker", pay_rate: 52_012.5, ...yearly },
        { effective_date: "2024-07-01", job_title: "Driver", pay_rate: 21.75, pay_period: "HOUR" },
        { effective_date: "2020-02-03", job_title: "Baker", pay_rate: 48_000, ...yearly },
      ],
    },
    {
      remote_id: personId(13),
      manager: { remote_id: personId(1), last_name: "O'Brien-Ñandú" },
      employments: [{ effective_date: "2021-04-05", pay_rate: 52_013.5, ...yearly, ...today }],
    },
    { remote_id: personId(15), employment_type: "part_time" },
    {
      remote_id: personId(16),
      employment_type: "other",
      employments: [{ pay_rate: 19.125, pay_period: "HOUR", pay_frequency: "biweekly" }],
    },
    { remote_id: personId(17), employment_status: "inactive", work_location: {} },
    { remote_id: personId(18), employment_status: "pending" },
    {
      remote_id: personId(20),
      employment_status: "inactive",
      start_date: "2023-02-01",
      termination_date: "2024-03-15",
      custom_fields: { Locker: "20", original_start_date: "2017-06-01" },
    },
    { remote_id: personId(21), groups: [], custom_fields: null, home_location: {} },
    {
      remote_id: contractorId(1),
      first_name: "Kory",
      last_name: "Gottlieb1",
      personal_email: "contractor.1@home.example",
      tax_id: null,
      employment_status: "active",
      employment_type: "contractor",
      start_date: "2022-01-03",
      home_location: {
        street_address: "621 Jast Row",
        locality: "Reno",
        administrative_area: "NV",
        country: "US",
        post_code: "89501",
      },
      groups: [{ remote_id: departmentId(3), name: "Deliveries", type: "department" }],
      employments: [
        {
          effective_date: "2022-01-03",
          employment_type: "contractor",
          pay_rate: 60,
          pay_period: "HOUR",
          currency: "usd",
        },
      ],
      employment_history: [{ group_remote_id: departmentId(3), group_name: "Deliveries" }],
    },
    {
      remote_id: contractorId(2),
      first_name: "Flour Power Inc.",
      last_name: "",
      tax_id: "00-0000002",
      employments: [{ pay_rate: null, pay_period: null }],
    },
    {
      remote_id: contractorId(3),
      employment_status: "inactive",
      termination_date: "2024-04-30",
    },
    { remote_id: contractorId(4), employment_status: "pending", groups: [] },
  ],
  timesheets: [
    {
      remote_id: idOf(15, 1),
      employee_remote_id: personId(1),
      start_time: "2026-02-17T04:00:00Z",
      end_time: "2026-02-17T13:00:00Z",
      hours_worked: 8.25,
      remote_created_at: "2026-02-18",
      remote_modified_at: "2026-02-19",
    },
    {
      remote_id: idOf(15, 2),
      employee_remote_id: personId(12),
      start_time: "2026-07-06T14:00:00Z",
      end_time: "2026-07-06T22:30:00Z",
      hours_worked: 7.5,
    },
    { remote_id: idOf(15, 5), employee_remote_id: contractorId(1) },
  ],
  "time-off-entries": [
    {
      remote_id: idOf(14, 1),
      employee_remote_id: personId(1),
      start_date: "2026-02-16",
      end_date: "2026-02-18",
      amount: 16,
      unit: "hours",
      status: "approved",
      employee_note: "Majorca",
      policy_remote_id: policyId(1),
      policy_name: "Paid vacation",
      policy_type: "vacation",
    },
    {
      remote_id: idOf(14, 2),
      start_date: "2025-12-30",
      end_date: "2026-01-02",
      amount: 20,
      status: "approved",
      employee_note: null,
    },
    { remote_id: idOf(14, 3), amount: 3.5, status: "rejected", policy_type: "sick" },
    { remote_id: idOf(14, 4), end_date: "2026-08-03", status: "pending" },
    { remote_id: idOf(14, 5), policy_name: "New baby", policy_type: null },
  ],
  "time-off-balances": [
    {
      employee_remote_id: personId(1),
      policy_remote_id: policyId(1),
      policy_name: "Paid vacation",
      policy_type: "vacation",
      balance: 32.5,
      used: null,
      unit: "hours",
    },
    {
      employee_remote_id: personId(1),
      policy_remote_id: policyId(2),
      policy_type: "sick",
      balance: null,
    },
  ],
};

const firstHalf = { start_date: "2026-02-01", end_date: "2026-02-14", payment_date: "2026-02-20" };
const ofTheDay = (day: string) => ({ start_date: day, end_date: day });
const paidOn = (day: string) => ({ ...ofTheDay(day), payment_date: day });

const expectedPay: ExpectedRecords = {
  payruns: [
    { remote_id: runId(1), state: "paid", type: "regular", ...firstHalf },
    {
      remote_id: runId(3),
      type: "one_time",
      ...ofTheDay("2026-02-23"),
      payment_date: "2026-02-27",
    },
    { remote_id: runId(4), type: "reversal" },
    {
      remote_id: runId(5),
      type: "correction",
      start_date: "2025-08-04",
      payment_date: "2026-03-13",
    },
    { remote_id: runId(6), type: "off_cycle", ...paidOn("2026-04-30") },
    { remote_id: runId(7), type: "regular" },
    { remote_id: runId(8), state: "pending" },
    {
      remote_id: "contractors-2026-03-10",
      state: "paid",
      type: "off_cycle",
      ...paidOn("2026-03-10"),
    },
    { remote_id: "contractors-2026-07-01", state: "pending", type: "off_cycle" },
  ],
  payslips: [
    {
      remote_id: `${runId(1)}/${personId(1)}`,
      employee_remote_id: personId(1),
      payrun_remote_id: runId(1),
      payrun_type: "regular",
      currency: "usd",
      gross_pay: 283_883,
      // Without taxes, deductions and tips, and with what is paid back.
      net_pay: 283_883 - 48_835 - 15_000 - 20_550 - 5_033 + 2_445,
      ...firstHalf,
      earnings: [
        { name: "Regular Hours", amount: 230_773, hours: 80 },
        { name: "Cash Tips", amount: 5_033, hours: null },
        { name: "Bonus", amount: 25_000, hours: null },
        { name: "Vacation Hours", amount: 23_077, hours: 8 },
      ],
      contributions: [
        { name: "Medical Insurance", amount: 37_649 },
        { name: "401(k)", amount: 4_000 },
      ],
      deductions: [
        { name: "Child Support", amount: 15_000 },
        { name: "Medical Insurance", amount: 12_550 },
        { name: "401(k)", amount: 8_000 },
        { name: "Cash Tips", amount: 5_033 },
      ],
      taxes: [
        { name: "Social Security", amount: 17_601, employer_tax: false },
        { name: "Federal Income Tax", amount: 31_234, employer_tax: false },
        { name: "Social Security", amount: 17_601, employer_tax: true },
        { name: "FUTA", amount: 1_703, employer_tax: true },
      ],
      reimbursements: [
        { name: "Oven mitts", amount: 2_345 },
        { name: "Reimbursement", amount: 100 },
      ],
    },
    {
      remote_id: `${runId(4)}/${personId(2)}`,
      payrun_remote_id: runId(4),
      payrun_type: "reversal",
      gross_pay: -33_333,
      net_pay: -32_850,
      earnings: [{ name: "Bonus", amount: -33_333 }],
      taxes: [{ name: "Medicare", amount: -483, employer_tax: false }],
    },
    {
      remote_id: idOf(13, 1),
      employee_remote_id: contractorId(1),
      payrun_remote_id: "contractors-2026-03-10",
      payrun_type: "off_cycle",
      gross_pay: 243_998,
      net_pay: 253_998,
      ...paidOn("2026-03-10"),
      earnings: [
        { name: "Wages", amount: 241_998, hours: 40.333 },
        { name: "Bonus", amount: 2_000, hours: null },
      ],
      taxes: [],
      reimbursements: [{ name: "Reimbursement", amount: 10_000 }],
    },
    {
      remote_id: idOf(13, 2),
      payrun_remote_id: "contractors-2026-03-10",
      gross_pay: 100_000,
      net_pay: 100_000,
      earnings: [{ name: "Wages", amount: 100_000, hours: null }],
    },
  ],
};
