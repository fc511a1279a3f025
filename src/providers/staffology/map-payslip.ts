import { always, defineFields } from "../kit/fields.ts";
import { day, flag, given, number, records, text } from "../kit/readers.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { formatPayrunId, toPayrunType, type PayrunName } from "./payrun-id.ts";
import { pounds, readPounds, sortLines } from "./payslip-lines.ts";
import type { Earning, Line, SortedLines } from "./payslip-lines.ts";

type Payslip = SourceRecord<"payslips">;
type Tax = NonNullable<Payslip["taxes"]>[number];
/** The lists whose sums make the net pay. */
type Sections = Pick<Payslip, "earnings" | "deductions" | "taxes" | "reimbursements">;
type Amounts = Sections & Pick<Payslip, "gross_pay" | "net_pay" | "contributions">;

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

/** What one person is paid in a pay run, with what the read has put in. */
const entry = defineSource(
  {
    id: text,
    employee: { id: text },
    isRemoved: flag,
    /** False of what takes nothing back. */
    isRolledBack: flag,
    startDate: day,
    endDate: day,
    paymentDate: day,
    payOptions: {
      basis: text,
      payAmount: number,
      payAmountMultiplier: number,
      mapsMiles: number,
      regularPayLines: records,
    },
    totals: given<Readonly<Record<string, unknown>>>(),
    pensionSummaries: records,
    // What the read has put in.
    name: given<PayrunName>(),
    run: { startDate: day, endDate: day, paymentDate: day },
    /** As `paycodes` gives them. */
    payCodes: given<readonly unknown[]>(),
    // What `toPayslip` makes of totals and lines.
    amounts: given<Amounts>(),
  },
  { required: ["id", "employee", "name"] },
);
type Entry = Parts<typeof entry.shape>;
const pension = defineSource({ name: text, employerPensionContribution: pounds });

/** All of it is made at once, of what stands at these paths. */
const amount = <Name extends keyof Amounts>(
  name: Name,
  paths: readonly ("totals" | "pensionSummaries" | "payCodes" | "payOptions.regularPayLines")[],
) => ({ ...entry.from(["amounts"], (amounts) => amounts?.[name] ?? null), paths });
const ofLines = ["payOptions.regularPayLines", "payCodes", "totals"] as const;

/** All amounts in pence. Of a reversal all are negative. */
export const payslipFields = defineFields("payslips", entry, {
  remote_id: entry.from(["id", "name"], (id, name) => (name?.isReversal ? `${id}/reversal` : id)),
  employee_remote_id: "employee.id",
  payrun_remote_id: entry.from(["name"], (name) => name && formatPayrunId(name)),
  payrun_type: entry.from(["name"], (name) => name && toPayrunType(name)),
  currency: always("gbp"),
  start_date: entry.first("startDate", "run.startDate"),
  end_date: entry.first("endDate", "run.endDate"),
  payment_date: entry.first("paymentDate", "run.paymentDate"),
  gross_pay: amount("gross_pay", ["totals"]),
  net_pay: amount("net_pay", ["totals"]),
  earnings: amount("earnings", ofLines),
  contributions: amount("contributions", ["pensionSummaries", "totals"]),
  deductions: amount("deductions", ofLines),
  taxes: amount("taxes", ["totals"]),
  reimbursements: amount("reimbursements", ofLines),
}).says({
  remote_id: "the entry of the pay run; of a reversal followed by /reversal",
  payrun_remote_id: "what names the pay run: employer, tax year, schedule, period and version",
  payrun_type: "reversal of what takes a run back, correction of a supplementary run, else regular",
  gross_pay: "the total",
  net_pay: "the total",
  earnings:
    "the basic pay, the lines by their pay codes, and statutory pay of the totals; null when they do not make the gross pay",
  contributions: "by pension scheme, when these make the total",
  deductions: "the lines by their pay codes, and those of the totals alone",
  taxes: "of the totals",
  reimbursements: "the lines by their pay codes, and the rest of the total: mileage",
});

/**
 * The lists are null when their sums do not give the gross and the net pay that Staffology itself says: better no
 * lines than wrong ones.
 */
export function toPayslip(raw: object, mapping: { today: string }): Payslip | null {
  const parts = entry.parts(raw);
  const isReversal = parts.name?.isReversal ?? false;
  if (parts.isRemoved || (isReversal && parts.isRolledBack === false)) return null;
  const amounts = toAmounts(parts);
  return payslipFields.map({ ...raw, amounts: isReversal ? reverse(amounts) : amounts }, mapping);
}

/** Of somebody whose pay is not reported to the tax office, some totals have another name. */
function toTotals(given: Readonly<Record<string, unknown>>): Totals {
  const amountOf = (name: string): number => readPounds(given[name]);
  const known = totalNames.map((name) => [name, amountOf(name) || amountOf(`${name}NonRti`)]);
  return Object.fromEntries(known) as Totals;
}

function toAmounts(parsed: Entry): Amounts {
  const { totals, payOptions, payCodes } = parsed;
  if (!totals) return { gross_pay: null, net_pay: null };
  const sums = toTotals(totals);
  const lines = sortLines(payOptions?.regularPayLines ?? [], payCodes ?? []);
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
  const schemes = (pensionSummaries ?? []).map((one) => ({
    name: pension.read(one, "name") ?? "Pension",
    amount: pension.read(one, "employerPensionContribution") ?? 0,
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

function reverse(amounts: Amounts): Amounts {
  const earnings = amounts.earnings?.map(({ name, amount, hours }) => ({
    name,
    amount: negate(amount),
    hours: negateKnown(hours),
  }));
  return {
    gross_pay: negateKnown(amounts.gross_pay),
    net_pay: negateKnown(amounts.net_pay),
    earnings: earnings ?? null,
    deductions: reverseLines(amounts.deductions),
    taxes: reverseLines(amounts.taxes),
    reimbursements: reverseLines(amounts.reimbursements),
    contributions: reverseLines(amounts.contributions),
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
