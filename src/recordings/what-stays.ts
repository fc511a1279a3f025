import { isFieldName } from "./scrub-body.ts";
import { isAmountText, joinPath } from "./scale-amounts.ts";
import type { SeenExchange, SeenRecording } from "./seen-recording.ts";

/** Counts, days, hours and months are rarely larger. */
const largestCount = 31;
const unitWords = [
  "day",
  "hour",
  "minute",
  "month",
  "week",
  "year",
  "percent",
  "count",
  "page",
  "status",
  "code",
  "unit",
  "quantity",
];
/** Of a page and its list. */
const pageWords = new Set(["total", "size", "limit", "offset", "length"]);
const words = /[A-Z]?[a-z]+/g;

/**
 * What leads from one answer to another: numbers of requests, ids, the lengths of lists, and the names of fields.
 */
export function findJoining(seen: SeenRecording): { numbers: Set<number>; names: Set<string> } {
  const names = new Set<string>();
  const numbers = new Set<number>();
  const lengths = new Map<string, number>();
  for (const { path, query, sent, body } of listExchanges(seen)) {
    const asked = [path, ...query.map(([, value]) => value), sent ?? ""].join(" ");
    for (const [number] of asked.matchAll(/\d{1,15}/g)) numbers.add(Number(number));
    eachMember(parseJson(body), (place, name, value) => {
      if (isFieldName(name)) names.add(name);
      if (name === "id" && isWhole(value)) numbers.add(Number(value));
      if (!Array.isArray(value)) return;
      const whole = (lengths.get(placeOf(path, place)) ?? 0) + value.length;
      lengths.set(placeOf(path, place), whole);
      numbers.add(value.length).add(whole);
    });
  }
  return { numbers, names };
}

/**
 * Places with a number that leads nowhere, counts nothing, and is no length of time, and all places of the same name: an
 * amount may be small. What a page says of its list is told by its place alone.
 */
export function findAmounts(seen: SeenRecording, joining: ReadonlySet<number>): Set<string> {
  const places = new Set<string>();
  const placesOfName = new Map<string, Set<string>>();
  for (const { path, body } of listExchanges(seen)) {
    eachMember(parseJson(body), (place, name, value) => {
      const isNumber =
        isAmountText(value) && name !== "id" && !isReference(name) && !isUnitName(name);
      if (!isNumber) return;
      const of = placeOf(path, place);
      const named = placesOfName.get(name) ?? new Set();
      placesOfName.set(name, named.add(of));
      if (!isJoining(Number(value), joining)) places.add(of);
    });
  }
  for (const [name, named] of placesOfName) {
    const isAmount = !pageWords.has(name.toLowerCase()) && [...named].some((of) => places.has(of));
    if (isAmount) for (const of of named) places.add(of);
  }
  return places;
}

function isWhole(value: unknown): value is number | string {
  return Number.isInteger(value) || (typeof value === "string" && /^\d{1,15}$/.test(value));
}

export function isJoining(value: number, joining: ReadonlySet<number>): boolean {
  return (Number.isInteger(value) && Math.abs(value) <= largestCount) || joining.has(value);
}

function isUnitName(name: string): boolean {
  const parts = (name.match(words) ?? []).map((word) => word.toLowerCase());
  return parts.some((part) => unitWords.some((unit) => part === unit || part === `${unit}s`));
}

/** The same for all requests of one kind. */
export function placeOf(path: string, place: string): string {
  return `${path.replaceAll(/\d+/g, "0")} ${place}`;
}

function listExchanges({ signIn, steps }: SeenRecording): SeenExchange[] {
  return [...signIn, ...steps.flatMap((step) => step.exchanges)];
}

/** Such as `departmentId`: the id of something else, or a number of an authority. */
export function isReference(name: string): boolean {
  return /(?:_id|Id|ID|_uid)$/.test(name);
}

/** Each member of a JSON value: its path without positions, its name, and itself. */
function eachMember(
  value: unknown,
  note: (place: string, name: string, value: unknown) => void,
  place = "",
  name = "",
): void {
  note(place, name, value);
  if (Array.isArray(value)) for (const one of value) eachMember(one, note, place);
  else if (typeof value === "object" && value !== null)
    for (const [inner, member] of Object.entries(value))
      eachMember(member, note, joinPath(place, inner), inner);
}

/** Undefined for what is no object or list of JSON. */
export function parseJson(text: string): unknown {
  const start = text.trimStart().slice(0, 1);
  if (!["{", "["].includes(start)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
