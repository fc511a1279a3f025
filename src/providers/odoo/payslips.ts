import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { toNumber, toReference, type OdooRecord } from "./field-values.ts";
import type { Domain } from "./odoo-client.ts";
import { toPayslip, type PayslipLine, type RawPayslip } from "./map-payslip.ts";
import { toKindsByCategory, toKindsByCode } from "./payroll-categories.ts";
import { isRunOfItsOwn, parseRunId, slipFields } from "./payslip-run.ts";
import { plainFields, type RecordReader } from "./record-reader.ts";
import { openResource } from "./rights.ts";

const lineFields = plainFields(
  "slip_id",
  "category_id",
  "code",
  "name",
  "sequence",
  "quantity",
  "total",
  "appears_on_payslip",
);

export const payslips = defineReader<"payslips", RawPayslip>({
  async *fetch(context, session, { payrunRemoteId = "" }) {
    const { reader } = await openResource(context, session, "payslips");
    const run = parseRunId(payrunRemoteId);
    if (!run) return;
    const categories = plainFields("code", "parent_id");
    const kinds = toKindsByCategory(
      await reader.readAll("hr.salary.rule.category", categories),
      toKindsByCode(context.settings["payroll_categories"]),
    );
    const currencies = await readCurrencies(reader);
    const domain: Domain = [[run.kind === "batch" ? "payslip_run_id" : "id", "=", run.id]];
    let withoutKind = 0;
    for await (const page of reader.readPages("hr.payslip", slipFields, domain)) {
      const slips = page.filter((slip) => isRunOfItsOwn(slip) === (run.kind === "payslip"));
      const lines = await readLines(reader, slips, kinds);
      withoutKind += [...lines.values()].flat().filter(({ kind }) => kind === null).length;
      yield slips.map((record) => ({
        record,
        lines: lines.get(record.id) ?? [],
        currency: currencies.get(toReference(record, "company_id")?.id ?? 0) ?? null,
      }));
    }
    if (withoutKind > 0)
      context.log.warn(
        { lines: withoutKind },
        "payslip lines are left out: neither Odoo's modules nor the settings of the connection " +
          "say what their categories are",
      );
  },
  map: toPayslip,
});

/** By payslip, in the order of the payslip. */
async function readLines(
  reader: RecordReader,
  slips: readonly OdooRecord[],
  kinds: ReadonlyMap<number, PayslipLine["kind"]>,
): Promise<Map<number, PayslipLine[]>> {
  const ids = slips.map(({ id }) => id);
  const records = await reader.readAll("hr.payslip.line", lineFields, [["slip_id", "in", ids]]);
  const lines = records
    .sort((one, other) => sequenceOf(one) - sequenceOf(other) || one.id - other.id)
    .map((record) => ({
      record,
      kind: kinds.get(toReference(record, "category_id")?.id ?? 0) ?? null,
    }));
  return Map.groupBy(lines, ({ record }) => {
    const slip = toReference(record, "slip_id");
    if (!slip || !ids.includes(slip.id))
      throw new ProviderBug("a line names no payslip of its run");
    return slip.id;
  });
}

function sequenceOf(line: OdooRecord): number {
  return toNumber(line, "sequence") ?? 0;
}

/** A payslip has no currency. The company that it names has one; the company of a line can be another. */
async function readCurrencies(reader: RecordReader): Promise<Map<number, string | null>> {
  const companies = await reader.readAll("res.company", plainFields("currency_id"));
  return new Map(
    companies.map((company) => [
      company.id,
      toReference(company, "currency_id")?.label?.toLowerCase() ?? null,
    ]),
  );
}
