import type { DataKey } from "../platform/crypto/index.ts";
import type { PackedId } from "./packed-list.ts";

/** The last known records of employees who are missing from the current list, as JSON, by their ids. */
export type Tombstones = ReadonlyMap<PackedId, string>;

const context = (connectionId: string): string[] => ["receiver-state", "tombstones", connectionId];

export function sealTombstones(key: DataKey, connectionId: string, tombstones: Tombstones): Buffer {
  const entries = [...tombstones].map(([id, json]) => [
    Buffer.from(id, "latin1").toString("base64"),
    json,
  ]);
  return key.seal(Buffer.from(JSON.stringify(entries)), context(connectionId));
}

export function openTombstones(
  key: DataKey,
  connectionId: string,
  sealed: Buffer | null,
): Tombstones {
  if (!sealed) return new Map();
  const text = key.open(sealed, context(connectionId)).toString();
  const entries = JSON.parse(text) as [string, string][];
  return new Map(entries.map(([id, json]) => [Buffer.from(id, "base64").toString("latin1"), json]));
}
