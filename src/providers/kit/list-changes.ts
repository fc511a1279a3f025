import { createHash } from "node:crypto";
import { z } from "zod";
import { utcDay } from "../../platform/clock.ts";
import type { ChangedPage, Cursor, ReadContext } from "../contract.ts";
import { OperationNotSupported, ProviderBug } from "../errors.ts";
import type { RestClient, RestList } from "./rest.ts";

/** What a system is like that gives a list of people for few requests, and more of each for some requests. */
export interface ListChangesDefinition {
  /** How many requests the details of one record take. */
  requestsOfEach: number;
  /** How many requests a day the system takes at least, for an answer that does not say what is left. */
  leastDayRequests: number;
  /** What else of a record changes by the day alone, such as who begins or leaves on it. */
  ofDay?: (record: object, today: string) => readonly unknown[];
}

/** One record of the list, without what takes requests for each. */
export interface Listed {
  id: string;
  record: object;
}

export interface ReadList {
  /** By their ids. */
  listed: readonly Listed[];
  /** False when records moved from page to page while it was read, so that one may be missing. */
  isWhole: boolean;
  /** How many requests the system takes today; undefined when it does not say it. */
  dayRequestsLeft: number | undefined;
}

interface FoundChanges {
  /** Those whose details have to be read. */
  due: readonly Listed[];
  removed: readonly string[];
  since: Cursor;
}

const sinceShape = z.object({
  /** By the ids, what the list said of each. */
  seen: z.record(z.string(), z.string()),
  /** Up to when the records have been read over again, one after the other, and up to which. */
  slicedAt: z.iso.datetime(),
  slicedTo: z.string(),
});

type Since = z.output<typeof sinceShape>;

const msPerDay = 86_400_000;
/** Of the day's requests that are left, one read of changes takes this part for records that did not change. */
const sliceShare = 1 / 20;
/** More changes are a full read, which can go on where it was cut short. */
const mostChanged = 200;
const digestCharacters = 11;

/** Finds changes by a list, of a system that tells none itself. */
export class ListChanges {
  readonly #definition: ListChangesDefinition;

  constructor(definition: ListChangesDefinition) {
    this.#definition = definition;
  }

  /** Where changes go on after a full read of this list. */
  start({ listed }: Pick<ReadList, "listed">, now: Date): Cursor {
    return { seen: this.#see(listed, now), slicedAt: now.toISOString(), slicedTo: "" };
  }

  /**
   * Compares the list with what it was. Whether each change of the details shows in the list is not certain, so a slice
   * of the others is due as well: all are read over again within a day, or within the days that the limit of requests
   * takes. Throws OperationNotSupported where a full read is better.
   */
  compare(list: ReadList, cursor: Cursor, now: Date): FoundChanges {
    const before = sinceShape.safeParse(cursor).data;
    if (!before) throw new OperationNotSupported("the cursor is not of this version");
    const { listed, isWhole } = list;
    const seen = this.#see(listed, now);
    const changed = listed.filter(({ id }) => before.seen[id] !== seen[id]);
    if (changed.length > mostChanged)
      throw new OperationNotSupported("a full read is better for so many changes");
    const { slice, ...sliced } = this.#cutSlice(list, before, now);
    const dueIds = new Set([...changed, ...slice].map(({ id }) => id));
    const missing = Object.keys(before.seen).filter((id) => !Object.hasOwn(seen, id));
    // What is missing from a list that may have gaps is not gone.
    const unsure = isWhole ? [] : missing.map((id) => [id, before.seen[id]]);
    return {
      due: listed.filter(({ id }) => dueIds.has(id)),
      removed: isWhole ? missing : [],
      since: { seen: { ...seen, ...Object.fromEntries(unsure) }, ...sliced },
    };
  }

  /** As many as the time since the last slice asks for, as far as the day's requests allow. */
  #cutSlice({ listed, dayRequestsLeft }: ReadList, before: Since, now: Date) {
    const { leastDayRequests, requestsOfEach } = this.#definition;
    const slicedAt = Date.parse(before.slicedAt);
    const elapsedMs = Math.max(0, now.getTime() - slicedAt);
    const wanted = Math.min(listed.length, Math.floor((elapsedMs * listed.length) / msPerDay));
    const left = dayRequestsLeft ?? leastDayRequests;
    const allowed = Math.floor((left * sliceShare) / requestsOfEach);
    const count = Math.min(wanted, allowed);
    const later = listed.filter(({ id }) => id > before.slicedTo);
    const slice = [...later, ...listed.filter(({ id }) => id <= before.slicedTo)].slice(0, count);
    const isBehind = allowed < wanted || wanted === listed.length;
    const sinceThen = isBehind ? now.getTime() : slicedAt + (count * msPerDay) / listed.length;
    return {
      slice,
      slicedAt: new Date(listed.length === 0 ? now : sinceThen).toISOString(),
      slicedTo: slice.at(-1)?.id ?? before.slicedTo,
    };
  }

