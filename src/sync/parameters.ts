import type { FetchParameters } from "../providers/index.ts";

/** Both ends are included, as YYYY-MM-DD. */
export type DateRange = NonNullable<FetchParameters["range"]>;

/**
 * One text for each set of what narrows a fetch besides its resource. It identifies the fetch and the snapshot and holds
 * dates and our ids only.
 */
export function encodeParameters({
  range,
  payrunId,
}: {
  range?: DateRange;
  payrunId?: string;
}): string {
  if (range) return `${range.start}..${range.end}`;
  return isPayrunId(payrunId) ? payrunId : "";
}

/** Whether the text has the form of an id that we issue. No other text is looked up. */
export function isPayrunId(id: string | undefined): id is string {
  return id !== undefined && /^[A-Za-z0-9_-]{22}$/.test(id);
}

export function decodeRange(parameters: string): DateRange | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/.exec(parameters);
  return match?.[1] && match[2] ? { start: match[1], end: match[2] } : undefined;
}

/** The parameters of a fetch, from the text that names them, as the query and the path of the data route have them. */
export function formatQuery(parameters: string): Record<string, string> {
  const range = decodeRange(parameters);
  if (range) return { start_date: range.start, end_date: range.end };
  return isPayrunId(parameters) ? { payrun_id: parameters } : {};
}
