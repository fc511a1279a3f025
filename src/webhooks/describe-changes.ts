import { packedId, type ListChange, type PackedId } from "../platform/packed-list.ts";

/** An event names at most so many records. It counts all. */
const mostIds = 1_000;

/**
 * What a `data.changed` tells of changes. `listIds` gives whole ids of records, as bytes, those of the ones that it is
 * handed among them: a packed list has their beginnings alone. One that it does not give is counted and not named.
 * Undefined for no changes.
 */
export function describeChanges(
  resource: string,
  { added, updated, removed }: ListChange,
  listIds: (named: ReadonlySet<PackedId>) => Iterable<Buffer>,
): Record<string, unknown> | undefined {
  const total = added.length + updated.length + removed.length;
  if (total === 0) return undefined;
  const named = new Set([...added, ...updated, ...removed].slice(0, mostIds));
  const whole = new Map<PackedId, string>();
  for (const id of listIds(named))
    if (named.has(packedId(id))) whole.set(packedId(id), id.toString("base64url"));
  const describe = (ids: readonly PackedId[]) => ({
    count: ids.length,
    ids: ids.flatMap((id) => whole.get(id) ?? []),
  });
  return {
    resource,
    added: describe(added),
    updated: describe(updated),
    removed: describe(removed),
    truncated: whole.size < total,
  };
}
