import type { ExpectedRecords } from "../../src/providers/conformance.ts";

// What the reads of some records have to give, by hand from the data of the fakes: amounts in minor units, days as
// they are there, times in UTC.

const februaryOfXero = {
  start_date: "2026-02-01",
  end_date: "2026-02-28",
  payment_date: "2026-02-27",
};
const sole = "00000001-0000-4000-8000-000000000001";
const second = "00000001-0000-4000-8000-000000000002";
const holidayOfXero = "ed08dffe-788e-4b24-9630-f0fa2f4d164c";
const runOfXero = "00000005-0000-4000-8000-000000000001";

/** Of `createCompany`. */
const peopleOfXero: ExpectedRecords = {
  company: [{ remote_id: "00000009-0000-4000-8000-000000000001", legal_name: "Maple & Söhne Ltd" }],
  employees: [
    {
      remote_id: second,
      first_name: "大江",
      last_name: "Last2",
      gender: "female",
      date_of_birth: "1987-12-23",
      employment_status: "inactive",
      employment_type: "full_time",
      start_date: "2020-02-03",
      termination_date: "2025-06-30",
      bank_account: { account_number: "12345678", sort_code: "111111" },
      employments: [
        {
          effective_date: "2020-04-01",
          pay_rate: 25_002,
          pay_period: "YEAR",
          pay_frequency: "monthly",
          currency: "gbp",
        },
      ],
      groups: [
        { remote_id: "5e813d9e-949c-461f-8a89-e9ee8955a254", name: "Monthly", type: "pay_group" },
      ],
    },
  ],
  timesheets: [
    {
      remote_id: "00000007-0000-4000-8000-000000000001",
      employee_remote_id: sole,
      start_time: "2026-02-16T00:00:00Z",
      hours_worked: 8,
    },
  ],
  "time-off-entries": [
    {
      remote_id: "00000004-0000-4000-8000-000000000001",
      employee_remote_id: sole,
      start_date: "2026-02-16",
      end_date: "2026-02-20",
      amount: 37.5,
      unit: "hours",
      status: "approved",
      policy_remote_id: holidayOfXero,
      policy_type: "vacation",
    },
  ],
  "time-off-balances": [
    {
      employee_remote_id: sole,
      policy_remote_id: holidayOfXero,
      balance: 32,
      unit: "hours",
      policy_type: "vacation",
    },
  ],
};

const payOfXero: ExpectedRecords = {
  payruns: [{ remote_id: runOfXero, state: "paid", type: "regular", ...februaryOfXero }],
  payslips: [
    {
      employee_remote_id: sole,
      payrun_remote_id: runOfXero,
      payrun_type: "regular",
      currency: "gbp",
      gross_pay: 50_481,
      net_pay: 39_284,
      ...februaryOfXero,
      earnings: [
        { amount: 48_077, hours: 40 },
        { amount: 2_404, hours: 2 },
      ],
      contributions: [{ amount: 962 }],
      deductions: [{ amount: 962 }, { amount: 2_000 }],
      taxes: [
        { amount: 4_860, employer_tax: false },
        { amount: 3_825, employer_tax: false },
        { amount: 4_399, employer_tax: true },
      ],
      reimbursements: [{ name: "Mileage", amount: 450 }],
    },
  ],
};

export const expectedOfXero = { xhr: { ...peopleOfXero, ...payOfXero }, official: peopleOfXero };

/** Of `createPeople`. The clocks are those of Berlin. */
export const expectedOfPersonio: ExpectedRecords = {
  company: [{ remote_id: "7033", legal_name: "Ferme & Fils GmbH" }],
  employees: [
    {
      remote_id: "11",
      employee_number: "N-11",
      first_name: "Nadia",
      last_name: "van den Éynde",
      work_email: "nadia@example.com",
      gender: "female",
      date_of_birth: "1985-07-30",
      employment_status: "active",
      start_date: "2014-11-09",
      manager: { remote_id: "14" },
      bank_account: { iban: "DE89370400440532013000" },
      employments: [
        { effective_date: "2014-11-09", pay_rate: 3000.5, pay_period: "MONTH", currency: "eur" },
      ],
      groups: [
        { remote_id: "department-21", name: "Support", type: "department" },
        { remote_id: "team-21", name: "Night", type: "team" },
        { remote_id: "cost_centre-31", name: "Rhine", type: "cost_centre" },
      ],
    },
    { remote_id: "13", employment_status: "inactive", termination_date: "2025-12-31" },
    {
      remote_id: "14",
      employment_status: "pending",
      employment_type: "contractor",
      employments: [{ pay_rate: 41.5, pay_period: "HOUR", currency: "chf" }],
    },
  ],
  timesheets: [
    {
      remote_id: "w-1",
      employee_remote_id: "11",
      start_time: "2026-03-02T08:00:00Z",
      end_time: "2026-03-02T16:00:00Z",
      hours_worked: 7.5,
    },
  ],
  "time-off-entries": [
    {
      remote_id: "61",
      employee_remote_id: "11",
      start_date: "2026-02-02",
      end_date: "2026-02-04",
      amount: 2.5,
      unit: "days",
      status: "approved",
      policy_remote_id: "51",
      policy_type: "vacation",
    },
    {
      remote_id: "9bba303f",
      start_date: "2026-02-10",
      end_date: "2026-02-11",
      amount: 16,
      unit: "hours",
    },
  ],
  "time-off-balances": [
    {
      employee_remote_id: "11",
      policy_remote_id: "51",
      balance: 10.5,
      unit: "days",
      policy_type: "vacation",
    },
  ],
};

