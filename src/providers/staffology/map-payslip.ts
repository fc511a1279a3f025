import { z } from "zod";
import type { SourceRecord } from "../source-records.ts";
import { formatPayrunId, toPayrunType, type PayrunName } from "./payrun-id.ts";
import { payLine, sortLines, type Earning, type Line, type SortedLines } from "./payslip-lines.ts";
import { day, flag, number, part, pence, text } from "./wire-values.ts";

type Payslip = SourceRecord<"payslips">;
type Tax = NonNullable<Payslip["taxes"]>[number];
/** The lists whose sums make the net pay. */
type Sections = Pick<Payslip, "earnings" | "deductions" | "taxes" | "reimbursements">;

export interface RawPayslip {
  name: PayrunName;
  run: unknown;
  entry: unknown;
  /** As `paycodes` gives them. */
  payCodes: readonly unknown[];
}

const totalNames = [
  "basicPay",
  "gross",
  "takeHomePay",
  "tax",
  "employeeNi",
  "employerNi",
  "cisDeduction",
  "cisVat",
  "cisUmbrellaFee",
  "cisUmbrellaFeePostTax",
  "employeePensionContribution",
  "employeePensionContributionAvc",
  "employerPensionContribution",
  "studentLoanRecovered",
  "postgradLoanRecovered",
  "attachmentOrderDeductions",
  "nonTaxOrNICPmt",
  "ssp",
  "smp",
  "spp",
  "sap",
  "shpp",
  "spbp",
  "spbpNorthernIreland",
  "sncp",
] as const;
type Totals = Record<(typeof totalNames)[number], number>;

/** Of somebody whose pay is not reported to the tax office, some totals have another name. */
const totals = z.record(z.string(), z.unknown()).transform((given) => {
  const amountOf = (name: string): number => pence.parse(given[name]);
  const known = totalNames.map((name) => [name, amountOf(name) || amountOf(`${name}NonRti`)]);
  return Object.fromEntries(known) as Totals;
});

const entry = z.object({
  id: z.string(),
  employee: z.object({ id: z.string() }),
  isRemoved: flag,
  isRolledBack: z.boolean().nullish(),
  startDate: day,
  endDate: day,
  paymentDate: day,
  payOptions: part({
    basis: text,
    payAmount: number,
    payAmountMultiplier: number,
    mapsMiles: number,
    regularPayLines: z.array(payLine).nullish(),
  }),
  totals: totals.nullish(),
  pensionSummaries: z
    .array(z.object({ name: text, employerPensionContribution: pence }))
    .nullish()
    .catch(null),
});
type Entry = z.output<typeof entry>;

const runDates = z.object({ startDate: day, endDate: day, paymentDate: day });

/**
 * All amounts in pence. The lists are null when their sums do not give the gross and the net pay that Staffology itself
 * says: better no lines than wrong ones. Of a reversal all amounts are negative.
 */
export function toPayslip({ name, run, entry: raw, payCodes }: RawPayslip): Payslip | null {
  const parsed = entry.parse(raw);
  if (parsed.isRemoved || (name.isReversal && parsed.isRolledBack === false)) return null;
  const dates = runDates.parse(run);
  const id = name.isReversal ? `${parsed.id}/reversal` : parsed.id;
  const slip: Payslip = {
    remote_id: id,
    employee_remote_id: parsed.employee.id,
    payrun_remote_id: formatPayrunId(name),
    payrun_type: toPayrunType(name),
    currency: "gbp",
    // The public model refuses a payslip without these dates.
    start_date: parsed.startDate ?? dates.startDate ?? "",
    end_date: parsed.endDate ?? dates.endDate ?? "",
    payment_date: parsed.paymentDate ?? dates.paymentDate ?? "",
    ...toAmounts(parsed, payCodes),
  };
  return name.isReversal ? reverse(slip) : slip;
}

function toAmounts(parsed: Entry, payCodes: readonly unknown[]) {
  const { totals: sums, payOptions } = parsed;
  if (!sums) return { gross_pay: null, net_pay: null };
  const lines = sortLines(payOptions?.regularPayLines ?? [], payCodes);
  const sections = lines && toSections(parsed, sums, lines);
  return {
    gross_pay: sums.gross,
    net_pay: sums.takeHomePay,
    contributions: toContributions(parsed, sums),
    ...(sections && isBalanced(sections, sums) ? sections : {}),
  };
}

function toSections(parsed: Entry, sums: Totals, lines: SortedLines): Sections {
  const earnings = [
    ...present([{ name: "Basic pay", amount: sums.basicPay, hours: toBasicHours(parsed, sums) }]),
    ...lines.earnings,
    ...(lines.hasStatutoryPay ? [] : toStatutoryPay(sums)),
  ];
  const sacrificed = lines.sacrifices.map(({ name, amount }) => ({
    name,
    amount: -amount,
    hours: null,
  }));
  // Gross pay may be told before or after a sacrifice.
  const isAfter = total(earnings) + total(sacrificed) === sums.gross;
  return {
    earnings: isAfter ? [...earnings, ...sacrificed] : earnings,
    deductions: [
      ...(isAfter ? [] : lines.sacrifices),
      ...lines.deductions,
      ...toDeductionsOfTotals(sums, lines.linked),
    ],
    taxes: toTaxes(sums),
    reimbursements: toReimbursements(parsed, sums, lines),
  };
}

