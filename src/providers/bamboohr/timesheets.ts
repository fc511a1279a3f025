import { defineReader } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { utcDay } from "../../platform/clock.ts";
import { BadRequest, BambooClient } from "./bamboohr-client.ts";
import {
  requireId,
  requireRecords,
  toDate,
  toNumber,
  toText,
  type BambooRecord,
} from "./field-values.ts";

/** BambooHR gives the last year alone, by the days of the company, which can be one ahead of ours. */
const mostDaysBack = 363;
/** The answers have no pages. */
const daysAtOnce = 14;

/**
 * The range is of days in UTC, and BambooHR's days are those of the company: what was worked on our first and last day
 * can be of the day before or after there. The host leaves out what is too much.
 */
export const timesheets = defineReader<"timesheets", BambooRecord>({
  async *fetch(context, session, { range }) {
    if (!range) return;
    const client = new BambooClient(context, session);
    const today = utcDay(context.clock.now());
    const [dayBefore, dayAfter, tomorrow] = [
      addDays(range.start, -1),
      addDays(range.end, 1),
      addDays(today, 1),
    ];
    const end = dayAfter < tomorrow ? dayAfter : tomorrow;
    const cursor = context.cursor?.["start"];
    const first = addDays(today, -mostDaysBack);
    const from = typeof cursor === "string" ? cursor : dayBefore;
    for (let start = from > first ? from : first; start <= end;) {
      const until = addDays(start, daysAtOnce - 1);
      const records = await readEntries(client, { start, end: until < end ? until : end }, today);
      start = addDays(start, daysAtOnce);
      yield start <= end ? { records, cursor: { start } } : records;
    }
  },
  map: toTimesheet,
});

/** BambooHR refuses days that have not begun in the company. Its day can be one ahead of ours or one behind. */
async function readEntries(
  client: BambooClient,
  { start, end }: { start: string; end: string },
  today: string,
): Promise<BambooRecord[]> {
  const path = "/api/v1/time_tracking/timesheet_entries";
  for (let last = end; last >= start; last = addDays(last, -1)) {
    try {
      return requireRecords(await client.ask({ path, query: { start, end: last } }), "timesheets");
    } catch (error) {
      if (!(error instanceof BadRequest) || last < today) throw error;
    }
  }
  return [];
}

/** Null for an entry that is still open. */
export function toTimesheet(entry: BambooRecord): SourceRecord<"timesheets"> | null {
  const hours = toNumber(entry["hours"]);
  if ((entry["hours"] ?? "") === "") return null;
  if (hours === null) throw new ProviderBug("a timesheet has hours that are no number");
  const day = toDate(entry["date"]);
  const start = toTime(entry["start"]);
  return {
    remote_id: requireId(entry, "id"),
    employee_remote_id: requireId(entry, "employeeId"),
    // An entry of hours has a day and no clock.
    start_time: start ?? (day === null ? null : `${day}T00:00:00Z`),
    end_time: start === null ? null : toTime(entry["end"]),
    hours_worked: hours,
    remote_created_at: toDate(entry["createdAt"]),
    remote_modified_at: toDate(entry["updatedAt"]),
  };
}

/** In UTC. Null for what is no moment. */
export function toTime(value: unknown): string | null {
  const text = toText(value);
  // Without an offset it would be read in the time zone of this machine.
  if (text === null || !/(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return null;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString().replace(".000Z", "Z");
}
