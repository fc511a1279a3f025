import { toDate, toRelated, type OdooRecord } from "./field-values.ts";
import type { SourceRecord } from "../source-records.ts";
import { plainFields } from "./record-reader.ts";

export type RunKind = "batch" | "payslip";

export const slipFields = {
  ...plainFields(
    "employee_id",
    "company_id",
    "date_from",
    "date_to",
    "state",
    "paid",
    "credit_note",
  ),
  payslip_run_id: plainFields("credit_note", "date_start", "date_end"),
};

/** In Odoo a refund has positive amounts and this mark. */
export function isRefund(record: OdooRecord): boolean {
  return record["credit_note"] === true;
}

/** In no batch, or a refund in a batch of others: what it takes back is no part of that batch. */
export function isRunOfItsOwn(slip: OdooRecord): boolean {
  const batch = toRelated(slip, "payslip_run_id");
  return batch === null || (isRefund(slip) && !isRefund(batch));
}

export function toRunId(kind: RunKind, id: number): string {
  return `${kind}-${id}`;
}

/** What a payslip says of its pay run: the same as that run. */
export function toRunOfSlip(slip: OdooRecord) {
  const batch = toRelated(slip, "payslip_run_id");
  const [kind, run] =
    batch && !isRunOfItsOwn(slip) ? (["batch", batch] as const) : (["payslip", slip] as const);
  const { start, end } = toPeriod(kind, run);
  return {
    payrun_remote_id: toRunId(kind, run.id),
    payrun_type: toRunType(kind, isRefund(run)),
    start_date: start ?? toDate(slip, "date_from") ?? "",
    end_date: end ?? toDate(slip, "date_to") ?? "",
    payment_date: end ?? toDate(slip, "date_to") ?? "",
  };
}

export function toPeriod(kind: RunKind, run: OdooRecord) {
  return {
    start: toDate(run, kind === "batch" ? "date_start" : "date_from"),
    end: toDate(run, kind === "batch" ? "date_end" : "date_to"),
  };
}

/** Null for what is no id of a pay run. */
export function parseRunId(remoteId: string): { kind: RunKind; id: number } | null {
  const match = /^(batch|payslip)-(\d{1,15})$/.exec(remoteId);
  if (!match) return null;
  return { kind: match[1] === "batch" ? "batch" : "payslip", id: Number(match[2]) };
}

export function toRunType(kind: RunKind, isReversal: boolean): SourceRecord<"payruns">["type"] {
  if (isReversal) return "reversal";
  return kind === "batch" ? "regular" : "off_cycle";
}
