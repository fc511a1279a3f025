import type { EmploymentStatus } from "../../model/index.ts";
import { eachEntry } from "../../platform/packed-list.ts";
import { idBytes } from "./mint-id.ts";

const statusCodes: readonly (EmploymentStatus | null)[] = [
  null,
  "active",
  "inactive",
  "pending",
  "leave",
];
const entryBytes = idBytes + 1 + 4;

/** Where an employee stands in the body of a list. */
export interface IndexedEmployee {
  id: string;
  status: EmploymentStatus | null;
  /** The length of the employee's JSON. */
  bytes: number;
}

/**
 * The position of each employee in a body, with id and status, so that a part can be cut out without parsing.
 * The body is `[`, the records with a comma between them, and `]`.
 */
export function encodeEmployeeIndex(employees: readonly IndexedEmployee[]): Buffer {
  const index = Buffer.alloc(employees.length * entryBytes);
  let end = 0;
  for (const [position, { id, status, bytes }] of employees.entries()) {
    const offset = position * entryBytes;
    end += 1 + bytes;
    index.write(id, offset, "base64url");
    index.writeUInt8(statusCodes.indexOf(status), offset + idBytes);
    index.writeUInt32LE(end, offset + idBytes + 1);
  }
  return index;
}

/** One employee of an index. `id` and the status are as they were written; `start` and `end` are of the JSON. */
interface IndexEntry {
  id: Buffer;
  status: EmploymentStatus | null;
  start: number;
  end: number;
}

export function* eachIndexEntry(index: Buffer): Generator<IndexEntry> {
  let start = 1;
  for (const entry of eachEntry(index, entryBytes)) {
    const end = entry.readUInt32LE(idBytes + 1);
    const status = statusCodes[entry.readUInt8(idBytes)] ?? null;
    yield { id: entry.subarray(0, idBytes), status, start, end };
    start = end + 1;
  }
}
