import { createBrotliDecompress } from "node:zlib";
import { Readable } from "node:stream";
import type { EmploymentStatus } from "../model/index.ts";
import { eachIndexEntry } from "../reading/index.ts";

/** A part of a list of employees that an endpoint serves. */
export type Variant = { employmentStatus: EmploymentStatus } | { employeeId: string };

/** The employees of one status as a JSON array, or one employee as an object. Undefined for an unknown employee. */
export function cutVariant(body: Buffer, index: Buffer, variant: Variant): Buffer | undefined {
  return "employeeId" in variant
    ? cutEmployee(body, index, variant.employeeId)
    : cutStatus(body, index, variant.employmentStatus);
}

/**
 * The JSON of the employees whose ids begin with these bytes, as latin1 text. The body is compressed as `br` and
 * never held whole.
 */
export async function cutEmployees(
  compressed: Buffer,
  index: Buffer,
  wanted: ReadonlySet<string>,
  idBytes: number,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (wanted.size === 0) return found;
  const parts = [...eachIndexEntry(index)]
    .map(({ id, start, end }) => ({ id: id.toString("latin1", 0, idBytes), start, end }))
    .filter(({ id }) => wanted.has(id));
  const texts = await cutParts(compressed, parts);
  for (const [position, { id }] of parts.entries()) found.set(id, texts[position] ?? "");
  return found;
}

/** The texts at these places of the decompressed body. The places are in order and do not overlap. */
async function cutParts(
  compressed: Buffer,
  places: readonly { start: number; end: number }[],
): Promise<string[]> {
  const texts: string[] = [];
  let pieces: Buffer[] = [];
  let offset = 0;
  const stream = Readable.from([compressed]).pipe(createBrotliDecompress());
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const chunkEnd = offset + chunk.length;
    for (let place = places[texts.length]; place && place.start < chunkEnd;) {
      pieces.push(chunk.subarray(Math.max(0, place.start - offset), place.end - offset));
      if (place.end > chunkEnd) break;
      texts.push(Buffer.concat(pieces).toString());
      pieces = [];
      place = places[texts.length];
    }
    offset = chunkEnd;
    if (texts.length === places.length) break;
  }
  return texts;
}

function cutEmployee(body: Buffer, index: Buffer, employeeId: string): Buffer | undefined {
  const wanted = Buffer.from(employeeId, "base64url");
  // Decoding is lenient, but only the id as it was issued names the employee.
  if (wanted.toString("base64url") !== employeeId) return undefined;
  for (const { id, start, end } of eachIndexEntry(index))
    if (wanted.equals(id)) return body.subarray(start, end);
  return undefined;
}

function cutStatus(body: Buffer, index: Buffer, wanted: EmploymentStatus): Buffer {
  const found: Buffer[] = [];
  for (const { status, start, end } of eachIndexEntry(index)) {
    if (status === wanted)
      found.push(Buffer.from(found.length === 0 ? "[" : ","), body.subarray(start, end));
  }
  return Buffer.concat(found.length === 0 ? [Buffer.from("[]")] : [...found, Buffer.from("]")]);
}
