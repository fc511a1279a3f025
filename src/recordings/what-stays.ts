import { readAmountText, type AmountSpelling } from "./amount-text.ts";
import { parseMarkup } from "./markup.ts";
import { joinPath } from "./scale-amounts.ts";
import { parseSeparated } from "./separated.ts";
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
/** A shorter one may as well be a count. */
const typedNumber = /^[1-9]\d{2,14}$/;
const words = /[A-Z]?[a-z]+/g;

/** The numbers that lead from one answer to another: those of requests, ids, and the lengths of lists. */
export function findJoining(seen: SeenRecording): Set<number> {
  const numbers = new Set<number>();
  const lengths = new Map<string, number>();
  for (const { path, query, sent, body } of listExchanges(seen)) {
    const asked = [path, ...query.map(([, value]) => value), sent ?? ""].join(" ");
    for (const [number] of asked.matchAll(/\d{1,15}/g)) numbers.add(Number(number));
    eachMember(readBody(body).value, (place, name, value) => {
      if (name === "id" && isWhole(value)) numbers.add(Number(value));
      if (!Array.isArray(value)) return;
      const whole = (lengths.get(placeOf(path, place)) ?? 0) + value.length;
      lengths.set(placeOf(path, place), whole);
      numbers.add(value.length).add(whole);
    });
  }
  for (const typed of listTypedNumbers(seen)) numbers.delete(typed);
  return numbers;
}

/** Such as the number of a company: what is typed tells whose system it is. */
export function listTypedNumbers({ formValues, settingFields }: SeenRecording): number[] {
  return Object.entries(formValues).flatMap(([name, value]) =>
    !settingFields.includes(name) && typedNumber.test(value) ? [Number(value)] : [],
  );
}

/** How the system writes thousands, by what stands before the decimals. */
export function findGroups(seen: SeenRecording): Map<AmountSpelling["point"], string> {
  const groups = new Map<AmountSpelling["point"], string>();
  for (const { body } of listExchanges(seen))
    eachMember(readBody(body).value, (_place, _name, value) => {
      const { point, group, isSmall = true } = readAmountOf(value) ?? {};
      if (point !== undefined && !isSmall) groups.set(point, group ?? "");
    });
  return groups;
}

function readAmountOf(value: unknown) {
  return typeof value === "string" ? readAmountText(value) : undefined;
}

/** What an answer tells, as objects and lists. */
export function readBody(body: string): { value: unknown; kind: "json" | "markup" | "table" } {
  const json = parseJson(body);
  if (json !== undefined) return { value: json, kind: "json" };
  const root = parseMarkup(body)?.root;
  return root
    ? { value: root, kind: "markup" }
    : { value: parseSeparated(body)?.rows, kind: "table" };
}

/**
 * Places with a number that leads nowhere, counts nothing, and is no length of time, and all places of the same name: an
 * amount may be small. What a page says of its list is told by its place alone.
 */
export function findAmounts(seen: SeenRecording, joining: ReadonlySet<number>): Set<string> {
  const places = new Set<string>();
  const placesOfName = new Map<string, Set<string>>();
  for (const { path, body } of listExchanges(seen)) {
    eachMember(readBody(body).value, (place, name, value) => {
      const amount = typeof value === "number" ? value : readAmountOf(value)?.value;
      const isNumber =
        amount !== undefined && name !== "id" && !isReference(name) && !isUnitName(name);
      if (!isNumber) return;
      const of = placeOf(path, place);
      const named = placesOfName.get(name) ?? new Set();
      placesOfName.set(name, named.add(of));
      if (!isJoining(amount, joining)) places.add(of);
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

export function listExchanges({ signIn, steps }: SeenRecording): SeenExchange[] {
  return [...signIn, ...steps.flatMap((step) => step.exchanges)];
}

/** Such as `departmentId` or `team_ids`: the id of something else, or a number of an authority. */
export function isReference(name: string): boolean {
  return /(?:_id|Id|ID|_uid)s?$/.test(name);
}

/** Each member of a JSON value: its path without positions, its name, and itself. */
export function eachMember(
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
