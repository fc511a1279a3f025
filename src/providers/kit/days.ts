import type { Cursor, DateRange } from "../contract.ts";

const dayMs = 86_400_000;
const pattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether it is a day of the calendar, written as YYYY-MM-DD. */
export function isDay(written: string): boolean {
  if (!pattern.test(written)) return false;
  const at = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(written);
}

/** The day so many days after a day, both YYYY-MM-DD. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);
}

const sunday = 0;
const saturday = 6;

/** The days from Monday to Friday, both days included. None when the end is before the start. */
export function countWeekdays(start: string, end: string): number {
  if (end < start) return 0;
  const days = (Date.parse(end) - Date.parse(start)) / dayMs + 1;
  const first = new Date(start).getUTCDay();
  const ofLastWeek = Array.from({ length: days % 7 }, (_, index) => (first + index) % 7);
  return (
    Math.floor(days / 7) * 5 + ofLastWeek.filter((at) => at !== sunday && at !== saturday).length
  );
}

/** The days of an absence: those from Monday to Friday. Where it has none of them, all: somebody works at weekends. */
export function countDaysAway(start: string, end: string): number {
  const days = Math.max((Date.parse(end) - Date.parse(start)) / dayMs + 1, 0);
  return countWeekdays(start, end) || days;
}

/** The part of a range that lies in another one. Its end is before its start where they have no day in common. */
export function withinRange(range: DateRange, other: DateRange): DateRange {
  return {
    start: range.start > other.start ? range.start : other.start,
    end: range.end < other.end ? range.end : other.end,
  };
}

/** A part of a range, with the cursor to yield with its records; undefined with those of the last part. */
export interface RangePart extends DateRange {
  cursor: Cursor | undefined;
}

/**
 * A range in parts, for a system whose answers have no pages: each of so many days, or one for each year of the
 * calendar. It goes on from the cursor of an earlier part.
 */
export function* inParts(
  range: DateRange,
  length: { days: number } | "years",
  from?: Cursor,
): Generator<RangePart> {
  const begun = from?.["start"];
  for (let start = typeof begun === "string" ? begun : range.start; start <= range.end;) {
    const last =
      length === "years" ? `${start.slice(0, 4)}-12-31` : addDays(start, length.days - 1);
    const next = addDays(last, 1);
    const isLast = last >= range.end;
    yield { start, end: isLast ? range.end : last, cursor: isLast ? undefined : { start: next } };
    start = next;
  }
}
