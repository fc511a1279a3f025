import { defineReader, type MapContext } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toDate, toText, translate, type XeroRecord } from "./field-values.ts";
import { readPages } from "./paged-lists.ts";

export const payrunTypes = {
  Scheduled: "regular",
  Unscheduled: "off_cycle",
  EarlierYearUpdate: "correction",
} as const;

/** All of them, because Xero finds none by their dates. */
export const payruns = defineReader<"payruns", XeroRecord>({
  async *fetch(context) {
    for await (const { records } of readPages(context, { path: "/PayRuns", field: "payRuns" }))
      yield records;
  },
  isPagedByOffset: true,
  map: toPayrun,
});

export function toPayrun(
  payrun: XeroRecord,
  { today }: Pick<MapContext, "today">,
): SourceRecord<"payruns"> {
  const paymentDate = toDate(payrun, "paymentDate");
  const isPosted = toText(payrun, "payRunStatus") === "Posted";
  const isPaid = isPosted && paymentDate !== null && paymentDate <= today;
  return {
    remote_id: toText(payrun, "payRunID") ?? "",
    state: isPaid ? "paid" : "pending",
    type: translate(payrun, "payRunType", payrunTypes),
    start_date: toDate(payrun, "periodStartDate"),
    end_date: toDate(payrun, "periodEndDate"),
    payment_date: paymentDate,
  };
}
