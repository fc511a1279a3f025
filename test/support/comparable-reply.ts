import type { Reply } from "./http-client.ts";

/** What differs from one request to the next, whatever it asked for. */
const ofTheRequest = new Set(["date", "x-request-id", "ratelimit"]);

/** All that a caller sees of a reply and could tell it from another by. What the caller itself sent, and the reply repeats, is left out. */
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
