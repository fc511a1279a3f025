import type { DatedResource, RecordOf, Resource } from "../../model/index.ts";
import type { DateRange } from "../../providers/index.ts";

/** How the records of a resource are sorted, told apart, and filtered by the requested range of dates. */
interface Arrangement<Record> {
  orderBy: (record: Record) => string;
  identity: (record: Record) => string;
  /** The days that the record covers. Null for a resource without dates. */
  period: ((record: Record) => { start: string | null; end: string | null }) | null;
}

const remoteId = (record: { remote_id: string | null }): string => record.remote_id ?? "";
const byRemoteId = { orderBy: remoteId, identity: remoteId, period: null };

type PeriodOf<R extends Resource> = R extends DatedResource
  ? NonNullable<Arrangement<RecordOf<R>>["period"]>
  : null;

const lastDay = "9999-12-31";

const arrangements: {
  readonly [R in Resource]: Arrangement<RecordOf<R>> & { period: PeriodOf<R> };
} = {
  company: byRemoteId,
  employees: byRemoteId,
  groups: byRemoteId,
  "work-locations": byRemoteId,
  payruns: {
    orderBy: (run) => `${run.payment_date ?? run.start_date ?? ""} ${run.remote_id}`,
    identity: remoteId,
    period: ({ payment_date: paid, start_date: start, end_date: end }) =>
      paid ? { start: paid, end: paid } : { start, end },
  },
  payslips: {
    orderBy: (slip) => `${slip.payment_date} ${slip.remote_id ?? slip.employee_remote_id}`,
    identity: (slip) =>
      slip.remote_id === null ? "" : `${slip.remote_id} ${slip.employee_remote_id}`,
    period: null,
  },
  timesheets: {
    orderBy: (sheet) => `${sheet.start_time?.slice(0, 10) ?? ""} ${sheet.remote_id}`,
    identity: remoteId,
    period: ({ start_time: start }) => ({
      start: start?.slice(0, 10) ?? null,
      end: start?.slice(0, 10) ?? null,
    }),
  },
  "time-off-entries": {
    orderBy: (entry) => `${entry.start_date ?? ""} ${entry.remote_id}`,
    identity: remoteId,
    // Without an end it goes on.
    period: ({ start_date: start, end_date: end }) => ({ start, end: end ?? (start && lastDay) }),
  },
  "time-off-balances": {
    orderBy: (balance) => `${balance.employee_remote_id} ${balance.policy_remote_id ?? ""}`,
    identity: ({ employee_remote_id: employee, policy_remote_id: policy, policy_name: name }) =>
      (policy ?? name) === null ? "" : `${employee} ${policy ?? ""} ${name ?? ""}`,
    period: null,
  },
};

/** Where a record stands among the others: the text to sort it by, and what tells it from the others. */
export interface Place {
  orderBy: string;
  /** Empty when the record has no identity. */
  identity: string;
  days: CoveredDays;
}

/** The first and the last day by which a record is in a range; null for one without a day. */
export interface CoveredDays {
  start: string | null;
  end: string | null;
}

const noDays: CoveredDays = { start: null, end: null };

export function coveredDays<R extends Resource>(resource: R, record: RecordOf<R>): CoveredDays {
  const { period } = arrangements[resource] as Arrangement<RecordOf<R>>;
  if (!period) return noDays;
  const { start, end } = period(record);
  return { start: start ?? end, end: end ?? start };
}

/** Undefined for a record outside the requested range, which is dropped. */
export function placeRecord<R extends Resource>(
  resource: R,
  record: RecordOf<R>,
  range: DateRange | undefined,
): Place | undefined {
  const { orderBy, identity } = arrangements[resource] as Arrangement<RecordOf<R>>;
  const days = coveredDays(resource, record);
  if (range && !overlaps(days, range)) return undefined;
  return { orderBy: orderBy(record), identity: identity(record), days };
}

/**
 * The result does not depend on the provider's order. A repeated record is kept once. `conflicts` counts those that
 * are left out though they are other ones.
 */
export function arrangeRecords<Placed extends Place & { json: Buffer }>(
  records: readonly Placed[],
): { records: Placed[]; conflicts: number } {
  const kept = new Map<string, Placed>();
  let conflicts = 0;
  const arranged = records
    .toSorted((a, b) => compareTexts(a.orderBy, b.orderBy) || Buffer.compare(a.json, b.json))
    .filter((record) => {
      const first = record.identity === "" ? undefined : kept.get(record.identity);
      if (!first) kept.set(record.identity, record);
      else if (!first.json.equals(record.json)) conflicts += 1;
      return !first;
    });
  return { records: arranged, conflicts };
}

/** By their code units, the same on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A record without dates is kept: it cannot be shown to lie outside. */
function overlaps(
  { start, end }: { start: string | null; end: string | null },
  range: DateRange,
): boolean {
  return start === null || end === null || (start <= range.end && end >= range.start);
}
