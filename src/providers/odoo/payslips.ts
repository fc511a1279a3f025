import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { defineFields } from "../kit/fields.ts";
import { flag, given } from "../kit/readers.ts";
import { toMinorUnits } from "../kit/money.ts";
import { defineSource, type Mapping } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import type { Domain, OdooRecord } from "./client.ts";
import { toKindsByCategory, toKindsByCode, type LineKind } from "./payroll-categories.ts";
import { isRunOfItsOwn, parseRunId, runOfSlip, slip } from "./payruns.ts";
import type { RecordReader } from "./records.ts";
import { openResource } from "./rights.ts";
import { amount, id, idAt, label, number, requireAmount, text } from "./values.ts";

const line = defineSource({
  slip_id: id,
  category_id: id,
  code: text,
  name: text,
  sequence: number,
  quantity: number,
  total: amount,
  appears_on_payslip: flag,
});

export interface PayslipLine {
  record: OdooRecord;
  /** Null when nothing says what the lines of its category are. */
  kind: LineKind | null;
}

export interface RawPayslip extends OdooRecord {
  lines: readonly PayslipLine[];
  /** Of ISO 4217, in lower case. */
  currency: string | null;
}

/** A line with its amount in minor units, as it counts on our payslip. */
interface CountedLine {
  kind: LineKind | null;
  code: string | null;
  name: string;
  amount: number;
  isListed: boolean;
}

const payslip = defineSource({
  ...slip.shape,
  currency: given<string | null>(),
  run: given<ReturnType<typeof runOfSlip>>(),
  counted: given<readonly CountedLine[]>(),
});
const end = payslip.from(["run"], (run) => run?.end ?? "");
const fields = defineFields("payslips", payslip, {
  remote_id: "id",
  employee_remote_id: "employee_id",
  payrun_remote_id: payslip.from(["run"], (run) => run?.payrun_remote_id ?? null),
  payrun_type: payslip.from(["run"], (run) => run?.payrun_type ?? null),
  start_date: payslip.from(["run"], (run) => run?.start ?? ""),
  end_date: end,
  payment_date: end,
  currency: "currency",
  gross_pay: payslip.from(["counted"], (lines) => toSum(lines, "gross")),
  net_pay: payslip.from(["counted"], (lines) => toSum(lines, "net")),
  earnings: payslip.from(["counted"], (lines) =>
    list(lines, "earning").map((earning) => ({ ...earning, hours: null })),
  ),
  contributions: payslip.from(["counted"], (lines) => list(lines, "contribution")),
  deductions: payslip.from(["counted"], (lines) => list(lines, "deduction")),
  taxes: payslip.from(["counted"], (lines) => [
    ...list(lines, "tax").map((tax) => ({ ...tax, employer_tax: false })),
    ...list(lines, "employer_tax").map((tax) => ({ ...tax, employer_tax: true })),
  ]),
  reimbursements: payslip.from(["counted"], (lines) => list(lines, "reimbursement")),
}).says({
  payrun_remote_id: "of the pay run",
  payrun_type: "of the pay run",
  start_date: "of the pay run",
  end_date: "of the pay run",
  payment_date: "of the pay run",
  gross_pay: "the sum of the lines of gross pay",
  net_pay: "the sum of the lines of net pay",
  earnings: "the lines whose category says so",
  contributions: "the lines whose category says so",
  deductions: "the lines whose category says so",
  taxes: "the lines whose category says so",
  reimbursements: "the lines whose category says so",
});

