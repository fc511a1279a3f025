// Dates are YYYY-MM-DD in UTC, so that they compare as text. Months and quarters are counted from
// the year 0.
import { utcDay } from "../../platform/clock.ts";
import type { DateRange } from "../contract.ts";

const dayMs = 86_400_000;

/** The first day that has dated data. */
export const firstDate = "2020-01-01";

/** The last one: what is planned is known a year ahead. */
export function lastDateOf(today: string): string {
  return addDays(today, 365);
}

export function addDays(date: string, days: number): string {
  return dateOfDay(dayOf(date) + days);
}

/** Both ends included. */
export function daysBetween(start: string, end: string): string[] {
  const first = dayOf(start);
  return Array.from({ length: Math.max(0, dayOf(end) - first + 1) }, (_, offset) =>
    dateOfDay(first + offset),
  );
}

/** 1 is Monday, 7 is Sunday. */
export function weekdayOf(date: string): number {
  return ((dayOf(date) + 3) % 7) + 1;
}

/** The date itself, or the Monday after a weekend. */
export function workdayFrom(date: string): string {
  return weekdayOf(date) > 5 ? addDays(date, 8 - weekdayOf(date)) : date;
}

/** The last of `count` days from Monday to Friday. `start` is the first of them. */
export function lastOfWorkdays(start: string, count: number): string {
  const offset = weekdayOf(start) - 1 + count - 1;
  return addDays(start, count - 1 + 2 * Math.floor(offset / 5));
}

export function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}

/** Such as 2024-03. */
export function monthName(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
}

export function monthStart(month: number): string {
  return `${monthName(month)}-01`;
}

export function monthEnd(month: number): string {
  return addDays(monthStart(month + 1), -1);
}

/** The period, split at the ends of months. */
export function monthsOf({ start, end }: DateRange): DateRange[] {
  const first = monthOf(start);
  return Array.from({ length: Math.max(0, monthOf(end) - first + 1) }, (_, offset) => ({
    start: laterOf(start, monthStart(first + offset)),
    end: earlierOf(end, monthEnd(first + offset)),
  }));
}

export function quarterOf(date: string): number {
  return Math.floor(monthOf(date) / 3);
}

export function quarterStart(quarter: number): string {
  return monthStart(quarter * 3);
}

export function quarterEnd(quarter: number): string {
  return monthEnd(quarter * 3 + 2);
}

/** Such as 2024-W10; the year is that of the week's Thursday. */
export function weekName(monday: string): string {
  const thursday = addDays(monday, 3);
  const year = thursday.slice(0, 4);
  const week = Math.floor((dayOf(thursday) - dayOf(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

export function earlierOf(one: string, other: string): string {
  return one < other ? one : other;
}

export function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

export function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

export function isWithin(date: string, range: DateRange): boolean {
  return range.start <= date && date <= range.end;
}

function dayOf(date: string): number {
  return Date.parse(date) / dayMs;
}

function dateOfDay(day: number): string {
  return utcDay(new Date(day * dayMs));
}
