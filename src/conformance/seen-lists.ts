import { isRecord } from "../platform/is-record.ts";
import type { Answer, SeenAnswer } from "./watch-provider.ts";

/** How the pages of a list are told from one another. */
export interface PagedList {
  /** By a number, such as of the page, or by what the page before says. */
  by: "number" | "cursor";
  first: SeenAnswer;
  /** Method and path. */
  request: string;
  /** Whether this asks for another page of the list than the first one. */
  isLater(seen: SeenAnswer): boolean;
  /** Whether an answer in place of the first one still says that there is another page. */
  saysNext(answer: Answer): boolean;
}

type Parameters = ReadonlyMap<string, string>;
type Json = Readonly<Record<string, unknown>>;

const numberName = /page|offset|skip|start|first/i;
const isNumber = /^\d{1,9}$/;
/** A shorter one stands in any text. */
const leastCursor = 3;
/** Of requests with one path. */
const mostCompared = 30;

/** The first list of a read that stands on several pages; undefined where none is seen to. */
export function findPagedList(seen: readonly SeenAnswer[]): PagedList | undefined {
  for (const [request, asked] of Map.groupBy(seen, nameRequest)) {
    const some = asked.slice(0, mostCompared);
    for (const [index, first] of some.entries())
      for (const second of some.slice(index + 1)) {
        const paging = tellPaging(first, second);
        if (paging)
          return {
            by: paging.by,
            first,
            request,
            isLater: (one) => isLaterPage(one, first, paging.name),
            saysNext: (answer) => paging.by === "cursor" && isToldBy(answer, paging.value),
          };
      }
  }
  return undefined;
}

function nameRequest({ request }: SeenAnswer): string {
  return `${request.method ?? "GET"} ${new URL(request.url).pathname}`;
}

function isLaterPage(one: SeenAnswer, first: SeenAnswer, name: string): boolean {
  if (nameRequest(one) !== nameRequest(first)) return false;
  const names = differing(parametersOf(first), parametersOf(one));
  return names.length === 1 && names[0] === name;
}

/** Undefined when the second request asks for something else than the page after the first one. */
function tellPaging(
  first: SeenAnswer,
  second: SeenAnswer,
): { by: PagedList["by"]; name: string; value: string } | undefined {
  const [before, after] = [parametersOf(first), parametersOf(second)];
  const [name, ...others] = differing(before, after);
  if (name === undefined || others.length > 0) return undefined;
  const value = after.get(name) ?? "";
  if (isNumber.test(value) && numberName.test(name))
    return Number(value) > Number(before.get(name) ?? 0)
      ? { by: "number", name, value }
      : undefined;
  return isToldBy(first.answer, value) ? { by: "cursor", name, value } : undefined;
}

function isToldBy(answer: Answer, cursor: string): boolean {
  const beside = leavesOf(changeLists(bodyOf(answer), () => []));
  if (beside.some(([, value]) => value === cursor)) return true;
  const told = `${answer.text()} ${answer.headers["link"] ?? ""}`;
  const spelt = [cursor, encodeURIComponent(cursor)];
  return cursor.length >= leastCursor && spelt.some((one) => told.includes(one));
}

/** By name, wherever they stand in the request. */
function parametersOf({ request }: SeenAnswer): Parameters {
  const { query = {}, json, form = {} } = request;
  const asked = [...new URL(request.url).searchParams, ...leavesOf({ ...query, ...form })];
  return new Map([...asked, ...leavesOf(json)]);
}

function leavesOf(value: unknown, path = ""): [string, string][] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object") return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === "" ? name : `${path}.${name}`),
  );
}

function differing(one: Parameters, other: Parameters): string[] {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].filter((name) => one.get(name) !== other.get(name));
}

/** The same answer with another body. */
export function withBody(answer: Answer, body: unknown): Answer {
  const text = JSON.stringify(body);
  const bytes = Buffer.from(text);
  return { ...answer, bytes, text: () => text, json: () => JSON.parse(text) as unknown };
}

/** The body of an answer in JSON; undefined of any other. */
export function bodyOf(answer: Answer): unknown {
  if (!(answer.headers["content-type"] ?? "").includes("json")) return undefined;
  try {
    return answer.json();
  } catch {
    return undefined;
  }
}

/** Each list of records in a body, the longest first. */
export function listsIn(body: unknown): (readonly Json[])[] {
  return listsWithin(body).toSorted((a, b) => b.length - a.length);
}

function listsWithin(value: unknown): (readonly Json[])[] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.values(value).flatMap(listsWithin);
  return isListOfRecords(value) ? [value, ...within] : within;
}

function isListOfRecords(value: unknown): value is readonly Json[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** A body with other lists of records: `change` gets each of them. */
export function changeLists(
  body: unknown,
  change: (list: readonly Json[]) => readonly Json[],
): unknown {
  if (typeof body !== "object" || body === null) return body;
  if (isListOfRecords(body)) return change(body).map((item) => changeInside(item, change));
  if (Array.isArray(body)) return body.map((item: unknown) => changeLists(item, change));
  return changeInside(body, change);
}

function changeInside(record: object, change: (list: readonly Json[]) => readonly Json[]): Json {
  return Object.fromEntries(
    Object.entries(record).map(([name, inner]) => [name, changeLists(inner, change)]),
  );
}
