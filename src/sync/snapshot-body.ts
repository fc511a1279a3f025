import type { EmploymentStatus } from "../model/index.ts";
import { decompressor } from "../platform/compression.ts";
import { packedId, type PackedId } from "../platform/packed-list.ts";
import { eachIndexEntry } from "../reading/index.ts";

/** A part of a list of employees that an endpoint serves. */
export type Variant = { employmentStatus: EmploymentStatus } | { employeeId: string };

/** The employees of one status as a JSON array, or one employee as an object. Undefined for an unknown employee. */
export function cutVariant(body: Buffer, index: Buffer, variant: Variant): Buffer | undefined {
  return "employeeId" in variant
    ? cutEmployee(body, index, variant.employeeId)
    : cutStatus(body, index, variant.employmentStatus);
}

/** The JSON of these employees, by their packed ids. `body` is compressed as `br` and never held whole. */
export async function cutEmployees(
  { body, index }: { body: Buffer; index: Buffer },
  wanted: ReadonlySet<PackedId>,
): Promise<Map<PackedId, string>> {
  const found = new Map<PackedId, string>();
  if (wanted.size === 0) return found;
  const parts = [...eachIndexEntry(index)]
    .map(({ id, start, end }) => ({ id: packedId(id), start, end }))
    .filter(({ id }) => wanted.has(id));
  const texts = await cutParts(body, parts);
  for (const [position, { id }] of parts.entries()) found.set(id, texts[position] ?? "");
  return found;
}

/** The texts at these places of the decompressed body. */
async function cutParts(compressed: Buffer, places: readonly Span[]): Promise<string[]> {
  const found: Buffer[][] = places.map(() => []);
  for await (const pieces of cutPieces(compressed, places))
    // A piece is a view of all that was decompressed with it, so a copy is kept.
    for (const { place, bytes } of pieces) found[place]?.push(Buffer.from(bytes));
  return found.map((pieces) => Buffer.concat(pieces).toString());
}

interface Span {
  start: number;
  end: number;
}

/**
 * What is at these places of the decompressed body, in pieces as it is decompressed; `place` is the position of the
 * piece's place. The places are in order and do not overlap.
 */
export async function* cutPieces(
  compressed: Buffer,
  places: readonly Span[],
): AsyncGenerator<{ place: number; bytes: Buffer }[]> {
  const stream = decompressor();
  stream.end(compressed);
  let current = 0;
  let offset = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const chunkEnd = offset + chunk.length;
    const pieces: { place: number; bytes: Buffer }[] = [];
    for (let span = places[current]; span && span.start < chunkEnd; span = places[current]) {
      const bytes = chunk.subarray(Math.max(0, span.start - offset), span.end - offset);
      pieces.push({ place: current, bytes });
      if (span.end > chunkEnd) break;
      current += 1;
    }
    yield pieces;
    offset = chunkEnd;
    if (current === places.length) return;
  }
}

/** One employee's JSON, without holding the body, which is compressed as `br`. */
export async function cutLargeEmployee(
  compressed: Buffer,
  index: Buffer,
  employeeId: string,
): Promise<Buffer | undefined> {
  const span = findEmployee(index, employeeId);
  const [text] = span ? await cutParts(compressed, [span]) : [];
  return text === undefined ? undefined : Buffer.from(text);
}

function cutEmployee(body: Buffer, index: Buffer, employeeId: string): Buffer | undefined {
  const span = findEmployee(index, employeeId);
  return span && body.subarray(span.start, span.end);
}

function findEmployee(index: Buffer, employeeId: string): Span | undefined {
  const wanted = Buffer.from(employeeId, "base64url");
  // Decoding is lenient, but only the id as it was issued names the employee.
  if (wanted.toString("base64url") !== employeeId) return undefined;
  for (const { id, start, end } of eachIndexEntry(index))
    if (wanted.equals(id)) return { start, end };
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
