import { pipeline, Readable, type Transform } from "node:stream";
import { finished } from "node:stream/promises";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createGzip,
  deflate,
  gzip,
} from "node:zlib";
import type { Encoding } from "./http/accept-encoding.ts";

const brotliOptions = (bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

/** About how many times longer JSON is than the same as `br`. */
const usualRatio = 10;
const decompressedAtOnce = 256 * 1024;

const compressions: Record<Exclude<Encoding, "identity">, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, brotliOptions(body.length)),
  gzip: (body) => promisify(gzip)(body),
  deflate: (body) => promisify(deflate)(body),
};

const compressors: Record<Exclude<Encoding, "identity">, () => Transform> = {
  br: () => createBrotliCompress(brotliOptions(0)),
  gzip: () => createGzip(),
  deflate: () => createDeflate(),
};

export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === "identity" ? body : await compressions[encoding](body);
}

/** The same for a body that comes in parts, of which few are in memory at a time. */
export function compressed(parts: AsyncIterable<Buffer>, encoding: Encoding): Readable {
  const plain = Readable.from(parts, { objectMode: false });
  // An error, or a caller who has gone, ends both; the reply's own stream tells of it.
  return encoding === "identity"
    ? plain
    : pipeline(plain, compressors[encoding](), () => undefined);
}

/** The parts of a body that was compressed as `br`. */
export async function* decompressed(
  body: Buffer,
  chunkSize = decompressedAtOnce,
): AsyncGenerator<Buffer> {
  const stream = createBrotliDecompress({ chunkSize });
  stream.end(body);
  yield* stream as AsyncIterable<Buffer>;
}

/**
 * Compresses a body that is made part by part, as `br`. `bytes` is about its length. A part is no longer used when
 * the next one is asked for, so they can be made in the same memory.
 */
export async function compressParts(parts: Iterable<Buffer>, bytes: number): Promise<Buffer> {
  const compressed: Buffer[] = [];
  const stream = createBrotliCompress(brotliOptions(bytes));
  stream.on("data", (part: Buffer) => compressed.push(part));
  const ended = finished(stream);
  for (const part of parts)
    await Promise.race([new Promise((resolve) => stream.write(part, resolve)), ended]);
  stream.end();
  await ended;
  return Buffer.concat(compressed);
}

/** Takes a body that was compressed as `br`. `bytes` is its length when it is decompressed, as far as it is known. */
export async function decompress(body: Buffer, bytes = 0): Promise<Buffer> {
  let plain = Buffer.allocUnsafeSlow(bytes || body.length * usualRatio + 64);
  let length = 0;
  const chunkSize = Math.min(plain.length + 64, decompressedAtOnce);
  for await (const part of decompressed(body, chunkSize)) {
    if (length + part.length > plain.length)
      plain = Buffer.concat([plain, Buffer.allocUnsafeSlow(plain.length + part.length)]);
    length += part.copy(plain, length);
  }
  return length === plain.length ? plain : Buffer.from(plain.subarray(0, length));
}
