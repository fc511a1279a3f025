import type {
  Conformance,
  ExpectedRecords,
  FakeSystem,
  MeaningAnswers,
  Scenario,
} from "../../../src/providers/conformance.ts";
import { FakeFrappe, frappeKey, frappeSecret } from "./fake-frappe.ts";
import { frappeNow, person } from "./frappe-site.ts";
import { limitRefusals } from "./limit-refusals.ts";

const meanings: MeaningAnswers = {
  minor_units: {
    record: {
      remote_id: "Sal Slip/HR-EMP-00006/00001",
      payrun_remote_id: "HR-PRUN-2026-00002",
      gross_pay: 350_000,
    },
  },
  overdrawn_leave: {
    record: {
      employee_remote_id: "HR-EMP-00002",
      policy_remote_id: "Casual Leave",
      balance: -2,
      used: 12,
    },
    only: "of types that allow it",
  },
  rehired: {
    notTold: "Frappe HR keeps one first day of a record; who comes back may get a new one.",
  },
  future_leaver: { record: { remote_id: "HR-EMP-00009", termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: "HR-EMP-00005", start_date: "2099-01-01" } },
  away_today: { record: { remote_id: "HR-EMP-00021" } },
  lost_right: { record: { remote_id: "HR-EMP-00001" } },
  deleted: { record: { remote_id: "HR-EMP-00062" } },
  no_email: { record: { remote_id: "HR-EMP-00015" } },
  nationality: { notTold: "Frappe HR keeps no nationality." },
  weekly_hours: { notTold: "Frappe HR keeps shifts, and no hours of a week." },
  legal_entities: {
    record: {
      remote_id: "HR-EMP-00006",
      custom_fields: { company: { remote_id: "Lind Japan KK", name: "Lind Japan KK" } },
    },
  },
  half_day: { record: { remote_id: "HR-LAP-2026-00002", amount: 0.5, unit: "days" } },
  leave_in_hours: { notTold: "Frappe HR counts leave in days." },
  holiday_in_leave: { record: { remote_id: "HR-LAP-2026-00001", amount: 5, unit: "days" } },
  biweekly: {
    record: { remote_id: "HR-EMP-00002", employments: [{ pay_frequency: "biweekly" }] },
  },
  semimonthly: {
    record: { remote_id: "HR-EMP-00004", employments: [{ pay_frequency: "semimonthly" }] },
  },
  nothing_readable: { refusal: "insufficient_permission" },
};

const february = { start_date: "2026-02-01", end_date: "2026-02-28", payment_date: "2026-02-27" };
const tools = { remote_id: "Tools - LS", name: "Tools", type: "department" };
const firstPay = {
  pay_rate: 28_000,
  pay_period: "MONTH",
  pay_frequency: "monthly",
  currency: "dkk",
};
const secondPay = { ...firstPay, pay_rate: 41_000.5 };
const alone = '<slips>["Lind & Sons A/S","2026-03-01","2026-03-15","2026-03-16","EUR"]';
const undated = '<slips>["Lind & Sons A/S",null,null,"2026-03-20","DKK"]';
const none = { earnings: [], deductions: [], taxes: [], contributions: [], reimbursements: null };

