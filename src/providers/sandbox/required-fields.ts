import type { Resource } from "../../model/index.ts";
import type { SourceRecord } from "../source-records.ts";

/** The fields of each record that may not be null. */
const requiredFields: { [R in Resource]: readonly (keyof SourceRecord<R>)[] } = {
  company: [],
  employees: ["remote_id", "first_name", "last_name"],
  groups: [],
  payruns: ["remote_id"],
  payslips: ["employee_remote_id", "payrun_remote_id", "start_date", "end_date", "payment_date"],
  timesheets: ["remote_id", "employee_remote_id", "hours_worked"],
  "time-off-entries": ["remote_id", "employee_remote_id", "amount", "unit"],
  "time-off-balances": ["employee_remote_id"],
  "work-locations": [],
};

export function keepRequired<R extends Resource>(
  resource: R,
  record: SourceRecord<R>,
): SourceRecord<R> {
  const entries = requiredFields[resource].map((field) => [field, record[field]]);
  return Object.fromEntries(entries) as SourceRecord<R>;
}
