import { defineReader, type DateRange } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toReference, toText, type OdooRecord } from "./field-values.ts";
import type { Domain, OdooClient } from "./odoo-client.ts";
import {
  isRefund,
  isRunOfItsOwn,
  slipFields,
  toPeriod,
  toRunId,
  toRunType,
  type RunKind,
} from "./payslip-run.ts";
import { plainFields, type RecordReader } from "./record-reader.ts";
import { openResource } from "./rights.ts";

type Payrun = SourceRecord<"payruns">;

export interface RawPayrun {
  kind: RunKind;
  record: OdooRecord;
  /** The states in which it is paid. */
  paidStates: readonly string[];
}

const batchFields = plainFields("state", "date_start", "date_end", "credit_note");
const singleSlips: readonly Domain[] = [
  [["payslip_run_id", "=", false]],
  [
    ["payslip_run_id", "!=", false],
    ["credit_note", "=", true],
  ],
];

/** Batches of payslips, and the payslips that are runs of their own. */
export const payruns = defineReader<"payruns", RawPayrun>({
  async *fetch(context, session, { range }) {
    const { odoo, reader } = await openResource(context, session, "payruns");
    const isOneCompany = odoo.session.companyId !== undefined;
    const ofBatches = await listPaidStates(odoo, "hr.payslip.run");
    const ended = endWithin("date_end", range);
    for await (const page of reader.readPages("hr.payslip.run", batchFields, ended)) {
      const own = isOneCompany ? await withOwnSlips(reader, page) : page;
      yield own.map((record) => ({ kind: "batch", record, paidStates: ofBatches }));
    }
    const ofSlips = await listPaidStates(odoo, "hr.payslip");
    for (const single of singleSlips) {
      const domain = [...single, ...endWithin("date_to", range)];
      for await (const page of reader.readPages("hr.payslip", slipFields, domain))
        yield page
          .filter(isRunOfItsOwn)
          .map((record) => ({ kind: "payslip", record, paidStates: ofSlips }));
    }
  },
  map: toPayrun,
});

function endWithin(field: string, range: DateRange | undefined): Domain {
  return range
    ? [
        [field, ">=", range.start],
        [field, "<=", range.end],
      ]
    : [];
}

/** A batch has no company. Its payslips have, and Odoo gives those of the chosen company alone. */
async function withOwnSlips(
  reader: RecordReader,
  batches: readonly OdooRecord[],
): Promise<OdooRecord[]> {
  const slips = await reader.readAll("hr.payslip", plainFields("payslip_run_id"), [
    ["payslip_run_id", "in", batches.map(({ id }) => id)],
  ]);
  const own = new Set(slips.map((slip) => toReference(slip, "payslip_run_id")?.id));
  return batches.filter(({ id }) => own.has(id));
}

/** Where a module has no state for what is paid, what is closed or done counts as paid. */
async function listPaidStates(odoo: OdooClient, model: string): Promise<readonly string[]> {
  return toPaidStates(await odoo.listChoices(model, "state"));
}

export function toPaidStates(states: readonly string[]): readonly string[] {
  const paid = states.filter((state) => state.endsWith("paid"));
  return paid.length > 0 ? paid : ["close", "done"];
}

/** Odoo has no day of payment: it is the last day of the period. Null for what was cancelled. */
export function toPayrun({ kind, record, paidStates }: RawPayrun): Payrun | null {
  const state = toText(record, "state");
  if (state?.endsWith("cancel")) return null;
  const { start, end } = toPeriod(kind, record);
  const isPaid = record["paid"] === true || paidStates.includes(state ?? "");
  return {
    remote_id: toRunId(kind, record.id),
    state: isPaid ? "paid" : "pending",
    type: toRunType(kind, isRefund(record)),
    start_date: start,
    end_date: end,
    payment_date: end,
  };
}
