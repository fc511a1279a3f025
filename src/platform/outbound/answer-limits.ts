import type { ExceededLimit } from "./outbound-error.ts";

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
export interface BodyLimit {
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
