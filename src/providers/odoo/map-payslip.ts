import { toMinorUnits } from "../kit/money.ts";
import type { SourceRecord } from "../source-records.ts";
import {
  isFalse,
  toAmount,
  toNumber,
  toReference,
  toText,
  type OdooRecord,
} from "./field-values.ts";
import type { LineKind } from "./payroll-categories.ts";
import { isRefund, toRunOfSlip } from "./payslip-run.ts";

type Payslip = SourceRecord<"payslips">;

export interface PayslipLine {
  record: OdooRecord;
  /** Null when nothing says what the lines of its category are. */
  kind: LineKind | null;
}

export interface RawPayslip {
  record: OdooRecord;
  lines: readonly PayslipLine[];
  currency: string | null;
}

/** Null for what was cancelled, and for a payslip of nobody. */
export function toPayslip({ record, lines, currency }: RawPayslip): Payslip | null {
  const employee = toReference(record, "employee_id");
  if (!employee || toText(record, "state") === "cancel") return null;
  const isReversal = isRefund(record);
  const totalOf: TotalOf = (line, { isTakenOff } = { isTakenOff: false }) => {
    const amount = toMinorUnits(toAmount(line, "total"), currency);
    return isReversal === isTakenOff ? amount : 0 - amount;
  };
  return {
    remote_id: String(record.id),
    employee_remote_id: String(employee.id),
    ...toRunOfSlip(record),
    currency,
    gross_pay: toSum(lines, "gross", totalOf),
    net_pay: toSum(lines, "net", totalOf),
    ...toSections(lines, totalOf),
  };
}

/** In minor units. What is taken off is negative in Odoo. */
type TotalOf = (line: OdooRecord, options?: { isTakenOff: boolean }) => number;

function toSections(lines: readonly PayslipLine[], totalOf: TotalOf) {
  const list = (kind: LineKind, isTakenOff = false) =>
    lines
      .filter((line) => line.kind === kind && isListed(line))
      .map(({ record }) => ({
        name: toText(record, "name") ?? toText(record, "code") ?? "",
        amount: totalOf(record, { isTakenOff }),
      }));
  return {
    earnings: list("earning").map((line) => ({ ...line, hours: null })),
    contributions: list("contribution"),
    deductions: list("deduction", true),
    taxes: [
      ...list("tax", true).map((line) => ({ ...line, employer_tax: false })),
      ...list("employer_tax").map((line) => ({ ...line, employer_tax: true })),
    ],
    reimbursements: list("reimbursement"),
  };
}

/**
 * A line of nothing is left out, and one that Odoo does not print: unless gross or net pay count it,
 * because then the sums would differ.
 */
function isListed({ record, kind }: PayslipLine): boolean {
  if (toNumber(record, "quantity") === 0 && toNumber(record, "total") === 0) return false;
  const isCounted = kind === "earning" || kind === "deduction" || kind === "tax";
  return isCounted || !isFalse(record, "appears_on_payslip");
}

/** Odoo's own sum, which can differ from the rounded lines by a cent. */
function toSum(
  lines: readonly PayslipLine[],
  kind: "gross" | "net",
  totalOf: TotalOf,
): number | null {
  const sums = lines.filter((line) => line.kind === kind).map(({ record }) => record);
  const named = sums.find((sum) => toText(sum, "code") === kind.toUpperCase());
  const sum = named ?? sums.at(-1);
  return sum ? totalOf(sum) : null;
}
