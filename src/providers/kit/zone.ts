const dayMs = 86_400_000;
const localPattern = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?/;
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
      if (offsetPattern.test(local)) return toValid(new Date(local));
      const wallMs = readWallClock(local);
      return wallMs === null ? null : new Date(toMoment(wallMs));
    },
  };
}

/** What the clock shows, as if it were UTC. */
function readWallClock(local: string): number | null {
  const parts = localPattern.exec(local);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second = 0] = parts;
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

function toValid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}
