import type { ProviderResponse } from "../../platform/outbound/index.ts";
import type { Cursor, Page } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { isRecord } from "./source.ts";

/** How a list is divided into pages. */
export type Paging =
  /** By a number of the page, from `first` on, which is 1 unless said otherwise. */
  | ({ by: "page"; parameter: string; first?: number } & Sized)
  /** By how many records come before. */
  | ({ by: "offset"; parameter: string } & Sized)
  /** By what the page before says; null after the last one. */
  | {
      by: "cursor";
      parameter: string;
      next: (body: unknown) => unknown;
      /** The cursor stands in the JSON of the request, and not in its query. */
      isInBody?: boolean;
    }
  /** By the address with `rel="next"` in the header `Link` (RFC 8288). */
  | { by: "link" }
  /** All in one answer. */
  | { by: "none" };

interface Sized {
  /** The parameter that asks for so many records, and how many; of a system that nobody can ask, how many it gives. */
  size: readonly [parameter: string, count: number] | number;
  /**
   * What the last page looks like: it has fewer records than were asked for, or the one after it is empty, or that one
   * has only records that came before. By default it is empty, because a short page may have been cut.
   */
  end?: "short" | "empty" | "repeated";
  /**
   * Whether the page is the last one, where the body or a header says so; undefined where they do not. `read` counts up
   * to this page, with as many records on each page before it as were asked for.
   */
  isLast?: (
    body: unknown,
    read: { pages: number; records: number; headers: Answer["headers"] },
  ) => boolean | undefined;
  /**
   * How many records there are, where the body says so: the list ends when as many have come. A page with nothing new
   * before that is a fault, because the list would look short.
   */
  total?: (body: unknown) => number | undefined;
  /** The parameters stand in the JSON of the request, and not in its query. */
  isInBody?: boolean;
}

export interface PagedList {
  /** For the sentences of failures. */
  path: string;
  paging: Paging;
  /** The list in a body, which is the body itself unless said otherwise. */
  items?: (body: unknown) => unknown;
  /** By what a record is told from others: its `id` unless said otherwise. */
  idOf?: (item: unknown) => unknown;
  /** Sees the answer of each page, such as for a count of all records. */
  onAnswer?: (answer: Answer) => void;
}

export interface RestPage {
  /** Those that did not come before. */
  items: readonly unknown[];
  /** Where the list goes on after this page; null after the last one. */
  next: Cursor | null;
}

/** A page of a read, with where it goes on after it. */
export function pageOf(records: readonly object[], next: Cursor | null): Page<object> {
  return next === null ? records : { records, cursor: next };
}

interface Answer {
  body: unknown;
  headers: ProviderResponse["headers"];
}

type Query = Readonly<Record<string, string | number>>;
/** One page: the query or the JSON that asks for it, or its address. */
export type PageRequest = { query: Query } | { json: Query } | { path: string };
type Ask = (page: PageRequest) => Promise<Answer>;

/** Of pages that are not the same. */
const mostPagesWithoutNews = 3;
const mostPagesWithoutRecords = 200;

/**
 * Reads a list page by page, from its start or from where an earlier page said. A list that repeats itself without end
 * is broken: then ProviderBug names the request.
 */
export async function* readPages(
  ask: Ask,
  list: PagedList,
  start: Cursor | undefined,
): AsyncGenerator<RestPage> {
  const { paging } = list;
  const known = new KnownRecords(list);
  for (let position: Cursor | null = start ?? {}; position;) {
    const answer = await ask(toRequest(paging, position));
    list.onAnswer?.(answer);
    const found = toItems(list, answer.body);
    // A read that goes on behind the last page knows no record of it.
    if (position === start && "last" in start && lastOf(list, found) === start["last"]) return;
    const isCounted = totalOf(paging, answer.body) !== undefined;
    const items = known.add(found);
    if (!endsWithRepetition(paging)) known.refuseRepetition(found);
    const goesOn = findNext(list, position, { answer, found, items });
    // Of a list whose length is told, a repetition is a fault.
    const next = isCounted ? goesOn : withLast(list, goesOn, found);
    if (items.length > 0) yield { items, next };
    position = next;
    if (position || (isCounted && found.length > 0))
      known.requireNews(found.length, items.length, isCounted);
  }
}

