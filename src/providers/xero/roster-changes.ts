import { createHash } from "node:crypto";
import { z } from "zod";
import type { Cursor } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { toEmploymentStatus } from "./employment-status.ts";
import { toEmploymentType } from "./employments.ts";
import type { Person, Roster } from "./roster.ts";

const sinceShape = z.object({
  /** By the ids of the people, what the list said of each. */
  seen: z.record(z.string(), z.string()),
  /** Up to when the people have been read over again, one after the other, and up to whom. */
  slicedAt: z.iso.datetime(),
  slicedTo: z.string(),
});

type Since = z.output<typeof sinceShape>;

export interface RosterChanges {
  /** Whose details have to be read. */
  due: readonly Person[];
  removed: readonly string[];
  since: Cursor;
}

const msPerDay = 86_400_000;
/** The limit of the applications that may ask least. */
const leastDayRequests = 1_000;
const requestsOfPerson = 2;
/** Of the day's requests that are left, one read of changes takes this part for people who did not change. */
const sliceShare = 1 / 20;
/** More changes are a full read, which can go on where it was cut short. */
const mostChanged = 200;
const digestCharacters = 11;

/** Where changes go on after a full read of this list. */
export function startChanges({ people }: Pick<Roster, "people">, now: Date): Cursor {
  const seen = Object.fromEntries(people.map(({ id, record }) => [id, describe(record, now)]));
  return { seen, slicedAt: now.toISOString(), slicedTo: "" } satisfies Since;
}

/**
 * Compares the list with what it was. Whether a new salary shows in the list is not certain, so a slice of the others
 * is due as well: everybody is read over again within a day, or within the days that the limit of requests takes.
 */
export function compareRoster(roster: Roster, cursor: Cursor, now: Date): RosterChanges {
  const before = sinceShape.safeParse(cursor).data;
  if (!before) throw new OperationNotSupported("the cursor is not of this version");
  const { people, isWhole } = roster;
  const changed = people.filter(({ id, record }) => before.seen[id] !== describe(record, now));
  if (changed.length > mostChanged)
    throw new OperationNotSupported("a full read is better for so many changes");
  const { slice, ...sliced } = cutSlice(roster, before, now);
  const dueIds = new Set([...changed, ...slice].map(({ id }) => id));
  const listed = new Set(people.map(({ id }) => id));
  const missing = Object.keys(before.seen).filter((id) => !listed.has(id));
  const next = startChanges(roster, now);
  // Who is missing from a list that may have gaps has not left.
  const unsure = isWhole ? [] : missing.map((id) => [id, before.seen[id]]);
  return {
    due: people.filter(({ id }) => dueIds.has(id)),
    removed: isWhole ? missing : [],
    since: { ...next, ...sliced, seen: { ...Object(next["seen"]), ...Object.fromEntries(unsure) } },
  };
}

/** As many people as the time since the last slice asks for, as far as the day's requests allow. */
function cutSlice({ people, dayRequestsLeft }: Roster, before: Since, now: Date) {
  const slicedAt = Date.parse(before.slicedAt);
  const elapsedMs = Math.max(0, now.getTime() - slicedAt);
  const wanted = Math.min(people.length, Math.floor((elapsedMs * people.length) / msPerDay));
  const left = dayRequestsLeft ?? leastDayRequests;
  const allowed = Math.floor((left * sliceShare) / requestsOfPerson);
  const count = Math.min(wanted, allowed);
  const later = people.filter(({ id }) => id > before.slicedTo);
  const slice = [...later, ...people.filter(({ id }) => id <= before.slicedTo)].slice(0, count);
  const isBehind = allowed < wanted || wanted === people.length;
  const sinceThen = isBehind ? now.getTime() : slicedAt + (count * msPerDay) / people.length;
  return {
    slice,
    slicedAt: new Date(people.length === 0 ? now : sinceThen).toISOString(),
    slicedTo: slice.at(-1)?.id ?? before.slicedTo,
  };
}

/** The day matters too: who begins or leaves has another status from then on. */
function describe(record: Person["record"], now: Date): string {
  const today = now.toISOString().slice(0, 10);
  const ofToday = [toEmploymentStatus(record, today), toEmploymentType(record, today)];
  return createHash("sha256")
    .update(JSON.stringify([record, ...ofToday]))
    .digest("base64url")
    .slice(0, digestCharacters);
}
