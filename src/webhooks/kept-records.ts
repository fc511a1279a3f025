import type { DataKey } from "../platform/crypto/index.ts";
import type { PackedId } from "./packed-list.ts";

/** Employees who are missing from the last list, as they were last seen: held ones, and those whose removal is still owed. */
export type KeptRecords = Map<PackedId, string>;

export function sealKept(key: DataKey, connectionId: string, kept: KeptRecords): Buffer {
  const entries = [...kept].map(([id, json]) => [
    Buffer.from(id, "latin1").toString("base64"),
    json,
  ]);
  return key.seal(Buffer.from(JSON.stringify(entries)), ["watch", "kept", connectionId]);
}

export function openKept(key: DataKey, connectionId: string, sealed: Buffer | null): KeptRecords {
  if (!sealed) return new Map();
  const entries = JSON.parse(key.open(sealed, ["watch", "kept", connectionId]).toString()) as [
    string,
    string,
  ][];
  return new Map(entries.map(([id, json]) => [Buffer.from(id, "base64").toString("latin1"), json]));
}

export function packIds(ids: ReadonlySet<PackedId>): Buffer {
  return Buffer.from([...ids].join(""), "latin1");
}

export function unpackIds(ids: Buffer): Set<PackedId> {
  const text = ids.toString("latin1");
  return new Set(text.match(/[^]{8}/g) ?? []);
}
