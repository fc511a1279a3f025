import { z } from "zod";
import { utcDay } from "../../platform/clock.ts";
import { defineReader, type Cursor, type ReadContext, type Session } from "../contract.ts";
import { AuthError, OperationNotSupported, ProviderBug } from "../errors.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { api, requireId } from "./client.ts";
import { employeeFields, person } from "./employee-fields.ts";
import { joinByDay, listPeriods } from "./employment-fields.ts";
import { readCountries, readListsIfAllowed, readPlaces } from "./lists.ts";
import { idsByName, readPeople } from "./people.ts";
import { readTables } from "./tables.ts";
import { readAway } from "./time-off.ts";

/** A change that BambooHR's clock and ours date differently is read twice rather than never. */
const overlapMs = 300_000;
const peopleOnPage = 50;

/**
 * Without the list of employees, people stand on pages that are counted by an offset: then somebody is gone only when
 * two reads agree.
 */
export function createEmployeeReader(options: { isPagedByOffset: boolean }) {
  return defineReader<"employees", object>({
    ...options,
    async *fetch(context, session) {
      const startedAt = context.clock.now().getTime();
      const since = new Date(startedAt - overlapMs).toISOString().replace(/\.\d+Z$/, "Z");
      const away = await readAway(api.inRead(context), utcDay(context.clock.now()));
      context.continueFrom({ since, told: [], away: away ?? [] });
      yield* readRecords(context, session, { away });
    },
    async *changes(context, session, cursor) {
      const client = api.inRead(context);
      const { changed, removed, since, next } = await readChanges(
        client,
        cursor,
        context.clock.now(),
      );
      const away = await readAway(client, utcDay(context.clock.now()));
      context.continueFrom({ ...next, away: away ?? [] });
      // Who went on leave or came back has not changed by BambooHR's word, so their rows are not among those that have.
      const before = new Set(cursorShape.parse(cursor).away);
      const turned = [...before.symmetricDifference(new Set(away))];
      const ids = [...new Set([...changed, ...turned])].filter((one) => !removed.includes(one));
      const read: { employeeId: string }[] = [];
      const which = turned.length > 0 ? { ids, away } : { ids, away, since };
      if (ids.length > 0)
        for await (const page of readRecords(context, session, which)) read.push(...page);
      const found = new Set(read.map(({ employeeId }) => employeeId));
      // Somebody who changed and cannot be found: only a full read says what became of them.
      if (!changed.every((one) => found.has(one)))
        throw new OperationNotSupported("somebody who changed is not on the list");
      yield { changed: read, removed };
    },
    changesNameRemovals: true,
    table: employeeFields,
  });
}

/** Everybody, or those who changed since. */
async function* readRecords(
  context: ReadContext,
  session: Session,
  { ids, since, away }: { ids?: readonly string[]; since?: string; away: string[] | undefined },
): AsyncGenerator<{ employeeId: string }[]> {
  const client = api.inRead(context);
  const unwanted = employeeFields.unwanted((field) => context.isWanted(field));
  const isAsked = (name: string): boolean => !unwanted.has(name);
  const people = await readPeople(client, api.parse(session), { ids, isAsked });
  if (!people) throw new AuthError("insufficient_permission");
  const tables = await readTables(client, isAsked, since);
  const foundLists = await readListsIfAllowed(client);
  const lists = foundLists ?? new Map<unknown, never>();
  const { places, areHidden } = await readPlaces(client, lists);
  const countries = await readCountries(client);
  const shared = {
    lists,
    places: new Map(places.map((place) => [requireId(place, "id"), place])),
    countries,
  };
  const unread = [
    ...(away ? [] : ["isAway"]),
    ...(areHidden ? ["places"] : []),
    ...(countries ? [] : ["countries"]),
    // The list of employees has the ids of today's department and place.
    ...(foundLists ? [] : people.areListed ? ["departments"] : ["departments", "lists"]),
  ];
  context.limited([...people.limited, ...tables.limited, ...employeeFields.limitedBy(unread)]);
  const onLeave = new Set(away);
  const ofJobs = { departments: lists, people: idsByName(people) };
  const joined = people.ids.map((id) => {
    const one = people.byId.get(id);
    const jobRows = tables.jobRowsOf(id);
    return {
      ...one,
      ...shared,
      ...tables.of(id),
      periods: listPeriods(jobRows.employmentStatus),
      employments: joinByDay(jobRows).map((rows) => ({ ...rows, ...ofJobs })),
      employeeId: id,
      isAway: onLeave.has(id),
      manager: people.byId.get(person.read(one, "reportsToId") ?? ""),
    };
  });
  for (let start = 0; start < joined.length; start += peopleOnPage)
    yield joined.slice(start, start + peopleOnPage);
}

const cursorShape = z.object({
  since: z.string(),
  /** Those who were read that changed at that very moment: BambooHR may name them again. */
  told: z.array(z.string()),
  /** Who was on leave. */
  away: z.array(z.string()).default([]),
});

const changedReply = z.object({
  latest: z.string().nullish(),
  // BambooHR writes an empty map as a list.
  employees: z.union([
    z.array(z.never()).transform(() => ({})),
    z.record(z.string(), z.object({ action: z.string(), lastChanged: z.string().nullish() })),
  ]),
});

/** How long after a moment of BambooHR's clock it is over by ours. */
const momentMs = 60_000;

interface Changes {
  since: string;
  changed: string[];
  removed: string[];
  next: Cursor;
}

/** One request tells who changed since, in any field or table, and who was deleted. */
async function readChanges(client: RestClient, cursor: Cursor, now: Date): Promise<Changes> {
  const { since, told } = cursorShape.parse(cursor);
  const query = { since, type: "all" };
  const answer = await whereReadable(() => client.get("/api/v1/employees/changed", { query }));
  // Whoever may not read what changed may still read everybody.
  if (answer === undefined) throw new OperationNotSupported("BambooHR does not say who changed");
  const { data } = changedReply.safeParse(answer);
  if (!data) throw new ProviderBug("BambooHR's list of changes does not have its shape");
  const everybody = Object.entries(data.employees);
  const isTold = (id: string, at: string | null | undefined): boolean =>
    at === since && told.includes(id);
  const named = everybody.filter(([id, { lastChanged }]) => !isTold(id, lastChanged));
  const idsOf = (isGone: boolean): string[] =>
    named.filter(([, { action }]) => (action === "Deleted") === isGone).map(([id]) => id);
  const latest = isLater(data.latest, since) ? data.latest : since;
  // As long as that moment may go on, somebody who is named for it can change again.
  const isOver = now.getTime() - Date.parse(latest) > momentMs;
  const atLatest = everybody.filter(([, { lastChanged }]) => isOver && lastChanged === latest);
  return {
    since,
    changed: idsOf(false),
    removed: idsOf(true),
    next: { since: latest, told: atLatest.map(([id]) => id) },
  };
}

/** False for what is no moment: BambooHR would refuse to go on there. */
function isLater(moment: string | null | undefined, since: string): moment is string {
  return Date.parse(moment ?? "") > Date.parse(since);
}
