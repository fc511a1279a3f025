import { utcDay } from "../../platform/clock.ts";
import { defineReader, type DateRange } from "../contract.ts";
import { addDays, inParts } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { recordsAt } from "../kit/paging.ts";
import { day, isThere, number, unreadable, type Reader } from "../kit/readers.ts";
import { RequestRefused, type RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { api, id, type BambooRecord } from "./client.ts";

/** In UTC. Without an offset it would be read in the time zone of this machine. */
const moment: Reader<string> = {
  kind: "moment",
  read: (value) => {
    const at = /(?:Z|[+-]\d{2}:?\d{2})$/.test(String(value)) ? Date.parse(String(value)) : NaN;
    return Number.isNaN(at) ? unreadable : new Date(at).toISOString().replace(".000Z", "Z");
  },
};

const entry = defineSource({
  id,
  employeeId: id,
  date: day,
  start: moment,
  end: moment,
  hours: number,
  createdAt: day,
  updatedAt: day,
});

const timesheetFields = defineFields("timesheets", entry, {
  remote_id: "id",
  employee_remote_id: "employeeId",
  // An entry of hours has a day and no clock.
  start_time: entry.from(["start", "date"], (start, date) =>
    start === null && date !== null ? `${date}T00:00:00Z` : start,
  ),
  end_time: entry.from(["start", "end"], (start, end) => (start === null ? null : end)),
  hours_worked: "hours",
  remote_created_at: "createdAt",
  remote_modified_at: "updatedAt",
}).says({
  start_time: "00:00 of the day where there is no clock",
  end_time: "null where there is no clock",
});

export const entriesPath = "/api/v1/time_tracking/timesheet_entries";

/** BambooHR gives the last year alone, by the days of the company, which can be one ahead of ours. */
const mostDaysBack = 363;
/** The answers have no pages. */
const daysAtOnce = 14;

/**
 * The range is of days in UTC, and BambooHR's days are those of the company: what was worked on our first and last day
 * can be of the day before or after there. The host leaves out what is too much.
 */
export const timesheets = defineReader<"timesheets", BambooRecord>({
  async *fetch(context, _session, { range }) {
    const client = api.inRead(context);
    const today = utcDay(context.clock.now());
    const days = {
      start: later(addDays(range.start, -1), addDays(today, -mostDaysBack)),
      end: earlier(addDays(range.end, 1), addDays(today, 1)),
    };
    for (const part of inParts(days, { days: daysAtOnce }, context.cursor)) {
      const records = await readEntries(client, part, today);
      yield part.cursor ? { records, cursor: part.cursor } : records;
    }
  },
  table: timesheetFields,
  // An entry without hours is still open.
  map: (raw, context) =>
    isThere(raw["hours"]) && raw["hours"] !== "" ? timesheetFields.map(raw, context) : null,
});

/** BambooHR refuses days that have not begun in the company. Its day can be one ahead of ours or one behind. */
async function readEntries(
  client: RestClient,
  { start, end }: DateRange,
  today: string,
): Promise<BambooRecord[]> {
  for (let last = end; last >= start; last = addDays(last, -1)) {
    try {
      const answer = await client.get(entriesPath, { query: { start, end: last } });
      return recordsAt()(answer);
    } catch (error) {
      if (!(error instanceof RequestRefused) || last < today) throw error;
    }
  }
  return [];
}

const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one < other ? one : other);
