import { defineReader, type DateRange } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { toDate, toNumber, toRecord, toRecords, toText, type XeroRecord } from "./field-values.ts";
import { readCalendars } from "./groups.ts";
import { isInHours, readEarningsRates } from "./hour-rates.ts";
import { readAll } from "./paged-lists.ts";
import { findPayroll } from "./xero-client.ts";

interface RawLine {
  timesheet: XeroRecord;
  line: XeroRecord;
  /** Undefined for a rate that is not listed any more. */
  rate: XeroRecord | undefined;
}

/** The most days of a timesheet, which has the period of a calendar of this type. */
const periodDays: ReadonlyMap<string | null, number> = new Map([
  ["Weekly", 7],
  ["Fortnightly", 14],
  ["FourWeekly", 28],
  ["Monthly", 31],
  ["Quarterly", 92],
]);
/** Of a calendar that is not listed any more. */
const leastPeriodDays = 31;
const longestPeriodDays = 366;
const msPerDay = 86_400_000;

export const timesheets = defineReader<"timesheets", RawLine>({
  async *fetch(context, _session, { range }) {
    if (!range) return;
    // Xero finds timesheets that lie in the asked range as a whole.
    const days = countPeriodDays(await readCalendars(context));
    const found = await readAll(context, {
      path: "/Timesheets",
      field: "timesheets",
      query: {
        startDate: moveDay(range.start, -days),
        endDate: moveDay(range.end, days),
      },
    });
    const ids = found
      .filter((timesheet) => overlaps(timesheet, range))
      .map(requireId)
      .toSorted();
    if (ids.length === 0) return;
    const rates = await readEarningsRates(context);
    const after = context.cursor?.["after"];
    for (const id of ids.filter((one) => typeof after !== "string" || one > after)) {
      const answer = await findPayroll(context, `/Timesheets/${encodeURIComponent(id)}`);
      // One that was deleted meanwhile has no lines.
      const timesheet = answer ? requireTimesheet(answer.body) : {};
      const records = toRecords(timesheet["timesheetLines"]).map((line) => ({
        timesheet: { ...timesheet, timesheetLines: undefined },
        line,
        rate: rates.find(
          (rate) => toText(rate, "earningsRateID") === toText(line, "earningsRateID"),
        ),
      }));
      yield { records, cursor: { after: id } };
    }
  },
  map: toTimesheet,
});

/** One record for each line. A line has a day and no hours of the clock. What is counted otherwise is left out. */
export function toTimesheet({ timesheet, line, rate }: RawLine): SourceRecord<"timesheets"> | null {
  const [day, units] = [toDate(line, "date"), toNumber(line, "numberOfUnits")];
  if (day === null || units === null || !isInHours(rate)) return null;
  return {
    remote_id: toText(line, "timesheetLineID") ?? "",
    employee_remote_id: toText(timesheet, "employeeID") ?? "",
    start_time: `${day}T00:00:00Z`,
    end_time: null,
    hours_worked: units,
    remote_modified_at: toDate(timesheet, "updatedDateUTC"),
  };
}

function countPeriodDays(calendars: readonly XeroRecord[]): number {
  const days = calendars.map(
    (calendar) => periodDays.get(toText(calendar, "calendarType")) ?? longestPeriodDays,
  );
  return Math.max(leastPeriodDays, ...days);
}

function requireId(timesheet: XeroRecord): string {
  const id = toText(timesheet, "timesheetID");
  if (id === null) throw new ProviderBug("Xero lists a timesheet without an id");
  return id;
}

function requireTimesheet(body: XeroRecord): XeroRecord {
  const timesheet = toRecord(body["timesheet"]);
  if (!timesheet) throw new ProviderBug("Xero answered without the timesheet");
  return timesheet;
}

function overlaps(timesheet: XeroRecord, { start, end }: DateRange): boolean {
  const [first, last] = [toDate(timesheet, "startDate"), toDate(timesheet, "endDate")];
  return (first === null || first <= end) && (last === null || last >= start);
}

function moveDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * msPerDay).toISOString().slice(0, 10);
}
