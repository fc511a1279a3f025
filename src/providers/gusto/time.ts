import { utcDay } from "../../platform/clock.ts";
import { defineReader } from "../contract.ts";
import { addDays, inParts } from "../kit/days.ts";
import { always, defineFields } from "../kit/fields.ts";
import {
  day,
  given,
  instant,
  list,
  number,
  oneOf,
  readValue,
  recordsOf,
  strict,
  text,
} from "../kit/readers.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource, part, fieldOf } from "../kit/source.ts";
import { listOf, openCompany, wholeListOf, withinUse } from "./gusto-client.ts";

/** Sums of hours have no digits beyond these. */
const hourPrecision = 10_000;
/** No time off is longer, and none is asked for longer before. */
const longestDays = 366;

const sheet = defineSource({
  uuid: text,
  entity_uuid: text,
  status: text,
  shift_started_at: instant("UTC"),
  shift_ended_at: instant("UTC"),
  created_at: day,
  updated_at: day,
  entries: list(part({ hours_worked: strict(number) })),
});

const sheetFields = defineFields("timesheets", sheet, {
  remote_id: "uuid",
  employee_remote_id: "entity_uuid",
  start_time: "shift_started_at",
  end_time: "shift_ended_at",
  hours_worked: sheet.from(["entries"], (entries) =>
    sum((entries ?? []).map(({ hours_worked: hours }) => hours ?? 0)),
  ),
  remote_created_at: "created_at",
  remote_modified_at: "updated_at",
}).says({ hours_worked: "the sum of regular hours and both kinds of overtime" });

/** Gusto finds none by their days, so they come from the newest shift on, up to those before the range. */
export const timesheets = defineReader<"timesheets", object>({
  async *fetch(context, session, { range }) {
    const { client, path } = openCompany(context, session);
    const query = { sort_by: "shift_started_at", sort_order: "desc" };
    const sheets = listOf(`${path}/time_tracking/time_sheets`, { query });
    for await (const { items, next } of client.pages(sheets, context.cursor)) {
      const records = items as readonly object[];
      yield next ? { records, cursor: next } : records;
      const oldest = sheet.read(records.at(-1), "shift_started_at");
      if (oldest !== null && oldest.slice(0, 10) < range.start) return;
    }
  },
  isPagedByOffset: true,
  table: sheetFields,
  // A shift that goes on has no hours yet, and one that was rejected was none.
  map: (raw, context) => {
    const isOpen = sheet.read(raw, "shift_ended_at") === null;
    return isOpen || sheet.read(raw, "status") === "rejected"
      ? null
      : sheetFields.map(raw, context);
  },
});

const policyType = oneOf(
  {
    vacation: "vacation",
    sick: "sick",
    bereavement: "bereavement",
    floating_holiday: "holiday",
    jury_duty: "jury_duty",
    personal_day: "personal",
    volunteer: "volunteer",
  },
  { otherwise: null },
);

const request = defineSource({
  uuid: text,
  status: oneOf(
    { approved: "approved", consumed: "approved", pending: "pending", declined: "rejected" },
    { otherwise: null },
  ),
  employee_note: text,
  policy_uuid: text,
  policy_type: policyType,
  employee: { uuid: text },
  /** The hours of each day. */
  days: given<Readonly<Record<string, unknown>>>(),
  policy: { name: text },
});

const entryFields = defineFields("time-off-entries", request, {
  remote_id: "uuid",
  employee_remote_id: "employee.uuid",
  start_date: request.from(["days"], (days) => daysOf(days)[0] ?? null),
  end_date: request.from(["days"], (days) => daysOf(days).at(-1) ?? null),
  amount: request.from(["days"], (days) => sum(Object.values(days ?? {}).map(toHours))),
  unit: always("hours"),
  status: "status",
  employee_note: "employee_note",
  policy_remote_id: "policy_uuid",
  policy_name: "policy.name",
  policy_type: "policy_type",
}).says({
  start_date: "the first day",
  end_date: "the last day",
  amount: "the sum of the hours of all days",
});

const policies = (path: string) => wholeListOf(`${path}/time_off_policies`);

/** Gusto finds those that lie in the range as a whole: the others are asked for with a year around it. */
export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, session, { range }) {
    const { client, path } = openCompany(context, session);
    const listed = await whereReadable(() => client.all(policies(path)));
    if (!listed) context.limited(entryFields.limitedBy(["policy"]));
    const byId = new Map(listed?.map((one) => [fieldOf(one, "uuid"), one]));
    const latest = addDays(utcDay(context.clock.now()), longestDays);
    const asked = withinUse(range, latest);
    for (const { start, end, cursor } of inParts(asked, "years", context.cursor)) {
      const isFirst = start === asked.start;
      const query = {
        start_date: isFirst ? addDays(start, -longestDays) : start,
        end_date: addDays(end, longestDays),
      };
      const found = await client.all(wholeListOf(`${path}/time_off_requests`, { query }));
      const records = (found as object[])
        .filter((one) => beginsBy(one, end))
        .map((one) => ({ ...one, policy: byId.get(fieldOf(one, "policy_uuid")) }));
      yield cursor ? { records, cursor } : records;
    }
  },
  table: entryFields,
});

const balance = defineSource({
  uuid: text,
  balance: number,
  policy: { uuid: text, name: text, policy_type: policyType, accrual_method: text },
});

const balanceFields = defineFields("time-off-balances", balance, {
  employee_remote_id: "uuid",
  // Negative where more was taken than there was.
  balance: balance.from(["balance", "policy.accrual_method"], (left, method) =>
    method === "unlimited" ? null : left,
  ),
  used: always(null),
  unit: always("hours"),
  policy_remote_id: "policy.uuid",
  policy_name: "policy.name",
  policy_type: "policy.policy_type",
}).says({ balance: "null of a policy without a limit" });

/** What everybody has left stands at each policy that is in use. */
export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context, session) {
    const { client, path } = openCompany(context, session);
    for (const policy of (await client.all(policies(path))) as object[]) {
      if (fieldOf(policy, "is_active") === false) continue;
      const people = recordsOf(fieldOf(policy, "employees"));
      const bare = { ...policy, employees: undefined };
      yield people.map((one) => ({ ...one, policy: bare }));
    }
  },
  table: balanceFields,
});

function daysOf(days: Readonly<Record<string, unknown>> | null): string[] {
  return Object.keys(days ?? {}).toSorted();
}

function beginsBy(one: object, end: string): boolean {
  return (daysOf(request.read(one, "days"))[0] ?? end) <= end;
}

/** Hours that are none break the read: somebody would have been away for a shorter time. */
function toHours(hours: unknown): number {
  return Number(readValue(strict(number), hours) ?? 0);
}

function sum(hours: readonly number[]): number {
  const total = hours.reduce((all, one) => all + one, 0);
  return Math.round(total * hourPrecision) / hourPrecision;
}
