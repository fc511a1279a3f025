import { z } from "zod";
import { date, orNull, text } from "./field.ts";

const payrunTypes = ["regular", "one_time", "off_cycle", "correction", "reversal"] as const;
const payslipCurrencies = ["usd", "gbp", "eur", "sek", "cad"] as const;

export const payrun = z
  .object({
    id: text,
    remote_id: text,
    state: orNull(z.enum(["paid", "pending"])),
    type: orNull(z.enum(payrunTypes)),
    start_date: orNull(date),
    end_date: orNull(date),
    payment_date: orNull(date),
  })
  .meta({
    id: "Payrun",
    examples: [
      {
        id: "kJ2mZ8QvT1yB4nR7cW0xLg",
        remote_id: "monthly-2026-03",
        state: "paid",
        type: "regular",
        start_date: "2026-03-01",
        end_date: "2026-03-31",
        payment_date: "2026-03-28",
      },
    ],
  });

const amount = z.number().describe("In the currency's minor unit");
const line = z.object({ name: text, amount });

export const payslip = z
  .object({
    id: orNull(text),
    remote_id: orNull(text),
    employee_id: text,
    employee_remote_id: text,
    payrun_id: text,
    payrun_remote_id: text,
    payrun_type: orNull(z.enum(payrunTypes)),
    currency: orNull(z.enum(payslipCurrencies)),
    gross_pay: orNull(amount),
    net_pay: orNull(amount),
    start_date: date,
    end_date: date,
    payment_date: date,
    earnings: orNull(z.array(line.extend({ hours: orNull(z.number()) }))).describe(
      "Breakdown of gross pay",
    ),
    contributions: orNull(z.array(line)).describe(
      "Employer-paid items that are not part of gross pay",
    ),
    deductions: orNull(z.array(line)),
    taxes: orNull(z.array(line.extend({ employer_tax: orNull(z.boolean()) }))),
    reimbursements: orNull(z.array(line)),
  })
  .meta({
    id: "Payslip",
    description: "Amounts are in the currency's minor unit (cents for USD, EUR and GBP).",
    examples: [
      {
        id: "Qm3xT9aLw2Vd5sKf8hYbNg",
        remote_id: "monthly-2026-03/emp_1042",
        employee_id: "mE8op2gjWJkuyTy8gekIfQ",
        employee_remote_id: "emp_1042",
        payrun_id: "kJ2mZ8QvT1yB4nR7cW0xLg",
        payrun_remote_id: "monthly-2026-03",
        payrun_type: "regular",
        currency: "gbp",
        gross_pay: 350000,
        net_pay: 268400,
        start_date: "2026-03-01",
        end_date: "2026-03-31",
        payment_date: "2026-03-28",
        earnings: [{ name: "Salary", amount: 350000, hours: null }],
        contributions: [{ name: "Employer pension", amount: 10500 }],
        deductions: [{ name: "Pension", amount: 17500 }],
        taxes: [{ name: "Income tax", amount: 64100, employer_tax: false }],
        reimbursements: [],
      },
    ],
  });
