import { definePart } from "../kit/fields.ts";
import { called, day, given, number, oneOf, readValue, text, type Reader } from "../kit/readers.ts";
import type { Period } from "../kit/periods.ts";
import { defineSource } from "../kit/source.ts";
import type { SourceEmployment } from "../source-records.ts";
import { toRecord, type BambooRecord } from "./client.ts";
import { findOptionId, toGroup, type Lists } from "./lists.ts";

/** The list is the customer's. Whoever was terminated has no contract. */
export const employmentType = oneOf(
  { fulltime: "full_time", parttime: "part_time", contractor: "contractor", terminated: null },
  { otherwise: "other" },
);

const frequencies = {
  Weekly: "weekly",
  "Every other week": "biweekly",
  "Twice a month": "semimonthly",
  Monthly: "monthly",
  Quarterly: "other",
  "Twice a year": "other",
  Yearly: "year",
} as const;

/** `{ value, currency }`, or a text such as `21.00 CAD`. */
const rate: Reader<{ amount: number | null; currency: string | null }> = {
  kind: "amount with a currency",
  read: (value) => {
    const { value: given, currency } =
      typeof value === "string" ? splitRate(value) : toRecord(value);
    const amount = readValue(number, given);
    const code = typeof currency === "string" ? currency.toLowerCase() : "";
    return {
      amount: typeof amount === "number" ? amount : null,
      currency: /^[a-z]{3}$/.test(code) ? code : null,
    };
  },
};

function splitRate(written: string): BambooRecord {
  const [value, currency] = written.trim().split(" ", 2);
  return { value, currency };
}

const rows = defineSource({
  day: given<string>(),
  jobInfo: {
    jobTitle: text,
    department: text,
    reportsTo: text,
  },
  compensation: {
    rate,
    // Quarter, Pay Period and Piece are no periods of ours.
    paidPer: oneOf(
      { Hour: "HOUR", Day: "DAY", Week: "WEEK", Month: "MONTH", Year: "YEAR" },
      { otherwise: null },
    ),
    payFrequency: oneOf(frequencies, { otherwise: "other" }),
    // A pay schedule has a name of the customer's: one that is no frequency says nothing.
    paySchedule: oneOf(frequencies, { otherwise: null }),
    comment: text,
    reason: text,
  },
  employmentStatus: { employmentStatus: employmentType },
  departments: given<Lists>(),
  /** The ids of people by their names. */
  people: given<ReadonlyMap<string, string | null>>(),
});

export const employment = definePart<SourceEmployment>()(rows, {
  effective_date: "day",
  job_title: "jobInfo.jobTitle",
  group_remote_id: rows.from(["jobInfo.department", "departments"], (name, lists) => {
    const groupId = findOptionId(lists, "department", name);
    return groupId === null ? null : toGroup("department", groupId, name).remote_id;
  }),
  group_name: "jobInfo.department",
  manager_remote_id: rows.from(
    ["jobInfo.reportsTo", "people"],
    (name, people) => people?.get(name ?? "") ?? null,
  ),
  // Nothing is converted: without a period of ours a rate says nothing.
  pay_rate: rows.from(["compensation.rate", "compensation.paidPer"], (found, period) =>
    found === null || period === null ? null : found.amount,
  ),
  pay_period: "compensation.paidPer",
  pay_frequency: rows.first("compensation.payFrequency", "compensation.paySchedule"),
  currency: rows.from(["compensation.rate"], (found) => found?.currency ?? null),
  notes: rows.first("compensation.comment", "compensation.reason"),
  employment_type: "employmentStatus.employmentStatus",
}).says({
  group_remote_id: "by the name of a department that is not archived",
  manager_remote_id: "by the name; null for one that two people have",
  pay_rate: "null without a period of ours",
  currency: "of the rate",
});

/** The rows of one person in the tables, each table in any order. */
export type JobRows = Readonly<
  Record<"jobInfo" | "compensation" | "employmentStatus", readonly BambooRecord[]>
>;

/** What the tables say from a day on. */
export type DatedRows = { day: string } & Readonly<Record<keyof JobRows, BambooRecord>>;

/**
 * One for each day on which a table has a row, with what the other tables said last. From the day on which somebody left
 * who came back later, there is neither job nor pay.
 */
export function joinByDay({ jobInfo, compensation, employmentStatus }: JobRows): DatedRows[] {
  const [jobs, pays, statuses] = [
    inOrder(jobInfo, "date"),
    inOrder(compensation, "startDate"),
    inOrder(employmentStatus, "date"),
  ];
  const periods = listPeriods(employmentStatus);
  const lastStart = periods.at(-1)?.start ?? "";
  const isAtWork = (from: string): boolean =>
    from >= lastStart ||
    !periods.some(({ end }) => end !== null && end <= from) ||
    periods.some(({ start, end }) => start <= from && (end === null || from < end));
  const days = new Set([...jobs, ...pays, ...statuses].map((row) => row.day));
  return [...days].toSorted().map((from) => ({
    day: from,
    jobInfo: isAtWork(from) ? findLast(jobs, from) : {},
    compensation: isAtWork(from) ? findLast(pays, from) : {},
    employmentStatus: findLast(statuses, from),
  }));
}

const statusRow = defineSource({
  isOver: called("employmentStatus", oneOf({ terminated: true }, { otherwise: false })),
});

/** The times of work by the table of statuses: each ends with a row that says Terminated, which has the last day. */
export function listPeriods(employmentStatus: readonly BambooRecord[]): Period[] {
  const periods: Period[] = [];
  for (const { day: from, row } of inOrder(employmentStatus, "date")) {
    const last = periods.at(-1);
    const isOpen = last !== undefined && last.end === null;
    if (statusRow.read(row, "isOver") !== true) {
      if (!isOpen) periods.push({ start: from, end: null });
    } else if (isOpen) last.end = from;
  }
  return periods;
}

interface DatedRow {
  day: string;
  row: BambooRecord;
}

/** Of rows of one day the newest comes last. A row without a day is left out. */
function inOrder(table: readonly BambooRecord[], column: string): DatedRow[] {
  return table
    .flatMap((row) => {
      const read = readValue(day, row[column]);
      return typeof read === "string" ? [{ day: read, row }] : [];
    })
    .toSorted((a, b) => (a.day === b.day ? ageOf(a) - ageOf(b) : a.day < b.day ? -1 : 1));
}

function ageOf({ row }: DatedRow): number {
  return Number(row["id"]) || 0;
}

function findLast(table: readonly DatedRow[], until: string): BambooRecord {
  return table.findLast((row) => row.day <= until)?.row ?? {};
}
