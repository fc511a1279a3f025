import { defineReader } from "../contract.ts";
import { always, defineFields, definePart, each, together } from "../kit/fields.ts";
import { toMinorUnits } from "../kit/money.ts";
import { flag, money, number, records, strict, text } from "../kit/readers.ts";
import { recordsAt } from "../kit/paging.ts";
import { defineSource, fieldOf } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { listOf, openCompany } from "./gusto-client.ts";
import { contractorPrefix, payrunShape, readContractorRuns, toPayrunType } from "./payruns.ts";

type Payslip = SourceRecord<"payslips">;
type Line<Section extends "earnings" | "deductions" | "taxes"> = NonNullable<
  Payslip[Section]
>[number];
interface Amount {
  amount: number;
}
const sections = ["earnings", "contributions", "deductions", "taxes", "reimbursements"] as const;

/** The names by which Gusto tells these from other fixed pay. */
const [cashTips, reimbursement] = ["Cash Tips", "Reimbursement"];
const benefitScopes = ["employee_benefits:read", "employee_benefits:read:phi"] as const;

/** A number or a text. What is neither, and a list that is none, break the read: no amount may become another one. */
const dollars = strict(money("usd"));
const lines = strict(records);

const slip = defineSource({
  uuid: text,
  employee_uuid: text,
  excluded: flag,
  gross_pay: dollars,
  net_pay: dollars,
  check_amount: dollars,
  hourly_compensations: lines,
  fixed_compensations: lines,
  paid_time_off: lines,
  benefits: lines,
  deductions: lines,
  taxes: lines,
  reimbursements: lines,
  payrun: payrunShape,
});
const line = defineSource({
  name: text,
  description: text,
  amount: dollars,
  hours: number,
  employer: flag,
  employee_deduction: dollars,
  company_contribution: dollars,
  /** It is a value that is taxed, and no money. */
  imputed: flag,
});

/** A line of pay. Who is paid back is not paid. What is 0 is left out. */
const earning = definePart<Line<"earnings">>()(line, {
  name: line.or("name", "Earnings"),
  amount: line.from(["name", "amount"], (name, amount) =>
    name === reimbursement ? 0 : (amount ?? 0),
  ),
  hours: "hours",
});
const deduction = definePart<Line<"deductions">>()(line, {
  name: line.or("name", "Deduction"),
  amount: line.or("amount", 0),
});
/** Of fixed pay those of this name alone. */
const onlyOf = (kind: string) =>
  definePart<Line<"deductions">>()(line, {
    name: line.or("name", kind),
    amount: line.from(["name", "amount"], (name, amount) => (name === kind ? (amount ?? 0) : 0)),
  });
const benefit = (amount: "employee_deduction" | "company_contribution") =>
  definePart<Line<"deductions">>()(line, {
    name: line.or("name", "Benefit"),
    amount: line.from(["imputed", amount], (isImputed, paid) => (isImputed ? 0 : (paid ?? 0))),
  });
const tax = definePart<Line<"taxes">>()(line, {
  name: line.or("name", "Tax"),
  amount: line.or("amount", 0),
  employer_tax: line.or("employer", false),
});
const repaid = definePart<Line<"deductions">>()(line, {
  name: line.or("description", reimbursement),
  amount: line.or("amount", 0),
});

