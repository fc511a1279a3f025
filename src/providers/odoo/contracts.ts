import { OperationNotSupported } from "../errors.ts";
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
import { departmentFields, toDepartment } from "./groups.ts";
import type { OdooClient } from "./odoo-client.ts";
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
    "contract_type_id",
  ),
  department_id: departmentFields,
};

/** From version 19 on: the dated states of an employee. One contract can have several. */
const versions = {
  model: "hr.version",
  fields: {
    ...commonFields,
    ...plainFields(
      "date_version",
      "contract_date_start",
      "contract_date_end",
      "job_title",
      "employee_type",
    ),
  },
  // An officer who is not an administrator of employees sees versions without these.
  needed: ["contract_date_start", "contract_date_end", "wage", "contract_type_id"],
};
/** Up to version 18. */
const contracts = {
  model: "hr.contract",
  fields: { ...commonFields, ...plainFields("date_start", "date_end", "state", "kanban_state") },
  needed: ["date_start", "date_end", "state", "wage"],
};

type ContractSource = typeof versions | typeof contracts;

/** Fields of an employee that are not known, or not for everybody, without the contracts. */
export const hiddenWithContracts = [
  "employment_status",
  "employment_type",
  "start_date",
  "termination_date",
  "employments",
  "employment_history",
  "compensation_history",
] as const;

/** One dated state of a person's job. */
export interface Contract {
  /** Of the whole contract. */
  start: string | null;
  end: string | null;
  employment: SourceEmployment;
}

/** Null when the server has no contracts; hidden when the account may not read their dates and pay. */
export async function findContracts(
  reader: RecordReader,
): Promise<ContractSource | "hidden" | null> {
  for (const source of [versions, contracts]) {
    try {
      const { model, fields, needed } = source;
      return (await reader.canRead(model, fields, needed)) ? source : "hidden";
    } catch (error) {
      if (!(error instanceof OperationNotSupported)) throw error;
    }
  }
  return null;
}

/** By employee id. Each has the code of its type. */
export async function readContracts(
  reader: RecordReader,
  { model, fields }: ContractSource,
  typeCodes: ReadonlyMap<number, string>,
  employeeIds: readonly number[],
): Promise<Map<number, OdooRecord[]>> {
  const records = await reader.readAll(model, fields, [["employee_id", "in", employeeIds]]);
  const typed = records.map((record) => {
    const code = typeCodes.get(toReference(record, "contract_type_id")?.id ?? 0);
    return { ...record, contract_type_code: code ?? false };
  });
  return Map.groupBy(typed, (record) => toReference(record, "employee_id")?.id ?? 0);
}

/**
 * The codes of the contract types, which are the same in every language. Version 15 has no codes: there
 * the name by which Odoo knows the type tells the same.
 */
export async function readContractTypes(
  odoo: OdooClient,
  reader: RecordReader,
): Promise<Map<number, string>> {
  const types = (await reader.readAllIfAllowed("hr.contract.type", plainFields("code"))) ?? [];
  const codes = new Map(types.map((type) => [type.id, toText(type, "code")]));
  const uncoded = [...codes].flatMap(([id, code]) => (code === null ? [id] : []));
  const names =
    uncoded.length === 0
      ? new Map<number, string>()
      : await odoo.listExternalIds("hr.contract.type", uncoded);
  return new Map(
    [...codes].map(([id, code]) => [
      id,
      code ?? names.get(id)?.replace(/^.*\.(?:contract_type_)?/, "") ?? "",
    ]),
  );
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
      toText(record, "contract_type_code"),
      toText(record, "employee_type") ?? toText(employee, "employee_type"),
    ),
    pay_rate: toNumber(record, isHourly ? "hourly_wage" : "wage"),
    pay_period: isHourly ? "HOUR" : "MONTH",
    pay_frequency: toPayFrequency(toText(record, "schedule_pay")),
    currency,
    // A department that was archived since keeps its name.
    group_remote_id: (department && toDepartment(department)?.remote_id) ?? null,
    group_name: toText(department, "name"),
  };
}

/**
 * Null where Odoo does not say how much a person works: most contract types, such as a permanent
 * one, and the employee types employee and worker say nothing about it.
 */
export function toEmploymentType(
  contractTypeCode: string | null,
  employeeType: string | null,
): SourceEmployment["employment_type"] {
  const code = contractTypeCode?.toLowerCase().replaceAll(/[^a-z]/g, "");
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