/** The hours of somebody who is paid by the hour, when they make the basic pay. */
function toBasicHours({ payOptions }: Entry, { basicPay }: Totals): number | null {
  const { basis, payAmount, payAmountMultiplier: hours } = payOptions ?? {};
  if (basis !== "Hourly" || !payAmount || !hours) return null;
  return Math.abs(payAmount * hours * 100 - basicPay) < 1 ? hours : null;
}

function toStatutoryPay(sums: Totals): Earning[] {
  return present([
    { name: "Statutory sick pay", amount: sums.ssp, hours: null },
    { name: "Statutory maternity pay", amount: sums.smp, hours: null },
    { name: "Statutory paternity pay", amount: sums.spp, hours: null },
    { name: "Statutory adoption pay", amount: sums.sap, hours: null },
    { name: "Statutory shared parental pay", amount: sums.shpp, hours: null },
    {
      name: "Statutory parental bereavement pay",
      amount: sums.spbp + sums.spbpNorthernIreland,
      hours: null,
    },
    { name: "Statutory neonatal care pay", amount: sums.sncp, hours: null },
  ]);
}

/** Each of these is left out when the lines that are linked to it come to the same: it must not count twice. */
function toDeductionsOfTotals(sums: Totals, linked: SortedLines["linked"]): Line[] {
  const pension = [
    { name: "Pension contribution", amount: sums.employeePensionContribution },
    { name: "Additional voluntary contribution", amount: sums.employeePensionContributionAvc },
  ];
  const loans = [
    { name: "Student loan", amount: sums.studentLoanRecovered },
    { name: "Postgraduate loan", amount: sums.postgradLoanRecovered },
  ];
  const orders = [{ name: "Attachment of earnings", amount: sums.attachmentOrderDeductions }];
  return present([
    ...(total(pension) === linked.pension ? [] : pension),
    ...(total(loans) === linked.loan ? [] : loans),
    ...(total(orders) === linked.attachmentOrder ? [] : orders),
    { name: "Umbrella fee", amount: sums.cisUmbrellaFee + sums.cisUmbrellaFeePostTax },
  ]);
}

function toTaxes(sums: Totals): Tax[] {
  return present([
    { name: "PAYE", amount: sums.tax, employer_tax: false },
    { name: "National Insurance", amount: sums.employeeNi, employer_tax: false },
    { name: "National Insurance, employer", amount: sums.employerNi, employer_tax: true },
    { name: "CIS deduction", amount: sums.cisDeduction, employer_tax: false },
  ]);
}

/** The total of what is neither taxed nor subject to national insurance has more than the lines: the mileage. */
function toReimbursements({ payOptions }: Entry, sums: Totals, lines: SortedLines): Line[] {
  const whole = sums.nonTaxOrNICPmt;
  const rest = whole - total(lines.reimbursements);
  const name = (payOptions?.mapsMiles ?? 0) > 0 ? "Mileage" : "Untaxed payments";
  return present([
    ...lines.reimbursements,
    { name, amount: rest * whole > 0 ? rest : 0 },
    { name: "VAT", amount: sums.cisVat },
  ]);
}

/** By pension scheme, when these make the total. */
function toContributions({ pensionSummaries }: Entry, sums: Totals): Line[] {
  const schemes = (pensionSummaries ?? []).map(({ name, employerPensionContribution: amount }) => ({
    name: name ?? "Pension",
    amount,
  }));
  const whole = { name: "Pension, employer", amount: sums.employerPensionContribution };
  return present(total(schemes) === whole.amount ? schemes : [whole]);
}

function isBalanced(sections: Sections, { gross, takeHomePay }: Totals): boolean {
  const { earnings, deductions, taxes, reimbursements } = sections;
  const ofEmployee = (taxes ?? []).filter(({ employer_tax: isEmployerTax }) => !isEmployerTax);
  const net = gross - total(deductions) - total(ofEmployee) + total(reimbursements);
  return total(earnings) === gross && net === takeHomePay;
}

function reverse(slip: Payslip): Payslip {
  const earnings = slip.earnings?.map(({ name, amount, hours }) => ({
    name,
    amount: negate(amount),
    hours: negateKnown(hours),
  }));
  return {
    ...slip,
    gross_pay: negateKnown(slip.gross_pay),
    net_pay: negateKnown(slip.net_pay),
    earnings: earnings ?? null,
    deductions: reverseLines(slip.deductions),
    taxes: reverseLines(slip.taxes),
    reimbursements: reverseLines(slip.reimbursements),
    contributions: reverseLines(slip.contributions),
  };
}

function reverseLines<Item extends Line>(items: readonly Item[] | null | undefined): Item[] | null {
  return items?.map((item) => ({ ...item, amount: negate(item.amount) })) ?? null;
}

function negateKnown(amount: number | null | undefined): number | null {
  return typeof amount === "number" ? negate(amount) : null;
}

/** There is no negative zero in JSON. */
function negate(amount: number): number {
  return 0 - amount;
}

function present<Item extends Line>(items: readonly Item[]): Item[] {
  return items.filter(({ amount }) => amount !== 0);
}

function total(items: readonly { amount: number }[] | null | undefined): number {
  return (items ?? []).reduce((sum, { amount }) => sum + amount, 0);
}
