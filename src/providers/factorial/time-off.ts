import { utcDay } from "../../platform/clock.ts";
import { defineReader, type DateRange, type ReadContext } from "../contract.ts";
import { addDays } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { day, flag, given, list, number, oneOf, text, wordIn } from "../kit/readers.ts";
import type { RestList } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { id, listOf, lookUp, readPages, type Wire } from "./client.ts";

/** Whether leave is found by its first day or by each of its days is not known: so much more is asked for before. */
const longestDays = 366;
const hundredths = 100;

const leaveType = defineSource({
  name: text,
  workable: flag,
  /** The names are the customer's, in the customer's language. */
  identifier: wordIn({
    sick: "sick",
    holiday: "vacation",
    vacation: "vacation",
    annual: "vacation",
  }),
});
const leaveTypesOf = lookUp(listOf("timeoff/leave_types"));

const leave = defineSource({
  id,
  employee_id: id,
  start_on: day,
  finish_on: day,
  /** The API of 2024 wrote the second one. */
  half_day: oneOf(
    { beginning_of_day: true, beggining_of_day: true, end_of_day: true },
    { otherwise: null },
  ),
  hours_amount_in_cents: number,
  days_taken: number,
  duration_attributes: { used_units: given<unknown>() },
  approved: flag,
  deleted_at: text,
  description: text,
  reason: text,
  leave_type_id: id,
  leave_type_name: text,
  created_at: day,
  updated_at: day,
  // What the read has put in.
  type: leaveType.shape,
});

const entryFields = defineFields("time-off-entries", leave, {
  remote_id: "id",
  employee_remote_id: "employee_id",
  start_date: "start_on",
  end_date: "finish_on",
  amount: leave.from(
    [
      "hours_amount_in_cents",
      "half_day",
      "start_on",
      "finish_on",
      "days_taken",
      "duration_attributes.used_units",
    ],
    (hours, isHalf, first, last, days, used) => {
      if (hours) return hours / hundredths;
      if (isHalf && first === last) return 0.5;
      return days || (sumDays(used) ?? days);
    },
  ),
  unit: leave.from(["hours_amount_in_cents"], (hours) => (hours ? "hours" : "days")),
  status: leave.from(["approved"], (isApproved) => {
    if (isApproved === null) return "pending";
    return isApproved ? "approved" : "rejected";
  }),
  employee_note: leave.first("description", "reason"),
  policy_remote_id: "leave_type_id",
  policy_name: leave.first("leave_type_name", "type.name"),
  policy_type: "type.identifier",
  remote_created_at: "created_at",
  remote_modified_at: "updated_at",
}).says({
  amount:
    "the hundredths of an hour where there are some, 0.5 for half a day, else the days that are taken or used",
  unit: "hours where they are told, else days",
  status: "pending while nobody has decided",
});

/** Leave without pay takes no days of an allowance, and uses some of each year. */
function sumDays(used: unknown): number | null {
  const days = [used]
    .flat()
    .map((one) => usedUnits.read(one, "days"))
    .filter((one) => one !== null);
  return days.length > 0 ? days.reduce((sum, one) => sum + one, 0) : null;
}
const usedUnits = defineSource({ days: number });

export function leavesOf({ start, end }: DateRange): RestList {
  return listOf("timeoff/leaves", {
    from: start,
    to: end,
    include_deleted_leaves: "false",
    include_pending: "true",
    include_leave_type: "true",
    include_duration: "true",
  });
}

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, _session, { range }) {
    const types = await leaveTypesOf(context);
    const wider = { start: addDays(range.start, -longestDays), end: range.end };
    yield* readPages(context, leavesOf(wider), (one) => withType(one, types));
  },
  table: entryFields,
  // Who works at home is at work.
  map: (raw, context) => {
    const isLeave = leave.read(raw, "deleted_at") === null && !leave.read(raw, "type.workable");
    return isLeave ? entryFields.map(raw, context) : null;
  },
});

function withType(one: Wire, types: ReadonlyMap<string, Wire>): Wire {
  return { ...one, type: types.get(leave.read(one, "leave_type_id") ?? "") };
}

/** Who is away for the whole of a day. Who works at home is at work. */
export async function findAway(context: ReadContext, leaves: readonly Wire[]) {
  const types = await leaveTypesOf(context);
  const today = utcDay(context.clock.now());
  const away = leaves
    .map((one) => leave.parts(withType(one, types)))
    .filter(
      ({ approved, deleted_at, hours_amount_in_cents: hours, type }) =>
        approved && deleted_at === null && !hours && !type?.workable,
    )
    .filter(
      ({ start_on: first, finish_on: last, half_day: isHalf }) =>
        !(isHalf && first === last) && (first ?? "") <= today && today <= (last ?? today),
    );
  return new Set(away.map(({ employee_id: whose }) => whose));
}

const allowance = {
  name: text,
  /** What it counts, such as `hours`. */
  allowance_type: wordIn({ day: "days", hour: "hours" }),
  unlimited_holidays: flag,
  leave_type_ids: list(id),
};
const allowancesOf = lookUp(listOf("timeoff/allowances"));

const stat = defineSource({
  employee_id: id,
  allowance_id: id,
  available_days: number,
  used_units_until_reference_date: number,
  // What the read has put in.
  allowance,
  type: { identifier: leaveType.shape.identifier },
  /** Whether nothing but work, such as that at home, draws on the allowance. */
  isAtWork: flag,
});

export const stats = (today: string) =>
  listOf("timeoff/allowance_stats", { reference_date: today });

const balanceFields = defineFields("time-off-balances", stat, {
  employee_remote_id: "employee_id",
  // Whatever it counts, Factorial calls it days. Negative where more was taken than there was.
  balance: stat.from(["available_days", "allowance.unlimited_holidays"], (left, isUnlimited) =>
    isUnlimited ? null : left,
  ),
  used: "used_units_until_reference_date",
  unit: "allowance.allowance_type",
  policy_remote_id: "allowance_id",
  policy_name: "allowance.name",
  policy_type: "type.identifier",
}).says({
  balance: "null of an allowance without a limit",
  policy_type: "of the first type of leave that draws on the allowance",
});

export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context) {
    const [types, allowances] = [await leaveTypesOf(context), await allowancesOf(context)];
    yield* readPages(context, stats(utcDay(context.clock.now())), (one) => {
      const known = allowances.get(stat.read(one, "allowance_id") ?? "");
      const ids = stat.read({ allowance: known }, "allowance.leave_type_ids") ?? [];
      const drawing = ids.map((of) => types.get(of));
      const isAtWork =
        drawing.length > 0 && drawing.every((type) => leaveType.read(type, "workable"));
      return { ...one, allowance: known, type: drawing[0], isAtWork };
    });
  },
  table: balanceFields,
  map: (raw, context) => (stat.read(raw, "isAtWork") ? null : balanceFields.map(raw, context)),
});