export const payslips = defineReader<"payslips", RawPayslip>({
  async *fetch(context, session, { payrunRemoteId }) {
    const { reader } = await openResource(context, session, "payslips");
    const run = parseRunId(payrunRemoteId);
    if (!run) return;
    const kinds = toKindsByCategory(
      await reader.readAll("hr.salary.rule.category", { code: text, parent_id: id }),
      toKindsByCode(context.settings["payroll_categories"]),
    );
    const currencies = await readCurrencies(reader);
    const domain: Domain = [[run.kind === "batch" ? "payslip_run_id" : "id", "=", run.id]];
    let withoutKind = 0;
    for await (const page of reader.readPages("hr.payslip", slip.shape, domain)) {
      const slips = page.filter((one) => isRunOfItsOwn(one) === (run.kind === "payslip"));
      const lines = await readLines(reader, slips, kinds);
      withoutKind += [...lines.values()].flat().filter(({ kind }) => kind === null).length;
      yield slips.map((record) => ({
        ...record,
        lines: lines.get(record.id) ?? [],
        currency: currencies.get(idAt(record, "company_id") ?? 0) ?? null,
      }));
    }
    if (withoutKind > 0)
      context.log.warn(
        { lines: withoutKind },
        "payslip lines are left out: neither Odoo's modules nor the settings of the connection " +
          "say what their categories are",
      );
  },
  table: fields,
  map: toPayslip,
});

/** Null for what was cancelled, and for a payslip of nobody. */
export function toPayslip(raw: RawPayslip, mapping: Mapping): SourceRecord<"payslips"> | null {
  const isNone = slip.read(raw, "state") === "cancel" || slip.read(raw, "employee_id") === null;
  if (isNone) return null;
  const isRefund = slip.read(raw, "credit_note") === true;
  const counted = raw.lines.map((one) => countLine(one, raw.currency, isRefund));
  return fields.map({ ...raw, run: runOfSlip(raw), counted }, mapping);
}

/** By payslip, in the order of the payslip. */
async function readLines(
  reader: RecordReader,
  slips: readonly OdooRecord[],
  kinds: ReadonlyMap<number, LineKind | null>,
): Promise<Map<number, PayslipLine[]>> {
  const ids = slips.map((one) => one.id);
  const records = await reader.readAll("hr.payslip.line", line.shape, [["slip_id", "in", ids]]);
  const placeOf = (record: OdooRecord): number => line.read(record, "sequence") ?? 0;
  const lines = records
    .sort((one, other) => placeOf(one) - placeOf(other) || one.id - other.id)
    .map((record) => ({ record, kind: kinds.get(idAt(record, "category_id") ?? 0) ?? null }));
  return Map.groupBy(lines, ({ record }) => {
    const ofSlip = idAt(record, "slip_id");
    if (ofSlip === null || !ids.includes(ofSlip))
      throw new ProviderBug("a line names no payslip of its run");
    return ofSlip;
  });
}

/** A payslip has no currency. The company that it names has one; the company of a line can be another. */
async function readCurrencies(reader: RecordReader): Promise<Map<number, string | null>> {
  const company = defineSource({ currency_id: label });
  const companies = await reader.readAll("res.company", company.shape);
  return new Map(
    companies.map((one) => [one.id, company.read(one, "currency_id")?.toLowerCase() ?? null]),
  );
}

/** What is taken off is negative in Odoo, and all of a refund is positive. */
function countLine(
  { record, kind }: PayslipLine,
  currency: string | null,
  isRefund: boolean,
): CountedLine {
  const total = requireAmount(line.read(record, "total"), "total");
  const minorUnits = toMinorUnits(total, currency);
  const code = line.read(record, "code");
  const isTakenOff = kind === "deduction" || kind === "tax";
  return {
    kind,
    code,
    name: line.read(record, "name") ?? code ?? "",
    amount: isRefund === isTakenOff ? minorUnits : 0 - minorUnits,
    isListed:
      (total !== 0 || line.read(record, "quantity") !== 0) &&
      (isTakenOff || kind === "earning" || line.read(record, "appears_on_payslip") !== false),
  };
}

/**
 * A line of nothing is left out, and one that Odoo does not print: unless gross or net pay count it,
 * because then the sums would differ.
 */
function list(lines: readonly CountedLine[] | null, kind: LineKind) {
  return (lines ?? [])
    .filter((one) => one.kind === kind && one.isListed)
    .map(({ name, amount: of }) => ({ name, amount: of }));
}

/** Odoo's own sum, which can differ from the rounded lines by a cent. */
function toSum(lines: readonly CountedLine[] | null, kind: "gross" | "net"): number | null {
  const sums = (lines ?? []).filter((one) => one.kind === kind);
  const named = sums.find(({ code }) => code === kind.toUpperCase());
  return (named ?? sums.at(-1))?.amount ?? null;
}
