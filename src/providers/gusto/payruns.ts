import { utcDay } from "../../platform/clock.ts";
import { defineReader, type DateRange } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { addDays, inParts } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { day, flag, oneOf, recordsOf, strict, text } from "../kit/readers.ts";
import { defineSource, fieldOf } from "../kit/source.ts";
import { earlier, listOf, openCompany, withinUse, type Company } from "./gusto-client.ts";

/** A run of payroll, or the payments of contractors of one day. */
export const payrunShape = {
  payroll_uuid: text,
  processed: flag,
  calculated_at: text,
  off_cycle: flag,
  off_cycle_reason: oneOf(
    {
      Bonus: "one_time",
      Correction: "correction",
      "Wage correction": "correction",
      Reversal: "reversal",
      "Benefit reversal": "reversal",
    },
    { otherwise: "off_cycle" },
  ),
  pay_period: { start_date: day, end_date: day },
  check_date: day,
};
const payrun = defineSource(payrunShape);

const fields = defineFields("payruns", payrun, {
  remote_id: "payroll_uuid",
  state: payrun.from(["processed", "check_date"], (isProcessed, checkDate, { today }) => {
    const isDue = checkDate !== null && checkDate <= today;
    if (isProcessed === null) return isDue ? null : "pending";
    return isProcessed && isDue ? "paid" : "pending";
  }),
  type: payrun.from(["off_cycle", "off_cycle_reason"], toPayrunType),
  start_date: payrun.first("pay_period.start_date", "check_date"),
  end_date: payrun.first("pay_period.end_date", "check_date"),
  payment_date: "check_date",
}).says({
  remote_id: "of the payments of contractors `contractors-` and the day",
  state:
    "paid when it was processed and its day of payment has come, else pending; null of contractors once their day has come, where Gusto does not say whether it has the money",
  type: "regular, or by the reason of an off-cycle run",
});

type Reason = "one_time" | "correction" | "reversal" | "off_cycle";
export function toPayrunType(isOffCycle: boolean | null, reason: Reason | null) {
  return isOffCycle ? (reason ?? "off_cycle") : "regular";
}

/** Gusto finds runs by their periods, of which one may end long before the day of payment, such as a corrected one. */
const daysBefore = 366;
const daysAfter = 31;
/** It takes no end that is later, and no longer range. */
const daysAhead = 85;
const daysOfWindow = 365;
/** Whether a period that begins in one window and ends in the next is in both is not told. A quarter is the longest. */
const daysOfOverlap = 95;

/** What nobody has calculated yet is a mere date of the schedule, and left out. */
export const payruns = defineReader<"payruns", unknown>({
  async *fetch(context, session, { range }) {
    const company = openCompany(context, session);
    const latest = addDays(utcDay(context.clock.now()), daysAhead);
    const asked = withinUse(range, latest);
    const wide = {
      start: addDays(asked.start, -daysBefore),
      end: earlier(addDays(asked.end, daysAfter), latest),
    };
    const found = new Map<unknown, unknown>();
    for (const part of inParts(wide, { days: daysOfWindow - daysOfOverlap })) {
      const end = earlier(addDays(part.end, daysOfOverlap), wide.end);
      for (const one of await readRuns(company, { start: part.start, end }))
        found.set(fieldOf(one, "payroll_uuid"), one);
    }
    yield [...found.values()].filter(isCalculated);
    for (const part of inParts(asked, "years"))
      yield (await readContractorRuns(company, part)).map(({ run }) => run);
  },
  isPagedByOffset: true,
  table: fields,
});

/** What an earlier provider paid is processed, whether Gusto has calculated it or not. */
function isCalculated(run: unknown): boolean {
  return payrun.read(run, "processed") === true || payrun.read(run, "calculated_at") !== null;
}

async function readRuns({ client, path }: Company, { start, end }: DateRange): Promise<unknown[]> {
  return await client.all(
    listOf(`${path}/payrolls`, {
      idOf: (run) => fieldOf(run, "payroll_uuid"),
      query: {
        processing_statuses: "processed,unprocessed",
        payroll_types: "regular,off_cycle,external",
        start_date: start,
        end_date: end,
      },
    }),
  );
}

export const contractorPrefix = "contractors-";
const payment = defineSource({ date: strict(day), status: text });

/** Contractors are paid beside the runs of payroll. What is paid on one day is a run of ours. */
export async function readContractorRuns(
  { client, path }: Company,
  { start, end }: DateRange,
): Promise<{ run: object; payments: readonly object[] }[]> {
  const query = { start_date: start, end_date: end, group_by_date: "true" };
  // A company without contractors may have no such list.
  const orNone = { errors: { 404: "absent" }, whenAbsent: {} } as const;
  const list = listOf(`${path}/contractor_payments`, { items: paymentsOf, query, ...orNone });
  const payments = (await client.all(list)) as object[];
  const byDay = Map.groupBy(payments, (one) => {
    const date = payment.read(one, "date");
    if (date === null) throw new ProviderBug("a payment of a contractor has no date");
    return date;
  });
  return [...byDay].map(([date, ofDay]) => ({
    payments: ofDay,
    run: {
      payroll_uuid: contractorPrefix + date,
      processed: areFunded(ofDay),
      off_cycle: true,
      check_date: date,
    },
  }));
}

/** Null where Gusto does not say it of all. */
function areFunded(payments: readonly object[]): boolean | null {
  const told = payments.map((one) => payment.read(one, "status"));
  if (told.includes("Unfunded")) return false;
  return told.every((status) => status === "Funded") || null;
}

/** Gusto has a list for each day. */
function paymentsOf(body: unknown): object[] {
  const days = recordsOf(fieldOf(body, "contractor_payments"));
  return days.flatMap((one) => [...recordsOf(fieldOf(one, "payments"))]);
}