  #see(listed: readonly Listed[], now: Date): Record<string, string> {
    const today = utcDay(now);
    const { ofDay } = this.#definition;
    return Object.fromEntries(
      listed.map(({ id, record }) => [id, digest([record, ...(ofDay?.(record, today) ?? [])])]),
    );
  }
}

export function listChanges(definition: ListChangesDefinition): ListChanges {
  return new ListChanges(definition);
}

interface ByList<Raw> {
  changesOf: (context: ReadContext) => ListChanges | Promise<ListChanges>;
  readList: (context: ReadContext) => Promise<ReadList>;
  /** The records of these with what takes requests for each. The cursor is where an earlier read of all was cut short. */
  readDetails: (
    context: ReadContext,
    listed: readonly Listed[],
    cursor: Cursor | undefined,
  ) => AsyncIterable<{ records: readonly Raw[]; cursor: Cursor }>;
}

/** What a reader has for such a list: all of it, and what changed since then. */
export function readByList<Raw>({ changesOf, readList: readNow, readDetails }: ByList<Raw>) {
  async function* readAll(context: ReadContext) {
    // Of the day by which the records are mapped: the list itself may take minutes.
    const startedAt = context.clock.now();
    const list = await readNow(context);
    const changes = await changesOf(context);
    context.continueFrom(changes.start(list, startedAt));
    yield* readDetails(context, list.listed, context.cursor);
  }
  async function* readChanged(
    context: ReadContext,
    _session: unknown,
    cursor: Cursor,
  ): AsyncGenerator<ChangedPage<Raw>> {
    const startedAt = context.clock.now();
    const list = await readNow(context);
    const changes = await changesOf(context);
    const { due, removed, since } = changes.compare(list, cursor, startedAt);
    context.continueFrom(since);
    yield { changed: [], removed };
    if (due.length === 0) return;
    for await (const { records } of readDetails(context, due, undefined))
      yield { changed: records };
  }
  return {
    fetch: readAll,
    changes: readChanged,
    changesNameRemovals: true,
    changesRereadAll: true,
  };
}

export interface ListRead extends Omit<RestList, "idOf" | "onAnswer"> {
  idOf: (record: unknown) => string | null;
  /** How many records all pages have, where an answer says it. */
  countOf?: (body: unknown) => number | null;
  /** The header that says how many requests the system takes today. */
  dayRequestsLeft?: string;
}

/**
 * A list at once and whole: a deletion shifts its pages, so one that is not as long as it says is read once more. A
 * count that is wrong each time is the system's own mistake: the same records twice are all of them.
 */
export async function readList(client: RestClient, list: ListRead): Promise<ReadList> {
  const first = await readOnce(client, list);
  if (first.isWhole) return first;
  const second = await readOnce(client, list);
  const isSame = JSON.stringify(idsOf(first)) === JSON.stringify(idsOf(second));
  return { ...second, isWhole: second.isWhole || isSame };
}

async function readOnce(
  client: RestClient,
  { countOf, dayRequestsLeft: header = "", ...list }: ListRead,
): Promise<ReadList> {
  const counts = new Set<number | null>();
  let left: string | undefined;
  const found = await client.all({
    ...list,
    onAnswer: ({ body, headers }) => {
      counts.add(countOf?.(body) ?? null);
      left = headers[header];
    },
  });
  const listed = found.map((record) => ({ id: list.idOf(record), record: record as object }));
  if (!listed.every((one): one is Listed => one.id !== null))
    throw new ProviderBug(`the list of ${list.path} has a record without an id`);
  return {
    listed: listed.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    isWhole: counts.size === 1 && counts.has(listed.length),
    dayRequestsLeft: /^\d{1,9}$/.test(left ?? "") ? Number(left) : undefined,
  };
}

function idsOf({ listed }: ReadList): string[] {
  return listed.map(({ id }) => id);
}

/** A short text that is another one when what was told is. */
export function digest(told: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(told))
    .digest("base64url")
    .slice(0, digestCharacters);
}
