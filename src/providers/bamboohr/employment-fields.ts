import { definePart } from "../kit/fields.ts";
import { day, given, number, oneOf, readValue, text, type Reader } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import type { SourceEmployment } from "../source-records.ts";
import { toRecord, type BambooRecord } from "./client.ts";

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
    const code = String(currency ?? "").toLowerCase();
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
    /** Of what the row has the names of. */
    groupId: given<string>(),
    managerId: given<string>(),
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
});

export const employment = definePart<SourceEmployment>()(rows, {
  effective_date: "day",
  job_title: "job.jobTitle",
  group_remote_id: "job.groupId",
  group_name: "job.department",
  manager_remote_id: "job.managerId",
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
export type DatedRows = { day: string } & Readonly<Partial<Record<keyof JobRows, BambooRecord>>>;

/** One for each day on which a table has a row, with what the other tables said last. */
export function joinByDay({ job, pay, status }: JobRows): DatedRows[] {
  const tables = {
    job: inOrder(job, "date"),
    pay: inOrder(pay, "startDate"),
    status: inOrder(status, "date"),
  };
  const days = new Set(Object.values(tables).flatMap((dated) => dated.map((row) => row.day)));
  return [...days].toSorted().map((day) => {
    const last = Object.entries(tables).map(([name, dated]) => [
      name,
      dated.findLast((one) => one.day <= day)?.row,
    ]);
    return { day, ...Object.fromEntries(last) };
  });
}

/** Of rows of one day the newest comes last. A row without a day is left out. */
function inOrder(
  table: readonly BambooRecord[],
  column: string,
): { day: string; row: BambooRecord }[] {
  const age = ({ row }: { row: BambooRecord }): number => Number(row["id"]) || 0;
  return table
    .flatMap((row) => {
      const read = readValue(day, row[column]);
      return typeof read === "string" ? [{ day: read, row }] : [];
    })
    .toSorted((a, b) => (a.day === b.day ? age(a) - age(b) : a.day < b.day ? -1 : 1));
}
