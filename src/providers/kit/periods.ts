import { addDays } from "./days.ts";

/** A time of work, such as a contract, in days as YYYY-MM-DD. Its end is its last day; without one it goes on. */
export interface Period {
  start: string;
  end: string | null;
}

/**
 * The first days of somebody who may have left and come back: `start` of the time without a gap that covers today, else
 * of the next one, else of the last one; and `first` of all. So many days without work in between are no gap.
 */
export function findStarts(
  periods: readonly Period[],
  today: string,
  daysBetween = 0,
): { start: string | null; first: string | null } {
  const times: Period[] = [];
  for (const period of periods.toSorted((one, other) => (one.start < other.start ? -1 : 1))) {
    const before = times.at(-1);
    const isGap = before?.end && period.start > addDays(before.end, daysBetween + 1);
    if (!before || isGap) times.push({ ...period });
    else before.end = laterEnd(before.end, period.end);
  }
  const isNow = ({ start, end }: Period) => start <= today && (end === null || end >= today);
  const own = times.find(isNow) ?? times.find(({ start }) => start > today) ?? times.at(-1);
  return { start: own?.start ?? null, first: times[0]?.start ?? null };
}

function laterEnd(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return null;
  return one > other ? one : other;
}

/** A row of a history. Its end is its last day. */
interface Row {
  readonly start_date: string | null;
  readonly end_date: string | null;
}

/** Of the rows that hold on a day the one that began last: rows may overlap, and come in any order. */
export function validOn<Of extends Row>(rows: readonly Of[], at: string): Of | null {
  const valid = rows.filter(
    ({ start_date: start, end_date: end }) =>
      start !== null && start <= at && (end === null || end >= at),
  );
  return (
    valid.toSorted((a, b) => ((a.start_date ?? "") < (b.start_date ?? "") ? 1 : -1))[0] ?? null
  );
}
