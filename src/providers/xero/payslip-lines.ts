import type { ReadContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { toMinorUnits } from "../kit/money.ts";
import type { SourceRecord } from "../source-records.ts";
import { toNumber, toRecords, toText, type XeroRecord } from "./field-values.ts";
import { isInHours } from "./hour-rates.ts";
import { readAll } from "./paged-lists.ts";

type Payslip = SourceRecord<"payslips">;
type Line = { name: string; amount: number };

/** The lists of the company that name the lines of payslips: where each is, its ids, and the lines that need it. */
const lists = {
  earnings: {
    path: "/EarningsRates",
    field: "earningsRates",
    id: "earningsRateID",
    name: "name",
    lines: ["earningsLines", "leaveEarningsLines", "timesheetEarningsLines"],
  },
  deductions: {
    path: "/Deductions",
    field: "deductions",
    id: "deductionId",
    name: "deductionName",
    lines: ["deductionLines"],
  },
  courtOrders: {
    path: "/EarningsOrders",
    field: "statutoryDeductions",
    id: "id",
    name: "name",
    lines: ["courtOrderLines"],
  },
  benefits: {
    path: "/Benefits",
    field: "benefits",
    id: "id",
    name: "name",
    lines: ["benefitLines"],
  },
  reimbursements: {
    path: "/Reimbursements",
    field: "reimbursements",
    id: "reimbursementID",
    name: "name",
    lines: ["reimbursementLines"],
  },
} as const;

type ListName = keyof typeof lists;

/** The records of each list by their ids, as far as a payslip needed them. */
export type LineNames = Readonly<Partial<Record<ListName, Readonly<Record<string, XeroRecord>>>>>;

/** Asks for the lists that lines of these payslips need and that are not there yet. */
export async function readLineNames(
  context: ReadContext,
  payslips: readonly XeroRecord[],
  known: LineNames,
): Promise<LineNames> {
  const names = { ...known };
  for (const list of Object.keys(lists) as ListName[]) {
    const { path, field, id, lines } = lists[list];
    const isNeeded = payslips.some((payslip) => listLines(payslip, lines).length > 0);
    if (names[list] || !isNeeded) continue;
    const records = await readAll(context, { path, field });
    names[list] = Object.fromEntries(records.map((record) => [toText(record, id) ?? "", record]));
  }
  return names;
}

export function toEarnings(payslip: XeroRecord, names: LineNames): Payslip["earnings"] {
  return listLines(payslip, lists.earnings.lines).map((line) => {
    const rate = findNamed(names, "earnings", line, "earningsRateID");
    return {
      ...nameLine(line, toText(line, "displayName") ?? toText(rate, "name"), "Earnings"),
      hours: isInHours(rate ?? undefined) ? toNumber(line, "numberOfUnits") : null,
    };
  });
}

/** What the employer pays on top, such as into a pension. */
export function toContributions(payslip: XeroRecord, names: LineNames): Payslip["contributions"] {
  return listLines(payslip, lists.benefits.lines).map((line) =>
    nameLine(
      line,
      toText(line, "displayName") ?? findName(names, "benefits", line, "benefitTypeID"),
      "Benefit",
    ),
  );
}

export function toDeductions(payslip: XeroRecord, names: LineNames): Payslip["deductions"] {
  return [
    ...listLines(payslip, lists.deductions.lines).map((line) =>
      nameLine(line, findName(names, "deductions", line, "deductionTypeID"), "Deduction"),
    ),
    ...listLines(payslip, lists.courtOrders.lines).map((line) =>
      nameLine(line, findName(names, "courtOrders", line, "courtOrderTypeID"), "Court order"),
    ),
  ];
}

/** Which list a tax stands in tells who pays it. */
export function toTaxes(payslip: XeroRecord): Payslip["taxes"] {
  return [
    ...toRecords(payslip["employeeTaxLines"]).map((line) => toTax(line, false)),
    ...toRecords(payslip["employerTaxLines"]).map((line) => toTax(line, true)),
  ];
}

export function toReimbursements(payslip: XeroRecord, names: LineNames): Payslip["reimbursements"] {
  return listLines(payslip, lists.reimbursements.lines).map((line) =>
    nameLine(
      line,
      toText(line, "description") ?? findName(names, "reimbursements", line, "reimbursementTypeID"),
      "Reimbursement",
    ),
  );
}

function toTax(line: XeroRecord, isOfEmployer: boolean) {
  return { ...nameLine(line, toText(line, "description"), "Tax"), employer_tax: isOfEmployer };
}

function listLines(payslip: XeroRecord, fields: readonly string[]): XeroRecord[] {
  return fields.flatMap((field) => toRecords(payslip[field]));
}

function findName(
  names: LineNames,
  list: ListName,
  line: XeroRecord,
  field: string,
): string | null {
  return toText(findNamed(names, list, line, field), lists[list].name);
}

function findNamed(
  names: LineNames,
  list: ListName,
  line: XeroRecord,
  field: string,
): XeroRecord | null {
  const [records = {}, id] = [names[list], toText(line, field)];
  return id !== null && Object.hasOwn(records, id) ? (records[id] ?? null) : null;
}

/** A line whose type is not listed any more is called by its kind. */
function nameLine(line: XeroRecord, name: string | null, kind: string): Line {
  return { name: name ?? kind, amount: toPence(line["amount"]) ?? 0 };
}

/** Null when Xero tells no amount. An amount that is no number fails the read: it must not become another one. */
export function toPence(amount: unknown): number | null {
  if (amount === undefined || amount === null) return null;
  if (typeof amount !== "number") throw new ProviderBug("an amount of money is no number");
  return toMinorUnits(amount, "gbp");
}
