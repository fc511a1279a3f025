import type { DataKey } from "../platform/crypto/index.ts";
import { nextTurn } from "../platform/next-turn.ts";

/**
 * A list of employees in the form that a difference needs: for each employee, an 8-byte hash of its id and an
 * 8-byte hash of its record, sorted. Both are keyed, because a plain hash of a salary can be found by trial.
 */
export type PackedList = Buffer;

/** The hash of an employee's id in a packed list, as text. */
export type PackedId = string;

export interface ListChange {
  added: PackedId[];
  updated: PackedId[];
  removed: PackedId[];
}

/** One employee of a list: the bytes of its id, and its JSON. */
export interface ListedRecord {
  id: Buffer;
  json: Buffer;
}

const idBytes = 8;
const contentBytes = 8;
export const entryBytes = idBytes + contentBytes;
const recordsPerTurn = 1_000;

/** Linear except for the sort, and done in turns, so that a large company does not block the process. */
export async function packList(
  records: Iterable<ListedRecord>,
  count: number,
  key: DataKey,
): Promise<PackedList> {
  const unsorted = Buffer.alloc(count * entryBytes);
  let done = 0;
  for (const { id, json } of records) {
    id.copy(unsorted, done * entryBytes, 0, idBytes);
    key.mac("poll", json).copy(unsorted, done * entryBytes + idBytes, 0, contentBytes);
    done += 1;
    if (done % recordsPerTurn === 0) await nextTurn();
  }
  return sortEntries(unsorted.subarray(0, done * entryBytes));
}

/** The difference between two lists, found in one walk along both. */
export function difference(from: PackedList, to: PackedList): ListChange {
  const change: ListChange = { added: [], updated: [], removed: [] };
  let left = 0;
  let right = 0;
  while (left < from.length || right < to.length) {
    const order = compareAt(from, left, to, right);
    if (order < 0) change.removed.push(packedId(from, left));
    if (order > 0) change.added.push(packedId(to, right));
    if (
      order === 0 &&
      from.compare(to, right + idBytes, right + entryBytes, left + idBytes, left + entryBytes) !== 0
    )
      change.updated.push(packedId(to, right));
    if (order <= 0) left += entryBytes;
    if (order >= 0) right += entryBytes;
  }
  return change;
}

export function changedIds({ added, updated, removed }: ListChange): PackedId[] {
  return [...added, ...updated, ...removed];
}

/** The list with the entries of `other` for these ids, so that somebody who is missing stays in it. */
export function withEntriesOf(
  list: PackedList,
  other: PackedList,
  ids: ReadonlySet<PackedId>,
): PackedList {
  const kept: Buffer[] = [];
  for (let offset = 0; offset < other.length; offset += entryBytes) {
    if (ids.has(packedId(other, offset))) kept.push(other.subarray(offset, offset + entryBytes));
  }
  return kept.length === 0 ? list : sortEntries(Buffer.concat([list, ...kept]));
}

/** The packed id that begins at `offset`: the first bytes of an employee's id. */
export function packedId(bytes: Buffer, offset = 0): PackedId {
  return bytes.toString("latin1", offset, offset + idBytes);
}

export function listIds(list: PackedList): Set<PackedId> {
  return new Set(
    Array.from({ length: countEntries(list) }, (_, position) =>
      packedId(list, position * entryBytes),
    ),
  );
}

export function countEntries(list: PackedList): number {
  return list.length / entryBytes;
}

function sortEntries(entries: Buffer): PackedList {
  const count = entries.length / entryBytes;
  const high = Float64Array.from({ length: count }, (_, index) =>
    entries.readUIntBE(index * entryBytes, 6),
  );
  const low = Uint16Array.from({ length: count }, (_, index) =>
    entries.readUInt16BE(index * entryBytes + 6),
  );
  const order = Uint32Array.from({ length: count }, (_, index) => index).sort(
    (a, b) => (high[a] ?? 0) - (high[b] ?? 0) || (low[a] ?? 0) - (low[b] ?? 0),
  );
  const sorted = Buffer.alloc(entries.length);
  for (const [position, index] of order.entries())
    entries.copy(sorted, position * entryBytes, index * entryBytes, (index + 1) * entryBytes);
  return sorted;
}

/** The end of a list sorts after every entry. */
function compareAt(from: PackedList, left: number, to: PackedList, right: number): number {
  if (left >= from.length) return 1;
  if (right >= to.length) return -1;
  return from.compare(to, right, right + idBytes, left, left + idBytes);
}

/** A set of ids as one value for a column. */
export function packIds(ids: ReadonlySet<PackedId>): Buffer {
  return Buffer.from([...ids].join(""), "latin1");
}

export function unpackIds(ids: Buffer): Set<PackedId> {
  return new Set(
    Array.from({ length: ids.length / idBytes }, (_, index) => packedId(ids, index * idBytes)),
  );
}
