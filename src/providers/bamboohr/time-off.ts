import { utcDay } from "../../platform/clock.ts";
import { defineReader } from "../contract.ts";
import { AuthError } from "../errors.ts";
import { inParts } from "../kit/days.ts";
import { defineFields } from "../kit/fields.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { recordsAt } from "../kit/paging.ts";
import { called, day, given, number, oneOf, readValue, text, wordIn } from "../kit/readers.ts";
import type { RestClient } from "../kit/rest.ts";
import { whereReadable } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { leaveWords } from "../kit/words.ts";
import { api, id, toRecord, type BambooRecord } from "./client.ts";
import { readPresentIds } from "./people.ts";

const unknown = { otherwise: null };

/** What is read before the words of others: PTO is for whatever one likes. */
const ownWords = {
  vacation: "vacation",
  pto: "vacation",
  sick: "sick",
  bereavement: "bereavement",
  jury: "jury_duty",
  holiday: "holiday",
} as const;

/** By the words of a name: the policies are the customer's. */
const policyType = wordIn({ ...ownWords, ...leaveWords, ...ownWords });
const unit = oneOf({ hours: "hours", days: "days" }, unknown);

const request = defineSource({
  id,
  employeeId: id,
  start: day,
  end: day,
  created: day,
  status: {
    status: oneOf({ approved: "approved", requested: "pending", denied: "rejected" }, unknown),
    isOver: called("status", oneOf({ canceled: true, superceded: true }, { otherwise: false })),
    lastChanged: day,
  },
  type: { id, name: text, kind: called("name", policyType) },
  amount: { amount: number, unit },
  notes: { employee: text },
});

const entryFields = defineFields("time-off-entries", request, {
  remote_id: "id",
  employee_remote_id: "employeeId",
  start_date: "start",
  end_date: "end",
  amount: "amount.amount",
  unit: "amount.unit",
  status: "status.status",
  employee_note: "notes.employee",
  policy_remote_id: "type.id",
  policy_name: "type.name",
  policy_type: "type.kind",
  remote_created_at: "created",
  remote_modified_at: "status.lastChanged",
});

export const requestsPath = "/api/v1/time_off/requests";

/** Requests that overlap the range, a year at a time: the answers have no pages. */
export const timeOffEntries = defineReader<"time-off-entries", BambooRecord>({
  async *fetch(context, _session, { range }) {
    const client = api.inRead(context);
    for (const { start, end, cursor } of inParts(range, "years", context.cursor)) {
      const answer = await client.get(requestsPath, { query: { start, end } });
      const records = recordsAt()(answer);
      yield cursor ? { records, cursor } : records;
    }
  },
  table: entryFields,
  // What was taken back or replaced is left out.
  map: (raw, context) =>
    request.read(raw, "status.isOver") ? null : entryFields.map(raw, context),
});

/** Of a request that is counted in hours, so many a day are a whole one. */
const hoursOfDay = 7;

/**
 * The ids of those with approved leave for the whole of this day, from one request for everybody. Undefined where the
 * account may not read it.
 */
export async function readAway(client: RestClient, today: string): Promise<string[] | undefined> {
  const query = { start: today, end: today };
  const found = await whereReadable(async () =>
    recordsAt()(await client.get(requestsPath, { query })),
  );
  const away = found?.filter((one) => coversDay(one, today));
  return away?.flatMap((one) => request.read(one, "employeeId") ?? []);
}

/** A day in the midst of leave counts also when nothing is taken for it, such as a Sunday. */
function coversDay(one: BambooRecord, today: string): boolean {
  const [start, end] = [request.read(one, "start"), request.read(one, "end")];
  if (request.read(one, "status.status") !== "approved" || start === null || end === null)
    return false;
  if (start < today && today < end) return true;
  const ofDay = readValue(number, toRecord(one["dates"])[today]);
  const whole = start === end ? request.read(one, "amount.amount") : null;
  const amount = typeof ofDay === "number" ? ofDay : (whole ?? 0);
  return amount >= (request.read(one, "amount.unit") === "hours" ? hoursOfDay : 1);
}

const balance = defineSource({
  employeeId: given<string>(),
  timeOffType: id,
  name: text,
  kind: called("name", policyType),
  policyType: text,
  balance: number,
  usedYearToDate: number,
  units: unit,
});

const balanceFields = defineFields("time-off-balances", balance, {
  employee_remote_id: "employeeId",
  // A policy at somebody's discretion has no limit, though BambooHR says that nothing is left.
  balance: balance.from(["balance", "policyType"], (left, type) =>
    type?.toLowerCase() === "discretionary" ? null : left,
  ),
  used: "usedYearToDate",
  unit: "units",
  policy_remote_id: "timeOffType",
  policy_name: "name",
  policy_type: "kind",
}).says({
  balance: "null of a policy at somebody's discretion: it has no limit",
});

/** One request for each person who works there. */
export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context, session) {
    const client = api.inRead(context);
    const query = { end: utcDay(context.clock.now()), precision: 4 };
    const ids = await readPresentIds(client, api.parse(session));
    if (!ids) throw new AuthError("insufficient_permission");
    yield* oneByOne(ids, { atOnce: 4, cursor: context.cursor }, async (employeeId) => {
      const path = `/api/v1/employees/${encodeURIComponent(employeeId)}/time_off/calculator`;
      // Nobody whom BambooHR does not find has a balance.
      const nobody = { errors: { 404: "absent" }, whenAbsent: [] } as const;
      const answer = await client.get(path, { query, ...nobody });
      return recordsAt()(answer).map((entry) => ({ ...entry, employeeId }));
    });
  },
  table: balanceFields,
});
