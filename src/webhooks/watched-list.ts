import { compress, decompress } from "../platform/compression.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { countEmployees, eachEmployee } from "../sync/index.ts";
import { packedId, packList, type PackedId, type PackedList } from "./packed-list.ts";

/** A list of employees as JSON bytes, with the index of where each stands. */
export interface EmployeeBytes {
  body: Buffer;
  index: Buffer;
}

export async function packEmployees(
  { body, index }: EmployeeBytes,
  key: DataKey,
): Promise<PackedList> {
  return await packList(eachEmployee(body, index), countEmployees(index), key);
}

/** The JSON of the wanted employees, cut out of the list without parsing it. */
export function cutEmployees(
  { body, index }: EmployeeBytes,
  wanted: ReadonlySet<PackedId>,
): Map<PackedId, string> {
  const found = new Map<PackedId, string>();
  if (wanted.size === 0) return found;
  for (const { id, json } of eachEmployee(body, index)) {
    const key = packedId(id);
    if (wanted.has(key)) found.set(key, json.toString());
  }
  return found;
}

export async function sealEmployees(
  key: DataKey,
  connectionId: string,
  { body, index }: EmployeeBytes,
): Promise<{ sealedList: Buffer; sealedIndex: Buffer }> {
  return {
    sealedList: key.seal(await compress(body, "br"), ["watch", "list", connectionId]),
    sealedIndex: key.seal(index, ["watch", "index", connectionId]),
  };
}

export async function openEmployees(
  key: DataKey,
  connectionId: string,
  sealedList: Buffer,
  sealedIndex: Buffer,
): Promise<EmployeeBytes> {
  return {
    body: await decompress(key.open(sealedList, ["watch", "list", connectionId])),
    index: key.open(sealedIndex, ["watch", "index", connectionId]),
  };
}
