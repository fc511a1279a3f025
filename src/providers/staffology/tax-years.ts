import type { DateRange } from "../contract.ts";
import type { Meanings } from "../kit/rest.ts";

/** The first that Staffology has. */
const firstYear = 2017;
/** A tax year that the employer does not have is answered in one of these ways. */
export const absentTaxYear: Meanings = { 400: "absent", 404: "absent", 422: "absent" };

/** A tax year of the United Kingdom begins on 6 April, and has the name of the year in which it begins. */
export function taxYearOf(day: string): string {
  return `Year${startOf(day)}`;
}

/** The tax years of the range that Staffology can have, up to the one after today's. */
export function taxYearsOf({ start, end }: DateRange, today: string): string[] {
  const from = Math.max(startOf(start), firstYear);
  const to = Math.min(startOf(end), startOf(today) + 1);
  return Array.from(
    { length: Math.max(0, to - from + 1) },
    (_value, index) => `Year${from + index}`,
  );
}

function startOf(day: string): number {
  const year = Number(day.slice(0, 4));
  return day.slice(5) >= "04-06" ? year : year - 1;
}
