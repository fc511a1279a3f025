import { isDay } from "./days.ts";

const dayMs = 86_400_000;
const localPattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?/;
const offsetPattern = /(?:Z|[+-]\d{2}:?\d{2})$/;

/** The clocks of one time zone. */
export interface Zone {
  /**
   * The moment of a local time, such as `2026-03-02T09:00:00`. A time that the clocks show twice is the first one, a
   * time that they skip is as much later. Null for what is no time.
   */
  toInstant(local: string): Date | null;
  /** The local time of a moment, such as `2026-03-02 09:00:00`. */
  toLocal(instant: Date): string;
}

/** Whether it is a name of the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  if (opened.has(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Intl.DateTimeFormat("sv-SE", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const opened = new Map<string, Zone>();

/** Of each name it is made once: its format costs more than a hundred times of it. */
export function openZone(timeZone: string): Zone {
  const zone = opened.get(timeZone) ?? makeZone(timeZone);
  opened.set(timeZone, zone);
  return zone;
}

function makeZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const toLocal = (instant: Date): string => format.format(instant);
  const offsetAt = (ms: number): number => (readWallClock(toLocal(new Date(ms))) ?? ms) - ms;
  const toMoment = (wallMs: number): number => {
    const before = offsetAt(wallMs - dayMs);
    const after = offsetAt(wallMs + dayMs);
    if (before === after || offsetAt(wallMs - before) === before) return wallMs - before;
    return offsetAt(wallMs - after) === after ? wallMs - after : wallMs - before;
  };
  return {
    toLocal,
    toInstant: (local) => {
      const wallMs = readWallClock(local);
      if (wallMs === null) return null;
      return offsetPattern.test(local) ? toValid(new Date(local)) : new Date(toMoment(wallMs));
    },
  };
}

/** What the clock shows, as if it were UTC; null for a day or a time that there is not. A day may end at 24:00. */
function readWallClock(local: string): number | null {
  const [, day = "", hour, minute, second = "00"] = localPattern.exec(local) ?? [];
  const wallMs = isDay(day) ? Date.parse(`${day}T${hour}:${minute}:${second}Z`) : Number.NaN;
  return Number.isNaN(wallMs) ? null : wallMs;
}

function toValid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}
