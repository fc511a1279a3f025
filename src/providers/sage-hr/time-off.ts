import { defineReader, type DateRange } from "../contract.ts";
import { addDays, countDaysAway, inParts } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { lookup } from "../kit/lookup.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { recordsAt } from "../kit/paging.ts";
import { called, day, flag, given, number, oneOf, text, wordIn } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { defineSource } from "../kit/source.ts";
import { policyType } from "../kit/words.ts";
import { api, listOf, policiesPath, requestsAtOnce } from "./client.ts";
import { readPresentIds } from "./people.ts";

const policy = {
  id: text,
  name: text,
  kind: called("name", policyType),
  unit: oneOf({ days: "days", hours: "hours" }, { otherwise: null }),
  do_not_accrue: flag,
  accrue_type: text,
};
const listedPolicy = defineSource(policy);

/** By their ids. */
const policiesOf = lookup(async (context) => {
  const found = recordsAt("data")(await api.inRead(context).get(policiesPath));
  return found.map((one) => [listedPolicy.read(one, "id") ?? "", one] as const);
});

const request = defineSource({
  id: text,
  employee_id: text,
  policy_id: text,
  start_date: day,
  end_date: day,
  hours: number,
  is_part_of_day: flag,
  details: text,
  request_date: day,
  approval_date: day,
  status_code: wordIn({
    approved: "approved",
    pending: "pending",
    await: "pending",
    awaiting: "pending",
    declined: "rejected",
    rejected: "rejected",
  }),
  isOver: called(
    "status_code",
    oneOf({ cancelled: true, canceled: true, deleted: true }, { otherwise: false }),
  ),
  // What the read has put in.
  policy,
});

/**
 * Sage HR counts the hours of a part of a day alone. Of whole days it does not say how many are taken: those from Monday
 * to Friday count, at a weekend alone its days.
 */
const amount = request.from(
  ["hours", "is_part_of_day", "start_date", "end_date"],
  (hours, isPart, start, end) => {
    if (isPart) return hours || 0.5;
    return start === null ? null : countDaysAway(start, end ?? start);
  },
);

const entryFields = defineFields("time-off-entries", request, {
  remote_id: "id",
  employee_remote_id: "employee_id",
  start_date: "start_date",
  end_date: "end_date",
  amount,
  unit: request.from(["hours", "is_part_of_day"], (hours, isPart) =>
    isPart && hours ? "hours" : "days",
  ),
  status: "status_code",
  employee_note: "details",
  policy_remote_id: "policy_id",
  policy_name: "policy.name",
  policy_type: "policy.kind",
  remote_created_at: "request_date",
  remote_modified_at: "approval_date",
}).says({
  amount:
    "the hours of a part of a day, or half a day without them; else the days from Monday to Friday, at a weekend alone its days",
  unit: "hours for a part of a day that has them, else days",
});

/** Sage HR answers fewer than 65 days at once. */
const daysAtOnce = 64;
/**
 * Whether Sage HR lists what overlaps the days or what starts in them is not known, so so many days before are asked
 * for, too. Longer absences that began earlier are found where they overlap.
 */
const daysBefore = 31;

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, _session, { range }) {
    const client = api.inRead(context);
    const policies = await policiesOf(context);
    const wider = { start: addDays(range.start, -daysBefore), end: range.end };
    for (const part of inParts(wider, { days: daysAtOnce }, context.cursor)) {
      const found = await readRequests(client, part);
      const records = found
        .filter((one) => isOfPart(one, part, wider) && overlaps(one, range))
        .map((one) => ({ ...one, policy: policies.get(request.read(one, "policy_id") ?? "") }));
      yield part.cursor ? { records, cursor: part.cursor } : records;
    }
  },
  table: entryFields,
  map: (raw, context) => (request.read(raw, "isOver") ? null : entryFields.map(raw, context)),
});

async function readRequests(client: RestClient, { start, end }: DateRange): Promise<object[]> {
  const list = listOf("/leave-management/requests", { from: start, to: end });
  return (await client.all(list)) as object[];
}

/** What two parts list is of the one in which it begins. */
function isOfPart(one: object, part: DateRange, whole: DateRange): boolean {
  const start = request.read(one, "start_date");
  return start === null || start >= part.start || part.start === whole.start;
}

function overlaps(one: object, { start, end }: DateRange): boolean {
  const [from, to] = [request.read(one, "start_date"), request.read(one, "end_date")];
  return (from === null || from <= end) && (to === null || to >= start);
}

const balance = defineSource({
  policy_id: text,
  used: number,
  available: number,
  // What the read has put in.
  employeeId: given<string>(),
  policy,
});

const balanceFields = defineFields("time-off-balances", balance, {
  employee_remote_id: "employeeId",
  balance: balance.from(
    ["available", "policy.do_not_accrue", "policy.accrue_type"],
    (available, isUncounted, accrual) =>
      isUncounted || accrual === "no_tracking" ? null : available,
  ),
  used: "used",
  unit: "policy.unit",
  policy_remote_id: "policy_id",
  policy_name: "policy.name",
  policy_type: "policy.kind",
}).says({ balance: "null of a policy without a limit, or whose days are not counted" });

/** One request for each person who works there. */
export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context) {
    const client = api.inRead(context);
    const policies = await policiesOf(context);
    const ids = await readPresentIds(context);
    const { cursor } = context;
    yield* oneByOne(ids, { atOnce: requestsAtOnce, cursor }, async (employeeId) => {
      const path = `/employees/${encodeURIComponent(employeeId)}/leave-management/balances`;
      const nobody = { errors: { 404: "absent" }, whenAbsent: { data: [] } } as const;
      return recordsAt("data")(await client.get(path, nobody)).map((one) => ({
        ...one,
        employeeId,
        policy: policies.get(balance.read(one, "policy_id") ?? ""),
      }));
    });
  },
  table: balanceFields,
});
