import { isDeepStrictEqual } from "node:util";
import type { Resource } from "../model/index.ts";
import type { ReadRecord } from "./trial.ts";

/** Why a check that changes something shows nothing. */
export function otherEachTime(resource: Resource): string {
  return `${resource} are others at each read, also when nothing is changed: see the check \`unchanged\``;
}

/** What two reads of the same have otherwise, for who has to mend it. */
export function tellDifferences(
  before: readonly ReadRecord[],
  after: readonly ReadRecord[],
): string {
  if (before.length !== after.length) return `${after.length} records instead of ${before.length}`;
  const sortedBefore = before.map((record) => JSON.stringify(record)).toSorted();
  const sortedAfter = after.map((record) => JSON.stringify(record)).toSorted();
  if (isDeepStrictEqual(sortedBefore, sortedAfter)) return "the same records in another order";
  const fields = before.flatMap((record, index) => {
    const other = after[index] ?? {};
    return Object.keys(record).filter((name) => !isDeepStrictEqual(record[name], other[name]));
  });
  return `other values of ${[...new Set(fields)].join(", ")}`;
}
