import type { ExpectedRecords } from "../../src/providers/conformance.ts";
import { annualLeave, australianLeave } from "./vendors/xero-abroad.ts";
import { idOf } from "./vendors/xero-company.ts";

// What the reads of the company abroad have to give, by hand: amounts in cents, days as they are there.

const [sole, second] = [idOf(1, 1), idOf(1, 2)];
const run = idOf(5, 1);
const days = { start_date: "2026-02-01", end_date: "2026-02-28", payment_date: "2026-02-27" };

const company = [{ remote_id: idOf(9, 1), legal_name: "Maple & Söhne Ltd" }];
const person = {
  remote_id: second,
  first_name: "大江",
  last_name: "Last2",
  gender: "female",
  date_of_birth: "1987-12-23",
  employment_status: "inactive",
  start_date: "2020-02-03",
  termination_date: "2025-06-30",
  job_title: "Baker",
  groups: [
    { remote_id: "5e813d9e-949c-461f-8a89-e9ee8955a254", name: "Monthly", type: "pay_group" },
  ],
};
const pay = { pay_rate: 25_002, pay_period: "YEAR", pay_frequency: "monthly" };
const timesheets = [
  {
    remote_id: idOf(7, 1),
    employee_remote_id: sole,
    start_time: "2026-02-16T00:00:00Z",
    hours_worked: 8,
  },
];
const entry = {
  remote_id: idOf(4, 1),
  employee_remote_id: sole,
  start_date: "2026-02-16",
  end_date: "2026-02-20",
  amount: 37.5,
  unit: "hours",
  status: "approved",
  policy_type: "vacation",
};
const balance = { employee_remote_id: sole, balance: 32, unit: "hours", policy_type: "vacation" };
const payslip = { employee_remote_id: sole, payrun_remote_id: run, currency: null, ...days };

export const expectedOfXeroAbroad: Readonly<Record<"NZ" | "AU", ExpectedRecords>> = {
  NZ: {
    company,
    employees: [
      {
        ...person,
        tax_id: "111111111",
        employment_type: null,
        bank_account: { account_number: "0607050201419000", sort_code: null },
        home_location: {
          street_address: "30 Queen Street, Ponsonby",
          locality: "Auckland",
          country: "NZ",
        },
        employments: [{ ...pay, effective_date: "2020-04-01", currency: "nzd" }],
      },
      {
        remote_id: idOf(1, 33),
        employment_type: "other",
        employments: [{ employment_type: "other", pay_frequency: "semimonthly" }],
      },
    ],
    timesheets,
    "time-off-entries": [{ ...entry, policy_remote_id: annualLeave }],
    "time-off-balances": [{ ...balance, policy_remote_id: annualLeave }],
    payruns: [{ remote_id: run, state: "paid", type: "regular", ...days }],
    payslips: [
      {
        ...payslip,
        payrun_type: "regular",
        currency_code: "nzd",
        gross_pay: 21_200,
        net_pay: 17_233,
        earnings: [
          { name: "Ordinary Time", amount: 15_000, hours: 6 },
          { name: "Holiday Pay", amount: 1_200, hours: null },
          { name: "Ordinary Time", amount: 5_000, hours: 2 },
        ],
        contributions: [{ name: "KiwiSaver", amount: 486 }],
        deductions: [
          { name: "Rent", amount: 2_005 },
          { name: "Statutory deduction", amount: 486 },
        ],
        taxes: [
          { name: "PAYE", amount: 1_926, employer_tax: false },
          { name: "ESCT", amount: 70, employer_tax: true },
        ],
        reimbursements: [{ name: "Mileage", amount: 450 }],
      },
    ],
  },
  AU: {
    company: company.map((one) => ({ ...one, tax_id: null })),
    employees: [
      {
        ...person,
        tax_id: null,
        employment_type: "full_time",
        bank_account: {
          account_number: "87654321",
          sort_code: "062000",
          holder_name: "Pay",
        },
        home_location: {
          street_address: "101 Green St",
          locality: "Perth",
          administrative_area: "Western Australia",
          country: "AU",
          post_code: "6000",
        },
        employments: [{ ...pay, effective_date: null, job_title: "Baker", currency: "aud" }],
      },
    ],
    timesheets,
    "time-off-entries": [{ ...entry, policy_remote_id: australianLeave }],
    "time-off-balances": [{ ...balance, policy_remote_id: australianLeave }],
    payruns: [{ remote_id: run, state: "paid", type: null, ...days }],
    payslips: [
      {
        ...payslip,
        payrun_type: null,
        currency_code: "aud",
        gross_pay: 464_254,
        // With what is paid back.
        net_pay: 377_849,
        earnings: [
          { name: "Ordinary Hours", amount: 100_000, hours: null },
          { name: "Ordinary Hours", amount: 233_472, hours: 76 },
          { name: "Leave", amount: 93_389, hours: 30.4 },
          { name: "Leave loading", amount: 16_343, hours: null },
          { name: "Leave that is paid out", amount: 15_050, hours: null },
          { name: "Ordinary Hours", amount: 6_000, hours: 2 },
        ],
        contributions: [
          { name: "Superannuation guarantee", amount: 30_025 },
          { name: "Additional superannuation", amount: 10_000 },
        ],
        deductions: [
          { name: "Union Fees/Subscriptions", amount: 405 },
          { name: "Salary sacrifice", amount: 6_000 },
          { name: "Superannuation of the employee", amount: 4_000 },
        ],
        taxes: [
          { name: "PAYG Tax", amount: 80_000, employer_tax: false },
          { name: "HELP Component", amount: 1_500, employer_tax: false },
        ],
        reimbursements: [{ name: "Travel Costs", amount: 5_500 }],
      },
    ],
  },
};
