import type { EmploymentStatus, RecordOf } from "../model/index.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { idBytes } from "./mint-id.ts";

const recordsPerTurn = 250;
const statusCodes: readonly (EmploymentStatus | null)[] = [
  null,
  "active",
  "inactive",
  "pending",
  "leave",
];
const entryBytes = idBytes + 1 + 4;

/** A part of a list of employees that an endpoint serves. */
export type Variant = { employmentStatus: EmploymentStatus } | { employeeId: string };

/** The JSON array, encoded in turns, so that a large company does not block the process. */
export async function encodeBody(
  records: readonly unknown[],
): Promise<{ body: Buffer; ends: number[] }> {
  const parts: Buffer[] = [];
  const ends: number[] = [];
  let length = 1;
  for (let start = 0; start < records.length; start += recordsPerTurn) {
    const texts = records
      .slice(start, start + recordsPerTurn)
      .map((record) => JSON.stringify(record));
    for (const text of texts) {
      length += Buffer.byteLength(text);
      ends.push(length);
      length += 1;
    }
    parts.push(Buffer.from(texts.join(",")));
    await nextTurn();
  }
  const separated = parts.flatMap((part, index) =>
    index === 0 ? [part] : [Buffer.from(","), part],
  );
  return { body: Buffer.concat([Buffer.from("["), ...separated, Buffer.from("]")]), ends };
}

/** The position of each employee in the body, with id and status, so that a part can be cut out without parsing. */
export function encodeEmployeeIndex(
  employees: readonly RecordOf<"employees">[],
  ends: readonly number[],
): Buffer {
  const index = Buffer.alloc(employees.length * entryBytes);
  for (const [position, employee] of employees.entries()) {
    const offset = position * entryBytes;
    index.write(employee.id, offset, "base64url");
    index.writeUInt8(statusCodes.indexOf(employee.employment_status), offset + idBytes);
    index.writeUInt32LE(ends[position] ?? 0, offset + idBytes + 1);
  }
  return index;
}

/** The employees of a stored list one by one: the bytes of the id and the JSON, both as views of the buffers. */
export function* eachEmployee(
  body: Buffer,
  index: Buffer,
): Generator<{ id: Buffer; json: Buffer }> {
  let start = 1;
  for (let offset = 0; offset < index.length; offset += entryBytes) {
    const end = index.readUInt32LE(offset + idBytes + 1);
    yield { id: index.subarray(offset, offset + idBytes), json: body.subarray(start, end) };
    start = end + 1;
  }
}

export function countEmployees(index: Buffer): number {
  return index.length / entryBytes;
}

/** The employees of one status as a JSON array, or one employee as an object. Undefined for an unknown employee. */
export function cutVariant(body: Buffer, index: Buffer, variant: Variant): Buffer | undefined {
  const wantedStatus =
    "employmentStatus" in variant ? statusCodes.indexOf(variant.employmentStatus) : undefined;
  const wantedId =
    "employeeId" in variant ? Buffer.from(variant.employeeId, "base64url") : undefined;
  // Decoding is lenient, but only the id as it was issued names the employee.
  if ("employeeId" in variant && wantedId?.toString("base64url") !== variant.employeeId)
    return undefined;
  const found: Buffer[] = [];
  let start = 1;
  for (let offset = 0; offset < index.length; offset += entryBytes) {
    const end = index.readUInt32LE(offset + idBytes + 1);
    if (wantedId?.equals(index.subarray(offset, offset + idBytes)))
      return body.subarray(start, end);
    if (index[offset + idBytes] === wantedStatus)
      found.push(Buffer.from(found.length === 0 ? "[" : ","), body.subarray(start, end));
    start = end + 1;
  }
  if (wantedId) return undefined;
  return Buffer.concat(found.length === 0 ? [Buffer.from("[]")] : [...found, Buffer.from("]")]);
}
