import { definePart } from "../kit/fields.ts";
import { day, given, number, oneOf, readValue, text, type Reader } from "../kit/readers.ts";
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
  job: {
    jobTitle: text,
    department: text,
    reportsTo: text,
  },
  pay: {
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
  status: { employmentStatus: employmentType },
  lists: given<Lists>(),
  /** The ids of people by their names. */
  people: given<ReadonlyMap<string, string | null>>(),
});

export const employment = definePart<SourceEmployment>()(rows, {
  effective_date: "day",
  job_title: "job.jobTitle",
  group_remote_id: rows.from(["job.department", "lists"], (name, lists) => {
    const groupId = findOptionId(lists, "department", name);
    return groupId === null ? null : toGroup("department", groupId, name).remote_id;
  }),
  group_name: "job.department",
  manager_remote_id: rows.from(
    ["job.reportsTo", "people"],
    (name, people) => people?.get(name ?? "") ?? null,
  ),
  // Nothing is converted: without a period of ours a rate says nothing.
  pay_rate: rows.from(["pay.rate", "pay.paidPer"], (found, period) =>
    found === null || period === null ? null : found.amount,
  ),
  pay_period: "pay.paidPer",
  pay_frequency: rows.first("pay.payFrequency", "pay.paySchedule"),
  currency: rows.from(["pay.rate"], (found) => found?.currency ?? null),
  notes: rows.first("pay.comment", "pay.reason"),
  employment_type: "status.employmentStatus",
});

/** The rows of one person in the tables, each table in any order. */
export type JobRows = Readonly<Record<"job" | "pay" | "status", readonly BambooRecord[]>>;

/** What the tables say from a day on. */
export type DatedRows = { day: string } & Readonly<Record<keyof JobRows, BambooRecord>>;

/** One for each day on which a table has a row, with what the other tables said last. */
export function joinByDay({ job, pay, status }: JobRows): DatedRows[] {
  const [jobs, pays, statuses] = [
    inOrder(job, "date"),
    inOrder(pay, "startDate"),
    inOrder(status, "date"),
  ];
  const days = new Set([...jobs, ...pays, ...statuses].map((row) => row.day));
  return [...days].toSorted().map((from) => ({
    day: from,
    job: findLast(jobs, from),
    pay: findLast(pays, from),
    status: findLast(statuses, from),
  }));
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