const fields = defineFields("payslips", slip, {
  remote_id: slip.from(
    ["uuid", "payrun.payroll_uuid", "employee_uuid"],
    (uuid, run, employee) => uuid ?? `${run}/${employee}`,
  ),
  employee_remote_id: "employee_uuid",
  payrun_remote_id: "payrun.payroll_uuid",
  payrun_type: slip.from(["payrun.off_cycle", "payrun.off_cycle_reason"], toPayrunType),
  currency: always("usd"),
  gross_pay: "gross_pay",
  // With what is paid back: that is what somebody gets.
  net_pay: slip.first("check_amount", "net_pay"),
  start_date: slip.first("payrun.pay_period.start_date", "payrun.check_date"),
  end_date: slip.first("payrun.pay_period.end_date", "payrun.check_date"),
  payment_date: "payrun.check_date",
  earnings: together(
    each(slip, "hourly_compensations", earning),
    each(slip, "fixed_compensations", earning),
    each(slip, "paid_time_off", earning),
  ),
  contributions: together(each(slip, "benefits", benefit("company_contribution"))),
  deductions: together(
    each(slip, "deductions", deduction),
    each(slip, "benefits", benefit("employee_deduction")),
    each(slip, "fixed_compensations", onlyOf(cashTips)),
  ),
  taxes: together(each(slip, "taxes", tax)),
  reimbursements: together(
    each(slip, "reimbursements", repaid),
    each(slip, "fixed_compensations", onlyOf(reimbursement)),
  ),
}).says({
  remote_id: "the run and the person; of a contractor the payment",
  payrun_type: "as of the pay run",
  net_pay: "what is paid, with what is paid back",
  earnings:
    "without what is paid back, and without paid time off where Gusto counts it among the hours",
  "contributions[].amount": "what the company pays for benefits; 0 where it is a mere value",
  deductions:
    "with the employee's part of benefits, and cash tips, which the person has; the rest as one line where benefits may not be read",
});

export const payslips = defineReader<"payslips", object>({
  async *fetch(context, session, { payrunRemoteId }) {
    const company = openCompany(context, session);
    if (payrunRemoteId.startsWith(contractorPrefix)) {
      const date = payrunRemoteId.slice(contractorPrefix.length);
      const runs = await readContractorRuns(company, { start: date, end: date });
      yield runs.flatMap(({ run, payments }) => payments.map((one) => toSlip(one, run)));
      return;
    }
    const hidden = benefitScopes.some((scope) => !company.mayRead(scope));
    if (hidden) context.limited(fields.limitedBy(["benefits"]));
    const include = ["deductions", "taxes"];
    if (company.mayRead(benefitScopes[0])) include.push("benefits");
    let payrun: unknown;
    const list = listOf(`${company.path}/payrolls/${encodeURIComponent(payrunRemoteId)}`, {
      idOf: (one) => fieldOf(one, "employee_uuid"),
      items: recordsAt("employee_compensations"),
      query: { include: include.join() },
      onAnswer: ({ body }) => void (payrun = { ...(body as object), employee_compensations: [] }),
      // One that was deleted has none.
      errors: { 404: "absent" },
      whenAbsent: { employee_compensations: [] },
    });
    for await (const { items, next } of company.client.pages(list, context.cursor)) {
      // Before it is processed, there are no totals.
      const paid = fieldOf(payrun, "processed") === true ? (items as readonly object[]) : [];
      const records = paid.map((one) => ({ ...one, payrun, isPartial: hidden }));
      yield next ? { records, cursor: next } : records;
    }
  },
  isPagedByOffset: true,
  table: fields,
  map: (raw, context) => {
    if (slip.read(raw, "excluded")) return null;
    const mapped = withoutZeros(fields.map(withoutDoubles(raw), context));
    const whole = fieldOf(raw, "isPartial") === true ? withRest(mapped) : mapped;
    const isPaid = sections.some((section) => (whole[section] ?? []).length > 0);
    if (!isPaid && !whole.gross_pay && !whole.net_pay) return null;
    const reason = fieldOf(fieldOf(raw, "payrun"), "off_cycle_reason");
    return reason === "Reversal" ? takeBack(whole) : whole;
  },
});

/** Everybody is listed, with all kinds of pay that the company has. */
function withoutZeros(mapped: Payslip): Payslip {
  return eachSection(mapped, (found) => found.filter(({ amount }) => amount !== 0));
}

