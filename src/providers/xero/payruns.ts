import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { day, oneOf, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { australianListOf, type Row } from "./australian-client.ts";
import { toPayrun } from "./australian-records.ts";
import { countryOf } from "./country.ts";
import { api, listOf } from "./xero-client.ts";

/** What is read of a pay run. */
export const payrunShape = {
  payRunID: text,
  payRunStatus: oneOf({ Posted: "posted" }, { otherwise: null }),
  payRunType: oneOf(
    { Scheduled: "regular", Unscheduled: "off_cycle", EarlierYearUpdate: "correction" },
    { otherwise: null },
  ),
  periodStartDate: day,
  periodEndDate: day,
  paymentDate: day,
};
const payrun = defineSource(payrunShape);

const fields = defineFields("payruns", payrun, {
  remote_id: "payRunID",
  state: payrun.from(["payRunStatus", "paymentDate"], (status, paymentDate, { today }) =>
    status !== null && paymentDate !== null && paymentDate <= today ? "paid" : "pending",
  ),
  type: "payRunType",
  start_date: "periodStartDate",
  end_date: "periodEndDate",
  payment_date: "paymentDate",
}).says({
  state: "paid when it was posted and its day of payment has come, else pending, drafts too",
});

/** All of them, because Xero finds none by their dates. */
export const payruns = defineReader<"payruns", unknown>({
  async *fetch(context) {
    const isAustralian = (await countryOf(context)) === "AU";
    const list = isAustralian
      ? australianListOf("/PayRuns", "PayRuns", "payRunID")
      : listOf("/PayRuns", "payRuns");
    for await (const { items } of api.inRead(context).pages(list))
      yield isAustralian ? items.map((one) => toPayrun(one as Row)) : items;
  },
  isPagedByOffset: true,
  table: fields,
});
