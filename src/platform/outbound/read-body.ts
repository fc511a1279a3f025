import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import {
  HttpServerError,
  HttpTooLarge,
  OutboundError,
  toOutboundError,
  type RequestLabel,
  type ExceededLimit,
} from "./outbound-error.ts";

export const acceptedEncodings = "gzip, deflate, br";
const chunkSize = 65_536;

interface AnswerHead {
  label: RequestLabel;
  status: number;
  encoding: string | undefined;
}

/**
 * Reads the whole body and undoes its content encoding, of which there may be one. It stops at the limit, as
 * sent and decompressed, so neither a long body nor a small one that expands can fill the memory.
 */
export async function readBody(
  body: Readable,
  answer: AnswerHead,
  limit: BodyLimit,
): Promise<Uint8Array> {
  // A body that is given up reports so to its listeners, and without one ends the process.
  body.on("error", () => undefined);
  try {
    const chunks = readChunks(body, answer.label);
    const first = await chunks.next();
    if (first.done) return Buffer.alloc(0);
    const sent = bounded(startingWith(first.value, chunks), answer.label, limit);
    const decoder = decoderFor(answer, first.value);
    if (decoder === null) return await collect(sent);
    // The callback is required; the reader of the decoder gets the error.
    pipeline(sent, decoder, () => undefined);
    return await collect(bounded(decodedChunks(decoder, answer), answer.label, limit));
  } finally {
    body.destroy();
  }
}

async function* readChunks(body: Readable, label: RequestLabel): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw toOutboundError(error, label);
  }
}

async function* decodedChunks(
  decoder: Transform,
  { label, status }: AnswerHead,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw error instanceof OutboundError
      ? error
      : new HttpServerError(label, status, "a damaged body");
  }
}

async function* startingWith(
  first: Buffer,
  rest: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  yield first;
  yield* rest;
}

async function* bounded(
  chunks: AsyncIterable<Buffer>,
  label: RequestLabel,
  { bytes, limit }: BodyLimit,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytes) throw new HttpTooLarge(label, limit);
    yield chunk;
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

/** Null for a body that is sent as it is. */
function decoderFor({ label, status, encoding }: AnswerHead, first: Buffer): Transform | null {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return null;
  if (name === "gzip" || name === "x-gzip") return createGunzip({ chunkSize });
  if (name === "br") return createBrotliDecompress({ chunkSize });
  // Some servers send deflate without the zlib header, which has 8 in its low four bits.
  if (name === "deflate")
    return ((first[0] ?? 0) & 0x0f) === 8
      ? createInflate({ chunkSize })
      : createInflateRaw({ chunkSize });
  throw new HttpServerError(label, status, "an unknown content encoding");
}

/** What a client asks for. It decides how large an answer may be. */
export type AnswerPurpose = "sign-in" | "reply";

/** Sizes of one body in bytes. Each holds for the body as sent and for the decompressed body. */
export interface AnswerLimits {
  /** For an answer during a sign-in, from a server that anybody may have named. */
  signInBytes: number;
  /** For HTML, and for any other text that is not JSON, XML or CSV. */
  pageBytes: number;
  /** For an answer with records. */
  replyBytes: number;
}

export const defaultAnswerLimits: AnswerLimits = {
  signInBytes: 1024 * 1024,
  pageBytes: 256 * 1024,
  replyBytes: 20 * 1024 * 1024,
};

/** No adapter gets a larger answer, whatever it asks for. */
export const mostRaisedBytes = 100 * 1024 * 1024;
/** The most values in one JSON body. Each takes some 50 bytes of memory, however short it is as text. */
export const mostValues = 2_000_000;
/** The most lists and objects inside of each other in a JSON body. */
export const mostDepth = 100;
/** The most informational answers (1xx) before the answer. */
export const mostInformational = 20;

/** The most characters of all cookies of a client, as they are exported. */
export const mostCookieCharacters = 65_536;

/** The size that a body may have, and the limit that a larger one exceeds. */
interface BodyLimit {
  bytes: number;
  limit: ExceededLimit;
}

export function chooseBodyLimit(
  limits: AnswerLimits,
  purpose: AnswerPurpose,
  contentType: string | undefined,
): BodyLimit {
  const bytes = purpose === "sign-in" ? limits.signInBytes : limits.replyBytes;
  return isPage(contentType ?? "") && limits.pageBytes < bytes
    ? { bytes: limits.pageBytes, limit: "page" }
    : { bytes, limit: purpose };
}

function isPage(contentType: string): boolean {
  const type = contentType.toLowerCase().split(";", 1)[0] ?? "";
  const isOfRecords = ["json", "xml", "csv"].some((kind) => type.includes(kind));
  return type.includes("html") || (type.includes("text/") && !isOfRecords);
}
