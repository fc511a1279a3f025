import { z } from "zod";
import type { ConnectionId } from "../model/index.ts";
import { sealedJson, type DataKey } from "../platform/crypto/index.ts";
import {
  decodeRecords,
  encodeRecords,
  packRecords,
  toDay,
  type ListedRecord,
  eachEntry,
  entryBytes,
  packedId,
  packIds,
  unpackIds,
  type ListChange,
  type PackedId,
} from "../platform/packed-list.ts";
import { formatQuery, type StoredRecords } from "../sync/index.ts";
import type { EarlierList } from "./earlier-lists.ts";
import {
  applyPoll,
  beginState,
  pendingChange,
  tellNews,
  type ReceiverState,
} from "./receiver-state.ts";

/** The list of a resource's last poll, with those who are suspected missing. */
export interface PolledList {
  readonly version: string;
  /** Names the range of dates that was polled. */
  readonly parameters: string;
  readonly limited: readonly string[];
  readonly records: ReadonlyMap<PackedId, ListedRecord>;
  readonly suspectedMissing: ReadonlySet<PackedId>;
  readonly earlier: readonly EarlierList[];
}

const nobody: ReadonlySet<PackedId> = new Set();

export function beginPolledList(
  { version, limited, records }: StoredRecords,
  parameters: string,
): PolledList {
  return {
    version,
    parameters,
    limited,
    records: decodeRecords(records),
    suspectedMissing: nobody,
    earlier: [],
  };
}

/**
 * The list after one more poll, and what it finds new, by the rules of the employees. When the range has moved, a record
 * that only one of the two ranges covers is none of the news.
 */
export function comparePolledList(
  known: PolledList,
  found: StoredRecords,
  parameters: string,
): { list: PolledList; news: ListChange; ids: Buffer[] } {
  const { version, limited, isSteady } = found;
  const records = decodeRecords(found.records);
  const state = toState({ ...known, records: moveRange(known, records, parameters) });
  const polled = { list: packRecords(records), version, limited, isSteady, isReread: true };
  const compared = applyPoll(state, polled);
  const news = pendingChange(compared);
  const { current, suspectedMissing, earlier } = tellNews(compared, news);
  const kept = eachEntry(current, entryBytes).flatMap((entry): [PackedId, ListedRecord][] => {
    const id = packedId(entry);
    const record = records.get(id) ?? known.records.get(id);
    return record ? [[id, record]] : [];
  });
  return {
    list: { version, parameters, limited, records: new Map(kept), suspectedMissing, earlier },
    news,
    ids: [...records.values(), ...known.records.values()].map(({ id }) => id),
  };
}

/** What was known, as far as the new range covers it, with what it covers beyond the former one. */
function moveRange(
  { records: known, parameters: before }: PolledList,
  found: ReadonlyMap<PackedId, ListedRecord>,
  parameters: string,
): ReadonlyMap<PackedId, ListedRecord> {
  if (parameters === before) return known;
  const left = [...known].filter(([id, record]) => found.has(id) || isIn(record, parameters));
  const entered = [...found].filter(([id, record]) => !known.has(id) && !isIn(record, before));
  return new Map([...left, ...entered]);
}

function isIn({ firstDay, lastDay }: ListedRecord, parameters: string): boolean {
  const { start_date: start, end_date: end } = formatQuery(parameters);
  if (start === undefined || end === undefined) return true;
  return firstDay <= toDay(end) && lastDay >= toDay(start);
}

function toState(list: PolledList): ReceiverState {
  const { suspectedMissing, earlier } = list;
  return { ...beginState(packRecords(list.records), list), suspectedMissing, earlier };
}

const base64 = z.base64();
const listed = sealedJson({
  name: "polled-list",
  owner: ["connectionId", "resource"],
  schema: z.object({
    limited: z.array(z.string()),
    records: base64,
    suspectedMissing: base64,
    earlier: z.array(z.object({ limited: z.array(z.string()), list: base64 })),
  }),
});

interface Owner {
  connectionId: ConnectionId;
  resource: string;
}

export function sealPolledList(
  key: DataKey,
  { connectionId, resource }: Owner,
  { limited, records, suspectedMissing, earlier }: PolledList,
): Buffer {
  return listed.seal(
    key,
    { connectionId, resource },
    {
      limited: [...limited],
      records: encodeRecords([...records.values()]).toString("base64"),
      suspectedMissing: packIds(suspectedMissing).toString("base64"),
      earlier: earlier.map((each) => ({
        limited: [...each.limited],
        list: each.list.toString("base64"),
      })),
    },
  );
}

export function openPolledList(
  key: DataKey,
  { connectionId, resource }: Owner,
  {
    version,
    parameters,
    sealedList,
  }: Pick<PolledList, "version" | "parameters"> & { sealedList: Buffer },
): PolledList {
  const { limited, records, suspectedMissing, earlier } = listed.open(
    key,
    { connectionId, resource },
    sealedList,
  );
  return {
    version,
    parameters,
    limited,
    records: decodeRecords(Buffer.from(records, "base64")),
    suspectedMissing: unpackIds(Buffer.from(suspectedMissing, "base64")),
    earlier: earlier.map((each) => ({ ...each, list: Buffer.from(each.list, "base64") })),
  };
}
