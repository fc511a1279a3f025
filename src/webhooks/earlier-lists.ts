import {
  listIds,
  onlyEntries,
  sameEntries,
  withChangesOf,
  withContentsOf,
  withEntriesOf,
  withoutEntries,
  type PackedId,
  type PackedList,
} from "../platform/packed-list.ts";

/** What a receiver knew when these fields were limited, of those whom it was not told of since. */
export interface EarlierList {
  readonly limited: readonly string[];
  readonly list: PackedList;
}

/** Rights that are lost one by one come back one by one: each list is the size of `acknowledged`. */
const mostEarlierLists = 3;

interface Known {
  /** Fields that the account could not read when `current` was read. */
  readonly limited: readonly string[];
  readonly current: PackedList;
  readonly acknowledged: PackedList;
  /** What the receiver knows when the body in flight has arrived. */
  readonly listAfter: PackedList;
  /** Each is of fewer limited fields than the next one, and of no field that is not limited now. */
  readonly earlier: readonly EarlierList[];
}

interface Found {
  limited: readonly string[];
  list: PackedList;
}

export function hasLostRights(known: Pick<Known, "limited">, { limited }: Found): boolean {
  return !isWithin(limited, known.limited);
}

/**
 * A list that the receiver has, or will have after the body in flight, as it counts when a list was read with these
 * rights. When the account has lost one, the receiver counts as knowing what the loss made of the records. When the same
 * fields are limited as at an earlier time, it counts as knowing what it knew then: of those in the list it was told
 * nothing since.
 */
export function withRights(
  list: PackedList,
  known: Pick<Known, "limited" | "current" | "earlier">,
  found: Found,
): PackedList {
  if (hasLostRights(known, found)) return withChangesOf(list, known.current, found.list);
  const again = findAgain(known.earlier, found);
  return again ? withContentsOf(list, onlyEntries(again.list, listIds(found.list))) : list;
}

/**
 * What is kept of what the receiver knew before. Where the account has a right again, whoever is missing from the list
 * stays in the earlier one until he is there, or is told of.
 */
export function keepEarlier(known: Known, found: Found): readonly EarlierList[] {
  const kept = known.earlier.filter(({ limited }) => isWithin(limited, found.limited));
  if (hasLostRights(known, found))
    return isWithin(known.limited, found.limited) ? keepKnown(known, kept) : kept;
  const again = findAgain(kept, found);
  if (!again) return kept;
  const missing = withoutEntries(again.list, listIds(found.list));
  const others = kept.filter((each) => each !== again);
  return missing.length > 0 ? [...others, { limited: found.limited, list: missing }] : others;
}

/** The list of when the same fields were limited. */
function findAgain(
  earlier: readonly EarlierList[],
  { limited }: Pick<Found, "limited">,
): EarlierList | undefined {
  return earlier.find((each) => isWithin(each.limited, limited) && isWithin(limited, each.limited));
}

/**
 * Whoever is pending is told of at once, and whom the body in flight tells of is perhaps told of without the fields, so
 * only those on whom all lists agree are kept.
 */
function keepKnown(known: Known, kept: readonly EarlierList[]): EarlierList[] {
  const { limited, acknowledged, listAfter, current } = known;
  const isOfThese = (each: EarlierList): boolean => isWithin(limited, each.limited);
  const settled = sameEntries(sameEntries(acknowledged, listAfter), current);
  const before = kept.find(isOfThese);
  const list = before ? withAllOf(settled, before.list) : settled;
  const others = kept.filter((each) => !isOfThese(each));
  return [...others, { limited, list }].slice(0, mostEarlierLists);
}

function withAllOf(list: PackedList, other: PackedList): PackedList {
  const ids = listIds(other);
  return withEntriesOf(withoutEntries(list, ids), other, ids);
}

/** The lists without those of whom a body or an event tells. */
export function withoutTold(
  earlier: readonly EarlierList[],
  told: readonly PackedId[],
): EarlierList[] {
  const ids = new Set(told);
  return earlier
    .map(({ limited, list }) => ({ limited, list: withoutEntries(list, ids) }))
    .filter(({ list }) => list.length > 0);
}

function isWithin(fields: readonly string[], others: readonly string[]): boolean {
  return fields.every((field) => others.includes(field));
}
