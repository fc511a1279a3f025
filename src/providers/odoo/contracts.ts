import type { SourceEmployment } from "../source-records.ts";
import {
  isFalse,
  toDate,
  toNumber,
  toReference,
  toRelated,
  toText,
  type OdooRecord,
} from "./field-values.ts";
import { toDepartment } from "./groups.ts";
import { plainFields, type RecordReader, type Specification } from "./record-reader.ts";

const commonFields: Specification = {
  ...plainFields(
    "employee_id",
    "active",
    "job_id",
    "wage",
    "wage_type",
    "hourly_wage",
    "schedule_pay",
    "currency_id",
  ),
  department_id: plainFields("name"),
  contract_type_id: plainFields("code", "name"),
};

/** From version 19 on: the dated states of an employee. One contract can have several. */
const versionFields = {
  ...commonFields,
  ...plainFields(
    "date_version",
    "contract_date_start",
    "contract_date_end",
    "job_title",
    "employee_type",
  ),
};
/** Up to version 18. */
const contractFields = {
  ...commonFields,
  ...plainFields("date_start", "date_end", "state", "kanban_state"),
};

/** One dated state of a person's job. */
export interface Contract {
  /** Of the whole contract. */
  start: string | null;
  end: string | null;
  employment: SourceEmployment;
}

/**
 * By employee id. Null when the account may not read pay and dates, or when no such module is
 * installed.
 */
export async function readContracts(
  reader: RecordReader,
  employeeIds: readonly number[],
): Promise<Map<number, OdooRecord[]> | null> {
  const records =
    (await readFrom(reader, "hr.version", versionFields, employeeIds)) ??
    (await readFrom(reader, "hr.contract", contractFields, employeeIds));
  return records && Map.groupBy(records, (record) => toReference(record, "employee_id")?.id ?? 0);
}

async function readFrom(
  reader: RecordReader,
  model: string,
  specification: Specification,
  employeeIds: readonly number[],
): Promise<OdooRecord[] | null> {
  const records = await reader.readAllIfAllowed(model, specification, [
    ["employee_id", "in", employeeIds],
  ]);
  // An officer who is not an administrator of employees sees versions without their dates and pay.
  return records && "wage" in (await reader.listFields(model, specification)) ? records : null;
}

/**
 * Null for a record that is not a valid contract: archived, a draft, cancelled, or empty. Every
 * employee has at least one version, also on servers whose contracts are stored elsewhere.
 */
export function toContract(record: OdooRecord, employee: OdooRecord): Contract | null {
  const start = toDate(record, "contract_date_start") ?? toDate(record, "date_start");
  const isEmpty = start === null && (toNumber(record, "wage") ?? 0) === 0;
  if (isEmpty || isFalse(record, "active") || isDraftOrCancelled(record)) return null;
  const end = toDate(record, "contract_date_end") ?? toDate(record, "date_end");
  return { start, end, employment: toEmployment(record, employee) };
}

/** Odoo itself counts a draft only when it is marked as ready. */
function isDraftOrCancelled(record: OdooRecord): boolean {
  const state = toText(record, "state");
  return state === "cancel" || (state === "draft" && toText(record, "kanban_state") !== "done");
}

function toEmployment(record: OdooRecord, employee: OdooRecord): SourceEmployment {
  const department = toRelated(record, "department_id");
  const isHourly = toText(record, "wage_type") === "hourly";
  const currency = toReference(record, "currency_id")?.label?.toLowerCase() ?? null;
  return {
    job_title: toText(record, "job_title") ?? toReference(record, "job_id")?.label ?? null,
    effective_date: toDate(record, "date_version") ?? toDate(record, "date_start"),
    employment_type: toEmploymentType(
      toRelated(record, "contract_type_id"),
      toText(record, "employee_type") ?? toText(employee, "employee_type"),
    ),
    pay_rate: toNumber(record, isHourly ? "hourly_wage" : "wage"),
    pay_period: isHourly ? "HOUR" : "MONTH",
    pay_frequency: toPayFrequency(toText(record, "schedule_pay")),
    currency,
    group_remote_id: department && toDepartment(department).remote_id,
    group_name: toText(department, "name"),
  };
}

/**
 * Null where Odoo does not say how much a person works: most contract types, such as a permanent
 * one, and the employee types employee and worker say nothing about it.
 */
export function toEmploymentType(
  contractType: OdooRecord | null,
  employeeType: string | null,
): SourceEmployment["employment_type"] {
  const code = (toText(contractType, "code") ?? toText(contractType, "name") ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  if (code === "fulltime") return "full_time";
  if (code === "parttime") return "part_time";
  if (employeeType === "freelance" || employeeType === "contractor") return "contractor";
  return employeeType === null || employeeType === "employee" || employeeType === "worker"
    ? null
    : "other";
}

function toPayFrequency(schedule: string | null): SourceEmployment["pay_frequency"] {
  switch (schedule) {
    case null:
      return null;
    case "weekly":
      return "weekly";
    case "bi-weekly":
      return "biweekly";
    case "semi-monthly":
      return "semimonthly";
    case "monthly":
      return "monthly";
    case "annually":
      return "year";
    default:
      return "other";
  }
}