/** By hand, from the site: of each kind one record in every field. */
const expected: ExpectedRecords = {
  company: [
    {
      remote_id: "Lind & Sons A/S",
      legal_name: "Lind & Sons A/S",
      display_name: "Lind & Sons A/S",
      tax_id: "DK12345678",
      address: {
        street_address: "Havnegade 1, 2. th.",
        locality: "Aarhus",
        administrative_area: "Midtjylland",
        country: "DK",
        post_code: "8000",
      },
    },
    {
      remote_id: "Lind Japan KK",
      tax_id: null,
      address: { street_address: null, locality: null, country: "JP" },
    },
  ],
  groups: [tools, { remote_id: "東京 - LJ", name: "東京", type: "department" }],
  "work-locations": [{ remote_id: "Aarhus", name: "Aarhus", type: null, address: null }],
  employees: [
    {
      remote_id: "HR-EMP-00001",
      employee_number: "LS-1",
      first_name: "Åse Marie",
      last_name: "Lind-Østergård",
      display_full_name: "Åse Lind-Østergård",
      nationality: null,
      ethnicity: null,
      tax_id: null,
      avatar: null,
      job_title: "Head of tools",
      work_email: "aase@lind.example",
      personal_email: "aase@home.example",
      mobile_phone_number: "+45 20 55 01 01",
      date_of_birth: "1979-11-30",
      gender: "female",
      marital_status: "married",
      employment_status: "leave",
      employment_type: "full_time",
      start_date: "2019-01-07",
      termination_date: null,
      remote_created_at: "2019-01-07",
      home_location: {
        street_address: "Havnegade 7, 8000 Aarhus C",
        locality: null,
        country: null,
      },
      work_location: { remote_id: "Aarhus", name: "Aarhus", type: null, address: null },
      manager: null,
      groups: [tools],
      employments: [
        { effective_date: "2023-02-01", job_title: "Head of tools", ...secondPay },
        { effective_date: "2023-01-01", job_title: null, ...secondPay },
        { effective_date: "2021-01-01", job_title: "Planner", ...firstPay },
        { effective_date: "2019-01-07", job_title: "Smith", ...firstPay },
      ],
      employment_history: [
        { effective_date: "2023-02-01", group_remote_id: "Tools - LS", group_name: "Tools" },
        { effective_date: "2023-01-01", group_remote_id: null, group_name: null },
        {
          effective_date: "2021-01-01",
          group_remote_id: "Sea & Sky - LS",
          group_name: "Sea & Sky",
        },
        { effective_date: "2019-01-07", group_remote_id: "Tools - LS", group_name: "Tools" },
      ],
      bank_account: {
        iban: "DK5000400440116243",
        account_number: "7110 0012345678",
        bank_name: "Sydbank",
        bic: null,
        holder_name: null,
        sort_code: null,
      },
      dependents: null,
      emergency_contacts: [
        {
          first_name: "Ole Lind",
          last_name: null,
          relationship: "Husband",
          mobile_phone_number: "+45 20 55 09 09",
          primary_contact: null,
        },
      ],
      custom_fields: {
        company: { remote_id: "Lind & Sons A/S", name: "Lind & Sons A/S" },
        custom_shirt_size: "M",
      },
    },
    {
      remote_id: "HR-EMP-00002",
      employee_number: "HR-EMP-00002",
      employment_status: "active",
      manager: {
        remote_id: "HR-EMP-00001",
        first_name: "Åse Marie",
        last_name: "Lind-Østergård",
        work_email: "aase@lind.example",
      },
      employments: [
        {
          effective_date: "2021-05-03",
          job_title: "Planner",
          pay_rate: null,
          pay_period: null,
          pay_frequency: "biweekly",
          currency: "dkk",
        },
      ],
    },
    {
      remote_id: "HR-EMP-00006",
      gender: "not_specified",
      marital_status: "other",
      employment_type: "part_time",
      home_location: { street_address: "1-2-3 Minato, Tokyo" },
      employments: [
        {
          effective_date: "2021-05-03",
          pay_rate: 1_450,
          pay_period: "HOUR",
          pay_frequency: "monthly",
          currency: "jpy",
        },
      ],
      employment_history: [{ group_remote_id: "東京 - LJ", group_name: "東京" }],
    },
    {
      remote_id: "HR-EMP-00007",
      marital_status: "divorced",
      employment_status: "active",
      manager: {
        remote_id: "HR-EMP-00008",
        first_name: "Maja K.",
        last_name: "Left",
        work_email: "maja@lind.example",
      },
      employments: [{ pay_rate: 5_000, pay_period: "WEEK", pay_frequency: "weekly" }],
    },
    {
      remote_id: "HR-EMP-00009",
      gender: "male",
      marital_status: "single",
      employment_type: "contractor",
      employments: [{ pay_rate: 1_100, pay_period: "DAY", pay_frequency: "other" }],
    },
    { remote_id: "HR-EMP-00003", employment_status: "active", employee_number: "HR-EMP-00003" },
    { remote_id: "HR-EMP-00004", employment_status: "leave", employment_type: "other" },
    { remote_id: "HR-EMP-00005", employment_status: "pending" },
    { remote_id: "HR-EMP-00008", employment_status: "inactive", termination_date: "2026-02-28" },
    {
      remote_id: "HR-EMP-00010",
      employment_status: "active",
      termination_date: "2026-05-31",
      employments: [{ pay_rate: null, pay_period: null, pay_frequency: "monthly" }],
    },
    { remote_id: "HR-EMP-00011", employment_status: "inactive", employment_type: "other" },
    { remote_id: "HR-EMP-00012", employment_status: "inactive" },
    { remote_id: "HR-EMP-00013", employment_status: "inactive", termination_date: "2023-08-31" },
    { remote_id: "HR-EMP-00014", employment_status: "active", start_date: "2025-02-01" },
    { remote_id: "HR-EMP-00015", work_email: null },
    {
      remote_id: "HR-EMP-00016",
      work_email: "login16@lind.example",
      employments: [{ pay_rate: null, pay_period: null, pay_frequency: null, currency: "dkk" }],
    },
    {
      remote_id: "R&D/7 100%",
      employee_number: "R&D/7 100%",
      // Without a history and pay, the job of today.
      employments: [{ effective_date: "2021-05-03", job_title: "Smith", pay_rate: null }],
    },
  ],
  payruns: [
    { remote_id: "HR-PRUN-2026-00001", state: "paid", type: "regular", ...february },
    {
      remote_id: "HR-PRUN-2026-00003",
      state: "pending",
      start_date: "2026-04-01",
      end_date: "2026-04-30",
      payment_date: "2026-04-30",
    },
    { remote_id: "HR-PRUN-2026-00004", state: "pending", payment_date: "2026-04-15" },
    {
      remote_id: alone,
      state: "paid",
      type: "off_cycle",
      start_date: "2026-03-01",
      end_date: "2026-03-15",
      payment_date: "2026-03-16",
    },
  ],
  payslips: [
    {
      remote_id: "Sal Slip/HR-EMP-00001/00001",
      employee_remote_id: "HR-EMP-00001",
      payrun_remote_id: "HR-PRUN-2026-00001",
      payrun_type: "regular",
      currency: null,
      currency_code: "dkk",
      gross_pay: 3_500_067,
      net_pay: 2_160_026,
      ...february,
      earnings: [
        { name: "Basic", amount: 3_000_034, hours: null },
        { name: "House Rent", amount: 500_033, hours: null },
      ],
      taxes: [
        { name: "A-skat", amount: 900_011, employer_tax: false },
        { name: "AM-bidrag", amount: 280_005, employer_tax: false },
      ],
      deductions: [
        { name: "Pension", amount: 150_025 },
        { name: "Loan repayment", amount: 10_000 },
      ],
      contributions: [{ name: "Pension of the employer", amount: 300_013 }],
      reimbursements: null,
    },
    {
      remote_id: "Sal Slip/HR-EMP-00006/00001",
      payrun_remote_id: "HR-PRUN-2026-00002",
      ...none,
      gross_pay: 350_000,
      net_pay: 315_000,
      earnings: [{ name: "Basic", amount: 350_000 }],
      taxes: [{ name: "A-skat", amount: 35_000 }],
    },
    {
      remote_id: "Sal Slip/HR-EMP-00009/00002",
      payrun_remote_id: alone,
      payrun_type: "off_cycle",
      currency: "eur",
      ...none,
      gross_pay: 100_010,
      net_pay: 90_009,
      start_date: "2026-03-01",
      end_date: "2026-03-15",
      payment_date: "2026-03-16",
      earnings: [{ name: "Basic", amount: 100_010 }],
      deductions: [{ name: "Pension", amount: 10_001 }],
    },
    {
      remote_id: "Sal Slip/HR-EMP-00010/00001",
      payrun_remote_id: undated,
      gross_pay: 1_250,
      start_date: "2026-03-20",
      end_date: "2026-03-20",
      payment_date: "2026-03-20",
    },
  ],
  timesheets: [
    {
      remote_id: "HR-ATT-2026-00001",
      employee_remote_id: "HR-EMP-00001",
      // In winter, and in summer.
      start_time: "2026-02-03T07:00:00Z",
      end_time: "2026-02-03T15:30:00Z",
      hours_worked: 8,
      remote_created_at: "2026-02-03",
      remote_modified_at: "2026-02-04",
    },
    {
      remote_id: "HR-ATT-2026-00002",
      start_time: "2026-04-01T06:00:00Z",
      end_time: "2026-04-01T13:45:00Z",
      hours_worked: 7.5,
    },
    {
      remote_id: "HR-ATT-2026-00003",
      employee_remote_id: "HR-EMP-00002",
      start_time: "2026-03-02T00:00:00Z",
      end_time: null,
      hours_worked: 4,
    },
    { remote_id: "HR-ATT-2026-00010", start_time: "2026-04-30T23:00:00Z" },
  ],
  "time-off-entries": [
    {
      remote_id: "HR-LAP-2026-00001",
      employee_remote_id: "HR-EMP-00001",
      start_date: "2026-04-10",
      end_date: "2026-04-17",
      amount: 5,
      unit: "days",
      status: "approved",
      employee_note: "Skiing",
      policy_remote_id: "Casual Leave",
      policy_name: "Casual Leave",
      policy_type: "vacation",
      remote_created_at: "2026-01-02",
      remote_modified_at: "2026-01-05",
    },
    { remote_id: "HR-LAP-2026-00003", amount: 2, status: "pending", policy_type: "sick" },
    { remote_id: "HR-LAP-2026-00004", status: "pending" },
    { remote_id: "HR-LAP-2026-00005", status: "rejected", policy_type: null },
    { remote_id: "HR-LAP-2026-00006-1", status: "approved", policy_type: "vacation" },
  ],
  "time-off-balances": [
    {
      employee_remote_id: "HR-EMP-00001",
      policy_remote_id: "Casual Leave",
      policy_name: "Casual Leave",
      policy_type: "vacation",
      // 25, and five of the eight that were carried over; eight were taken or paid out.
      balance: 22,
      used: 8,
      unit: "days",
    },
    {
      employee_remote_id: "HR-EMP-00001",
      policy_remote_id: "Sick Leave",
      policy_type: "sick",
      balance: 5.01,
      used: 0,
    },
    {
      employee_remote_id: "HR-EMP-00004",
      policy_remote_id: "Barsel",
      policy_type: null,
      balance: 15,
      used: 5,
    },
    { employee_remote_id: "HR-EMP-00006", policy_remote_id: "Casual Leave", balance: 0, used: 2 },
  ],
};

