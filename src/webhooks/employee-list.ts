import { compress, decompress } from "../platform/compression.ts";
import type { DataKey } from "../platform/crypto/index.ts";
import { countEmployees, eachEmployee } from "../sync/index.ts";
import { packedId, packList, type PackedId, type PackedList } from "./packed-list.ts";

/** A list of employees as JSON bytes, with the index of where each stands. */
export interface EmployeeList {
  body: Buffer;
  index: Buffer;
}

export interface SealedEmployeeList {
  sealedList: Buffer;
  sealedIndex: Buffer;
}

export async function packEmployees(
  { body, index }: EmployeeList,
  key: DataKey,
): Promise<PackedList> {
  return await packList(eachEmployee(body, index), countEmployees(index), key);
}

/** The JSON of the wanted employees, cut out of the list without parsing it. */
export function cutEmployees(
  { body, index }: EmployeeList,
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
  { body, index }: EmployeeList,
): Promise<SealedEmployeeList> {
  return {
    sealedList: key.seal(await compress(body, "br"), context(connectionId, "list")),
    sealedIndex: key.seal(index, context(connectionId, "index")),
  };
}

export async function openEmployees(
  key: DataKey,
  connectionId: string,
  { sealedList, sealedIndex }: SealedEmployeeList,
): Promise<EmployeeList> {
  return {
    body: await decompress(key.open(sealedList, context(connectionId, "list"))),
    index: key.open(sealedIndex, context(connectionId, "index")),
  };
}

function context(connectionId: string, part: "list" | "index"): string[] {
  return ["receiver-state", part, connectionId];
}
