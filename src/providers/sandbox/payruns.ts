import type { RecordOf } from "../../model/index.ts";
import type { DateRange } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import {
  addDays,
  compareText,
  earlierOf,
  firstDate,
  isWithin,
  lastDateOf,
  monthEnd,
  monthName,
  monthOf,
  monthStart,
  weekName,
} from "./calendar.ts";

export interface Run {
  remoteId: string;
  type: NonNullable<RecordOf<"payruns">["type"]>;
  /** The run pays everybody with this pay frequency. */
  frequency: "weekly" | "monthly";
  startDate: string;
  endDate: string;
  paymentDate: string;
}

/** The yearly runs besides the regular ones, so that every year has a run of each type. */
const yearlyRuns = [
  { name: "bonus", type: "one_time", start: "01-01", end: "12-31", payment: "12-15" },
  { name: "correction", type: "correction", start: "02-01", end: "02-14", payment: "02-18" },
  { name: "reversal", type: "reversal", start: "02-01", end: "02-14", payment: "03-10" },
  { name: "off-cycle", type: "off_cycle", start: "05-01", end: "05-15", payment: "05-20" },
] as const;

const firstMonday = "2020-01-06";
const monthlyPayday = 28;

/** By payment date. Those of the year ahead are planned. */
export function listPayruns(today: string, range: DateRange): SourceRecord<"payruns">[] {
  const lastDate = lastDateOf(today);
  const days = { start: range.start, end: earlierOf(range.end, lastDate) };
  return runsUntil(lastDate)
    .filter(({ paymentDate }) => isWithin(paymentDate, days))
    .map(({ remoteId, type, startDate, endDate, paymentDate }) => ({
      remote_id: remoteId,
      state: paymentDate > today ? "pending" : "paid",
      type,
      start_date: startDate,
      end_date: endDate,
      payment_date: paymentDate,
    }));
}

/** Undefined for a run that is only planned: nobody is paid before its period begins. */
export function findRun(remoteId: string | undefined, today: string): Run | undefined {
  return runsUntil(today).find((run) => run.remoteId === remoteId);
}

/** A run that was set pays everybody who is paid monthly. Undefined without its dates. */
export function toRun(run: SourceRecord<"payruns"> | undefined): Run | undefined {
  const { remote_id: remoteId, type, start_date: startDate, end_date: endDate } = run ?? {};
  const paymentDate = run?.payment_date;
  if (!remoteId || !startDate || !endDate || !paymentDate) return undefined;
  return {
    remoteId,
    type: type ?? "regular",
    frequency: "monthly",
    startDate,
    endDate,
    paymentDate,
  };
}

/** Those whose periods begin up to this date. */
function runsUntil(date: string): Run[] {
  const runs = [...monthlyRuns(date), ...weeklyRuns(date), ...extraRuns(date)];
  return runs.sort((one, other) => compareText(one.paymentDate, other.paymentDate));
}

function* monthlyRuns(date: string): Generator<Run> {
  for (let month = monthOf(firstDate); monthStart(month) <= date; month += 1) {
    const name = monthName(month);
    const dates = {
      startDate: monthStart(month),
      endDate: monthEnd(month),
      paymentDate: `${name}-${monthlyPayday}`,
    };
    yield { remoteId: `monthly-${name}`, type: "regular", frequency: "monthly", ...dates };
  }
}

function* weeklyRuns(date: string): Generator<Run> {
  for (let monday = firstMonday; monday <= date; monday = addDays(monday, 7)) {
    const dates = {
      startDate: monday,
      endDate: addDays(monday, 6),
      paymentDate: addDays(monday, 11),
    };
    yield {
      remoteId: `weekly-${weekName(monday)}`,
      type: "regular",
      frequency: "weekly",
      ...dates,
    };
  }
}

function* extraRuns(date: string): Generator<Run> {
  for (let year = Number(firstDate.slice(0, 4)); `${year}-01-01` <= date; year += 1) {
    for (const { name, type, start, end, payment } of yearlyRuns) {
      const dates = {
        startDate: `${year}-${start}`,
        endDate: `${year}-${end}`,
        paymentDate: `${year}-${payment}`,
      };
      if (dates.startDate <= date)
        yield { remoteId: `${name}-${year}`, type, frequency: "monthly", ...dates };
    }
  }
}
