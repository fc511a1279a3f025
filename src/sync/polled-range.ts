import { hasDates, type DatedResource, type Resource } from "../model/index.ts";
import { encodeParameters } from "./parameters.ts";

/** How many months before and after the present one are polled. */
const months: { readonly [R in DatedResource]: { before: number; after: number } } = {
  payruns: { before: 1, after: 1 },
  "time-off-entries": { before: 1, after: 3 },
  timesheets: { before: 1, after: 0 },
};

/** What a poll asks for: the same for a whole month, so that each list is compared with one of the same range. */
export function polledParameters(resource: Resource, now: Date): string {
  if (!hasDates(resource)) return "";
  const { before, after } = months[resource];
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const start = day(year, month - before, 1);
  return encodeParameters({ range: { start, end: day(year, month + after + 1, 0) } });
}

/** Whether a poll of this month or of the one before asked for these: a read may end in the month after its poll. */
export function isPolledRange(resource: Resource, parameters: string, now: Date): boolean {
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  return [now, before].some((moment) => polledParameters(resource, moment) === parameters);
}

function day(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
}