const februaryOfOdoo = {
  start_date: "2026-02-01",
  end_date: "2026-02-28",
  payment_date: "2026-02-28",
};

const peopleOfOdoo: ExpectedRecords = {
  company: [{ remote_id: "1", legal_name: "Ferme & Fils", address: { country: "BE" } }],
  employees: [
    {
      remote_id: "1",
      display_full_name: "Nadia van den Éynde",
      work_email: "nadia@example.com",
      nationality: "BE",
      gender: "female",
      marital_status: "married",
      date_of_birth: "1985-07-30",
      employment_status: "active",
      employment_type: "full_time",
      start_date: "2021-04-01",
      manager: { remote_id: "2" },
      employments: [
        { effective_date: "2021-04-01", pay_rate: 2_500, pay_period: "MONTH", currency: "eur" },
      ],
      groups: [
        { remote_id: "department-31", name: "Logistics", type: "department" },
        { remote_id: "category-41", name: "First aid", type: "team" },
      ],
    },
    { remote_id: "3", employment_status: "inactive", termination_date: "2025-12-31" },
    {
      remote_id: "904",
      employment_status: "leave",
      employments: [
        { pay_rate: 150_000, pay_period: "MONTH", pay_frequency: "biweekly", currency: "jpy" },
      ],
    },
  ],
  timesheets: [
    {
      remote_id: "attendance-1",
      employee_remote_id: "1",
      start_time: "2026-02-03T08:00:00Z",
      end_time: "2026-02-03T16:00:00Z",
      hours_worked: 8,
    },
  ],
  "time-off-entries": [
    {
      remote_id: "1",
      employee_remote_id: "1",
      start_date: "2026-02-03",
      end_date: "2026-02-03",
      amount: 1,
      unit: "days",
      status: "approved",
      policy_remote_id: "1",
      policy_type: "vacation",
    },
  ],
  "time-off-balances": [
    {
      employee_remote_id: "1",
      policy_remote_id: "1",
      balance: 19,
      used: 1,
      unit: "days",
      policy_type: "vacation",
    },
  ],
};

const payOfOdoo: ExpectedRecords = {
  payruns: [{ remote_id: "batch-1", state: "paid", type: "regular", ...februaryOfOdoo }],
  payslips: [
    {
      remote_id: "1",
      employee_remote_id: "1",
      payrun_remote_id: "batch-1",
      payrun_type: "regular",
      currency: "eur",
      gross_pay: 10_000,
      net_pay: 7_500,
      ...februaryOfOdoo,
      earnings: [{ name: "Line BASIC", amount: 10_000 }],
      contributions: [{ name: "Line COMP", amount: 1_500 }],
      deductions: [{ name: "Line DED", amount: 1_000 }],
      taxes: [{ name: "Line TAX", amount: 2_000, employer_tax: false }],
      reimbursements: [{ name: "Line EXPENSE", amount: 500 }],
    },
  ],
};

export const expectedOfOdoo = {
  xhr: { ...peopleOfOdoo, ...payOfOdoo },
  official: peopleOfOdoo,
};

const employerOfStaffology = "00004cd0-0000-4000-8000-000000000001";
const octoberOfStaffology = {
  start_date: "2025-10-01",
  end_date: "2025-10-31",
  payment_date: "2025-10-27",
};
const octoberRun = `${employerOfStaffology}/Year2025/Monthly/1/7/1`;
const personOfStaffology = (number: number): string =>
  `00004cc3-0000-4000-8000-${String(number).padStart(12, "0")}`;

