/**
 * A list of records in the form that a difference needs: for each record, an 8-byte hash of its id and an 8-byte
 * hash of its content, sorted. Both hashes are keyed by the caller, because a plain hash of a salary can be found
 * by trial.
 */
export type PackedList = Buffer;

/** The hash of a record's id in a packed list, as text. */
export type PackedId = string;

export interface ListChange {
  added: PackedId[];
  updated: PackedId[];
  removed: PackedId[];
}

const packedIdBytes = 8;
const contentBytes = 8;
export const entryBytes = packedIdBytes + contentBytes;

/** Takes the first bytes of each id and of each content hash. Linear except for the sort. */
export function packList(
  entries: Iterable<{ id: Buffer; contentHash: Buffer }>,
  count: number,
): PackedList {
  const unsorted = Buffer.alloc(count * entryBytes);
  let offset = 0;
  for (const { id, contentHash } of entries) {
    id.copy(unsorted, offset, 0, packedIdBytes);
    contentHash.copy(unsorted, offset + packedIdBytes, 0, contentBytes);
    offset += entryBytes;
  }
  return sortEntries(unsorted);
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
      from.compare(
        to,
        right + packedIdBytes,
        right + entryBytes,
        left + packedIdBytes,
        left + entryBytes,
      ) !== 0
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

/** The list with the entries of `other` for these ids, so that a record that is missing stays in it. */
export function withEntriesOf(
  list: PackedList,
  other: PackedList,
  ids: ReadonlySet<PackedId>,
): PackedList {
  const kept = onlyEntries(other, ids);
  return kept.length === 0 ? list : merge(list, kept);
}

export function withoutEntries(list: PackedList, ids: ReadonlySet<PackedId>): PackedList {
  return selectEntries(list, (id) => !ids.has(id));
}

export function onlyEntries(list: PackedList, ids: ReadonlySet<PackedId>): PackedList {
  return selectEntries(list, (id) => ids.has(id));
}

/** The entries of the first list that the other one has with the same content. */
export function sameEntries(list: PackedList, other: PackedList): PackedList {
  const { updated, removed } = difference(list, other);
  return withoutEntries(list, new Set([...updated, ...removed]));
}

/** The list with the contents that another one has of the same records. */
export function withContentsOf(list: PackedList, other: PackedList): PackedList {
  const { updated } = difference(list, other);
  if (updated.length === 0) return list;
  const ids = new Set(updated);
  return withEntriesOf(withoutEntries(list, ids), other, ids);
}

function selectEntries(list: PackedList, isSelected: (id: PackedId) => boolean): PackedList {
  const entries = eachEntry(list, entryBytes).filter((entry) => isSelected(packedId(entry)));
  return Buffer.concat(entries.toArray());
}

/** The list with the new contents of the records that changed between two others, as far as it had the old ones. */
export function withChangesOf(list: PackedList, from: PackedList, to: PackedList): PackedList {
  const changed = new Set(difference(from, to).updated);
  const contentsOf = (entries: PackedList): Map<PackedId, Buffer> =>
    new Map(
      eachEntry(onlyEntries(entries, changed), entryBytes).map((entry) => [
        packedId(entry),
        entry.subarray(packedIdBytes),
      ]),
    );
  const result = Buffer.from(list);
  const [before, after] = [contentsOf(from), contentsOf(to)];
  for (const entry of eachEntry(result, entryBytes)) {
    const id = packedId(entry);
    const content = entry.subarray(packedIdBytes);
    if (before.get(id)?.equals(content)) after.get(id)?.copy(content);
  }
  return result;
}

/** Both lists are sorted, and have no id in common. */
function merge(one: PackedList, other: PackedList): PackedList {
  const merged = Buffer.alloc(one.length + other.length);
  let left = 0;
  let right = 0;
  while (left < one.length || right < other.length) {
    const isLeft = compareAt(one, left, other, right) < 0;
    const [from, offset] = isLeft ? [one, left] : [other, right];
    from.copy(merged, left + right, offset, offset + entryBytes);
    if (isLeft) left += entryBytes;
    else right += entryBytes;
  }
  return merged;
}

/** The packed id that begins at `offset`: the first bytes of a record's id. */
export function packedId(bytes: Buffer, offset = 0): PackedId {
  return bytes.toString("latin1", offset, offset + packedIdBytes);
}

/** The entries that bytes consist of, each so long. They are views: what is written to one is written to the bytes. */
export function* eachEntry(bytes: Buffer, length: number): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += length)
    yield bytes.subarray(offset, offset + length);
}

export function listIds(list: PackedList): Set<PackedId> {
  return new Set(eachEntry(list, entryBytes).map((entry) => packedId(entry)));
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
  return from.compare(to, right, right + packedIdBytes, left, left + packedIdBytes);
}

/** A set of ids as one value for a column. */
export function packIds(ids: ReadonlySet<PackedId>): Buffer {
  return Buffer.from([...ids].join(""), "latin1");
}

export function unpackIds(ids: Buffer): Set<PackedId> {
  return new Set(eachEntry(ids, packedIdBytes).map((id) => packedId(id)));
}

/** A record of a list that is compared with a later one. */
export interface ListedRecord {
  id: Buffer;
  /** Keyed by the caller. */
  contentHash: Buffer;
  /** The days that it covers, as YYYYMMDD. */
  firstDay: number;
  lastDay: number;
}

const idBytes = 16;
const dayBytes = 4;
const recordBytes = idBytes + contentBytes + 2 * dayBytes;

/** Before and after all days, for a record without days. */
const [beforeAll, afterAll] = [0, 99_999_999];

/** YYYY-MM-DD as a number. */
export function toDay(date: string): number {
  return Number(date.replaceAll("-", ""));
}

/** The days of a record, of which either may be unknown. */
export function daysOf({
  start,
  end,
}: {
  start: string | null;
  end: string | null;
}): Pick<ListedRecord, "firstDay" | "lastDay"> {
  return {
    firstDay: start === null ? beforeAll : toDay(start),
    lastDay: end === null ? afterAll : toDay(end),
  };
}

export function encodeRecords(records: readonly ListedRecord[]): Buffer {
  const encoded = Buffer.alloc(records.length * recordBytes);
  for (const [position, { id, contentHash, firstDay, lastDay }] of records.entries()) {
    const offset = position * recordBytes;
    id.copy(encoded, offset, 0, idBytes);
    contentHash.copy(encoded, offset + idBytes, 0, contentBytes);
    encoded.writeUInt32LE(firstDay, offset + idBytes + contentBytes);
    encoded.writeUInt32LE(lastDay, offset + idBytes + contentBytes + dayBytes);
  }
  return encoded;
}

/** By their packed ids. */
export function decodeRecords(encoded: Buffer): Map<PackedId, ListedRecord> {
  return new Map(
    eachEntry(encoded, recordBytes).map((bytes) => [
      packedId(bytes),
      {
        id: bytes.subarray(0, idBytes),
        contentHash: bytes.subarray(idBytes, idBytes + contentBytes),
        firstDay: bytes.readUInt32LE(idBytes + contentBytes),
        lastDay: bytes.readUInt32LE(idBytes + contentBytes + dayBytes),
      },
    ]),
  );
}

export function packRecords(records: ReadonlyMap<PackedId, ListedRecord>): PackedList {
  return packList(records.values(), records.size);
}
