import { z } from "zod";
import type { ConnectionId } from "../model/index.ts";
import { sealedJson, type DataKey } from "../platform/crypto/index.ts";
import type { PackedId } from "../platform/packed-list.ts";

/** The last known records of employees who are missing from the current list, as JSON, by their ids. */
export type Tombstones = ReadonlyMap<PackedId, string>;

const sealedTombstones = sealedJson({
  name: "tombstones",
  owner: ["connectionId"],
  schema: z.array(z.tuple([z.base64(), z.string()])),
});

export function sealTombstones(
  key: DataKey,
  connectionId: ConnectionId,
  tombstones: Tombstones,
): Buffer {
  const entries = [...tombstones].map(([id, json]): [string, string] => [
    Buffer.from(id, "latin1").toString("base64"),
    json,
  ]);
  return sealedTombstones.seal(key, { connectionId }, entries);
}

export function openTombstones(
  key: DataKey,
  connectionId: ConnectionId,
  sealed: Buffer | null,
): Tombstones {
  if (!sealed) return new Map();
  const entries = sealedTombstones.open(key, { connectionId }, sealed);
  return new Map(entries.map(([id, json]) => [Buffer.from(id, "base64").toString("latin1"), json]));
}