function toRequest(paging: Paging, position: Cursor): PageRequest {
  switch (paging.by) {
    case "page":
    case "offset": {
      const size = typeof paging.size === "number" ? {} : { [paging.size[0]]: paging.size[1] };
      const query = { [paging.parameter]: placeOf(paging, position), ...size };
      return paging.isInBody ? { json: query } : { query };
    }
    case "cursor": {
      const query = toQuery(paging.parameter, position["cursor"]);
      return paging.isInBody ? { json: query } : { query };
    }
    case "link":
      return typeof position["path"] === "string" ? { path: position["path"] } : { query: {} };
    case "none":
      return { query: {} };
  }
}

/** The number of the page, or of the records before it; of no position, where the list begins. */
function placeOf(paging: Extract<Paging, Sized>, position: Cursor): number {
  const start = paging.by === "page" ? (paging.first ?? 1) : 0;
  return Number(position[paging.by] ?? start);
}

function toQuery(parameter: string, cursor: unknown): Query {
  return typeof cursor === "string" || typeof cursor === "number" ? { [parameter]: cursor } : {};
}

interface FoundPage {
  answer: Answer;
  found: readonly unknown[];
  items: readonly unknown[];
}

function findNext(list: PagedList, position: Cursor, found: FoundPage): Cursor | null {
  const { paging } = list;
  switch (paging.by) {
    case "page": {
      const page = placeOf(paging, position);
      const pages = page - placeOf(paging, {}) + 1;
      const before = Number(position["records"] ?? (pages - 1) * countOf(paging));
      if (isEnd(paging, found, { before, pages })) return null;
      const records = before + found.found.length;
      // Of pages that a system keeps shorter than they were asked for.
      const isShort = paging.total !== undefined && records !== pages * countOf(paging);
      return { page: page + 1, ...(isShort && { records }) };
    }
    case "offset": {
      const offset = placeOf(paging, position);
      return isEnd(paging, found, { before: offset })
        ? null
        : { offset: offset + found.found.length };
    }
    case "cursor": {
      const cursor = paging.next(found.answer.body);
      return cursor === null || cursor === undefined || cursor === "" ? null : { cursor };
    }
    case "link": {
      const path = findNextLink(
        found.answer.headers["link"] ?? "",
        typeof position["path"] === "string" ? position["path"] : list.path,
      );
      return path === null ? null : { path };
    }
    case "none":
      return null;
  }
}

function isEnd(
  sized: Sized,
  { answer, found, items }: FoundPage,
  { before, pages }: { before: number; pages?: number },
): boolean {
  const { end = "empty", isLast, total } = sized;
  const count = countOf(sized);
  const records = before + found.length;
  const all = total?.(answer.body);
  if (all !== undefined) return records >= all;
  const { body, headers } = answer;
  const told = isLast?.(body, { pages: pages ?? Math.ceil(records / count), records, headers });
  if (told !== undefined) return told;
  if (end === "short") return found.length < count;
  return end === "repeated" ? items.length === 0 : found.length === 0;
}

/** Of a list that ends with a repetition: by what the page is known that repeats this one. */
function withLast(list: PagedList, next: Cursor | null, found: readonly unknown[]): Cursor | null {
  const last = endsWithRepetition(list.paging) ? lastOf(list, found) : undefined;
  return next && last !== undefined ? { ...next, last } : next;
}

function countOf({ size }: Sized): number {
  return typeof size === "number" ? size : size[1];
}

function endsWithRepetition(paging: Paging): boolean {
  return "end" in paging && paging.end === "repeated";
}

function totalOf(paging: Paging, body: unknown): number | undefined {
  return "total" in paging ? paging.total?.(body) : undefined;
}

