import { defineReader, type ReadContext } from "../contract.ts";
import { always, defineFields, definePart, each, together } from "../kit/fields.ts";
import { money, number, records, recordsOf, strict, text } from "../kit/readers.ts";
import { defineSource, fieldOf } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { listAt, payItemsOf, readAustralian } from "./australian-client.ts";
import { toPayrun, toPayslip } from "./australian-records.ts";
import { countryOf, currency } from "./country.ts";
import { payrunShape } from "./payruns.ts";
import { isInHours, rateShape, ratesById } from "./settings.ts";
import { api, listOf, lookUp, readOne, requestsAtOnce, withFound } from "./xero-client.ts";

type Payslip = SourceRecord<"payslips">;
type Line<Section extends "earnings" | "deductions" | "taxes"> = NonNullable<
  Payslip[Section]
>[number];

/** An amount that is no number, and a list that is none, break the read: no amount may become another one. */
const hundredths = strict({ ...money("gbp"), kind: "money, in hundredths" });
const lines = strict(records);

const payslip = defineSource({
  paySlipID: text,
  employeeID: text,
  grossEarnings: hundredths,
  totalPay: hundredths,
  earningsLines: lines,
  leaveEarningsLines: lines,
  timesheetEarningsLines: lines,
  deductionLines: lines,
  courtOrderLines: lines,
  statutoryDeductionLines: lines,
  benefitLines: lines,
  superannuationLines: lines,
  reimbursementLines: lines,
  employeeTaxLines: lines,
  employerTaxLines: lines,
  payrun: payrunShape,
  currency,
});
const line = defineSource({
  displayName: text,
  description: text,
  amount: hundredths,
  numberOfUnits: number,
  /** Of the company's list, which `readTypes` adds. */
  type: { ...rateShape, deductionName: text },
});

/** The lists of lines that are named by a list of the company: the field of a line with the id, and the list. */
const typesOfLines = {
  earningsLines: { id: "earningsRateID", types: ratesById },
  leaveEarningsLines: { id: "earningsRateID", types: ratesById },
  timesheetEarningsLines: { id: "earningsRateID", types: ratesById },
  deductionLines: {
    id: "deductionTypeID",
    types: lookUp("/Deductions", "deductions", "deductionId"),
  },
  courtOrderLines: {
    id: "courtOrderTypeID",
    types: lookUp("/EarningsOrders", "statutoryDeductions", "id"),
  },
  statutoryDeductionLines: {
    id: "statutoryDeductionTypeID",
    types: lookUp("/StatutoryDeductions", "statutoryDeductions", "id"),
  },
  superannuationLines: {
    id: "superannuationTypeID",
    types: lookUp("/Superannuations", "benefits", "id"),
  },
  benefitLines: { id: "benefitTypeID", types: lookUp("/Benefits", "benefits", "id") },
  reimbursementLines: {
    id: "reimbursementTypeID",
    types: lookUp("/Reimbursements", "reimbursements", "reimbursementID"),
  },
};

/** A line whose type is not listed any more is called by its kind. */
const named = (kind: string) => ({
  name: line.from(
    ["displayName", "description", "type.name", "type.deductionName"],
    (...[displayName, description, name, deductionName]) =>
      displayName ?? description ?? name ?? deductionName ?? kind,
  ),
  amount: line.or("amount", 0),
});
const earning = definePart<Line<"earnings">>()(line, {
  ...named("Earnings"),
  hours: line.from(["numberOfUnits", "type"], (units, type) => (isInHours(type) ? units : null)),
});
const plain = (kind: string) => definePart<Line<"deductions">>()(line, named(kind));
/** Which list a tax stands in tells who pays it. */
const tax = (isOfEmployer: boolean) =>
  definePart<Line<"taxes">>()(line, { ...named("Tax"), employer_tax: always(isOfEmployer) });

