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
  readonly limited: readonly string[];
  readonly current: PackedList;
  readonly acknowledged: PackedList;
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
 * What the receiver counts as knowing of a list that was read with these rights. When the account has lost one, it
 * counts as knowing what the loss made of the records, and what it knew before is kept. When the same fields are
 * limited as then, it counts as knowing that again: of those in the list it was told nothing since.
 */
export function applyRights(known: Known, found: Found): Pick<Known, "acknowledged" | "earlier"> {
  const kept = known.earlier.filter(({ limited }) => isWithin(limited, found.limited));
  return hasLostRights(known, found)
    ? {
        acknowledged: withChangesOf(known.acknowledged, known.current, found.list),
        earlier: isWithin(known.limited, found.limited) ? keepKnown(known, kept) : kept,
      }
    : recall(known.acknowledged, kept, found);
}

/** Whoever is pending is told of at once, so only those on whom both lists agree are kept. */
function keepKnown(known: Known, kept: readonly EarlierList[]): EarlierList[] {
  const { limited, acknowledged, current } = known;
  const isOfThese = (each: EarlierList): boolean => isWithin(limited, each.limited);
  const settled = sameEntries(acknowledged, current);
  const before = kept.find(isOfThese);
  const list = before ? withAllOf(settled, before.list) : settled;
  const others = kept.filter((each) => !isOfThese(each));
  return [...others, { limited, list }].slice(0, mostEarlierLists);
}

function withAllOf(list: PackedList, other: PackedList): PackedList {
  const ids = listIds(other);
  return withEntriesOf(withoutEntries(list, ids), other, ids);
}

/** Whoever is missing from the list stays in the earlier one until he is there, or is told of. */
function recall(
  acknowledged: PackedList,
  kept: readonly EarlierList[],
  { limited, list }: Found,
): Pick<Known, "acknowledged" | "earlier"> {
  const earlier = kept.find((each) => isWithin(limited, each.limited));
  if (!earlier) return { acknowledged, earlier: kept };
  const present = listIds(list);
  const missing = withoutEntries(earlier.list, present);
  const others = kept.filter((each) => each !== earlier);
  return {
    acknowledged: withContentsOf(acknowledged, onlyEntries(earlier.list, present)),
    earlier: missing.length > 0 ? [...others, { limited, list: missing }] : others,
  };
}

/** The lists without those of whom a body tells. */
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
