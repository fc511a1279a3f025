import { defineReader } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { pageOf } from "../kit/paging.ts";
import { day, flag, oneOf, readValue, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { listOf, lookUp, openForEverybody, type Wire } from "./client.ts";

const schedulesById = lookUp("payschedule", ["id"]);

/** By the schedule of the run. What was paid before, elsewhere, is no pay run of the business. */
const typeOf = oneOf(
  {
    AdHoc: "off_cycle",
    OffCycle: "off_cycle",
    Initial: null,
    PreviousEmployer: null,
    HistoricGrossEarnings: null,
    HistoricGrossEarningsOWP: null,
  },
  { otherwise: "regular" },
);

export const runShape = {
  id: text,
  payPeriodStarting: day,
  payPeriodEnding: day,
  datePaid: day,
  isFinalised: flag,
  schedule: { frequency: typeOf },
};
const payrun = defineSource(runShape);

const fields = defineFields("payruns", payrun, {
  remote_id: "id",
  state: payrun.from(["isFinalised", "datePaid"], (isFinal, paid, { today }) =>
    isFinal && paid !== null && paid <= today ? "paid" : "pending",
  ),
  type: payrun.from(["schedule.frequency"], (type) => type ?? "regular"),
  start_date: "payPeriodStarting",
  end_date: "payPeriodEnding",
  payment_date: "datePaid",
}).says({
  state: "paid when it is finalised and the day of payment has come",
  type: "off_cycle by a schedule that is ad hoc, else regular",
});

/** A run with its schedule. Undefined for one that only has what was paid elsewhere. */
export async function withSchedule(
  context: Parameters<typeof schedulesById>[0],
  run: Wire,
): Promise<Wire | undefined> {
  const id = readValue(text, run["payScheduleId"]);
  const schedule = (await schedulesById(context)).get(String(id));
  const isOpening = schedule && readValue(typeOf, schedule["frequency"]) === null;
  return isOpening ? undefined : { ...run, schedule };
}

export const payruns = defineReader<"payruns", object>({
  isPagedByOffset: true,
  async *fetch(context, session, { range }) {
    const { client, path } = await openForEverybody(context, session);
    const from = `DatePaid ge datetime'${range.start}T00:00:00'`;
    const to = `DatePaid lt datetime'${addDays(range.end, 1)}T00:00:00'`;
    const list = listOf(`${path}/payrun`, { $filter: `${from} and ${to}` });
    for await (const { items, next } of client.pages(list, context.cursor)) {
      const runs: object[] = [];
      for (const one of items as readonly Wire[]) {
        const run = await withSchedule(context, one);
        if (run) runs.push(run);
      }
      yield pageOf(runs, next);
    }
  },
  table: fields,
});