function eachSection(mapped: Payslip, change: (found: Amount[]) => Amount[]): Payslip {
  const changed = sections.map((section) => [section, change(mapped[section] ?? [])]);
  return { ...mapped, ...(Object.fromEntries(changed) as Partial<Payslip>) };
}

/**
 * What Gusto says in two places. Paid time off can be a part of the hours: then these are the whole of the gross pay.
 * What is paid back stands among fixed pay, too, in older runs.
 */
function withoutDoubles(raw: object): object {
  const repaidLines = slip.read(raw, "reimbursements") ?? [];
  const others = (slip.read(raw, "fixed_compensations") ?? []).filter(
    (one) => repaidLines.length === 0 || line.read(one, "name") !== reimbursement,
  );
  const pay = others.filter((one) => line.read(one, "name") !== reimbursement);
  const worked = total([...(slip.read(raw, "hourly_compensations") ?? []), ...pay]);
  const isInside = worked !== 0 && worked === slip.read(raw, "gross_pay");
  return { ...raw, fixed_compensations: others, ...(isInside && { paid_time_off: [] }) };
}

function total(found: readonly object[]): number {
  return found.reduce((sum, one) => sum + (line.read(one, "amount") ?? 0), 0);
}

/** Gusto leaves benefits that may not be read out without a mark, but not out of the net pay. */
function withRest(mapped: Payslip): Payslip {
  const { gross_pay: gross, net_pay: net, deductions, taxes, reimbursements } = mapped;
  if (typeof gross !== "number" || typeof net !== "number") return mapped;
  const ofEmployee = (taxes ?? []).filter(({ employer_tax: isOfEmployer }) => !isOfEmployer);
  const rest = gross - net - sum(deductions) - sum(ofEmployee) + sum(reimbursements);
  if (rest <= 0) return mapped;
  return {
    ...mapped,
    deductions: [...(deductions ?? []), { name: "Other deductions", amount: rest }],
  };
}

/** A reversal takes away pay and hours, whether Gusto writes either with a sign or without one. */
function takeBack(mapped: Payslip): Payslip {
  const negative = (mapped.gross_pay ?? 0) > 0 ? negate(mapped) : mapped;
  const earnings = (negative.earnings ?? []).map(({ hours, ...one }) => ({
    ...one,
    hours: hours && Math.sign(one.amount) * Math.abs(hours),
  }));
  return { ...negative, earnings };
}

function negate(mapped: Payslip): Payslip {
  const { gross_pay: gross, net_pay: net } = mapped;
  const negated = eachSection(mapped, (found) =>
    found.map((one) => ({ ...one, amount: -one.amount })),
  );
  return { ...negated, gross_pay: -(gross ?? 0), net_pay: net && -net };
}

/** The payment of a contractor in the form of a payslip. It has no taxes. */
function toSlip(payment: object, payrun: object): object {
  const cents = (name: string): number => {
    const value = fieldOf(payment, name);
    return value === null || value === undefined ? 0 : toMinorUnits(value as string, "usd");
  };
  const [gross, bonus, back] = [cents("wage_total"), cents("bonus"), cents("reimbursement")];
  const hours = fieldOf(payment, "wage_type") === "Hourly" ? fieldOf(payment, "hours") : null;
  return {
    uuid: fieldOf(payment, "uuid"),
    employee_uuid: fieldOf(payment, "contractor_uuid"),
    gross_pay: inDollars(gross),
    check_amount: inDollars(gross + back),
    hourly_compensations: [{ name: "Wages", amount: inDollars(gross - bonus), hours }],
    fixed_compensations: [{ name: "Bonus", amount: inDollars(bonus) }],
    reimbursements: [{ amount: inDollars(back) }],
    payrun,
  };
}

function inDollars(cents: number): string {
  return (cents / 100).toFixed(2);
}

function sum(found: readonly Amount[] | null | undefined): number {
  return (found ?? []).reduce((all, { amount }) => all + amount, 0);
}