const fields = defineFields("payslips", payslip, {
  remote_id: "paySlipID",
  employee_remote_id: "employeeID",
  payrun_remote_id: "payrun.payRunID",
  payrun_type: "payrun.payRunType",
  currency: "currency",
  gross_pay: "grossEarnings",
  net_pay: "totalPay",
  start_date: "payrun.periodStartDate",
  end_date: "payrun.periodEndDate",
  payment_date: "payrun.paymentDate",
  earnings: together(
    each(payslip, "earningsLines", earning),
    each(payslip, "leaveEarningsLines", earning),
    each(payslip, "timesheetEarningsLines", earning),
  ),
  // What the employer pays on top, such as into a pension.
  contributions: together(
    each(payslip, "benefitLines", plain("Benefit")),
    each(payslip, "superannuationLines", plain("Superannuation")),
  ),
  deductions: together(
    each(payslip, "deductionLines", plain("Deduction")),
    each(payslip, "courtOrderLines", plain("Court order")),
    each(payslip, "statutoryDeductionLines", plain("Statutory deduction")),
  ),
  taxes: together(
    each(payslip, "employeeTaxLines", tax(false)),
    each(payslip, "employerTaxLines", tax(true)),
  ),
  reimbursements: together(each(payslip, "reimbursementLines", plain("Reimbursement"))),
}).says({
  "earnings[].name": "the first that is there, else the kind of the line",
  "earnings[].hours": "null for a rate that is not by the hour",
  "contributions[].name": "the first that is there, else the kind of the line",
  "deductions[].name": "the first that is there, else the kind of the line",
  "taxes[].name": "the first that is there, else the kind of the line",
  "reimbursements[].name": "the first that is there, else the kind of the line",
});

export const payslips = defineReader<"payslips", object>({
  async *fetch(context, _session, { payrunRemoteId }) {
    const country = await countryOf(context);
    if (country === "AU") return yield* readAustralianPayslips(context, payrunRemoteId);
    const found = await readOne(
      context,
      `/PayRuns/${encodeURIComponent(payrunRemoteId)}`,
      "payRun",
    );
    // A draft that was deleted has no payslips.
    if (!found) return;
    const payrun = { ...found, paySlips: undefined };
    const list = { ...listOf(pathOf[country], "paySlips"), query: { PayRunID: payrunRemoteId } };
    for await (const { items } of api.inRead(context).pages(list)) {
      const page: object[] = [];
      for (const one of items as readonly object[])
        page.push({
          ...one,
          country,
          payrun,
          ...(await readTypes(context, one)),
          ...(country === "NZ" && nameTaxes(one)),
        });
      yield page;
    }
  },
  isPagedByOffset: true,
  table: fields,
});

/** As each of them spells it. */
const pathOf = { GB: "/Payslips", NZ: "/PaySlips" };

/** The pay run has the totals of everybody, and the lines of each payslip take a request. */
async function* readAustralianPayslips(context: ReadContext, payrunId: string) {
  const path = `/PayRuns/${encodeURIComponent(payrunId)}`;
  const found = await readAustralian(context, path, "PayRuns");
  const summaries = new Map(
    listAt(found, "payslips").map((one) => [String(one["payslipID"]), one]),
  );
  const items = {
    rates: await payItemsOf(context, "earningsRates"),
    deductions: await payItemsOf(context, "deductionTypes"),
    reimbursements: await payItemsOf(context, "reimbursementTypes"),
  };
  const options = { atOnce: requestsAtOnce, cursor: context.cursor };
  yield* oneByOne<object>([...summaries.keys()], options, async (id) => {
    const detail = await readAustralian(context, `/Payslip/${encodeURIComponent(id)}`, "Payslip");
    const summary = summaries.get(id);
    // Of a draft that was deleted meanwhile there is none.
    if (!found || !detail || !summary) return [];
    return [{ ...toPayslip(summary, detail, items), payrun: toPayrun(found) }];
  });
}

/** New Zealand's lines of taxes have no name of their own: there is one tax of each. */
function nameTaxes(one: object): object {
  const named = (field: string, name: string) =>
    recordsOf(fieldOf(one, field)).map((line) => ({ ...line, type: { name } }));
  return {
    employeeTaxLines: named("employeeTaxLines", "PAYE"),
    employerTaxLines: named("employerTaxLines", "ESCT"),
  };
}

/** The lines of a payslip with their types. A list of the company that no line needs is not asked for. */
async function readTypes(context: ReadContext, one: object): Promise<object> {
  const typed: Record<string, object[]> = {};
  for (const [name, { id, types }] of Object.entries(typesOfLines)) {
    const found = recordsOf(fieldOf(one, name));
    if (found.length > 0)
      typed[name] = withFound(found, id, { as: "type", of: await types(context) });
  }
  return typed;
}
