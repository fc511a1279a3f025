import { z } from "zod";
import { currency, date, namedEnum, orNull, text } from "./field.ts";

const payrunType = namedEnum("PayrunType", "What a pay run is for.", {
  regular: "the usual pay of a period",
  one_time: "a single payment, such as a bonus",
  off_cycle: "pay outside of the usual schedule",
  correction: "mends an earlier pay run",
  reversal: "takes an earlier pay run back",
});

const payrunState = namedEnum("PayrunState", "Whether a pay run has been paid.", {
  paid: "paid out",
  pending: "not paid out yet",
});

const payslipCurrency = namedEnum("PayslipCurrency", "Lower-case ISO 4217 code of a currency.", {
  usd: "US dollar",
  gbp: "pound sterling",
  eur: "euro",
  sek: "Swedish krona",
  cad: "Canadian dollar",
});

const otherCurrencies: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf("currency")
    .map((code) => code.toLowerCase())
    .filter((code) => !payslipCurrency.safeParse(code).success),
);

/** Whether it is the lower-case ISO 4217 code of a currency that `currency` of a payslip cannot name. */
export function isOtherCurrency(code: unknown): code is string {
  return typeof code === "string" && otherCurrencies.has(code);
}

export const payrun = z
  .object({
    id: text.describe("The pay run's id at Rollcall; stable for a connection"),
    remote_id: text.describe("The pay run's id at the provider"),
    state: orNull(payrunState, "Whether it has been paid"),
    type: orNull(payrunType, "What it is for"),
    start_date: orNull(date, "First day of the period that is paid, YYYY-MM-DD"),
    end_date: orNull(date, "Last day of the period that is paid, YYYY-MM-DD"),
    payment_date: orNull(date, "The day of payment, YYYY-MM-DD"),
  })
  .meta({
    id: "Payrun",
    description: "A run of payroll for a period. Its payslips are read with its `id`.",
    examples: [
      {
        id: "x644PiTYtMBpw7ssyRkRfg",
        remote_id: "weekly-2025-W52",
        state: "paid",
        type: "regular",
        start_date: "2025-12-22",
        end_date: "2025-12-28",
        payment_date: "2026-01-02",
      },
    ],
  });

const minorUnit = "in minor units of the currency (cents)";
const money = z.number();
const line = z.object({
  name: text.describe("What it is, as the payslip says"),
  amount: money.describe(`The amount, ${minorUnit}`),
});

const earning = line
  .extend({ hours: orNull(z.number(), "The hours that are paid. Also null for a fixed amount") })
  .meta({ id: "Earning", description: "A part of gross pay." });
const contribution = line.meta({
  id: "Contribution",
  description: "What the employer pays on top; not a part of gross pay.",
});
const deduction = line.meta({ id: "Deduction", description: "What is taken off gross pay." });
const tax = line
  .extend({ employer_tax: orNull(z.boolean(), "Whether the employer pays it on top of gross pay") })
  .meta({ id: "Tax", description: "A tax or a duty." });
const reimbursement = line.meta({
  id: "Reimbursement",
  description: "What is paid back to the employee, such as travel expenses.",
});

export const payslip = z
  .object({
    id: orNull(text, "The payslip's id at Rollcall; stable for a connection"),
    remote_id: orNull(text, "The payslip's id at the provider"),
    employee_id: text.describe("Id of the employee, as in employees"),
    employee_remote_id: text.describe("Id of the employee at the provider"),
    payrun_id: text.describe("Id of the pay run, as in payruns"),
    payrun_remote_id: text.describe("Id of the pay run at the provider"),
    payrun_type: orNull(payrunType, "What the pay run is for"),
    currency: orNull(payslipCurrency, "The currency of all amounts of the payslip"),
    currency_code: currency
      .meta({ examples: ["jpy"] })
      .optional()
      .describe(
        "Beyond the specification, and only there when `currency` is null because it lists no such currency: the " +
          "currency of all amounts, as a lower-case ISO 4217 code",
      ),
    gross_pay: orNull(money, `Gross pay, ${minorUnit}`),
    net_pay: orNull(money, `Net pay, ${minorUnit}`),
    start_date: date.describe("First day of the period that is paid, YYYY-MM-DD"),
    end_date: date.describe("Last day of the period that is paid, YYYY-MM-DD"),
    payment_date: date.describe("The day of payment, YYYY-MM-DD"),
    earnings: orNull(z.array(earning), "Breakdown of gross pay"),
    contributions: orNull(
      z.array(contribution),
      "Employer-paid items that are not part of gross pay",
    ),
    deductions: orNull(z.array(deduction), "Items that are taken off gross pay"),
    taxes: orNull(z.array(tax), "Taxes and duties"),
    reimbursements: orNull(z.array(reimbursement), "Items that are paid back to the employee"),
  })
  .meta({
    id: "Payslip",
    description:
      "What one person is paid in one pay run. Amounts are in the currency's minor unit: 47611 with `eur` is " +
      "476.11 €, 350000 with the code `jpy`, which has no decimals, 350,000 ¥.",
    examples: [
      {
        id: "tylorcWGhGz4JvKfpXlgHQ",
        remote_id: "ps_weekly-2025-W52_1025",
        employee_id: "H_5W2C-9Nl-FGz0AtczFyg",
        employee_remote_id: "emp_1025",
        payrun_id: "x644PiTYtMBpw7ssyRkRfg",
        payrun_remote_id: "weekly-2025-W52",
        payrun_type: "regular",
        currency: "eur",
        gross_pay: 47611,
        net_pay: 33821,
        start_date: "2025-12-22",
        end_date: "2025-12-28",
        payment_date: "2026-01-02",
        earnings: [{ name: "Regular hours", amount: 47611, hours: 23.5 }],
        contributions: [
          { name: "Rentenversicherung, Arbeitgeber", amount: 4428 },
          { name: "Krankenversicherung, Arbeitgeber", amount: 3880 },
        ],
        deductions: [
          { name: "Rentenversicherung", amount: 4428 },
          { name: "Krankenversicherung", amount: 3880 },
        ],
        taxes: [
          { name: "Lohnsteuer", amount: 8808, employer_tax: false },
          { name: "Solidaritätszuschlag", amount: 214, employer_tax: false },
          { name: "Umlage U1", amount: 762, employer_tax: true },
        ],
        reimbursements: [{ name: "Travel expenses", amount: 3540 }],
      },
    ],
  });
