import { isDay } from "./days.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** What stands behind the time may change what it means, so nothing else may. */
const timePattern =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})([.,]\d+)?)?\s?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;
const offsetPattern = /^([+-])([01]\d|2[0-3]):?([0-5]\d)?$/;

/** The clocks of one time zone. */
export interface Zone {
  /**
   * The moment of a local time, such as `2026-03-02T09:00:00`. A time that the clocks show twice is the first one, a
   * time that they skip is as much later. With an offset, such as `Z`, `UTC`, `+01` or `+01:00`, it is not of the zone.
   * Null for what is no time, or has anything else behind it.
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
  const offsetAt = (ms: number): number => (readTime(toLocal(new Date(ms))).wallMs ?? ms) - ms;
  const toMoment = (wallMs: number): number => {
    const before = offsetAt(wallMs - dayMs);
    const after = offsetAt(wallMs + dayMs);
    if (before === after || offsetAt(wallMs - before) === before) return wallMs - before;
    return offsetAt(wallMs - after) === after ? wallMs - after : wallMs - before;
  };
  return {
    toLocal,
    toInstant: (local) => {
      const { wallMs, offset } = readTime(local);
      if (wallMs === null) return null;
      if (offset === "") return new Date(toMoment(wallMs));
      const minutes = minutesOf(offset);
      return minutes === null ? null : new Date(wallMs - minutes * minuteMs);
    },
  };
}

/** What the clock shows, as if it were UTC; null for a day or a time that there is not. A day may end at 24:00. */
function readTime(local: string): { wallMs: number | null; offset: string } {
  const [, day = "", hour, minute, second = "00", fraction = "", offset = ""] =
    timePattern.exec(local) ?? [];
  const time = `${hour}:${minute}:${second}${fraction.replace(",", ".")}`;
  const wallMs = isDay(day) ? Date.parse(`${day}T${time}Z`) : Number.NaN;
  return { wallMs: Number.isNaN(wallMs) ? null : wallMs, offset };
}

/** Null for more than a day has. */
function minutesOf(offset: string): number | null {
  if (/^[a-z]/i.test(offset)) return 0;
  const [, sign, hours, minutes = 0] = offsetPattern.exec(offset) ?? [];
  if (hours === undefined) return null;
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
}
