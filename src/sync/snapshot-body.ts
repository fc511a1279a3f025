import type { EmploymentStatus } from "../model/index.ts";
import { compressParts, decompress, decompressed } from "../platform/compression.ts";
import { packedId, type PackedId } from "../platform/packed-list.ts";
import { eachIndexEntry, encodeEmployeeIndex } from "../reading/index.ts";

/** A part of a list of employees that an endpoint serves. */
export type Variant = { employmentStatus: EmploymentStatus } | { employeeId: string };

/** A body as it comes: whole, or as it is decompressed. */
type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

const employeesPerTurn = 100;

interface Span {
  start: number;
  end: number;
}

/**
 * The employees of one status as a JSON array, or one employee as an object, in pieces as the body comes. Undefined for
 * an unknown employee.
 */
export function cutVariant(
  body: Pieces,
  index: Buffer,
  variant: Variant,
): AsyncGenerator<Buffer> | undefined {
  if ("employmentStatus" in variant) return cutStatus(body, index, variant.employmentStatus);
  const span = findEmployee(index, variant.employeeId);
  return span && cutSpan(body, span);
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
  const texts = await cutTexts(decompressed(body), parts);
  for (const [position, { id }] of parts.entries()) found.set(id, texts[position] ?? "");
  return found;
}

/** The same list with the JSON of each employee changed, some in each turn. */
export async function mapEmployees(
  { body, index }: { body: Buffer; index: Buffer },
  change: (json: string) => string,
): Promise<{ body: Buffer; index: Buffer }> {
  const plain = await decompress(body);
  const employees = [...eachIndexEntry(index)];
  const changed: { id: string; status: EmploymentStatus | null; bytes: number }[] = [];
  const changeSome = (some: typeof employees): Buffer => {
    const texts = some.map(({ id, status, start, end }) => {
      const text = change(plain.toString("utf8", start, end));
      changed.push({ id: id.toString("base64url"), status, bytes: Buffer.byteLength(text) });
      return text;
    });
    return Buffer.from(texts.join(","));
  };
  const parts = function* (): Generator<Buffer> {
    for (let from = 0; from < employees.length; from += employeesPerTurn) {
      yield Buffer.from(from === 0 ? "[" : ",");
      yield changeSome(employees.slice(from, from + employeesPerTurn));
    }
    yield Buffer.from(employees.length === 0 ? "[]" : "]");
  };
  return {
    body: await compressParts(parts(), plain.length),
    index: encodeEmployeeIndex(changed),
  };
}

/** The texts at these places. */
async function cutTexts(body: Pieces, places: readonly Span[]): Promise<string[]> {
  const found: Buffer[][] = places.map(() => []);
  for await (const pieces of cutPieces(body, places))
    // A piece is a view of all that was decompressed with it, so a copy is kept.
    for (const { place, bytes } of pieces) found[place]?.push(Buffer.from(bytes));
  return found.map((pieces) => Buffer.concat(pieces).toString());
}

/**
 * What is at these places of the body; `place` is the position of the piece's place. The places are in order and do not
 * overlap.
 */
async function* cutPieces(
  body: Pieces,
  places: readonly Span[],
): AsyncGenerator<{ place: number; bytes: Buffer }[]> {
  let current = 0;
  let offset = 0;
  for await (const chunk of body) {
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

function findEmployee(index: Buffer, employeeId: string): Span | undefined {
  const wanted = Buffer.from(employeeId, "base64url");
  // Decoding is lenient, but only the id as it was issued names the employee.
  if (wanted.toString("base64url") !== employeeId) return undefined;
  for (const { id, start, end } of eachIndexEntry(index))
    if (wanted.equals(id)) return { start, end };
  return undefined;
}

async function* cutStatus(
  body: Pieces,
  index: Buffer,
  wanted: EmploymentStatus,
): AsyncGenerator<Buffer> {
  const places = [...eachIndexEntry(index)].filter(({ status }) => status === wanted);
  let last = 0;
  yield Buffer.from("[");
  for await (const pieces of cutPieces(body, places)) {
    const texts: Buffer[] = [];
    for (const { place, bytes } of pieces) {
      if (place !== last) texts.push(Buffer.from(","));
      last = place;
      texts.push(bytes);
    }
    yield Buffer.concat(texts);
  }
  yield Buffer.from("]");
}

async function* cutSpan(body: Pieces, span: Span): AsyncGenerator<Buffer> {
  for await (const pieces of cutPieces(body, [span])) for (const { bytes } of pieces) yield bytes;
}

/** The ids of all employees of an index, as bytes. */
export function listEmployeeIds(index: Buffer): Buffer[] {
  return [...eachIndexEntry(index)].map(({ id }) => id);
}
