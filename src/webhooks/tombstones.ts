import { z } from "zod";
import type { ConnectionId } from "../model/index.ts";
import { compressParts, decompressed } from "../platform/compression.ts";
import { sealedBytes, sealedJson, type DataKey } from "../platform/crypto/index.ts";
import { refuseInTransaction } from "../platform/open-transaction.ts";
import type { PackedId } from "../platform/packed-list.ts";

/** The last known records of employees who are missing from the current list, as JSON, by their ids. */
export type Tombstones = ReadonlyMap<PackedId, string>;

const sealedTombstones = sealedJson({
  name: "tombstones",
  owner: ["connectionId"],
  schema: z.array(z.tuple([z.base64(), z.string()])),
});

/**
 * Everybody of a large company can be missing at once. Many records are lines of an id and JSON, compressed as `br`, which
 * are made and looked through in parts. A program of before knows the other form alone.
 */
const sealedLines = sealedBytes({ name: "tombstone-lines", owner: ["connectionId"] });
const mostWithoutLines = 5_000;
/** In front of sealed lines. No sealed value begins with it. */
const ofLines = Buffer.of(0);
const linesAtOnce = 100;
const lineBreak = 10;
const idLength = 12;

/** Takes seconds for those of a large company. */
export async function sealTombstones(
  key: DataKey,
  connectionId: ConnectionId,
  tombstones: Tombstones,
): Promise<Buffer> {
  refuseInTransaction("the compression of many records");
  if (tombstones.size > mostWithoutLines) {
    const lines = await compressParts(renderLines(tombstones), 0);
    return Buffer.concat([ofLines, sealedLines.seal(key, { connectionId }, lines)]);
  }
  const entries = [...tombstones].map(([id, json]): [string, string] => [nameOf(id), json]);
  return sealedTombstones.seal(key, { connectionId }, entries);
}

/** Those of these employees, or all. */
export async function openTombstones(
  key: DataKey,
  connectionId: ConnectionId,
  sealed: Buffer | null,
  wanted?: ReadonlySet<PackedId>,
): Promise<Tombstones> {
  const found = new Map<PackedId, string>();
  if (!sealed) return found;
  const add = (id: PackedId, json: () => string): void => {
    if (wanted?.has(id) ?? true) found.set(id, json());
  };
  if (sealed[0] === ofLines[0]) {
    const lines = sealedLines.open(key, { connectionId }, sealed.subarray(ofLines.length));
    for await (const line of eachLine(decompressed(lines)))
      add(idOf(line.toString("latin1", 0, idLength)), () => line.toString("utf8", idLength));
  } else
    for (const [id, json] of sealedTombstones.open(key, { connectionId }, sealed))
      add(idOf(id), () => json);
  return found;
}

function nameOf(id: PackedId): string {
  return Buffer.from(id, "latin1").toString("base64");
}

function idOf(name: string): PackedId {
  return Buffer.from(name, "base64").toString("latin1");
}

function* renderLines(tombstones: Tombstones): Generator<Buffer> {
  let lines: string[] = [];
  for (const [id, json] of tombstones) {
    lines.push(`${nameOf(id)}${json}\n`);
    if (lines.length < linesAtOnce) continue;
    yield Buffer.from(lines.join(""));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(""));
}

async function* eachLine(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const part of parts) {
    const text = Buffer.concat([rest, part]);
    let start = 0;
    for (let end = text.indexOf(lineBreak); end !== -1; end = text.indexOf(lineBreak, start)) {
      yield text.subarray(start, end);
      start = end + 1;
    }
    rest = text.subarray(start);
  }
}
