import { defineReader, type Cursor, type DateRange } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { day, given, text } from "../kit/readers.ts";
import type { RestList } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { openZone } from "../kit/zone.ts";
import { api, listOfSecond, type JsonObject } from "./personio-client.ts";
import { toTimeZone } from "./sign-in-form.ts";

const hourMs = 3_600_000;
const mostDays = 14;
/** Personio slows down on later pages. A span of days with more records is followed by a shorter one. */
const mostRecords = 4_000;

/** A period of work, or a break in one. Its times are the company's local ones. */
const period = defineSource({
  id: text,
  person: { id: text },
  type: text,
  start: { date_time: text },
  end: { date_time: text },
  /** The day that it is counted for, also when it goes over midnight. */
  attribution_date: day,
  approval: { status: text },
  created_at: day,
  updated_at: day,
  // What the read has put in.
  /** Moments as RFC 3339. */
  from: text,
  to: text,
  /** Of the same person and day. */
  breaks: given<readonly JsonObject[]>(),
});

const fields = defineFields("timesheets", period, {
  remote_id: "id",
  employee_remote_id: "person.id",
  start_time: "from",
  end_time: "to",
  hours_worked: period.from(["from", "to", "breaks"], toHours),
  remote_created_at: "created_at",
  remote_modified_at: "updated_at",
}).says({
  hours_worked: "without the part of each break that falls into it",
});

export const timesheets = defineReader<"timesheets", JsonObject>({
  async *fetch(context, _session, { range }) {
    const client = api.inRead(context);
    const timeZone = toTimeZone(context.settings);
    // A day of the company begins and ends at other times than one of UTC.
    const last = addDays(range.end, 1);
    let { start, days } = toSpan(context.cursor, addDays(range.start, -1));
    while (start <= last) {
      const end = [addDays(start, days - 1), last].toSorted()[0] ?? last;
      const periods = (await client.all(workingTimes({ start, end }))) as JsonObject[];
      days = nextDays(days, periods.length);
      start = addDays(end, 1);
      const page = toWork(periods, timeZone);
      yield start <= last ? { records: page, cursor: { start, days } } : page;
    }
  },
  table: fields,
  // Work that was rejected, or that goes on, is left out.
  map: (raw, context) =>
    isRejected(raw) || period.read(raw, "end.date_time") === null ? null : fields.map(raw, context),
});

export function workingTimes({ start, end }: DateRange): RestList {
  const query = { "attribution_date.gte": start, "attribution_date.lte": end };
  return listOfSecond("/v2/attendance-periods", { query });
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

/** Each period of work, with the breaks of the same person and day. */
export function toWork(records: readonly JsonObject[], timeZone: string): JsonObject[] {
  const { toInstant } = openZone(timeZone);
  const toUtc = (local: string | null): string | null => {
    const moment = toInstant(local ?? "");
    return moment && `${moment.toISOString().slice(0, 19)}Z`;
  };
  const periods = records.map((record) => ({
    ...record,
    from: toUtc(period.read(record, "start.date_time")),
    to: toUtc(period.read(record, "end.date_time")),
  }));
  const breaks = periods.filter((one) => isBreak(one) && !isRejected(one));
  const breaksOf = Map.groupBy(breaks, personAndDay);
  return periods
    .filter((one) => !isBreak(one))
    .map((work) => ({ ...work, breaks: breaksOf.get(personAndDay(work)) ?? [] }));
}

function personAndDay(one: JsonObject): string {
  return `${period.read(one, "person.id")} ${period.read(one, "attribution_date")}`;
}

function isBreak(one: JsonObject): boolean {
  return period.read(one, "type") === "BREAK";
}

function isRejected(one: JsonObject): boolean {
  return period.read(one, "approval.status") === "REJECTED";
}

/** Without the part of each break that falls into it. */
function toHours(
  from: string | null,
  to: string | null,
  breaks: readonly JsonObject[] | null,
): number {
  const ms = (breaks ?? []).reduce(
    (left, one) => {
      const begun = Math.max(toMs(period.read(one, "from")), toMs(from));
      const ended = Math.min(toMs(period.read(one, "to")), toMs(to));
      return left - (Math.max(0, ended - begun) || 0);
    },
    toMs(to) - toMs(from),
  );
  return Math.max(0, ms) / hourMs;
}

function toMs(moment: string | null): number {
  return Date.parse(moment ?? "");
}
