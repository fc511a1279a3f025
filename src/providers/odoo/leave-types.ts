import type { SourceRecord } from "../source-records.ts";
import { toReference, toText, type OdooRecord } from "./field-values.ts";
import type { OdooClient } from "./odoo-client.ts";
import { plainFields, type RecordReader } from "./record-reader.ts";

export type PolicyType = NonNullable<SourceRecord<"time-off-entries">["policy_type"]>;

export interface LeaveType {
  id: number;
  name: string | null;
  type: PolicyType | null;
}

/** The words by which Odoo's modules name their types. Those that a company made have no such name. */
const words: readonly (readonly [RegExp, PolicyType])[] = [
  [/sick|illness|_sl$/, "sick"],
  [/death|bereavement|compassionate/, "bereavement"],
  [/paid_time_off|annual|_cl$/, "vacation"],
];

/** By id, with names in the language of the account. */
export async function readLeaveTypes(
  odoo: OdooClient,
  reader: RecordReader,
): Promise<Map<number, LeaveType>> {
  const records = await reader.readAll("hr.leave.type", plainFields("name"));
  const ids = records.map(({ id }) => id);
  const externalIds = await odoo.listExternalIds("hr.leave.type", ids);
  return new Map(records.map((record) => [record.id, toLeaveType(record, externalIds)]));
}

/** The type of a leave or an allocation. One that the account may not read has its name there. */
export function findLeaveType(
  types: ReadonlyMap<number, LeaveType>,
  record: OdooRecord | null,
): LeaveType | undefined {
  const type = toReference(record, "holiday_status_id");
  return type ? (types.get(type.id) ?? { id: type.id, name: type.label, type: null }) : undefined;
}

function toLeaveType(record: OdooRecord, externalIds: ReadonlyMap<number, string>): LeaveType {
  const { id } = record;
  return { id, name: toText(record, "name"), type: toPolicyType(externalIds.get(id) ?? "") };
}

/**
 * The id that a module gave is the only name that nobody translates, such as
 * `hr_holidays.leave_type_sick_time_off`.
 */
export function toPolicyType(externalId: string): PolicyType | null {
  if (!externalId.startsWith("hr_holidays.")) return null;
  return words.find(([pattern]) => pattern.test(externalId))?.[1] ?? null;
}

/** What an entry and a balance say of their type. */
export function toPolicy(type: LeaveType | undefined) {
  return {
    policy_remote_id: type ? String(type.id) : null,
    policy_name: type?.name ?? null,
    policy_type: type?.type ?? null,
  };
}
