import type { DateRange } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { approvedAbsencesOf } from "./absences.ts";
import {
  addDays,
  compareText,
  daysBetween,
  earlierOf,
  firstDate,
  laterOf,
  monthsOf,
  weekdayOf,
} from "./calendar.ts";
import { drawBelow } from "./draw.ts";
import { isEmployedWithin, payFrequencyOf, remoteIdOf, terms, type Person } from "./person.ts";
import { peopleOf, type Company } from "./roster.ts";

/** One day's work as planned; times are minutes after midnight UTC. */
export interface Shift {
  date: string;
  start: number;
  end: number;
  /** Without the break. */
  workedMinutes: number;
  isAbsent: boolean;
}

const breakMinutes = 30;
const quarterHour = 15;
/** Hours are multiples of a half, because programs that were made for this contract divide them by 0.1. */
const halfHour = 30;
/** The start of the day shift. The night shift starts at midnight. */
const dayStart = { berlin: 6 * 60, london: 8 * 60, toronto: 13 * 60 } as const;

/** By date, with planned shifts. Past shifts never change, so that pay can be derived from them. */
export function shiftsOf(person: Person, { start, end }: DateRange, today: string): Shift[] {
  if (person.shift === null || !person.hasRecords) return [];
  const absences = approvedAbsencesOf(person, start, end, today);
  return daysBetween(start, end)
    .filter((date) => isOnRota(person, date) && isEmployedWithin(person, date, date))
    .map((date) => ({
      ...hoursOf(person, date),
      isAbsent: absences.some((absence) => absence.startDate <= date && date <= absence.endDate),
    }));
}

/**
 * From 2020 to today, for everybody who records time and is not absent. By date, and month by
 * month, so that a long range is never in memory as a whole.
 */
export function* listTimesheets(
  company: Company,
  range: DateRange,
): Generator<SourceRecord<"timesheets">> {
  const people = [...peopleOf(company)].filter(
    ({ shift, hasRecords }) => shift !== null && hasRecords,
  );
  for (const month of monthsOf({
    start: laterOf(range.start, firstDate),
    end: earlierOf(range.end, company.today),
  })) {
    const worked = people.flatMap((person) =>
      shiftsOf(person, month, company.today)
        .filter(({ isAbsent }) => !isAbsent)
        .map((shift) => ({ person, ...shift })),
    );
    const visible = worked.filter(
      ({ person, date }) => date < company.today || person.shift === "night",
    );
    for (const { person, ...shift } of visible.sort((one, other) =>
      compareText(one.date, other.date),
    ))
      yield timesheetRecord(person, shift, company.today);
  }
}

/**
 * Today's only shift is the night shift. It counts as running all day, so that no time lies in the
 * future and the answer does not depend on the hour.
 */
function timesheetRecord(
  person: Person,
  { date, start, end, workedMinutes }: Shift,
  today: string,
): SourceRecord<"timesheets"> {
  const isRunning = date === today;
  const approvedOn = addDays(date, 8 - weekdayOf(date));
  return {
    remote_id: `ts_${person.number}_${date}`,
    employee_remote_id: remoteIdOf(person),
    start_time: timeOf(date, start),
    end_time: isRunning ? null : timeOf(date, end),
    hours_worked: isRunning ? 0 : workedMinutes / 60,
    remote_created_at: date,
    remote_modified_at: approvedOn <= today ? approvedOn : date,
  };
}

function hoursOf(person: Person, date: string): Omit<Shift, "isAbsent"> {
  const isNight = person.shift === "night";
  const start = isNight
    ? 0
    : dayStart[person.office] + quarterHour * drawBelow(4, "shift start", person.number, date);
  const workedMinutes = 8 * 60 + halfHour * (drawBelow(5, "shift length", person.number, date) - 2);
  return { date, start, end: start + workedMinutes + breakMinutes, workedMinutes };
}

/**
 * People who are paid by the week work on consecutive days that start on a Monday, Tuesday or
 * Wednesday. The others work from Monday to Friday.
 */
function isOnRota(person: Person, date: string): boolean {
  const first = payFrequencyOf(person) === "weekly" ? 1 + (person.number % 3) : 1;
  const days = terms[person.terms].type === "part_time" ? 3 : 5;
  const day = weekdayOf(date);
  return first <= day && day < first + days;
}

function timeOf(date: string, minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${date}T${hour}:${minute}:00Z`;
}
