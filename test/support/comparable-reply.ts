import type { Reply } from "./http-client.ts";

/** Headers that differ between any two requests. */
const ofTheRequest = new Set(["date", "x-request-id", "ratelimit"]);

/**
 * All parts of a reply by which a caller could tell it from another one. `repeated` is a value that
 * the caller sent and the reply repeats; it is left out.
 */
export function comparable(
  { status, headers, bytes }: Reply,
  repeated?: string,
): { status: number; headers: Record<string, unknown>; body: string } {
  const seen = Object.entries(headers).filter(([name]) => !ofTheRequest.has(name));
  const body = bytes.toString();
  return {
    status,
    headers: Object.fromEntries(seen),
    body: repeated ? body.replaceAll(repeated, "<as sent>") : body,
  };
}
