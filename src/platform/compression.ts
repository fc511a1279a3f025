import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliDecompress,
  constants,
  createBrotliCompress,
  deflate,
  gzip,
} from "node:zlib";
import type { Encoding } from "./http/index.ts";

const brotliOptions = (bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

const compressions: Record<Exclude<Encoding, "identity">, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, brotliOptions(body.length)),
  gzip: (body) => promisify(gzip)(body),
  deflate: (body) => promisify(deflate)(body),
};

export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === "identity" ? body : await compressions[encoding](body);
}

/** Compresses a body that is made part by part, as `br`. `bytes` is about its length. */
export async function compressParts(parts: Iterable<Buffer>, bytes: number): Promise<Buffer> {
  const compressed: Buffer[] = [];
  await pipeline(
    Readable.from(parts),
    createBrotliCompress(brotliOptions(bytes)),
    async (stream: AsyncIterable<Buffer>) => {
      for await (const part of stream) compressed.push(part);
    },
  );
  return Buffer.concat(compressed);
}

/** Takes a body that was compressed as `br`. */
export async function decompress(body: Buffer): Promise<Buffer> {
  return await promisify(brotliDecompress)(body);
}
