import { packedId, type ListChange, type PackedId } from "../platform/packed-list.ts";

/** An event names at most so many records. It counts all. */
const mostIds = 1_000;

type Kind = keyof ListChange;

/**
 * What a `data.changed` tells of changes. `listIds` gives the whole ids of the records, as bytes: a packed list has their
 * beginnings alone. One that is not among them is counted and not named. Undefined for no changes.
 */
export function describeChanges(
  resource: string,
  change: ListChange,
  listIds: () => Iterable<Buffer>,
): Record<string, unknown> | undefined {
  const total = change.added.length + change.updated.length + change.removed.length;
  if (total === 0) return undefined;
  const wanted = new Set([...change.added, ...change.updated, ...change.removed]);
  const whole = new Map<PackedId, string>();
  for (const id of listIds())
    if (wanted.has(packedId(id))) whole.set(packedId(id), id.toString("base64url"));
  let left = mostIds;
  const describe = (kind: Kind): { count: number; ids: string[] } => {
    const named = change[kind].flatMap((id) => whole.get(id) ?? []).slice(0, left);
    left -= named.length;
    return { count: change[kind].length, ids: named };
  };
  const [added, updated, removed] = [describe("added"), describe("updated"), describe("removed")];
  return { resource, added, updated, removed, truncated: mostIds - left < total };
}