export const frappeConformance: Conformance = { mode: "xhr", start: startFrappe, meanings };

async function startFrappe(scenario: Scenario): Promise<FakeSystem> {
  const fake = await FakeFrappe.start();
  if (scenario === "no-rights") fake.forbidden = Object.keys(fake.site.rows);
  if (scenario === "missing-rights")
    fake.forbidden = ["Department", "Salary Structure Assignment", "Payroll Entry"];
  // One more than fit into a page.
  if (scenario === "two-pages")
    fake.site.rows["Employee"]?.push(
      ...Array.from({ length: 439 }, (_, index) => person(1_000 + index)),
    );
  return toSystem(fake, scenario);
}

/** The fake as the checks use it. */
export function toSystem(fake: FakeFrappe, scenario: Scenario = "usual"): FakeSystem {
  const count = (doctype: string): number => fake.site.rows[doctype]?.length ?? 0;
  const url = "https://lind.example/app/hr";
  return {
    baseUrl: fake.origin,
    now: frappeNow,
    range: { start: "2026-02-01", end: "2026-04-30" },
    formValues: {
      url,
      key: frappeKey,
      secret: scenario === "wrong-password" ? "wrong-secret" : frappeSecret,
    },
    otherAccount: {
      formValues: { url, key: "other-key-frappe", secret: "other-secret-frappe" },
    },
    expected,
    texts: ["Åse Marie", "大江", "Zoë O'Brien-Ñandú", "R&D/7 100%"],
    counts: {
      company: 2,
      employees: count("Employee"),
      groups: 3,
      "work-locations": 2,
      "time-off-balances": 5,
    },
    afterSignIn: () => beginTrouble(fake, scenario),
    change: () => change(fake),
    close: () => fake.stop(),
  };
}

const changedAt = "2026-04-15 12:00:00.000000";

/** One gets another position, one begins, one is paid otherwise, and one is deleted. */
function change({ site }: FakeFrappe): void {
  const { Employee: people = [], "Salary Structure Assignment": pay = [] } = site.rows;
  const last = people.findIndex(({ name }) => name === "HR-EMP-00062");
  people.splice(last, 1, person(301, { first_name: "Nils", modified: changedAt }));
  Object.assign(people[2] ?? {}, { designation: "Chief smith", modified: changedAt });
  Object.assign(pay[3] ?? {}, { salary_structure: "Monthly", modified: changedAt });
}

function beginTrouble(fake: FakeFrappe, scenario: Scenario): void {
  if (scenario === "dead-session") fake.users = {};
  if (scenario === "cut-off")
    fake.interfere = ({ path, query }) =>
      path === "/api/resource/Employee" && query["fields"]?.includes("*") ? "cut-off" : undefined;
  const refusal = refusals[scenario]?.();
  if (refusal) fake.interfere = () => refusal;
}

const refusals = limitRefusals(() => frappeNow);
