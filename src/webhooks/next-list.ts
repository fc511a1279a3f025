import {
  countEntries,
  difference,
  withEntriesOf,
  type PackedId,
  type PackedList,
} from "./packed-list.ts";

export interface NextList {
  /** What the receiver may be told: the new list, and those whose absence is not believed yet. */
  seen: PackedList;
  /** Those who are missing and not believed to be gone before the next complete poll says so too. */
  held: Set<PackedId>;
  /** Those who are gone. */
  removed: PackedId[];
}

const fewestHeld = 2;
const leastHeldPart = 1 / 5;

/**
 * A provider's hiccup must not look like a layoff: when the list is empty after it was not, or when at least two people and at
 * least a fifth of them vanish at once, they are held until the next complete poll agrees.
 */
export function nextList(
  seen: PackedList,
  held: ReadonlySet<PackedId>,
  polled: PackedList,
): NextList {
  const missing = difference(seen, polled).removed;
  const confirmed = missing.filter((id) => held.has(id));
  const newlyMissing = missing.filter((id) => !held.has(id));
  const before = countEntries(seen) - held.size;
  const isEmptied = polled.length === 0 && newlyMissing.length > 0;
  const isMass = newlyMissing.length >= fewestHeld && newlyMissing.length >= before * leastHeldPart;
  const nowHeld = new Set(isEmptied || isMass ? newlyMissing : []);
  const removed = isEmptied || isMass ? confirmed : [...confirmed, ...newlyMissing];
  return { seen: withEntriesOf(polled, seen, nowHeld), held: nowHeld, removed };
}
