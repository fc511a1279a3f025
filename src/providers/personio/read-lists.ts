import type { Cursor } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import { toNumber, toObject, toObjects, toText, type JsonObject } from "./json-values.ts";
import { origin, RequestRefused, type Ask, type PersonioRequest } from "./personio-client.ts";

/** Where a list of v1 goes on. */
export type Position = Readonly<{
  /** The value of the parameter `offset`. */
  offset: number;
  /** How many records came before. */
  passed: number;
}>;

interface OffsetList {
  path: string;
  query?: PersonioRequest["query"];
  limit: number;
  /** What `offset` counts. The first page is the number 1: 0 is the same page. */
  counts: "records" | "pages";
}

interface OffsetPage {
  records: JsonObject[];
  /** Undefined after the last page. */
  next: Position | undefined;
}

/** A cursor that is no position counts as absent. */
export function toPosition(cursor: Cursor | undefined): Position | undefined {
  const { offset, passed } = cursor ?? {};
  return typeof offset === "number" && typeof passed === "number" ? { offset, passed } : undefined;
}

/**
 * Ends when as many records have come as Personio counts: a page with nothing new is then no end, because it would make
 * a company look small. Where Personio counts nothing, such a page is the only end, because a short page may be cut.
 */
export async function* readOffsetPages(
  ask: Ask,
  { path, query, limit, counts }: OffsetList,
  start: Position = { offset: counts === "pages" ? 1 : 0, passed: 0 },
): AsyncGenerator<OffsetPage> {
  let position: Position | undefined = start;
  let previous: string | undefined;
  while (position) {
    const offset: number = position.offset;
    const body = await ask({ path, query: { ...query, limit, offset } });
    const records = requireList(body["data"]);
    const total = toNumber(toObject(body["metadata"])?.["total_elements"]);
    const text = JSON.stringify(records);
    const count: number = position.passed + records.length;
    const isRepeated = records.length > 0 && text === previous;
    if (total === null && isRepeated) return;
    const isLast = total === null ? records.length === 0 : count >= total;
    if (isRepeated || (!isLast && records.length === 0))
      throw new ProviderBug(`a page of ${path} is empty or repeated before the list ends`);
    previous = text;
    const nextOffset = counts === "pages" ? offset + 1 : count;
    position = isLast ? undefined : { offset: nextOffset, passed: count };
    yield { records, next: position };
  }
}

interface CursorList {
  path: string;
  query?: PersonioRequest["query"];
  isBeta?: boolean;
}

const cursorPageSize = 100;

/** A whole list of v2. Personio may forget a cursor: then the list is read anew, once. */
export async function readCursorList(ask: Ask, list: CursorList): Promise<JsonObject[]> {
  const first = await collectPages(ask, list);
  return first ?? (await collectPages(ask, list)) ?? refuseCursor();
}

function refuseCursor(): never {
  throw new ProviderBug("Personio refuses its own cursor again");
}

/** Undefined when a cursor is refused. */
async function collectPages(ask: Ask, list: CursorList): Promise<JsonObject[] | undefined> {
  const records: JsonObject[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const query = { ...list.query, limit: cursorPageSize, cursor };
    const body = await askUnlessRefused(ask, { ...list, query }, cursor !== undefined);
    if (!body) return undefined;
    records.push(...requireList(body["_data"]));
    cursor = findCursor(body);
    if (cursor === undefined) return records;
    if (seen.has(cursor)) throw new ProviderBug(`a cursor of ${list.path} is repeated`);
    seen.add(cursor);
  }
}

async function askUnlessRefused(
  ask: Ask,
  request: PersonioRequest,
  mayBeRefused: boolean,
): Promise<JsonObject | undefined> {
  try {
    return await ask(request);
  } catch (error) {
    if (mayBeRefused && error instanceof RequestRefused) return undefined;
    throw error;
  }
}

/** Only the cursor of the link counts: its path is wrong at some endpoints, and relative at others. */
function findCursor(body: JsonObject): string | undefined {
  const links = toObject(toObject(body["_meta"])?.["links"]);
  const href = toText(toObject(links?.["next"])?.["href"]);
  if (href === null) return undefined;
  const cursor = URL.parse(href, origin)?.searchParams.get("cursor");
  if (!cursor) throw new ProviderBug("a link to the next page has no cursor");
  return cursor;
}

/** A record that is left out would look as if it had been deleted. */
export function requireList(value: unknown): JsonObject[] {
  const records = toObjects(value);
  if (!Array.isArray(value) || records.length < value.length)
    throw new ProviderBug("Personio's answer has no list of records");
  return records;
}
