import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";
import { HttpServerError, HttpTooLarge, type RequestLabel } from "./outbound-error.ts";

const expandGzip = promisify(gunzip);
const expandZlib = promisify(inflate);
const expandRawDeflate = promisify(inflateRaw);
const expandBrotli = promisify(brotliDecompress);

export const acceptedEncodings = "gzip, deflate, br";

export async function readBody(
  body: Readable,
  maxBytes: number,
  request: RequestLabel,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new HttpTooLarge(request);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Undoes the content encoding. It stops at the limit, so a small body cannot fill the memory. */
export async function decodeBody(
  bytes: Buffer,
  answer: { status: number; encoding: string | undefined },
  maxBytes: number,
  request: RequestLabel,
): Promise<Buffer> {
  const encoding = answer.encoding?.trim().toLowerCase() ?? "";
  if (bytes.length === 0 || encoding === "" || encoding === "identity") return bytes;
  const expand = expanderFor(encoding, bytes);
  if (expand === undefined)
    throw new HttpServerError(request, answer.status, "an unknown content encoding");
  try {
    return await expand(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge
      ? new HttpTooLarge(request)
      : new HttpServerError(request, answer.status, "a damaged body");
  }
}

function expanderFor(encoding: string, bytes: Buffer): typeof expandGzip | undefined {
  if (encoding === "gzip" || encoding === "x-gzip") return expandGzip;
  if (encoding === "br") return expandBrotli;
  // Some servers send deflate without the zlib header, which has 8 in its low four bits.
  if (encoding === "deflate") return ((bytes[0] ?? 0) & 0x0f) === 8 ? expandZlib : expandRawDeflate;
  return undefined;
}
