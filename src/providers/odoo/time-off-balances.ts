import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { readToday } from "./company-day.ts";
import { isFalse, toAmount, toDate, toReference, toText, type OdooRecord } from "./field-values.ts";
import { findLeaveType, readLeaveTypes, toPolicy, type LeaveType } from "./leave-types.ts";
import type { Domain } from "./odoo-client.ts";
import { plainFields, type RecordReader } from "./record-reader.ts";
import { openResource } from "./rights.ts";
import { leaveFields, toLength } from "./time-off-entries.ts";
import { withoutNoise } from "./without-noise.ts";

/** What one employee has of one type. */
export interface RawBalance {
  employeeId: number;
  type: LeaveType | undefined;
  allocations: readonly OdooRecord[];
  /** Null where the allocations themselves say what is left of them. */
  leaves: readonly OdooRecord[] | null;
}

const remaining = "virtual_remaining_leaves";
const allocationFields = plainFields(
  "employee_id",
  "holiday_status_id",
  "type_request_unit",
  "number_of_days",
  "number_of_hours_display",
  "leaves_taken",
  remaining,
  "date_from",
  "date_to",
  "create_date",
  "write_date",
);
const pageSize = 500;
type Pair = `${number} ${number}`;

/**
 * Allocations are read in pages and summed, because asking Odoo for the balances of one person is one call
 * for each. The sums are the same.
 */
export const timeOffBalances = defineReader<"time-off-balances", RawBalance>({
  async *fetch(context, session) {
    const { odoo, reader } = await openResource(context, session, "time-off-balances");
    const today = await readToday(odoo, reader, context.clock);
    await odoo.markDay(today);
    const types = await readLeaveTypes(odoo, reader);
    const fields = await reader.listFields("hr.leave.allocation", allocationFields);
    const allocations = await readAllocations(reader, "date_to" in fields ? today : null);
    // Before version 18, allocations do not say what is left of them.
    const asked: Domain = [["state", "in", ["confirm", "validate1", "validate"]]];
    const leaves =
      remaining in fields ? null : await readByPair(reader, "hr.leave", leaveFields, asked);
    const balances = [...allocations].flatMap(([pair, all]) => {
      const valid = all.filter((allocation) => isValid(allocation, today));
      const [employeeId = 0] = pair.split(" ").map(Number);
      const raw = { employeeId, type: findLeaveType(types, all[0] ?? null), allocations: valid };
      return valid.length === 0 ? [] : [{ ...raw, leaves: leaves && (leaves.get(pair) ?? []) }];
    });
    for (let start = 0; start < balances.length; start += pageSize)
      yield balances.slice(start, start + pageSize);
  },
  map: toTimeOffBalance,
});

/** Without those that ended before today, which are most of them after some years. */
async function readAllocations(
  reader: RecordReader,
  today: string | null,
): Promise<Map<Pair, OdooRecord[]>> {
  const granted: Domain = [["state", "=", "validate"]];
  const found = new Map<Pair, OdooRecord[]>();
  const ends: readonly Domain[] =
    today === null ? [[]] : [[["date_to", "=", false]], [["date_to", ">=", today]]];
  for (const end of ends) {
    const domain = [...granted, ...end];
    const read = await readByPair(reader, "hr.leave.allocation", allocationFields, domain);
    for (const [pair, records] of read) found.set(pair, [...(found.get(pair) ?? []), ...records]);
  }
  return found;
}

async function readByPair(
  reader: RecordReader,
  model: string,
  fields: typeof leaveFields,
  domain: Domain,
): Promise<Map<Pair, OdooRecord[]>> {
  const byPair = new Map<Pair, OdooRecord[]>();
  for await (const page of reader.readPages(model, fields, domain))
    for (const record of page) {
      const employee = toReference(record, "employee_id");
      const type = toReference(record, "holiday_status_id");
      // Before version 19 leave that was cancelled is archived.
      if (!employee || !type || isFalse(record, "active")) continue;
      const pair: Pair = `${employee.id} ${type.id}`;
      const known = byPair.get(pair);
      if (known) known.push(record);
      else byPair.set(pair, [record]);
    }
  return byPair;
}

/** Odoo counts an allocation from its first day to its last one. */
function isValid(allocation: OdooRecord, today: string): boolean {
  const [from, to] = [toDate(allocation, "date_from"), toDate(allocation, "date_to")];
  return (from === null || from <= today) && (to === null || to >= today);
}

/** What is left is without leave that is not approved yet, and without leave of the future. */
export function toTimeOffBalance({
  employeeId,
  type,
  allocations,
  leaves,
}: RawBalance): SourceRecord<"time-off-balances"> {
  const isHourly = allocations.some(
    (allocation) => toText(allocation, "type_request_unit") === "hour",
  );
  const { balance, used } = leaves
    ? subtractLeaves(allocations, leaves, isHourly)
    : {
        balance: sum(allocations, (allocation) => toAmount(allocation, remaining)),
        used: sum(allocations, (allocation) => toAmount(allocation, "leaves_taken")),
      };
  return {
    employee_remote_id: String(employeeId),
    balance,
    used,
    unit: isHourly ? "hours" : "days",
    ...toPolicy(type),
    remote_created_at: listDays(allocations, "create_date").at(0) ?? null,
    remote_modified_at: listDays(allocations, "write_date").at(-1) ?? null,
  };
}

function subtractLeaves(
  allocations: readonly OdooRecord[],
  leaves: readonly OdooRecord[],
  isHourly: boolean,
): { balance: number; used: number } {
  const starts = allocations.map((allocation) => toDate(allocation, "date_from") ?? "");
  const first = starts.sort().at(0) ?? "";
  const counted = leaves.filter((leave) => (toDate(leave, "request_date_to") ?? "") >= first);
  const approved = counted.filter((leave) => toText(leave, "state") === "validate");
  const granted = sum(allocations, (allocation) =>
    toAmount(allocation, isHourly ? "number_of_hours_display" : "number_of_days"),
  );
  const asked = sum(counted, (leave) => toLength(leave).amount);
  return {
    balance: withoutNoise(granted - asked),
    used: sum(approved, (leave) => toLength(leave).amount),
  };
}

function sum(records: readonly OdooRecord[], amountOf: (record: OdooRecord) => number): number {
  return withoutNoise(records.reduce((total, record) => total + amountOf(record), 0));
}

function listDays(records: readonly OdooRecord[], field: string): string[] {
  return records
    .map((record) => toDate(record, field))
    .filter((day) => day !== null)
    .sort();
}
