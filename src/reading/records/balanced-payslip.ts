import type { RecordOf } from "../../model/index.ts";

type Totals = Pick<RecordOf<"payslips">, "gross_pay" | "net_pay">;
type Lists = Pick<RecordOf<"payslips">, "earnings" | "deductions" | "taxes" | "reimbursements">;

/** Of each line, at most half of a minor unit is lost by rounding. */
const lostByLine = 0.5;

/**
 * Whether the lists make the totals. A list that is not known makes none wrong that its lines could explain: deductions
 * and taxes a smaller net pay, reimbursements a larger one. What the employer pays on top is in neither.
 */
export function isBalancedPayslip(slip: Totals & Lists): boolean {
  const { gross_pay: gross, net_pay: net, earnings, deductions, taxes, reimbursements } = slip;
  if (gross === null) return true;
  if (earnings && !isNear(gross - sum(earnings), earnings.length)) return false;
  if (net === null) return true;
  const ofEmployee = (taxes ?? []).filter(({ employer_tax: isEmployerTax }) => !isEmployerTax);
  const takenOff = [...(deductions ?? []), ...ofEmployee];
  const paidBack = reimbursements ?? [];
  const unexplained = net - (gross - sum(takenOff) + sum(paidBack));
  if (isNear(unexplained, takenOff.length + paidBack.length)) return true;
  // A reversal has all signs turned.
  const isSmaller = gross < 0 ? unexplained > 0 : unexplained < 0;
  return isSmaller ? deductions === null || taxes === null : reimbursements === null;
}

function sum(lines: readonly { amount: number }[]): number {
  return lines.reduce((all, { amount }) => all + amount, 0);
}

function isNear(difference: number, lines: number): boolean {
  return Math.abs(difference) <= Math.max(1, lines * lostByLine);
}
