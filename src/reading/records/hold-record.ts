import type { RecordOf, Resource } from "../../model/index.ts";
import { ProviderBug, type FetchParameters } from "../../providers/index.ts";

/** What a record of one resource has to be, beyond the kinds of its values. */
type Hold<R extends Resource> = (
  record: RecordOf<R>,
  asked: FetchParameters,
  onNulled: (field: string) => void,
) => RecordOf<R>;

/** A shift that is written in whole minutes. */
const toleranceMs = 60_000;
const hourMs = 3_600_000;

const holds: { readonly [R in Resource]?: Hold<R> } = {
  payruns: holdDays,
  payslips: holdPayslip,
  timesheets: holdTimesheet,
  "time-off-entries": holdDays,
};

/**
 * The record as it is, or without what contradicts the rest of it: a wrong value must not pass because its kind is
 * right. What is taken away is reported to `onNulled`. Throws ProviderBug for a record that was not asked for.
 */
export function holdRecord<R extends Resource>(
  resource: R,
  record: RecordOf<R>,
  asked: FetchParameters,
  onNulled: (field: string) => void,
): RecordOf<R> {
  return holds[resource]?.(record, asked, onNulled) ?? record;
}

function holdPayslip(
  slip: RecordOf<"payslips">,
  { payrunRemoteId }: FetchParameters,
  onNulled: (field: string) => void,
): RecordOf<"payslips"> {
  if (payrunRemoteId !== undefined && slip.payrun_remote_id !== payrunRemoteId)
    throw new ProviderBug("a payslip has another payrun_remote_id than the pay run asked for");
  if (isBalancedPayslip(slip)) return slip;
  const lists = ["earnings", "deductions", "taxes", "reimbursements"] as const;
  for (const field of lists) if (slip[field] !== null) onNulled(field);
  return { ...slip, earnings: null, deductions: null, taxes: null, reimbursements: null };
}

/** A period does not end before it begins: one of the two is wrong. */
function holdDays<Period extends { start_date: string | null; end_date: string | null }>(
  period: Period,
  _asked: FetchParameters,
  onNulled: (field: string) => void,
): Period {
  const { start_date: start, end_date: end } = period;
  if (start === null || end === null || start <= end) return period;
  onNulled("start_date");
  onNulled("end_date");
  return { ...period, start_date: null, end_date: null };
}

/** Nobody works longer than from the beginning to the end: one of the three is wrong, and hours have to be there. */
function holdTimesheet(
  sheet: RecordOf<"timesheets">,
  _asked: FetchParameters,
  onNulled: (field: string) => void,
): RecordOf<"timesheets"> {
  const { start_time: start, end_time: end, hours_worked: hours } = sheet;
  if (start === null || end === null) return sheet;
  const lengthMs = Date.parse(end) - Date.parse(start);
  if (hours * hourMs <= lengthMs + toleranceMs) return sheet;
  onNulled("start_time");
  onNulled("end_time");
  return { ...sheet, start_time: null, end_time: null };
}

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
