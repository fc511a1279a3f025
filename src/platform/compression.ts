import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, deflate, gzip } from "node:zlib";
import type { Encoding } from "./http/index.ts";

const compressions: Record<Exclude<Encoding, "identity">, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body),
  deflate: (body) => promisify(deflate)(body),
};

export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === "identity" ? body : await compressions[encoding](body);
}

/** Takes a body that was compressed as `br`. */
export async function decompress(body: Buffer): Promise<Buffer> {
  return await promisify(brotliDecompress)(body);
}
