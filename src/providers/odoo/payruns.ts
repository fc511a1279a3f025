import { defineReader, type DateRange } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { defineFields } from "../kit/fields.ts";
import { flag, given } from "../kit/readers.ts";
import { defineSource, type Mapping } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import type { Domain, OdooClient, OdooRecord } from "./client.ts";
import type { RecordReader } from "./records.ts";
import { openResource } from "./rights.ts";
import { day, id, idAt, text } from "./values.ts";

type Payrun = SourceRecord<"payruns">;
type RunKind = "batch" | "payslip";

/** In Odoo a refund has positive amounts and the mark `credit_note`. */
const batch = { state: text, date_start: day, date_end: day, credit_note: flag };
export const slip = defineSource({
  id: text,
  employee_id: id,
  company_id: id,
  date_from: day,
  date_to: day,
  state: text,
  paid: flag,
  credit_note: flag,
  payslip_run_id: { id: text, credit_note: flag, date_start: day, date_end: day },
});

const run = defineSource({
  ...batch,
  ...slip.shape,
  kind: given<RunKind>(),
  /** The states in which it is paid. */
  paidStates: given<readonly string[]>(),
});
const ofKind = (kind: RunKind | null, ofBatch: string | null, ofSlip: string | null) =>
  kind === "batch" ? ofBatch : ofSlip;
const end = run.from(["kind", "date_end", "date_to"], ofKind);

const fields = defineFields("payruns", run, {
  remote_id: run.from(["kind", "id"], (kind, of) => `${kind}-${of}`),
  state: run.from(["paid", "state", "paidStates"], (isPaid, state, paidStates) =>
    isPaid || paidStates?.includes(state ?? "") ? "paid" : "pending",
  ),
  type: run.from(["kind", "credit_note"], toRunType),
  start_date: run.from(["kind", "date_start", "date_from"], ofKind),
  end_date: end,
  // Odoo has no day of payment.
  payment_date: end,
}).says({
  remote_id: "batch- or payslip-, and the number",
  state: "by the module's own state for what is paid, else closed or done is paid",
  type: "reversal of a refund; regular of a batch, else off_cycle",
  start_date: "of the batch or the payslip",
  end_date: "of the batch or the payslip",
  payment_date: "the last day of the period: Odoo has no day of payment",
});

const singleSlips: readonly Domain[] = [
  [["payslip_run_id", "=", false]],
  [
    ["payslip_run_id", "!=", false],
    ["credit_note", "=", true],
  ],
];

/** Batches of payslips, and the payslips that are runs of their own. */
export const payruns = defineReader<"payruns", object>({
  async *fetch(context, session, { range }) {
    const { odoo, reader } = await openResource(context, session, "payruns");
    const ofBatches = { kind: "batch", paidStates: await listPaidStates(odoo, "hr.payslip.run") };
    const ended = endWithin("date_end", range);
    for await (const page of reader.readPages("hr.payslip.run", batch, ended)) {
      const own = await withOwnSlips(reader, page);
      yield own.map((record) => ({ ...record, ...ofBatches }));
    }
    const ofSlips = { kind: "payslip", paidStates: await listPaidStates(odoo, "hr.payslip") };
    for (const single of singleSlips) {
      const domain = [...single, ...endWithin("date_to", range)];
      for await (const page of reader.readPages("hr.payslip", slip.shape, domain))
        yield page.filter(isRunOfItsOwn).map((record) => ({ ...record, ...ofSlips }));
    }
  },
  table: fields,
  map: toPayrun,
});

/** Null for what was cancelled. */
export function toPayrun(raw: object, mapping: Mapping): Payrun | null {
  return run.read(raw, "state")?.endsWith("cancel") ? null : fields.map(raw, mapping);
}

function endWithin(field: string, { start, end }: DateRange): Domain {
  return [
    [field, ">=", start],
    [field, "<=", end],
  ];
}

const batchOfSlip = { payslip_run_id: id };

/**
 * A batch has no company, and Odoo gives those of all companies to everybody. Its payslips have one, and Odoo gives
 * those of the account's companies alone. Of the batches that are left, one page of payslips is read at a time, and not
 * all payslips of large ones.
 */
async function withOwnSlips(
  reader: RecordReader,
  batches: readonly OdooRecord[],
): Promise<OdooRecord[]> {
  const left = new Set(batches.map((one) => one.id));
  while (left.size > 0) {
    const domain: Domain = [["payslip_run_id", "in", [...left]]];
    const slips = reader.readPages("hr.payslip", batchOfSlip, domain);
    const first: IteratorResult<OdooRecord[], undefined> = await slips.next();
    if (first.done) break;
    const named = new Set(first.value.map((one) => idAt(one, "payslip_run_id") ?? 0));
    if (left.isDisjointFrom(named))
      throw new ProviderBug("a payslip names none of the batches that were asked for");
    for (const one of named) left.delete(one);
  }
  return batches.filter((one) => !left.has(one.id));
}

/** Where a module has no state for what is paid, what is closed or done counts as paid. */
async function listPaidStates(odoo: OdooClient, model: string): Promise<readonly string[]> {
  return toPaidStates(await odoo.listChoices(model, "state"));
}

export function toPaidStates(states: readonly string[]): readonly string[] {
  const paid = states.filter((state) => state.endsWith("paid"));
  return paid.length > 0 ? paid : ["close", "done"];
}

/** In no batch, or a refund in a batch of others: what it takes back is no part of that batch. */
export function isRunOfItsOwn(raw: object): boolean {
  const ofSlip = slip.read(raw, "payslip_run_id");
  return ofSlip === null || (slip.read(raw, "credit_note") === true && !ofSlip.credit_note);
}

/** The pay run of a payslip, which says the same as that run. */
export function runOfSlip(raw: object): {
  payrun_remote_id: string;
  payrun_type: Payrun["type"];
  start: string | null;
  end: string | null;
} {
  const ofSlip = isRunOfItsOwn(raw) ? null : slip.read(raw, "payslip_run_id");
  const kind = ofSlip ? "batch" : "payslip";
  return {
    payrun_remote_id: `${kind}-${ofSlip ? ofSlip.id : slip.read(raw, "id")}`,
    payrun_type: toRunType(kind, ofSlip ? ofSlip.credit_note : slip.read(raw, "credit_note")),
    start: ofSlip?.date_start ?? slip.read(raw, "date_from"),
    end: ofSlip?.date_end ?? slip.read(raw, "date_to"),
  };
}

/** Null for what is no id of a pay run. */
export function parseRunId(remoteId: string): { kind: RunKind; id: number } | null {
  const match = /^(batch|payslip)-(\d{1,15})$/.exec(remoteId);
  if (!match) return null;
  return { kind: match[1] === "batch" ? "batch" : "payslip", id: Number(match[2]) };
}

function toRunType(kind: RunKind | null, isReversal: boolean | null): Payrun["type"] {
  if (isReversal) return "reversal";
  return kind === "batch" ? "regular" : "off_cycle";
}
