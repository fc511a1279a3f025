const msOfDay = 86_400_000;
/** The year first, as ISO 8601 has it, with or without a time. */
const yearFirst = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
/** The year last, as in 31/12/2026, 31.12.2026 or 12/31/2026. */
const yearLast = /(?<!\d)(\d{2})([/.-])(\d{2})[/.-](\d{4})(?!\d)/g;
/** Milliseconds since 1970, as Microsoft writes them: /Date(1700000000000+0000)/. */
const milliseconds = /\/Date\((-?\d+)(?:[+-]\d{4})?\)\//g;
/** A time of the day, a year, or a month of a year says nothing of anybody. */
const noDate = /^(?:\d{1,2}:\d{2}(?::\d{2})?|(?:Year)?(?:19|20)\d{2}|(?:19|20)\d{2}-\d{2})$/;
const yearAlone = /(?<!\d)(?:19|20)\d{2}(?!\d)/g;
/** A time of the day, with its offset from UTC. */
const timeOfDay =
  /(?:T?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?|T\d{4,6})(?: ?[+-]\d{2}:?(?:\d{2})?)?/g;
const onlyDate = /^[\d\s:TZ.,/+()Date-]+$/;

/**
 * The text with its dates shifted; a time, a year and a month stay. Undefined when it is something else than dates and
 * times.
 */
export function shiftDates(text: string, days: number): string | undefined {
  if (noDate.test(text)) return text;
  if (!onlyDate.test(text)) return undefined;
  const shifted = text
    .replaceAll(milliseconds, (found, ms: string) =>
      found.replace(ms, String(Number(ms) + days * msOfDay)),
    )
    .replaceAll(yearFirst, (found, year: string, month: string, day: string) => {
      const moved = move(year, month, day, days);
      return moved ? `${moved.year}-${moved.month}-${moved.day}` : found;
    })
    .replaceAll(yearLast, (found, first: string, mark: string, second: string, year: string) => {
      const isMonthFirst = Number(second) > 12;
      const [day, month] = isMonthFirst ? [second, first] : [first, second];
      const moved = move(year, month, day, days);
      if (!moved) return found;
      const parts = isMonthFirst ? [moved.month, moved.day] : [moved.day, moved.month];
      return [...parts, moved.year].join(mark);
    });
  return shifted === text || hasNumberBeside(text) ? undefined : shifted;
}

/** Such as the number of a person that begins with the day of birth. */
function hasNumberBeside(text: string): boolean {
  const rest = hideDates(text.replaceAll(milliseconds, "")).replaceAll(timeOfDay, "");
  return /\d/.test(rest);
}

/** With each date, and each year, replaced by the same word, for requests that ask for other days than the recorded ones did. */
export function hideDates(text: string): string {
  return text
    .replaceAll(yearFirst, "date")
    .replaceAll(yearLast, "date")
    .replaceAll(yearAlone, "year");
}

/** Undefined for a day that is none. */
function move(
  year: string,
  month: string,
  day: string,
  days: number,
): { year: string; month: string; day: string } | undefined {
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const isDay =
    Number(month) >= 1 && Number(month) <= 12 && new Date(at).getUTCDate() === Number(day);
  if (!isDay || Number(year) < 1_000) return undefined;
  const [moved = "", movedMonth = "", movedDay = ""] = new Date(at + days * msOfDay)
    .toISOString()
    .slice(0, 10)
    .split("-");
  return { year: moved, month: movedMonth, day: movedDay };
}
