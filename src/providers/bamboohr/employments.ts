import type { SourceEmployment } from "../source-records.ts";
import {
  isRecord,
  toDate,
  toId,
  toLetters,
  toNumber,
  toText,
  type BambooRecord,
} from "./field-values.ts";

/** The rows of one person in the three tables of jobs, each in any order. */
export interface JobRows {
  /** With the ids that the names of a row stand for. */
  jobs: readonly JobRow[];
  pay: readonly BambooRecord[];
  statuses: readonly BambooRecord[];
}

interface JobRow {
  row: BambooRecord;
  groupId: string | null;
  managerId: string | null;
}

/** One employment for each day on which a table has a row, with what the other tables said last. */
export function toEmployments({ jobs, pay, statuses }: JobRows): SourceEmployment[] {
  const jobsInOrder = inOrder(jobs, ({ row }) => row, "date");
  const payInOrder = inOrder(pay, (row) => row, "startDate");
  const statusesInOrder = inOrder(statuses, (row) => row, "date");
  const days = [...jobsInOrder, ...payInOrder, ...statusesInOrder].map(({ day }) => day);
  return [...new Set(days)].toSorted().map((day) => ({
    effective_date: day,
    ...toJob(findLast(jobsInOrder, day)),
    ...toPay(findLast(payInOrder, day)),
    employment_type: toEmploymentType(findLast(statusesInOrder, day)?.["employmentStatus"]),
  }));
}

interface Dated<Item> {
  day: string;
  item: Item;
}

/** Of rows of one day the newest comes last. A row without a day is left out. */
function inOrder<Item>(
  items: readonly Item[],
  rowOf: (item: Item) => BambooRecord,
  column: string,
): Dated<Item>[] {
  const age = (item: Item): number => toNumber(rowOf(item)["id"]) ?? 0;
  return items
    .flatMap((item) => {
      const day = toDate(rowOf(item)[column]);
      return day === null ? [] : [{ day, item }];
    })
    .toSorted((a, b) => (a.day === b.day ? age(a.item) - age(b.item) : a.day < b.day ? -1 : 1));
}

function findLast<Item>(items: readonly Dated<Item>[], day: string): Item | undefined {
  return items.findLast((dated) => dated.day <= day)?.item;
}

function toJob(job: JobRow | undefined): SourceEmployment {
  return {
    job_title: toText(job?.row["jobTitle"]),
    group_remote_id: job?.groupId ?? null,
    group_name: toText(job?.row["department"]),
    manager_remote_id: job?.managerId ?? null,
  };
}

/** Nothing is converted: without a period of ours a rate says nothing. */
export function toPay(row: BambooRecord | undefined): SourceEmployment {
  const { amount, currency } = toMoney(row?.["rate"]);
  const period = toPayPeriod(row?.["paidPer"]);
  return {
    pay_rate: period === null ? null : amount,
    pay_period: period,
    pay_frequency: toPayFrequency(row),
    currency,
    notes: toText(row?.["comment"]) ?? toText(row?.["reason"]),
  };
}

/** `{ value, currency }`, or a text such as `21.00 CAD`. */
export function toMoney(rate: unknown): { amount: number | null; currency: string | null } {
  const [value, unit] = isRecord(rate)
    ? [rate["value"], toText(rate["currency"])]
    : (toText(rate) ?? "").split(" ", 2);
  const code = unit?.toLowerCase() ?? "";
  return { amount: toNumber(value), currency: /^[a-z]{3}$/.test(code) ? code : null };
}

type PayPeriod = Exclude<SourceEmployment["pay_period"], undefined>;

const payPeriods: ReadonlyMap<string, PayPeriod> = new Map([
  ["hour", "HOUR"],
  ["day", "DAY"],
  ["week", "WEEK"],
  ["month", "MONTH"],
  ["year", "YEAR"],
]);

/** Null for Quarter, Pay Period and Piece. */
export function toPayPeriod(paidPer: unknown): PayPeriod {
  return payPeriods.get(toLetters(paidPer)) ?? null;
}

const payFrequencies: ReadonlyMap<string, SourceEmployment["pay_frequency"]> = new Map([
  ["weekly", "weekly"],
  ["everyotherweek", "biweekly"],
  ["twiceamonth", "semimonthly"],
  ["monthly", "monthly"],
  ["quarterly", "other"],
  ["twiceayear", "other"],
  ["yearly", "year"],
]);

/** A pay schedule has a name of the customer's: one that is no frequency says nothing. */
export function toPayFrequency(row: BambooRecord | undefined): SourceEmployment["pay_frequency"] {
  const frequency = toLetters(row?.["payFrequency"]);
  if (frequency !== "") return payFrequencies.get(frequency) ?? "other";
  return payFrequencies.get(toLetters(row?.["paySchedule"])) ?? null;
}

/** The list is the customer's. Whoever was terminated has no contract. */
export function toEmploymentType(status: unknown): SourceEmployment["employment_type"] {
  const letters = toLetters(status);
  switch (letters) {
    case "":
    case "terminated":
      return null;
    case "fulltime":
      return "full_time";
    case "parttime":
      return "part_time";
    case "contractor":
      return "contractor";
    default:
      return "other";
  }
}

/** The ids of people by the names that tables call them by. A name of two people is nobody's. */
export class PeopleByName {
  readonly #ids = new Map<string, string | null>();

  /** Tables use the first name or the preferred one. */
  add(person: BambooRecord): void {
    const id = toId(person["employeeId"]);
    const last = toText(person["lastName"]);
    const firsts = [toText(person["firstName"]), toText(person["preferredName"])];
    const names = firsts
      .filter((first, index) => index === 0 || first !== null)
      .map((first) => [first, last].filter((part) => part !== null).join(" "));
    for (const name of new Set(names)) {
      const known = this.#ids.get(name);
      this.#ids.set(name, known === undefined || known === id ? id : null);
    }
  }

  find(name: unknown): string | null {
    const text = toText(name);
    return text === null ? null : (this.#ids.get(text) ?? null);
  }
}
