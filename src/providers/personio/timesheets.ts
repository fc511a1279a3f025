import { defineReader, type Cursor, type DateRange } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { toDay, toId, toObject, toText, type JsonObject } from "./json-values.ts";
import { addDays } from "../kit/days.ts";
import { openZone } from "../kit/zone.ts";
import { askInRead } from "./personio-client.ts";
import { readCursorList } from "./read-lists.ts";
import { toTimeZone } from "./sign-in-form.ts";

type Timesheet = SourceRecord<"timesheets">;

/** A period of work, or a break in one, as Personio tells it: in the company's local time. */
export interface Period {
  id: string | null;
  personId: string | null;
  isBreak: boolean;
  start: string | null;
  end: string | null;
  /** The day that it is counted for, also when it goes over midnight. */
  day: string | null;
  status: string | null;
  createdAt: string | null;
  updatedAt: string | null;
}

export interface RawTimesheet {
  work: Period;
  /** Of the same person and day. */
  breaks: readonly Period[];
  timeZone: string;
}

const hourMs = 3_600_000;
const mostDays = 14;
/** Personio slows down on later pages. A span of days with more records is followed by a shorter one. */
const mostRecords = 4_000;

export const timesheets = defineReader<"timesheets", RawTimesheet>({
  async *fetch(context, _session, { range }) {
    if (!range) throw new ProviderBug("working times are read by a range of days");
    const ask = askInRead(context);
    const timeZone = toTimeZone(context.settings);
    // A day of the company begins and ends at other times than one of UTC.
    const last = addDays(range.end, 1);
    let { start, days } = toSpan(context.cursor, addDays(range.start, -1));
    while (start <= last) {
      const end = [addDays(start, days - 1), last].toSorted()[0] ?? last;
      const records = await readCursorList(ask, workingTimes({ start, end }));
      days = nextDays(days, records.length);
      start = addDays(end, 1);
      const page = joinBreaks(records.map(toPeriod), timeZone);
      yield start <= last ? { records: page, cursor: { start, days } } : page;
    }
  },
  map: toTimesheet,
});

export function workingTimes({ start, end }: DateRange) {
  const query = { "attribution_date.gte": start, "attribution_date.lte": end };
  return { path: "/v2/attendance-periods", query };
}

/** The first span is a day, to see how many records there are. */
function toSpan(cursor: Cursor | undefined, first: string): { start: string; days: number } {
  const { start, days } = cursor ?? {};
  return typeof start === "string" && typeof days === "number"
    ? { start, days }
    : { start: first, days: 1 };
}

export function nextDays(days: number, records: number): number {
  if (records > mostRecords) return Math.max(1, Math.floor(days / 2));
  return records * 2 > mostRecords ? days : Math.min(mostDays, days * 2);
}

export function toPeriod(record: JsonObject): Period {
  return {
    id: toId(record["id"]),
    personId: toId(toObject(record["person"])?.["id"]),
    isBreak: record["type"] === "BREAK",
    start: toText(toObject(record["start"])?.["date_time"]),
    end: toText(toObject(record["end"])?.["date_time"]),
    day: toDay(record["attribution_date"]),
    status: toText(toObject(record["approval"])?.["status"]),
    createdAt: toDay(record["created_at"]),
    updatedAt: toDay(record["updated_at"]),
  };
}

export function joinBreaks(periods: readonly Period[], timeZone: string): RawTimesheet[] {
  const keyOf = ({ personId, day }: Period): string => `${personId} ${day}`;
  const breaks = Map.groupBy(
    periods.filter(({ isBreak, status }) => isBreak && status !== "REJECTED"),
    keyOf,
  );
  return periods
    .filter(({ isBreak }) => !isBreak)
    .map((work) => ({ work, breaks: breaks.get(keyOf(work)) ?? [], timeZone }));
}

/** Null for work that was rejected, or that goes on. */
export function toTimesheet({ work, breaks, timeZone }: RawTimesheet): Timesheet | null {
  if (work.status === "REJECTED" || work.end === null) return null;
  const { toInstant } = openZone(timeZone);
  const toSpanMs = ({ start, end }: Period): [number, number] => [
    toInstant(start ?? "")?.getTime() ?? Number.NaN,
    toInstant(end ?? "")?.getTime() ?? Number.NaN,
  ];
  const [start, end] = toSpanMs(work);
  const breakMs = breaks.map((one) => {
    const [from, to] = toSpanMs(one);
    return Math.max(0, Math.min(to, end) - Math.max(from, start)) || 0;
  });
  const workMs = breakMs.reduce((left, ms) => left - ms, end - start);
  return {
    // A record without an id, a person or times is refused by the host.
    remote_id: work.id as string,
    employee_remote_id: work.personId as string,
    start_time: toUtc(start),
    end_time: toUtc(end),
    hours_worked: Math.max(0, workMs) / hourMs,
    remote_created_at: work.createdAt,
    remote_modified_at: work.updatedAt,
  };
}

function toUtc(ms: number): string | null {
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
