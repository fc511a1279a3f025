import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { lookup } from "../kit/lookup.ts";
import { carried, fromExact } from "../kit/money.ts";
import { pageOf } from "../kit/paging.ts";
import { day, exactMoney, flag, given, number, text } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import {
  allOf,
  api,
  openUncut,
  submitted,
  type Filter,
  type Wire,
  wholeList,
  wholePages,
} from "./client.ts";

const run = defineSource({
  name: text,
  start_date: day,
  end_date: day,
  posting_date: day,
  salary_slips_submitted: flag,
});

const payrunFields = defineFields("payruns", run, {
  remote_id: "name",
  type: run.from(["name"], (name) => typeOf(name ?? "")),
  state: run.from(["salary_slips_submitted", "posting_date"], (isSubmitted, date, { today }) =>
    isSubmitted && date !== null && date <= today ? "paid" : "pending",
  ),
  start_date: "start_date",
  end_date: "end_date",
  payment_date: "posting_date",
}).says({
  type: "off_cycle for slips that were made without a payroll entry, else regular",
  state: "paid once its slips are submitted and the posting date has come",
  payment_date: "the date of the booking: Frappe stores no day of payment",
});

/** What no name of a document can begin with. */
const slipsAlone = "<slips>";
const keysAlone = ["company", "start_date", "end_date", "posting_date", "currency"] as const;

const typeOf = (id: string) => (id.startsWith(slipsAlone) ? "off_cycle" : "regular");

/** Submitted payroll entries, and slips without one: together by company, period, day and currency. */
export const payruns = defineReader<"payruns", object>({
  async *fetch(context, _session, { range }) {
    const client = await openUncut(context, "payruns");
    const filters: Filter[] = [submitted, ["posting_date", "between", [range.start, range.end]]];
    yield await wholeList(client, "Payroll Entry", { fields: run.names, filters });
    const alone: Filter = ["payroll_entry", "is", "not set"];
    const asked = { fields: ["name", ...keysAlone], filters: [...filters, alone] };
    const slips = await wholeList(client, "Salary Slip", asked);
    const nameOf = (slip: Wire): string =>
      slipsAlone + JSON.stringify(keysAlone.map((key) => slip[key] ?? null));
    const runs = new Map(slips.map((slip) => [nameOf(slip), slip]));
    yield [...runs].map(([name, slip]) => ({ ...slip, name, salary_slips_submitted: 1 }));
  },
  table: payrunFields,
});

/** Which slips are of a run. */
function slipsOf(id: string): Filter[] {
  if (!id.startsWith(slipsAlone)) return [submitted, ["payroll_entry", "=", id]];
  const values = JSON.parse(id.slice(slipsAlone.length)) as unknown[];
  const same = keysAlone.map((key, index): Filter => {
    const value = values[index] ?? null;
    return value === null ? [key, "is", "not set"] : [key, "=", value];
  });
  return [submitted, ["payroll_entry", "is", "not set"], ...same];
}

type Payslip = SourceRecord<"payslips">;
type Sections = Pick<Payslip, "earnings" | "deductions" | "taxes" | "contributions">;
type Given<Name extends keyof Sections> = NonNullable<Sections[Name]>;

const payslip = defineSource({
  name: text,
  employee: text,
  start_date: day,
  end_date: day,
  posting_date: day,
  currency: text,
  gross_pay: exactMoney,
  net_pay: exactMoney,
  total_loan_repayment: exactMoney,
  // What the read has put in.
  run: text,
  entry: { start_date: day, end_date: day },
  earnings: given<Given<"earnings">>(),
  deductions: given<Given<"deductions">>(),
  taxes: given<Given<"taxes">>(),
  contributions: given<Given<"contributions">>(),
});

const line = defineSource({
  idx: number,
  salary_component: text,
  amount: exactMoney,
  parentfield: text,
  do_not_include_in_total: flag,
  statistical_component: flag,
  variable_based_on_taxable_salary: flag,
});

const amount = (name: "gross_pay" | "net_pay") =>
  payslip.from([name, "currency"], (value, currency) =>
    value === null ? null : fromExact(value, currency),
  );

