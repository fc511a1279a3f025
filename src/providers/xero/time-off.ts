import { defineReader, type DateRange, type ReadContext } from "../contract.ts";
import { ProviderBug } from "../errors.ts";
import type { SourceRecord } from "../source-records.ts";
import { toDate, toNumber, toRecords, toText, type XeroRecord } from "./field-values.ts";
import { readAll, readListOf } from "./paged-lists.ts";
import { readEach, readRoster, type Person } from "./roster.ts";

interface RawEntry {
  employeeId: string;
  leave: XeroRecord;
  /** Undefined for a type that is not listed any more. */
  type: XeroRecord | undefined;
}

interface RawBalance {
  employeeId: string;
  balance: XeroRecord;
}

type PolicyType = SourceRecord<"time-off-entries">["policy_type"];

/** By the word that a policy's name begins with. */
const policyTypes: readonly (readonly [string, NonNullable<PolicyType>])[] = [
  ["holiday", "vacation"],
  ["sick", "sick"],
  ["bereavement", "bereavement"],
];
const units: ReadonlyMap<string, "hours" | "days"> = new Map([
  ["hours", "hours"],
  ["days", "days"],
]);
/** Sums of hours have no digits beyond these. */
const hourPrecision = 10_000;

export const timeOffEntries = defineReader<"time-off-entries", RawEntry>({
  async *fetch(context, _session, { range }) {
    const { people } = await readRoster(context);
    const types = await readAll(context, { path: "/LeaveTypes", field: "leaveTypes" });
    const employed = range ? people.filter((person) => isEmployed(person, range)) : people;
    yield* flatten(
      readEach(context, employed, async ({ id }) =>
        (await readOf(context, id, { path: "Leave", field: "leave" })).map((leave) => ({
          employeeId: id,
          leave,
          type: types.find((one) => toText(one, "leaveTypeID") === toText(leave, "leaveTypeID")),
        })),
      ),
    );
  },
  map: toEntry,
});

export const timeOffBalances = defineReader<"time-off-balances", RawBalance>({
  async *fetch(context) {
    const { people } = await readRoster(context);
    yield* flatten(
      readEach(context, people, async ({ id }) =>
        (await readOf(context, id, { path: "LeaveBalances", field: "leaveBalances" })).map(
          (balance) => ({ employeeId: id, balance }),
        ),
      ),
    );
  },
  map: toBalance,
});

export function toEntry({ employeeId, leave, type }: RawEntry): SourceRecord<"time-off-entries"> {
  const periods = toRecords(leave["periods"]);
  const name = toText(type ?? null, "name");
  return {
    remote_id: toText(leave, "leaveID") ?? "",
    employee_remote_id: employeeId,
    start_date: toDate(leave, "startDate"),
    end_date: toDate(leave, "endDate"),
    amount: sum(periods.map((period) => countUnits(period))),
    unit: "hours",
    status: periods.length > 0 && periods.every(isApproved) ? "approved" : null,
    employee_note: toText(leave, "description"),
    policy_remote_id: toText(leave, "leaveTypeID"),
    policy_name: name,
    policy_type: toPolicyType(name),
    remote_modified_at: toDate(leave, "updatedDateUTC"),
  };
}

export function toBalance({ employeeId, balance }: RawBalance): SourceRecord<"time-off-balances"> {
  const name = toText(balance, "name");
  return {
    employee_remote_id: employeeId,
    balance: toNumber(balance, "balance"),
    unit: units.get((toText(balance, "typeOfUnits") ?? "").toLowerCase()) ?? null,
    policy_remote_id: toText(balance, "leaveTypeID"),
    policy_name: name,
    policy_type: toPolicyType(name),
  };
}

/** Units that are no number fail the read: somebody would have been away for a shorter time. */
function countUnits(period: XeroRecord): number {
  const units = period["numberOfUnits"] ?? 0;
  if (typeof units !== "number") throw new ProviderBug("units of a leave are no number");
  return units;
}

/** The company names its types of leave itself. */
export function toPolicyType(name: string | null): PolicyType {
  const start = (name ?? "").toLowerCase();
  return policyTypes.find(([word]) => start.startsWith(word))?.[1] ?? null;
}

/** Nobody has leave before the first day or after the last one. */
function isEmployed({ record }: Person, { start, end }: DateRange): boolean {
  const [first, last] = [toDate(record, "startDate"), toDate(record, "endDate")];
  return (first === null || first <= end) && (last === null || last >= start);
}

/** Xero tells no leave that is asked for and none that was refused. */
function isApproved(period: XeroRecord): boolean {
  return ["Approved", "Completed"].includes(toText(period, "periodStatus") ?? "");
}

async function readOf(
  context: ReadContext,
  employeeId: string,
  { path, field }: { path: string; field: string },
): Promise<XeroRecord[]> {
  const listPath = `/Employees/${encodeURIComponent(employeeId)}/${path}`;
  return await readListOf(context, { path: listPath, field });
}

async function* flatten<Item>(pages: ReturnType<typeof readEach<Item[]>>) {
  for await (const { records, cursor } of pages) yield { records: records.flat(), cursor };
}

function sum(hours: readonly number[]): number {
  const total = hours.reduce((all, one) => all + one, 0);
  return Math.round(total * hourPrecision) / hourPrecision;
}
