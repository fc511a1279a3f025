import type { FastifyRequest } from "fastify";

/** The credential of the `Authorization` header. Node alone would hide that there are several headers. */
export type Authorization =
  | { kind: "none" }
  | { kind: "several" }
  | { kind: "bearer"; credential: string }
  | { kind: "other" };

export function readAuthorization(request: FastifyRequest): Authorization {
  const headers = request.raw.headersDistinct["authorization"] ?? [];
  const [header] = headers;
  if (header === undefined) return { kind: "none" };
  if (headers.length > 1) return { kind: "several" };
  const match = /^bearer(?: +(.*))?$/i.exec(header.trim());
  return match ? { kind: "bearer", credential: match[1] ?? "" } : { kind: "other" };
}

/** Weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(request: FastifyRequest, etag: string): boolean {
  const opaque = withoutWeakness(etag);
  return splitList(request.headers["if-none-match"]).some(
    (candidate) => candidate === "*" || withoutWeakness(candidate) === opaque,
  );
}

function withoutWeakness(etag: string): string {
  return etag.replace(/^W\//, "");
}

/** The forms of a date (RFC 9110, section 5.6.7), with the day of the month. The last one is in UTC without a word. */
const dateForms = [
  /^[A-Z][a-z]{2}, (\d{2}) [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, (\d{2})-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} ([ \d]\d) \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * Whether `If-Modified-Since` names the second of `lastModified` or a later one (RFC 9110, section 13.1.3). What is no
 * date, or is after `now`, counts as none: a clock that is ahead must not hide what is new.
 */
export function isUnmodified(
  request: FastifyRequest,
  { lastModified, now }: { lastModified: Date; now: Date },
): boolean {
  const since = parseDate(request.headers["if-modified-since"] ?? "");
  return since !== undefined && toSecond(lastModified) <= since && since <= now.getTime();
}

/** In milliseconds. A day that its month does not have is no date. */
function parseDate(value: string): number | undefined {
  const [, day] = dateForms.map((form) => form.exec(value)).find((match) => match !== null) ?? [];
  if (day === undefined) return undefined;
  const time = Date.parse(value.endsWith(" GMT") ? value : `${value} GMT`);
  return new Date(time).getUTCDate() === Number(day) ? time : undefined;
}

function toSecond(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000) * 1_000;
}

export const longestWaitSeconds = 30;

/** How long the caller is ready to wait (`Prefer: wait`, RFC 7240), in seconds. Undefined without a preference. */
export function readWait(request: FastifyRequest): number | undefined {
  const preferences = splitList(request.headers["prefer"]);
  for (const preference of preferences) {
    const match = /^wait\s*=\s*"?(\d+)"?\s*(;|$)/i.exec(preference);
    if (match) return Math.min(longestWaitSeconds, Number(match[1]));
  }
  return undefined;
}

/** The parts of a header that is a list with commas. */
export function splitList(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text.split(",").map((part) => part.trim());
}
