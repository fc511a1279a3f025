import type { EmploymentStatus } from "../../model/index.ts";
import { OperationNotSupported } from "../errors.ts";
import { definePart } from "../kit/fields.ts";
import { flag, given } from "../kit/readers.ts";
import { findStarts, type Period } from "../kit/periods.ts";
import { defineSource, type Shape } from "../kit/source.ts";
import type { SourceEmployment } from "../source-records.ts";
import type { OdooClient, OdooRecord } from "./client.ts";
import { department, toGroupId } from "./organization.ts";
import type { RecordReader } from "./records.ts";
import { choice, day, id, idAt, label, number, text } from "./values.ts";

const common = {
  employee_id: id,
  active: flag,
  job_id: label,
  department_id: department,
  wage: number,
  wage_type: text,
  hourly_wage: number,
  schedule_pay: choice(
    {
      weekly: "weekly",
      "bi-weekly": "biweekly",
      "semi-monthly": "semimonthly",
      monthly: "monthly",
      annually: "year",
    },
    { otherwise: "other" },
  ),
  currency_id: label,
  contract_type_id: id,
};
/** From version 19 on: the dated states of an employee. One contract can have several. */
const ofVersion = {
  ...common,
  date_version: day,
  contract_date_start: day,
  contract_date_end: day,
  job_title: text,
  employee_type: text,
};
/** Up to version 18. */
const ofContract = {
  ...common,
  date_start: day,
  date_end: day,
  state: text,
  kanban_state: text,
};

export interface ContractSource {
  model: string;
  /** Where an employee has them. */
  field: string;
  shape: Shape;
  /** What an account may not read that lacks the right. */
  needed: readonly string[];
}

const sources: readonly ContractSource[] = [
  {
    model: "hr.version",
    field: "version_ids",
    shape: ofVersion,
    // An officer who is not an administrator of employees sees versions without these.
    needed: ["contract_date_start", "contract_date_end", "wage", "contract_type_id"],
  },
  {
    model: "hr.contract",
    field: "contract_ids",
    shape: ofContract,
    needed: ["date_start", "date_end", "state", "wage"],
  },
];

const contract = defineSource({
  ...ofVersion,
  ...ofContract,
  /** Of its type, in every language the same. */
  typeCode: given<string>(),
  /** Of the employee, where a contract says none. */
  typeOfPerson: text,
});

/** One dated state of a person's job. */
export const employment = definePart<SourceEmployment>()(contract, {
  job_title: contract.first("job_title", "job_id"),
  effective_date: contract.first("date_version", "date_start"),
  employment_type: contract.from(
    ["typeCode", "employee_type", "typeOfPerson"],
    (code, ofOne, ofPerson) => toEmploymentType(code, ofOne ?? ofPerson),
  ),
  pay_rate: contract.from(["wage_type", "hourly_wage", "wage"], toPayRate),
  pay_period: contract.from(["wage_type", "hourly_wage", "wage"], (type, hourly, wage) => {
    if (toPayRate(type, hourly, wage) === null) return null;
    return type === "hourly" ? "HOUR" : "MONTH";
  }),
  pay_frequency: "schedule_pay",
  currency: contract.from(["currency_id"], (code) => code?.toLowerCase() ?? null),
  // A department that was archived since keeps its name.
  group_remote_id: contract.from(["department_id"], (group) =>
    group && group.active !== false ? toGroupId("department", group.id) : null,
  ),
  group_name: "department_id.name",
}).says({
  employment_type: "by the type of the contract, else by the one of the person",
  pay_rate:
    "the hourly wage where it is paid by the hour, else the wage; null for 0, which is none",
  pay_period: "HOUR where it is paid by the hour, else MONTH; null without the rate",
  currency: "in small letters",
  group_remote_id: "null for a department that is archived",
});

/** An amount that nobody has entered is 0 in Odoo, and no null. */
function toPayRate(type: string | null, hourly: number | null, wage: number | null): number | null {
  return (type === "hourly" ? hourly : wage) || null;
}

/** Of a whole contract. */
export const period = definePart<{ start: string | null; end: string | null }>()(contract, {
  start: contract.first("contract_date_start", "date_start"),
  end: contract.first("contract_date_end", "date_end"),
});

/** Null when the server has no contracts; hidden when the account may not read their dates and pay. */
export async function findContracts(
  reader: RecordReader,
): Promise<ContractSource | "hidden" | null> {
  for (const source of sources) {
    try {
      const { model, shape, needed } = source;
      return (await reader.canRead(model, shape, needed)) ? source : "hidden";
    } catch (error) {
      if (!(error instanceof OperationNotSupported)) throw error;
    }
  }
  return null;
}

