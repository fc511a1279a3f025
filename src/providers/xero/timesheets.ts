import { defineReader, type DateRange } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { addDays } from "../kit/days.ts";
import { always, defineFields } from "../kit/fields.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { day, number, oneOf, records, strict, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { calendarsById, isInHours, rateShape, ratesById } from "./settings.ts";
import { api, listOf, readOne, requestsAtOnce, withFound } from "./xero-client.ts";

/** Of a calendar that is not listed any more. */
const leastPeriodDays = 31;
const longestPeriodDays = 366;

/** The most days of a timesheet, which has the period of a calendar of this type. */
const calendar = defineSource({
  calendarType: oneOf(
    {
      Weekly: 7,
      Fortnightly: 14,
      TwiceMonthly: 16,
      FourWeekly: 28,
      Monthly: 31,
      Quarterly: 92,
    },
    { otherwise: longestPeriodDays },
  ),
});
const timesheet = defineSource({
  timesheetID: text,
  startDate: day,
  endDate: day,
  timesheetLines: strict(records),
});
const line = defineSource({
  timesheetLineID: text,
  date: day,
  numberOfUnits: number,
  timesheet: { employeeID: text, updatedDateUTC: day },
  /** Absent for a rate that is not listed any more. */
  rate: rateShape,
});

/** One record for each line, which has a day and no hours of the clock. */
const fields = defineFields("timesheets", line, {
  remote_id: "timesheetLineID",
  employee_remote_id: "timesheet.employeeID",
  start_time: line.from(["date"], (date) => date && `${date}T00:00:00Z`),
  end_time: always(null),
  hours_worked: "numberOfUnits",
  remote_modified_at: "timesheet.updatedDateUTC",
}).says({
  start_time: "00:00 of the day",
});

export const timesheets = defineReader<"timesheets", object>({
  async *fetch(context, _session, { range }) {
    // Xero finds timesheets that lie in the asked range as a whole.
    const days = countPeriodDays([...(await calendarsById(context)).values()]);
    const found = await api.inRead(context).all({
      ...listOf("/Timesheets", "timesheets"),
      query: { startDate: addDays(range.start, -days), endDate: addDays(range.end, days) },
    });
    const ids = found.filter((one) => overlaps(one, range)).map(requireId);
    if (ids.length === 0) return;
    const rates = await ratesById(context);
    yield* oneByOne<object>(ids, { atOnce: requestsAtOnce, cursor: context.cursor }, async (id) => {
      // One that was deleted meanwhile has no lines.
      const one = await readOne(context, `/Timesheets/${encodeURIComponent(id)}`, "timesheet");
      const lines = (timesheet.read(one, "timesheetLines") ?? []).map((of) => ({
        ...of,
        timesheet: { ...one, timesheetLines: undefined },
      }));
      return withFound(lines, "earningsRateID", { as: "rate", of: rates });
    });
  },
  table: fields,
  // What is not counted in hours is left out.
  map: (raw, context) => {
    const isKnown = line.read(raw, "date") !== null && line.read(raw, "numberOfUnits") !== null;
    return isKnown && isInHours(line.read(raw, "rate")) ? fields.map(raw, context) : null;
  },
});

function countPeriodDays(calendars: readonly object[]): number {
  const days = calendars.map((one) => calendar.read(one, "calendarType") ?? longestPeriodDays);
  return Math.max(leastPeriodDays, ...days);
}

function requireId(one: unknown): string {
  const id = timesheet.read(one, "timesheetID");
  if (id === null) throw new ProviderBug("Xero lists a timesheet without an id");
  return id;
}

function overlaps(one: unknown, { start, end }: DateRange): boolean {
  const [first, last] = [timesheet.read(one, "startDate"), timesheet.read(one, "endDate")];
  return (first === null || first <= end) && (last === null || last >= start);
}
