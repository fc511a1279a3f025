import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { defineFields } from "../kit/fields.ts";
import { carried, fromExact } from "../kit/money.ts";
import {
  exactMoney,
  flag,
  given,
  number,
  readValue,
  records,
  recordsOf,
  strict,
  text,
} from "../kit/readers.ts";
import { defineSource, isRecord } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { lookUp, openForEverybody, region, regions, type Wire } from "./client.ts";
import { runShape, withSchedule } from "./payruns.ts";
import { countries, type Named } from "./payslip-amounts.ts";

type Payslip = SourceRecord<"payslips">;
/** The lists whose sums make the gross and the net pay. */
type Sections = Pick<Payslip, "earnings" | "deductions" | "taxes" | "reimbursements">;
type Line = { name: string; amount: number };

const categoriesByName = lookUp("paycategory", ["name"]);

/** What the lines of a slip may lose where its totals are rounded: half a hundredth each. */
const lossOfLine = 50;

const line = defineSource({
  name: text,
  payCategoryName: text,
  employeeExpenseCategoryName: text,
  amount: exactMoney,
  grossEarnings: exactMoney,
  units: number,
  isFixed: flag,
  category: text,
  isHourly: given<boolean>(),
});
const lines = strict(records);
const payslip = defineSource({
  employeeId: text,
  grossEarnings: exactMoney,
  netEarnings: exactMoney,
  earningsLines: lines,
  deductions: lines,
  employeeExpenses: lines,
  otherAmounts: lines,
  // What the read has put in: the run, and the amounts of the slip with those of the totals of the run.
  region,
  run: runShape,
  amounts: given<Wire>(),
});

const paths = [
  "region",
  "amounts",
  "grossEarnings",
  "netEarnings",
  "earningsLines",
  "deductions",
  "employeeExpenses",
  "otherAmounts",
] as const;
const list = <Name extends keyof Sections>(name: Name) =>
  payslip.from(paths, (...values) => toSections(...values)?.[name] ?? null);

const fields = defineFields("payslips", payslip, {
  remote_id: payslip.from(["run.id", "employeeId"], (run, employee) => `${run}/${employee}`),
  employee_remote_id: "employeeId",
  payrun_remote_id: "run.id",
  payrun_type: payslip.from(["run.schedule.frequency"], (type) => type ?? "regular"),
  currency: payslip.from(["region"], (name) => name && regions[name].currency),
  gross_pay: payslip.from(["grossEarnings"], (gross) => gross && fromExact(gross, null)),
  // The net earnings of the system are without expenses.
  net_pay: payslip.from(["netEarnings", "employeeExpenses"], (net, expenses) =>
    net === null ? null : fromExact(net + sum(read(expenses, "amount")), null),
  ),
  start_date: "run.payPeriodStarting",
  end_date: "run.payPeriodEnding",
  payment_date: "run.datePaid",
  earnings: list("earnings"),
  deductions: list("deductions"),
  taxes: list("taxes"),
  reimbursements: list("reimbursements"),
  contributions: payslip.from(["region", "amounts"], (name, amounts) =>
    name && amounts ? rounded(named(countries[name].contributions, amounts)) : null,
  ),
}).says({
  remote_id: "the pay run and the employee",
  payrun_type: "as of the pay run",
  currency: "that of the country",
  gross_pay: "hundredths, as the slip has it",
  net_pay: "with the expenses that are paid back",
  earnings: "null where the lists do not make the totals",
  deductions: "null where the lists do not make the totals",
  taxes: "by country; null where the lists do not make the totals",
  reimbursements: "null where the lists do not make the totals",
  contributions: "by country",
});

