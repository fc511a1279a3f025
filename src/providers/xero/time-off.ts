import { defineReader, type DateRange, type ReadContext } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { day, number, oneOf, records, strict, text } from "../kit/readers.ts";
import type { Listed } from "../kit/list-changes.ts";
import { oneByOne } from "../kit/one-by-one.ts";
import { defineSource, fieldOf } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import {
  australianListOf,
  listAt,
  payItemsOf,
  readAustralian,
  type Row,
} from "./australian-client.ts";
import { toBalance, toLeave } from "./australian-records.ts";
import { countryOf } from "./country.ts";
import { person } from "./map-employee.ts";
import { readRoster } from "./roster.ts";
import { api, lookUp, readListOf, requestsAtOnce, withFound } from "./xero-client.ts";

type PolicyType = SourceRecord<"time-off-entries">["policy_type"];

/** By the first of these that a policy's name begins with. */
const policyTypes: readonly (readonly [string, PolicyType])[] = [
  // A share of the pay of who is casual, and no time.
  ["holiday pay", null],
  ["holiday", "vacation"],
  ["annual", "vacation"],
  ["sick", "sick"],
  ["personal/carer", "sick"],
  ["bereavement", "bereavement"],
  ["compassionate", "bereavement"],
  ["jury", "jury_duty"],
];
/** Australia's own words for it. */
const category = oneOf(
  {
    ANNUALLEAVE: "vacation",
    PERSONALSICKCARERSLEAVE: "sick",
    COMPASSIONATEANDBEREAVEMENTLEAVE: "bereavement",
    JURYDUTYLEAVE: "jury_duty",
  },
  { otherwise: null },
);
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
  type: { name: text, leaveCategoryCode: category },
});
/** Units that are no number break the read: somebody would have been away for a shorter time. */
const period = defineSource({
  numberOfUnits: strict(number),
  typeOfUnits: oneOf(
    { hours: "hours", hour: "hours", days: "days", day: "days" },
    { otherwise: "others" },
  ),
  periodStatus: oneOf(
    {
      Approved: "approved",
      Completed: "approved",
      SCHEDULED: "approved",
      PROCESSED: "approved",
      REQUESTED: "pending",
      REJECTED: "rejected",
    },
    { otherwise: null },
  ),
});
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
  unit: leave.from(["periods"], toUnit),
  // Outside of Australia Xero tells no leave that is asked for and none that was refused.
  status: leave.from(["periods"], (periods) =>
    onlyOneOf((periods ?? []).map((one) => period.read(one, "periodStatus"))),
  ),
  employee_note: "description",
  policy_remote_id: "leaveTypeID",
  policy_name: "type.name",
  policy_type: leave.from(
    ["type.leaveCategoryCode", "type.name"],
    (code, name) => code ?? toPolicyType(name),
  ),
  remote_modified_at: "updatedDateUTC",
}).says({
  amount: "the sum of the units",
  unit: "of the periods, hours where they tell none; leave in others, such as weeks, is left out",
  status:
    "approved when all periods are approved or completed, else null; pending and rejected in Australia alone",
  policy_type: "by the category, which Australia has, else by the words that the name begins with",
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
  policy_type: "by the words that the name begins with",
});

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, _session, { range }) {
    if ((await countryOf(context)) === "AU") return yield* readAustralianLeave(context);
    const { listed } = await readRoster(context);
    const types = await leaveTypesById(context);
    const people = listed.filter((one) => isEmployed(one, range));
    const lists = { path: "Leave", field: "leave" };
    for await (const { records: found, cursor } of readLists(context, people, lists))
      yield { records: withFound(found, "leaveTypeID", { as: "type", of: types }), cursor };
  },
  isPagedByOffset: true,
  table: entryFields,
  // Leave that is paid out is money and no absence. Of leave in weeks, nobody can say in hours or days how long it is.
  map: (raw, context) => {
    const isMoney = /cash[ -]?up/i.test(leave.read(raw, "type.name") ?? "");
    return isMoney || toUnit(leave.read(raw, "periods")) === null
      ? null
      : entryFields.map(raw, context);
  },
});

/** Everybody's, by one list. */
async function* readAustralianLeave(context: ReadContext) {
  const types = await payItemsOf(context, "leaveTypes");
  const list = australianListOf("/LeaveApplications/v2", "LeaveApplications", "leaveApplicationID");
  for await (const { items } of api.inRead(context).pages(list))
    yield items.flatMap((one) => toLeave(one as Row, types) ?? []);
}

export const timeOffBalances = defineReader<"time-off-balances", object>({
  async *fetch(context) {
    const { listed } = await readRoster(context);
    const isAustralian = (await countryOf(context)) === "AU";
    const lists = { path: "LeaveBalances", field: "leaveBalances" };
    const pages = isAustralian
      ? readAustralianBalances(context, listed)
      : readLists(context, listed, lists);
    for await (const { records: found, cursor } of pages)
      yield { records: found.filter(isTime), cursor };
  },
  table: balanceFields,
});

/** Not money, such as holiday pay that has been earned. */
function isTime(one: object): boolean {
  return fieldOf(one, "typeOfUnits") !== "Dollars";
}

/** In the record of each person. */
function readAustralianBalances(context: ReadContext, people: readonly Listed[]) {
  const ids = people.map(({ id }) => id);
  const options = { atOnce: requestsAtOnce, cursor: context.cursor };
  return oneByOne<object>(ids, options, async (employeeId) => {
    const path = `/Employees/${encodeURIComponent(employeeId)}`;
    const found = await readAustralian(context, path, "Employees");
    return listAt(found, "leaveBalances").map((one) => ({ ...toBalance(one), employeeId }));
  });
}

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

function toUnit(periods: readonly object[] | null): "hours" | "days" | null {
  const units = (periods ?? []).map((one) => period.read(one, "typeOfUnits") ?? "hours");
  const unit = units.length === 0 ? "hours" : onlyOneOf(units);
  return unit === "others" ? null : unit;
}

/** What all of them are; null where they differ. */
function onlyOneOf<Value>(values: readonly Value[]): Value | null {
  const [first = null, ...others] = new Set(values);
  return others.length > 0 ? null : first;
}

function sum(hours: readonly number[]): number {
  const total = hours.reduce((all, one) => all + one, 0);
  return Math.round(total * hourPrecision) / hourPrecision;
}
