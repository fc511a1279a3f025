import { isDay } from "./days.ts";

const dayParts = ["YYYY", "MM", "DD"] as const;
const timeParts = ["HH", "mm", "ss"] as const;
const allParts = [...dayParts, ...timeParts];
const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

type Part = (typeof allParts)[number];
/** A part that the pattern lacks is empty. */
type Written = Readonly<Record<Part, string>>;

/**
 * Of a text that begins like the pattern, such as `DD/MM/YYYY`: what stands for year, month and day, as YYYY-MM-DD. It may
 * be no day of the calendar. Null for another text, such as one with another digit behind the last part.
 */
export function dayReader(pattern: string): (written: string) => string | null {
  const parse = parserOf(pattern, dayParts);
  const hasMarks = pattern.length > dayParts.join("").length;
  return (written) =>
    hasMarks && /^\d/.test(written.slice(pattern.length)) ? null : dayOf(parse(written));
}

/** Of a text that is written like the pattern and no longer, its local time as ISO 8601; null for what is no time. */
export function timeReader(pattern: string): (written: string) => string | null {
  const parse = parserOf(pattern, [...dayParts, "HH", "mm"]);
  return (written) => {
    const parts = written.length === pattern.length ? parse(written) : null;
    const day = dayOf(parts);
    const time = parts && `${parts.HH}:${parts.mm}:${parts.ss || "00"}`;
    return day && time && isDay(day) && timeOfDay.test(time) ? `${day}T${time}` : null;
  };
}

/** Cuts a text that begins like the pattern into its parts. Throws for a pattern without those that are needed. */
function parserOf(pattern: string, needed: readonly Part[]): (written: string) => Written | null {
  const missing = needed.find((part) => !pattern.includes(part));
  if (missing !== undefined) throw new TypeError(`the pattern ${pattern} has no ${missing}`);
  const places = allParts.map((part) => [part, pattern.indexOf(part)] as const);
  const isOfPart = (index: number): boolean =>
    places.some(([part, at]) => at !== -1 && index >= at && index < at + part.length);
  const separators = [...pattern].flatMap((character, index) =>
    isOfPart(index) ? [] : [[index, character] as const],
  );
  const cut = (written: string): [Part, string][] =>
    places.map(([part, at]) => [part, at === -1 ? "" : written.slice(at, at + part.length)]);
  return (written) =>
    separators.every(([index, character]) => written[index] === character)
      ? (Object.fromEntries(cut(written)) as Written)
      : null;
}

function dayOf(written: Written | null): string | null {
  return written && `${written.YYYY}-${written.MM}-${written.DD}`;
}
