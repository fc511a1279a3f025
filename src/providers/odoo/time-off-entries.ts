import { defineReader } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import {
  isFalse,
  toAmount,
  toDate,
  toNumber,
  toReference,
  toText,
  type OdooRecord,
} from "./field-values.ts";
import { findLeaveType, readLeaveTypes, toPolicy, type LeaveType } from "./leave-types.ts";
import type { Domain } from "./odoo-client.ts";
import { plainFields } from "./record-reader.ts";
import { openResource } from "./rights.ts";
import { withoutNoise } from "./without-noise.ts";

type Entry = SourceRecord<"time-off-entries">;

export interface RawLeave {
  record: OdooRecord;
  type: LeaveType | undefined;
}

/** The fields of all versions. */
export const leaveFields = plainFields(
  "active",
  "employee_id",
  "holiday_status_id",
  "state",
  "request_date_from",
  "request_date_to",
  "leave_type_request_unit",
  "number_of_days",
  "number_of_hours",
  "number_of_hours_display",
  "name",
  "private_name",
  "create_date",
  "write_date",
);
/** What stands for the reason of somebody else's leave. */
const hiddenReason = "*****";

export const timeOffEntries = defineReader<"time-off-entries", RawLeave>({
  async *fetch(context, session, { range }) {
    const { odoo, reader } = await openResource(context, session, "time-off-entries");
    const types = await readLeaveTypes(odoo, reader);
    const domain: Domain = range
      ? [
          ["request_date_from", "<=", range.end],
          ["request_date_to", ">=", range.start],
        ]
      : [];
    for await (const page of reader.readPages("hr.leave", leaveFields, domain))
      yield page.map((record) => ({ record, type: findLeaveType(types, record) }));
  },
  map: toTimeOffEntry,
});

/**
 * Null for what was cancelled or never asked for, and for leave of a group of people, who have their own
 * too.
 */
export function toTimeOffEntry({ record, type }: RawLeave): Entry | null {
  const employee = toReference(record, "employee_id");
  const state = toText(record, "state");
  if (!employee || isFalse(record, "active") || state === "cancel" || state === "draft")
    return null;
  return {
    remote_id: String(record.id),
    employee_remote_id: String(employee.id),
    start_date: toDate(record, "request_date_from"),
    end_date: toDate(record, "request_date_to"),
    ...toLength(record),
    status: toStatus(state),
    employee_note: toNote(record),
    ...toPolicy(type),
    remote_created_at: toDate(record, "create_date"),
    remote_modified_at: toDate(record, "write_date"),
  };
}

/** In hours for a type that is taken by the hour. Weekends and public holidays are left out in Odoo. */
export function toLength(record: OdooRecord): Pick<Entry, "amount" | "unit"> {
  const isHourly = toText(record, "leave_type_request_unit") === "hour";
  const hours = toNumber(record, "number_of_hours") ?? toNumber(record, "number_of_hours_display");
  if (isHourly && hours !== null) return { amount: withoutNoise(hours), unit: "hours" };
  return { amount: withoutNoise(toAmount(record, "number_of_days")), unit: "days" };
}

function toStatus(state: string | null): Entry["status"] {
  switch (state) {
    case "validate":
      return "approved";
    case "confirm":
    case "validate1":
      return "pending";
    case "refuse":
      return "rejected";
    default:
      return null;
  }
}

function toNote(record: OdooRecord): string | null {
  const note = toText(record, "private_name") ?? toText(record, "name");
  return note === hiddenReason ? null : note;
}
