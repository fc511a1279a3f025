import { pipeline, Readable, type Duplex } from "node:stream";
import type { EmploymentStatus } from "../model/index.ts";
import { compressor, decompressor } from "../platform/compression.ts";
import type { Encoding } from "../platform/http/index.ts";
import { eachIndexEntry } from "../reading/index.ts";
import { cutPieces } from "./snapshot-body.ts";

/** A body as a stream: however long it is, some pieces of it are in memory. `compressed` is `br`. */
export function streamBody(compressed: Buffer, encoding: Encoding): Readable {
  const plain = decompressor();
  plain.end(compressed);
  return encoded(plain, encoding);
}

/** The same for the employees of one status. */
export function streamStatus(
  compressed: Buffer,
  index: Buffer,
  status: EmploymentStatus,
  encoding: Encoding,
): Readable {
  return encoded(Readable.from(cutStatus(compressed, index, status)), encoding);
}

async function* cutStatus(
  compressed: Buffer,
  index: Buffer,
  wanted: EmploymentStatus,
): AsyncGenerator<Buffer> {
  const places = [...eachIndexEntry(index)].filter(({ status }) => status === wanted);
  let last = 0;
  yield Buffer.from("[");
  for await (const pieces of cutPieces(compressed, places)) {
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

function encoded(plain: Readable, encoding: Encoding): Readable {
  if (encoding === "identity") return plain;
  // An error, or a caller who has gone, ends both; the reply's own stream tells of it.
  return pipeline(plain, compressor(encoding) as Duplex, () => undefined);
}