/** Five requests for a run, whatever its size. A run that is not finalised may be half calculated: it has no payslips. */
export const payslips = defineReader<"payslips", object>({
  async *fetch(context, session, { payrunRemoteId }) {
    const { client, path, region: name } = await openForEverybody(context, session);
    const at = `${path}/payrun/${encodeURIComponent(payrunRemoteId)}`;
    const errors = { 404: "absent" } as const;
    const found = (await client.get(at, { errors })) as Wire | null;
    const run = found?.["isFinalised"] === true && (await withSchedule(context, found));
    if (!run) return;
    const slips = await client.get(`${at}/payslips`, { query: { showAllData: "true" } });
    const details = await client.get(`${at}/details`);
    const totals = recordsOf(isRecord(details) ? details["payRunTotals"] : undefined) as Wire[];
    const totalsOf = new Map(totals.map((one) => [String(one["employeeId"]), one]));
    const categories = await categoriesByName(context);
    const isHourly = (one: object): boolean =>
      categories.get(line.read(one, "payCategoryName") ?? "")?.["rateUnit"] === "Hourly";
    if (!isRecord(slips)) throw new ProviderBug("the payslips of a pay run are no object");
    yield recordsOf(Object.values(slips)).flatMap((slip) => {
      const ofRun = totalsOf.get(payslip.read(slip, "employeeId") ?? "");
      if (ofRun?.["isExcluded"] === true) return [];
      const earningsLines = (payslip.read(slip, "earningsLines") ?? []).map((one) => ({
        ...one,
        isHourly: isHourly(one),
      }));
      return [{ ...slip, earningsLines, region: name, run, amounts: { ...ofRun, ...slip } }];
    });
  },
  table: fields,
});

type Values = Parameters<Parameters<typeof payslip.from<typeof paths, unknown>>[1]>;

/** Null when no reading of the amounts makes the totals: better no lines than wrong ones. */
function toSections(...[name, amounts, gross, net, ...lists]: Values): Sections | null {
  const [earnings, deductions, expenses, others] = lists;
  if (!name || !amounts || gross === null || net === null) return null;
  const country = countries[name];
  const earned = (earnings ?? []).map((one) => ({
    name: line.read(one, "payCategoryName") ?? "Earnings",
    amount: line.read(one, "grossEarnings") ?? 0,
    hours:
      line.read(one, "isHourly") && !line.read(one, "isFixed") ? line.read(one, "units") : null,
  }));
  const taken = read(deductions, "amount", "name", "Deduction");
  const paidBack = read(expenses, "amount", "employeeExpenseCategoryName", "Expense");
  const otherTaxes = (others ?? []).filter((one) => line.read(one, "category") === "Taxes");
  for (const isInside of [false, true]) {
    const left = isInside ? (country.maybeInside ?? []) : [];
    const taxes = [
      ...read(otherTaxes, "amount", "name", "Tax"),
      ...named(country.taxes, amounts, left),
    ];
    const off = [...taken, ...named(country.deductions, amounts, left)];
    const isGross = isSame(sum(earned), gross, earned.length);
    const isNet = isSame(gross - sum(off) - sum(taxes), net, off.length + taxes.length);
    if (!isGross || !isNet) continue;
    const carry = carried(null);
    return {
      earnings: earned.map((one) => ({ ...one, amount: carry(one.amount) })),
      deductions: off.map((one) => ({ ...one, amount: -carry(-one.amount) || 0 })),
      taxes: [
        ...taxes.map((one) => ({ ...one, amount: -carry(-one.amount) || 0, employer_tax: false })),
        ...rounded(named(country.employerTaxes, amounts)).map((one) => ({
          ...one,
          employer_tax: true,
        })),
      ],
      reimbursements: paidBack.map((one) => ({ ...one, amount: carry(one.amount) })),
    };
  }
  return null;
}

/** The amounts of the record that have these names, but for what is left out, and for nothing. */
function named(names: Named = {}, amounts: Wire, left: readonly string[] = []): Line[] {
  return Object.entries(names).flatMap(([field, name]) => {
    const value = left.includes(field) ? null : readValue(exactMoney, amounts[field]);
    return typeof value === "number" && value !== 0 ? [{ name, amount: value }] : [];
  });
}

function read(
  items: readonly object[] | null,
  amount: "amount",
  name: "name" | "employeeExpenseCategoryName" = "name",
  otherwise = "",
): Line[] {
  return (items ?? []).map((one) => ({
    name: line.read(one, name) ?? otherwise,
    amount: line.read(one, amount) ?? 0,
  }));
}

function sum(items: readonly Line[]): number {
  return items.reduce((total, { amount }) => total + amount, 0);
}

function isSame(one: number, other: number, lineCount: number): boolean {
  return Math.abs(one - other) <= lossOfLine * (lineCount + 1);
}

function rounded(items: readonly Line[]): Line[] {
  return items.map((one) => ({ ...one, amount: fromExact(one.amount, null) }));
}