const payslipFields = defineFields("payslips", payslip, {
  remote_id: "name",
  employee_remote_id: "employee",
  payrun_remote_id: "run",
  payrun_type: payslip.from(["run"], (id) => typeOf(id ?? "")),
  currency: payslip.from(["currency"], (code) => code?.toLowerCase() ?? null),
  gross_pay: amount("gross_pay"),
  net_pay: amount("net_pay"),
  start_date: payslip.first("start_date", "entry.start_date", "posting_date"),
  end_date: payslip.first("end_date", "entry.end_date", "posting_date"),
  payment_date: "posting_date",
  earnings: "earnings",
  deductions: "deductions",
  taxes: "taxes",
  contributions: "contributions",
}).says({
  payrun_type: "as of the pay run",
  gross_pay: "minor units, in the currency of the slip",
  net_pay: "before it is rounded to whole units of money",
  deductions: "with what is paid back of a loan",
  taxes: "deductions whose component is an income tax",
  contributions: "deductions that are in no total",
});

/** Whether a component is an income tax, by its name. */
const taxes = lookup(async (context) => {
  const fields = ["name", "is_income_tax_component"];
  const found = await wholeList(api.inRead(context), "Salary Component", { fields });
  return found.map((one) => [String(one["name"]), one["is_income_tax_component"] === 1] as const);
});

/** Slips and their lines, some hundred slips for each request. */
export const payslips = defineReader<"payslips", object>({
  async *fetch(context, _session, { payrunRemoteId }) {
    const client = await openUncut(context, "payslips");
    const { cursor } = context;
    const asked = { fields: ["*"], filters: slipsOf(payrunRemoteId), cursor };
    for await (const { items: slips, next } of wholePages(client, "Salary Slip", asked)) {
      const lines = await allOf(client, "Salary Detail", "parent", {
        fields: ["name", "parent", ...line.names],
        parent: "Salary Slip",
        values: slips.map(({ name }) => String(name)),
      });
      const linesOf = Map.groupBy(lines, ({ parent }) => parent);
      const isTax = await taxes(context);
      const entry = slips.every(hasPeriod) ? undefined : await readEntry(client, payrunRemoteId);
      const made = slips.map((slip) => {
        const { name, earnings: _earnings, deductions: _deductions, ...own } = slip;
        return {
          ...own,
          name,
          run: payrunRemoteId,
          entry,
          ...toSections(slip, linesOf.get(name) ?? [], isTax),
        };
      });
      yield pageOf(made, next);
    }
  },
  table: payslipFields,
});

function hasPeriod(slip: object): boolean {
  return payslip.read(slip, "start_date") !== null && payslip.read(slip, "end_date") !== null;
}

/** It has a period where a slip has none. Undefined for slips without an entry, and where it may not be read. */
async function readEntry(client: RestClient, id: string): Promise<Wire | undefined> {
  if (id.startsWith(slipsAlone)) return undefined;
  const asked = { fields: run.names, filters: [submitted, ["name", "=", id]] as const };
  const [entry] = (await whereReadable(() => wholeList(client, "Payroll Entry", asked))) ?? [];
  return entry;
}

/** Each amount is rounded so that the lines make the totals of the slip. */
function toSections(slip: object, lines: readonly object[], isTax: ReadonlyMap<string, boolean>) {
  const { currency, total_loan_repayment: loan } = payslip.parts(slip);
  const rows = lines
    .map((one) => line.parts(one))
    .filter((one) => !one.statistical_component)
    .toSorted((one, other) => (one.idx ?? 0) - (other.idx ?? 0));
  const listed = (kind: string, isCounted: boolean) =>
    rows
      .filter((one) => one.parentfield === kind)
      .filter((one) => one.do_not_include_in_total !== isCounted)
      .map((one) => {
        const name = one.salary_component ?? "";
        const tax = one.variable_based_on_taxable_salary === true || isTax.get(name) === true;
        return { name, exact: one.amount ?? 0, tax };
      });
  const carry = carried(currency);
  const earnings = listed("earnings", true).map(({ name, exact }) => ({
    name,
    amount: carry(exact),
  }));
  const repaid = loan ? [{ name: "Loan repayment", exact: loan, tax: false }] : [];
  const off = [...listed("deductions", true), ...repaid].map(({ name, exact, tax }) => ({
    name,
    // From what is left, and never as -0.
    amount: -carry(-exact) || 0,
    tax,
  }));
  return {
    earnings,
    deductions: off.filter(({ tax }) => !tax).map(named),
    taxes: off.filter(({ tax }) => tax).map((one) => ({ ...named(one), employer_tax: false })),
    contributions: listed("deductions", false).map(({ name, exact }) => ({
      name,
      amount: fromExact(exact, currency),
    })),
  };
}

function named({ name, amount: of }: { name: string; amount: number }) {
  return { name, amount: of };
}
