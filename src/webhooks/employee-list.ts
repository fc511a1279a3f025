import type { ConnectionId } from "../model/index.ts";
import { compress, decompress } from "../platform/compression.ts";
import { sealedBytes, type DataKey } from "../platform/crypto/index.ts";
import { countEmployees, eachEmployee } from "../sync/index.ts";
import { packedId, packList, type PackedId, type PackedList } from "./packed-list.ts";

const listValue = sealedBytes({ name: "employee-list", owner: ["connectionId"] });
const indexValue = sealedBytes({ name: "employee-list-index", owner: ["connectionId"] });

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

/** The JSON of these employees, cut out of the list without parsing it. */
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

export async function sealPolledEmployees(
  key: DataKey,
  connectionId: ConnectionId,
  { body, index }: EmployeeList,
): Promise<SealedEmployeeList> {
  return {
    sealedList: listValue.seal(key, { connectionId }, await compress(body, "br")),
    sealedIndex: indexValue.seal(key, { connectionId }, index),
  };
}

export async function openPolledEmployees(
  key: DataKey,
  connectionId: ConnectionId,
  { sealedList, sealedIndex }: SealedEmployeeList,
): Promise<EmployeeList> {
  return {
    body: await decompress(listValue.open(key, { connectionId }, sealedList)),
    index: indexValue.open(key, { connectionId }, sealedIndex),
  };
}
