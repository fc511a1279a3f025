import { defineReader } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { toDate, toRecord, toText, translate, type XeroRecord } from "./field-values.ts";
import { readPages } from "./paged-lists.ts";
import {
  readLineNames,
  toContributions,
  toDeductions,
  toEarnings,
  toPence,
  toReimbursements,
  toTaxes,
  type LineNames,
} from "./payslip-lines.ts";
import { payrunTypes } from "./payruns.ts";
import { findPayroll } from "./xero-client.ts";

interface RawPayslip {
  payslip: XeroRecord;
  payrun: XeroRecord;
  names: LineNames;
}

export const payslips = defineReader<"payslips", RawPayslip>({
  async *fetch(context, _session, { payrunRemoteId = "" }) {
    if (payrunRemoteId === "") return;
    const answer = await findPayroll(context, `/PayRuns/${encodeURIComponent(payrunRemoteId)}`);
    // A draft that was deleted has no payslips.
    if (!answer) return;
    const found = toRecord(answer.body["payRun"]);
    if (!found) throw new ProviderBug("Xero answered without the pay run");
    const payrun = { ...found, paySlips: undefined };
    const list = { path: "/Payslips", field: "paySlips", query: { PayRunID: payrunRemoteId } };
    let names: LineNames = {};
    for await (const { records } of readPages(context, list)) {
      names = await readLineNames(context, records, names);
      const namesOfPage = names;
      yield records.map((payslip) => ({ payslip, payrun, names: namesOfPage }));
    }
  },
  isPagedByOffset: true,
  map: toPayslip,
});

export function toPayslip({ payslip, payrun, names }: RawPayslip): SourceRecord<"payslips"> {
  return {
    remote_id: toText(payslip, "paySlipID"),
    employee_remote_id: toText(payslip, "employeeID") ?? "",
    payrun_remote_id: toText(payrun, "payRunID") ?? "",
    payrun_type: translate(payrun, "payRunType", payrunTypes),
    currency: "gbp",
    gross_pay: toPence(payslip["grossEarnings"]),
    net_pay: toPence(payslip["totalPay"]),
    start_date: requireDate(payrun, "periodStartDate"),
    end_date: requireDate(payrun, "periodEndDate"),
    payment_date: requireDate(payrun, "paymentDate"),
    earnings: toEarnings(payslip, names),
    contributions: toContributions(payslip, names),
    deductions: toDeductions(payslip, names),
    taxes: toTaxes(payslip),
    reimbursements: toReimbursements(payslip, names),
  };
}

function requireDate(payrun: XeroRecord, field: string): string {
  const date = toDate(payrun, field);
  if (date === null) throw new ProviderBug(`a pay run has no ${field}`);
  return date;
}
