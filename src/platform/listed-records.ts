import { eachEntry, packedId, packList, type PackedId, type PackedList } from "./packed-list.ts";

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
const contentBytes = 8;
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