/** Those that are valid, by employee id, each with the code of its type. */
export async function readContracts(
  reader: RecordReader,
  { model, shape }: ContractSource,
  typeCodes: ReadonlyMap<number, string>,
  people: readonly OdooRecord[],
): Promise<Map<number, OdooRecord[]>> {
  const byId = new Map(people.map((person) => [person.id, person]));
  const records = await reader.readAll(model, shape, [["employee_id", "in", [...byId.keys()]]]);
  const typed = records.filter(isValid).map((record) => ({
    ...record,
    typeCode: typeCodes.get(idAt(record, "contract_type_id") ?? 0),
    typeOfPerson: byId.get(idAt(record, "employee_id") ?? 0)?.["employee_type"],
  }));
  return Map.groupBy(typed, (record) => idAt(record, "employee_id") ?? 0);
}

/**
 * The codes of the contract types, which are the same in every language. Version 15 has no codes: there
 * the name by which Odoo knows the type tells the same.
 */
export async function readContractTypes(
  odoo: OdooClient,
  reader: RecordReader,
): Promise<Map<number, string>> {
  const types = defineSource({ code: text });
  const records = (await reader.readAllIfAllowed("hr.contract.type", types.shape)) ?? [];
  const codes = new Map(records.map((record) => [record.id, types.read(record, "code")]));
  const uncoded = [...codes].flatMap(([type, code]) => (code === null ? [type] : []));
  const names = await odoo.listExternalIds("hr.contract.type", uncoded);
  const nameOf = (type: number): string =>
    names.get(type)?.replace(/^.*\.(?:contract_type_)?/, "") ?? "";
  return new Map([...codes].map(([type, code]) => [type, code ?? nameOf(type)]));
}

/**
 * False for a record that is archived, a draft, cancelled, or empty. Every employee has at least one version, also on
 * servers whose contracts are stored elsewhere.
 */
export function isValid(record: object): boolean {
  const start = contract.read(record, "contract_date_start") ?? contract.read(record, "date_start");
  const isEmpty = start === null && (contract.read(record, "wage") ?? 0) === 0;
  if (isEmpty || contract.read(record, "active") === false) return false;
  // Odoo itself counts a draft only when it is marked as ready.
  const state = contract.read(record, "state");
  if (state === "draft") return contract.read(record, "kanban_state") === "done";
  return state !== "cancel";
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
  const isUsual = employeeType === "employee" || employeeType === "worker";
  return employeeType === null || isUsual ? null : "other";
}

/**
 * Null when it depends on contracts that the account may not read. The last day of a contract and the day
 * of a departure still count as worked.
 */
export function toEmploymentStatus(
  active: boolean | null,
  departureDate: string | null,
  periods: readonly Period[] | null,
  isOnLeave: boolean | null,
  today: string | null,
): EmploymentStatus | null {
  const day = today ?? "";
  if (active === false || (departureDate !== null && departureDate < day)) return "inactive";
  if (periods === null) return null;
  const begun = periods.filter(({ start }) => start <= day);
  if (periods.length > 0 && !begun.some(({ end }) => end === null || end >= day))
    return begun.length < periods.length ? "pending" : "inactive";
  return isOnLeave ? "leave" : "active";
}

/**
 * The departure, else the end of the last contract. A future end is left out: the contract may be
 * extended.
 */
export function toTerminationDate(
  departureDate: string | null,
  periods: readonly Period[] | null,
  today: string | null,
): string | null {
  const ends = periods?.map(({ end }) => end) ?? [];
  const last = ends.includes(null) ? null : (ends.toSorted(compareDays).at(-1) ?? null);
  return departureDate ?? (last !== null && last < (today ?? "") ? last : null);
}

/** Odoo itself takes up to two days without a contract, such as a weekend, for no gap. */
const daysBetween = 2;

/** Of the time without a gap that covers today, else of the next one, else of the last one. */
export function toStartDate(
  periods: readonly Period[] | null,
  today: string | null,
): string | null {
  return findStarts(periods ?? [], today ?? "", daysBetween).start;
}

/** The first day ever of somebody who came back. */
export function toOriginalStart(
  periods: readonly Period[] | null,
  today: string | null,
): { original_start_date: string } | undefined {
  const { start, first } = findStarts(periods ?? [], today ?? "", daysBetween);
  return first === null || first === start ? undefined : { original_start_date: first };
}

/** YYYY-MM-DD sorts as text; null comes last. */
function compareDays(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return b === null || (a !== null && a < b) ? -1 : 1;
}