export const expectedOfStaffology: ExpectedRecords = {
  company: [{ remote_id: employerOfStaffology, legal_name: "Pennine Tea Ltd" }],
  employees: [
    {
      remote_id: personOfStaffology(6),
      first_name: "Farid",
      last_name: "Haddad",
      gender: "female",
      marital_status: "married",
      date_of_birth: "1988-02-29",
      employment_status: "active",
      employment_type: "contractor",
      start_date: "2019-05-07",
      employments: [
        {
          effective_date: "2019-05-07",
          pay_rate: 2700.02,
          pay_period: "MONTH",
          pay_frequency: "monthly",
          currency: "gbp",
        },
      ],
      groups: [
        { remote_id: `${employerOfStaffology}/BLEND`, name: "Blending", type: "department" },
      ],
    },
    {
      remote_id: personOfStaffology(7),
      employment_status: "inactive",
      termination_date: "2025-12-31",
    },
  ],
  payruns: [{ remote_id: octoberRun, state: "paid", type: "regular", ...octoberOfStaffology }],
  payslips: [
    {
      employee_remote_id: personOfStaffology(2),
      payrun_remote_id: octoberRun,
      payrun_type: "regular",
      currency: "gbp",
      gross_pay: 329_925,
      net_pay: 259_946,
      ...octoberOfStaffology,
      earnings: [
        { name: "Basic pay", amount: 330_000 },
        { name: "Night shifts", amount: 15_925, hours: 6.5 },
        { name: "Pension (salary sacrifice)", amount: -16_000 },
      ],
      contributions: [{ amount: 25_600 }],
      deductions: [{ name: "Postgraduate loan", amount: 8_100 }],
      taxes: [
        { name: "PAYE", amount: 42_685, employer_tax: false },
        { name: "National Insurance", amount: 19_194, employer_tax: false },
        { name: "National Insurance, employer", amount: 36_189, employer_tax: true },
      ],
      reimbursements: [],
    },
    {
      employee_remote_id: personOfStaffology(4),
      payrun_remote_id: octoberRun,
      reimbursements: [
        { name: "Train to Leeds", amount: 4_520 },
        { name: "Mileage", amount: 5_400 },
      ],
    },
  ],
  "time-off-entries": [
    {
      employee_remote_id: personOfStaffology(1),
      start_date: "2026-02-09",
      end_date: "2026-02-13",
      amount: 5,
      unit: "days",
      status: "approved",
      policy_remote_id: "Holiday",
      policy_type: "vacation",
    },
  ],
  "time-off-balances": [
    {
      employee_remote_id: personOfStaffology(1),
      policy_remote_id: "Holiday",
      balance: 18.5,
      used: 9.5,
      unit: "days",
      policy_type: "vacation",
    },
  ],
};

const dayMs = 86_400_000;

const daysAgo = (days: number): string =>
  new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** BambooHR's fake has absences and shifts of these days. Its clocks are those of Denver. */
export function expectedOfBamboo(): ExpectedRecords {
  return {
    company: [{ remote_id: "lindgren", legal_name: "Lindgren & Søn, Inc." }],
    employees: [
      {
        remote_id: "10",
        first_name: "Given10",
        last_name: "Family10",
        gender: "female",
        ethnicity: "mixed",
        date_of_birth: "1985-07-30",
        employment_status: "inactive",
        employment_type: "full_time",
        start_date: "2020-03-01",
        termination_date: "2025-06-30",
        manager: { remote_id: "1" },
        employments: [
          {
            effective_date: "2022-05-01",
            pay_rate: 4000.1,
            pay_period: "MONTH",
            pay_frequency: "semimonthly",
            currency: "usd",
          },
          { effective_date: "2021-01-01", pay_rate: 19.5, pay_period: "HOUR", currency: "cad" },
          { effective_date: "2020-03-01", pay_rate: 19.5, pay_period: "HOUR", currency: "cad" },
        ],
        groups: [
          { remote_id: "department-11", name: "Logistics", type: "department" },
          { remote_id: "division-11", name: "North" },
        ],
      },
    ],
    timesheets: [
      {
        remote_id: "1",
        employee_remote_id: "1",
        start_time: `${daysAgo(5)}T15:00:00Z`,
        end_time: `${daysAgo(5)}T18:30:00Z`,
        hours_worked: 3.5,
      },
    ],
    "time-off-entries": [
      {
        remote_id: "1659",
        employee_remote_id: "1",
        start_date: daysAgo(10),
        end_date: daysAgo(8),
        amount: 3,
        unit: "days",
        status: "approved",
        policy_remote_id: "78",
        policy_type: "vacation",
      },
    ],
    "time-off-balances": [
      {
        employee_remote_id: "1",
        policy_remote_id: "78",
        balance: -26.36,
        used: 12.25,
        unit: "days",
        policy_type: "vacation",
      },
    ],
  };
}
