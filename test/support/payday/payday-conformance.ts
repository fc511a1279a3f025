import type { Conformance, ExpectedRecords, Scenario } from "../../../src/providers/conformance.ts";
import { FakePayday, type Trouble } from "./fake-payday.ts";
import { payruns, payslips, people, shifts, absences, balances } from "./payday-data.ts";

const right = { user: "Ada@Lindqvist.example", password: "right-password" };
const typed: Partial<Record<Scenario, Record<string, string>>> = {
  "wrong-password": { ...right, password: "wrong-password" },
  "missing-rights": { user: "clerk@lindqvist.example", password: "clerks-password" },
};

/** How Payday is checked: beside its fake, which says of some records what they have to be. */
export const paydayConformance: Conformance = {
  async start(scenario) {
    const fake = await FakePayday.start({
      trouble: troubles[scenario]?.(),
      ...(["two-pages", "cut-off"].includes(scenario) && { pageSize: 2 }),
    });
    return {
      baseUrl: fake.origin,
      formValues: typed[scenario] ?? right,
      otherAccount: { formValues: { user: "bo@lindqvist.example", password: "other-password" } },
      openSessions: () => fake.openSessions,
      texts: ["Łucja", "大江", "O'Brien-Ñandú"],
      counts: {
        employees: people.length,
        payruns: payruns.length,
        payslips: payslips.length,
        timesheets: shifts.length,
        "time-off-entries": absences.length,
        "time-off-balances": balances.length,
      },
      range: { start: "2026-02-01", end: "2026-04-30" },
      expected,
      afterSignIn: () => void (fake.isInTrouble = true),
      close: () => fake.close(),
    };
  },
};

const troubles: Partial<Record<Scenario, () => Trouble>> = {
  "dead-session": () => "no-session",
  "cut-off": () => "cut-off",
  "server-error": () => ({ status: 500 }),
  "rate-limited": () => ({ status: 429 }),
  "rate-limited-seconds": () => ({ status: 429, headers: { "retry-after": "30" } }),
  "rate-limited-date": () => ({
    status: 429,
    headers: { "retry-after": new Date(Date.now() + 30_000).toUTCString() },
  }),
};

const february = { start_date: "2026-02-01", end_date: "2026-02-28", payment_date: "2026-03-05" };

/** Of the data by hand: in minor units, and in UTC, which is an hour behind Berlin in winter and two in summer. */
const expected: ExpectedRecords = {
  company: [{ remote_id: "1", legal_name: "Lindqvist & Söhne GmbH", address: { country: "DE" } }],
  employees: [
    {
      remote_id: "11",
      first_name: "Łucja",
      last_name: "Lindqvist",
      work_email: "lucja@lindqvist.example",
      job_title: "Owner",
      date_of_birth: "1980-02-29",
      start_date: "2019-03-01",
      employment_status: "active",
      groups: [{ remote_id: "5", name: "Kitchen", type: "team" }],
      employments: [
        { effective_date: "2019-03-01", pay_rate: 54_000, pay_period: "YEAR", currency: "eur" },
      ],
      home_location: { street_address: "Domstraße 3" },
    },
    {
      remote_id: "12",
      display_full_name: "大江 O'Brien-Ñandú",
      manager: { remote_id: "11" },
      employments: [{ pay_rate: 18.5, pay_period: "HOUR" }],
    },
    { remote_id: "13", termination_date: "2025-06-30", employment_status: "inactive" },
  ],
  payruns: [
    { remote_id: "202", state: "paid", ...february },
    { remote_id: "203", state: "pending" },
  ],
  payslips: [
    {
      remote_id: "20212",
      employee_remote_id: "12",
      payrun_remote_id: "202",
      currency: "eur",
      gross_pay: 246_050,
      net_pay: 161_050,
      ...february,
      earnings: [{ name: "Salary", amount: 246_050, hours: 133 }],
      deductions: [{ name: "Pension", amount: 28_000 }],
      taxes: [
        { name: "Wage tax", amount: 60_000, employer_tax: false },
        { name: "Employer's share", amount: 24_000, employer_tax: true },
      ],
      reimbursements: [{ name: "Travel", amount: 3_000 }],
    },
  ],
  timesheets: [
    {
      remote_id: "301",
      employee_remote_id: "12",
      start_time: "2026-03-02T08:00:00Z",
      end_time: "2026-03-02T16:30:00Z",
      hours_worked: 8,
    },
    { remote_id: "303", start_time: "2026-03-30T06:00:00Z" },
  ],
  "time-off-entries": [
    {
      remote_id: "402",
      employee_remote_id: "12",
      start_date: "2026-03-10",
      end_date: "2026-03-10",
      amount: 4,
      unit: "hours",
      status: "pending",
      policy_name: "holiday",
      policy_type: "vacation",
    },
    { remote_id: "403", amount: 3, unit: "days", status: "approved", policy_type: "sick" },
  ],
  "time-off-balances": [
    { employee_remote_id: "12", balance: 20.5, used: 9.5, unit: "days", policy_type: "vacation" },
  ],
};