/** The path and query of the next page, from the path of this one on: its host is not followed. */
function findNextLink(header: string, from: string): string | null {
  for (const link of header.split("<").slice(1)) {
    const [address = "", parameters = ""] = link.split(">", 2);
    const relations = parameters
      .split(/[;,]/)
      .map((parameter) => parameter.trim().toLowerCase())
      .filter((parameter) => parameter.startsWith("rel="))
      .flatMap((parameter) => parameter.slice("rel=".length).replaceAll('"', "").split(" "));
    if (!relations.includes("next")) continue;
    const url = URL.parse(address, `https://of-the-list.invalid${from}`);
    return url && url.pathname + url.search;
  }
  return null;
}

/**
 * The list of records at a path of a body, such as `data` or `slips.slip`, or the body itself. What is no record breaks
 * the read: one that is passed over looks as if it had been deleted.
 */
export function recordsAt(path?: string): (body: unknown) => Readonly<Record<string, unknown>>[] {
  const names = path?.split(".") ?? [];
  return (body) => {
    const found = names.reduce((part, name) => (isRecord(part) ? part[name] : undefined), body);
    if (!Array.isArray(found) || !found.every(isRecord))
      throw new ProviderBug(`an answer has no list of records${path ? ` at ${path}` : ""}`);
    return found;
  };
}

function toItems({ path, items }: PagedList, body: unknown): readonly unknown[] {
  const found = items ? items(body) : body;
  if (Array.isArray(found)) return found as unknown[];
  throw new ProviderBug(`the answer of ${path} has no list of records`);
}

/** Tells a list that goes on from one that repeats itself. */
class KnownRecords {
  readonly #list: PagedList;
  readonly #ids = new Set<string>();
  /** Of the page before. */
  #page = "";
  #withoutNews = 0;
  #withoutRecords = 0;

  constructor(list: PagedList) {
    this.#list = list;
  }

  /** Those that were not there before. A record without an id cannot be told from others, and counts as new. */
  add(found: readonly unknown[]): readonly unknown[] {
    return found.filter((item) => {
      const id = idOf(this.#list, item);
      if (id === undefined) return true;
      const isNew = !this.#ids.has(id);
      this.#ids.add(id);
      return isNew;
    });
  }

  /** The same page twice would make a short list, also where its answer says that it was the last one. */
  refuseRepetition(found: readonly unknown[]): void {
    const ids = found.map((item) => idOf(this.#list, item));
    const page = ids.includes(undefined) ? "" : JSON.stringify(ids);
    if (found.length > 0 && page !== "" && page === this.#page)
      throw new ProviderBug(`the list of ${this.#list.path} repeats itself: a page came twice`);
    this.#page = page;
  }

  /** Of a list whose length is told, the first page without news is one too many. */
  requireNews(found: number, news: number, isCounted: boolean): void {
    if (isCounted && news === 0)
      throw new ProviderBug(
        `a page of ${this.#list.path} is empty or repeated before the list ends`,
      );
    this.#withoutNews = found > 0 && news === 0 ? this.#withoutNews + 1 : 0;
    this.#withoutRecords = found === 0 ? this.#withoutRecords + 1 : 0;
    if (this.#withoutNews >= mostPagesWithoutNews)
      throw new ProviderBug(
        `the list of ${this.#list.path} repeats itself: ${mostPagesWithoutNews} pages had nothing new`,
      );
    if (this.#withoutRecords >= mostPagesWithoutRecords)
      throw new ProviderBug(
        `the list of ${this.#list.path} does not end: ${mostPagesWithoutRecords} pages had no record`,
      );
  }
}

function lastOf(list: PagedList, found: readonly unknown[]): string | undefined {
  return found.length > 0 ? idOf(list, found.at(-1)) : undefined;
}

function idOf(list: PagedList, item: unknown): string | undefined {
  const id = list.idOf
    ? list.idOf(item)
    : (item as Readonly<Record<string, unknown>> | null | undefined)?.["id"];
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
