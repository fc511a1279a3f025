import { utcDay } from "../../platform/clock.ts";
import { defineReader } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { always, defineFields } from "../kit/fields.ts";
import { pageOf } from "../kit/paging.ts";
import { called, day, flag, number, strict, text, wordIn } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import { leaveWords } from "../kit/words.ts";
import { limitHidden, openUncut, submitted, type Filter, wholeList, wholePages } from "./client.ts";

/** A restricted or an optional holiday is a public one that people choose, and no vacation. */
const { holiday: _publicHoliday, ...words } = leaveWords;
/** First by the words of the names that Frappe HR ships. */
const policyType = called(
  "leave_type",
  wordIn({ casual: "vacation", privilege: "vacation", earned: "vacation", ...words }),
);

const entry = defineSource({
  name: text,
  employee: text,
  from_date: day,
  to_date: day,
  total_leave_days: number,
  status: text,
  docstatus: number,
  description: text,
  leave_type: text,
  policy_type: policyType,
  creation: day,
  modified: day,
});

const entryFields = defineFields("time-off-entries", entry, {
  remote_id: "name",
  employee_remote_id: "employee",
  start_date: "from_date",
  end_date: "to_date",
  amount: "total_leave_days",
  unit: always("days"),
  status: entry.from(["status", "docstatus"], (status, docstatus) => {
    if (status === null) return null;
    if (status === "Rejected") return "rejected";
    return status === "Approved" && docstatus === 1 ? "approved" : "pending";
  }),
  employee_note: "description",
  policy_remote_id: "leave_type",
  policy_name: "leave_type",
  policy_type: "policy_type",
  remote_created_at: "creation",
  remote_modified_at: "modified",
}).says({ status: "approved once it is submitted, too; what was cancelled is left out" });

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, _session, { range }) {
    const client = await openUncut(context, "time-off-entries");
    const filters: Filter[] = [
      ["docstatus", "<", 2],
      ["status", "!=", "Cancelled"],
      ["from_date", "<=", range.end],
      ["to_date", ">=", range.start],
    ];
    const asked = { fields: entry.names, filters, cursor: context.cursor };
    for await (const { items, next } of wholePages(client, "Leave Application", asked)) {
      limitHidden(context, entryFields, entry.names, items);
      yield pageOf(items, next);
    }
  },
  table: entryFields,
});

const allocation = defineSource({
  name: text,
  employee: text,
  leave_type: text,
  from_date: day,
  expired: flag,
});
const ledgerRow = defineSource({
  employee: text,
  leave_type: text,
  transaction_type: text,
  leaves: strict(number),
  from_date: day,
  to_date: day,
  is_carry_forward: flag,
  is_expired: flag,
  holiday_list: text,
});
type LedgerRow = Parts<(typeof ledgerRow)["shape"]>;

const balanceSource = defineSource({
  employee: text,
  leave_type: text,
  policy_type: policyType,
  // What the read has put in.
  balance: number,
  used: number,
});

/** By the ledger: what was given and carried over, without what was taken up to today and paid out. */
export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context) {
    const client = await openUncut(context, "time-off-balances");
    const today = utcDay(context.clock.now());
    const running: Filter[] = [submitted, ["from_date", "<=", today], ["to_date", ">=", today]];
    const asked = { fields: allocation.names, filters: running };
    const found = await wholeList(client, "Leave Allocation", asked);
    const allocations = found.map((one) => allocation.parts(one));
    const starts = allocations.flatMap(({ from_date: start }) => start ?? []).toSorted();
    if (starts.length === 0) return;
    const filters: Filter[] = [
      submitted,
      ["is_lwp", "=", 0],
      ["from_date", ">=", starts[0]],
      ["from_date", "<=", today],
    ];
    const ledger = await wholeList(client, "Leave Ledger Entry", {
      fields: ["name", ...ledgerRow.names],
      filters,
    });
    const rows = Map.groupBy(
      ledger.map((one) => ledgerRow.parts(one)),
      ownerOf,
    );
    const isFree = await readFreeDays(client, starts[0] ?? today, today);
    yield allocations.map((one) => {
      const since = one.from_date ?? "";
      const own = (rows.get(ownerOf(one)) ?? []).filter(
        ({ from_date: from, is_expired: isExpired }) => !isExpired && (from ?? "") >= since,
      );
      return { ...one, ...sumUp(own, isFree, today, one.expired === true) };
    });
  },
  table: defineFields("time-off-balances", balanceSource, {
    employee_remote_id: "employee",
    balance: "balance",
    used: "used",
    unit: always("days"),
    policy_remote_id: "leave_type",
    policy_name: "leave_type",
    policy_type: "policy_type",
  }).says({
    balance: "of today, by the ledger; less than nothing where the type of leave allows it",
    used: "what was taken up to today, and paid out",
  }),
});

const spell = (names: readonly unknown[]): string => JSON.stringify(names);
const ownerOf = ({ employee, leave_type: type }: Pick<LedgerRow, "employee" | "leave_type">) =>
  spell([employee, type]);

const holiday = defineSource({ parent: text, holiday_date: day });
const leaveType = defineSource({ name: text, include_holiday: flag });

type IsFree = (row: LedgerRow, date: string) => boolean;

/** Whether a day is none of leave: a holiday in the list of a row, unless its type counts these. */
async function readFreeDays(client: RestClient, start: string, end: string): Promise<IsFree> {
  const days = await wholeList(client, "Holiday", {
    fields: ["name", ...holiday.names],
    filters: [["holiday_date", "between", [start, end]]],
    parent: "Holiday List",
  });
  const found = new Set(days.map((one) => spell(Object.values(holiday.parts(one)))));
  const types = await wholeList(client, "Leave Type", { fields: leaveType.names });
  const counting = new Set(
    types.map((one) => leaveType.read(one, "include_holiday") && leaveType.read(one, "name")),
  );
  return ({ leave_type: type, holiday_list: list }, date) =>
    !counting.has(type) && found.has(spell([list, date]));
}

const taking = new Set(["Leave Application", "Leave Encashment"]);

/** The rows of one allocation, up to today. Days that were carried over may end early: those that were taken before count. */
function sumUp(rows: readonly LedgerRow[], isFree: IsFree, today: string, isOver: boolean) {
  const taken = rows.filter(({ transaction_type: type }) => taking.has(type ?? ""));
  const given = rows.filter((row) => !taken.includes(row));
  const takenUntil = (end: string): number => sum(taken.map((row) => daysUntil(row, end, isFree)));
  const used = takenUntil(today);
  const left = given.map(({ leaves, to_date: end, is_carry_forward: isCarried }) => {
    const days = leaves ?? 0;
    const isEnded = isCarried === true && end !== null && end < today;
    return isEnded ? Math.min(days, takenUntil(end)) : days;
  });
  return { balance: isOver ? 0 : sum([...left, -used]), used };
}

/** Of leave that goes on after the day, the days up to it. */
function daysUntil(row: LedgerRow, end: string, isFree: IsFree): number {
  const days = -(row.leaves ?? 0);
  const from = row.from_date ?? "";
  if (from > end) return 0;
  if (row.to_date === null || row.to_date <= end) return days;
  let counted = 0;
  for (let date = from; date <= end; date = addDays(date, 1)) counted += Number(!isFree(row, date));
  return Math.min(days, counted);
}

/** Parts of days are written with few decimals, which binary fractions miss. */
function sum(parts: readonly number[]): number {
  return Math.round(parts.reduce((total, one) => total + one, 0) * 10_000) / 10_000;
}
