import { defineReader, type DateRange, type ReadContext } from "../contract.ts";
import { always, defineFields } from "../kit/fields.ts";
import { day, number, oneOf, records, strict, text } from "../kit/readers.ts";
import type { Listed } from "../kit/list-changes.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { defineSource } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import { person } from "./map-employee.ts";
import { readRoster } from "./roster.ts";
import { lookUp, readListOf, requestsAtOnce, withFound } from "./xero-client.ts";

type PolicyType = SourceRecord<"time-off-entries">["policy_type"];

/** By the word that a policy's name begins with. */
const policyTypes: readonly (readonly [string, NonNullable<PolicyType>])[] = [
  ["holiday", "vacation"],
  ["sick", "sick"],
  ["bereavement", "bereavement"],
];
/** Sums of hours have no digits beyond these. */
const hourPrecision = 10_000;

const leaveTypesById = lookUp("/LeaveTypes", "leaveTypes", "leaveTypeID");

const leave = defineSource({
  leaveID: text,
  leaveTypeID: text,
  description: text,
  startDate: day,
  endDate: day,
  periods: strict(records),
  updatedDateUTC: day,
  employeeId: text,
  /** Absent for a type that is not listed any more. */
  type: { name: text },
});
/** Units that are no number break the read: somebody would have been away for a shorter time. */
const period = defineSource({ numberOfUnits: strict(number), periodStatus: text });
const balance = defineSource({
  leaveTypeID: text,
  name: text,
  balance: number,
  typeOfUnits: oneOf({ hours: "hours", days: "days" }, { otherwise: null }),
  employeeId: text,
});

const entryFields = defineFields("time-off-entries", leave, {
  remote_id: "leaveID",
  employee_remote_id: "employeeId",
  start_date: "startDate",
  end_date: "endDate",
  amount: leave.from(["periods"], (periods) =>
    sum((periods ?? []).map((one) => period.read(one, "numberOfUnits") ?? 0)),
  ),
  unit: always("hours"),
  // Xero tells no leave that is asked for and none that was refused.
  status: leave.from(["periods"], (periods) =>
    periods?.length && periods.every(isApproved) ? "approved" : null,
  ),
  employee_note: "description",
  policy_remote_id: "leaveTypeID",
  policy_name: "type.name",
  policy_type: leave.from(["type.name"], toPolicyType),
  remote_modified_at: "updatedDateUTC",
}).says({
  amount: "the sum of the units",
  status:
    "approved when all periods are approved or completed, else null: Xero tells none that is asked for or was refused",
  policy_type: "by the word that the name begins with",
});

const balanceFields = defineFields("time-off-balances", balance, {
  employee_remote_id: "employeeId",
  // Negative where more was taken than granted.
  balance: "balance",
  unit: "typeOfUnits",
  policy_remote_id: "leaveTypeID",
  policy_name: "name",
  policy_type: balance.from(["name"], toPolicyType),
}).says({
  policy_type: "by the word that the name begins with",
});

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, _session, { range }) {
    const { listed } = await readRoster(context);
    const types = await leaveTypesById(context);
    const people = listed.filter((one) => isEmployed(one, range));
    const lists = { path: "Leave", field: "leave" };
    for await (const { records: found, cursor } of readLists(context, people, lists))
      yield { records: withFound(found, "leaveTypeID", { as: "type", of: types }), cursor };
  },
  table: entryFields,
});

export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context) {
    const { listed } = await readRoster(context);
    yield* readLists(context, listed, { path: "LeaveBalances", field: "leaveBalances" });
  },
  table: balanceFields,
});

/** One list of each person, with whose it is. */
function readLists(
  context: ReadContext,
  people: readonly Listed[],
  { path, field }: { path: string; field: string },
) {
  const ids = people.map(({ id }) => id);
  const options = { atOnce: requestsAtOnce, cursor: context.cursor };
  return oneByOne<object>(ids, options, async (employeeId) => {
    const found = await readListOf(context, { employeeId, path, field });
    return found.map((one) => ({ ...one, employeeId }));
  });
}

/** The company names its types of leave itself. */
function toPolicyType(name: string | null): PolicyType {
  const start = (name ?? "").toLowerCase();
  return policyTypes.find(([word]) => start.startsWith(word))?.[1] ?? null;
}

/** Nobody has leave before the first day or after the last one. */
function isEmployed({ record }: Listed, { start, end }: DateRange): boolean {
  const [first, last] = [person.read(record, "startDate"), person.read(record, "endDate")];
  return (first === null || first <= end) && (last === null || last >= start);
}

function isApproved(one: object): boolean {
  return ["Approved", "Completed"].includes(period.read(one, "periodStatus") ?? "");
}

function sum(hours: readonly number[]): number {
  const total = hours.reduce((all, one) => all + one, 0);
  return Math.round(total * hourPrecision) / hourPrecision;
}
