import type { ConnectionId } from "../model/index.ts";
import { sealedBytes, type DataKey } from "../platform/crypto/index.ts";

const listValue = sealedBytes({ name: "employee-list", owner: ["connectionId"] });
const indexValue = sealedBytes({ name: "employee-list-index", owner: ["connectionId"] });

/** A list of employees as JSON, compressed as `br`, with the index of where each stands. */
export interface EmployeeList {
  body: Buffer;
  index: Buffer;
}

export interface SealedEmployeeList {
  sealedList: Buffer;
  sealedIndex: Buffer;
}

export function sealPolledEmployees(
  key: DataKey,
  connectionId: ConnectionId,
  { body, index }: EmployeeList,
): SealedEmployeeList {
  return {
    sealedList: listValue.seal(key, { connectionId }, body),
    sealedIndex: indexValue.seal(key, { connectionId }, index),
  };
}

export function openPolledEmployees(
  key: DataKey,
  connectionId: ConnectionId,
  { sealedList, sealedIndex }: SealedEmployeeList,
): EmployeeList {
  return {
    body: listValue.open(key, { connectionId }, sealedList),
    index: indexValue.open(key, { connectionId }, sealedIndex),
  };
}
