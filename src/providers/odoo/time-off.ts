import { defineReader } from "../contract.ts";
import { defineFields } from "../kit/fields.ts";
import { called, flag, given } from "../kit/readers.ts";
import { defineSource, type Mapping, type Parts } from "../kit/source.ts";
import type { SourceRecord } from "../source-records.ts";
import type { Domain, OdooClient, OdooRecord } from "./client.ts";
import type { RecordReader } from "./records.ts";
import { openResource } from "./rights.ts";
import {
  amount,
  choice,
  day,
  id,
  number,
  reference,
  requireAmount,
  text,
  withoutNoise,
} from "./values.ts";

type Entry = SourceRecord<"time-off-entries">;
export type PolicyType = NonNullable<Entry["policy_type"]>;

/** What an entry and a balance say of their type. */
export const policy = {
  policy_remote_id: text,
  policy_name: text,
  policy_type: given<PolicyType>(),
};
export type Policy = { [Name in keyof Parts<typeof policy>]: Parts<typeof policy>[Name] };

/** The fields of all versions. */
export const leave = defineSource({
  id: text,
  active: flag,
  employee_id: id,
  holiday_status_id: reference,
  state: text,
  status: called(
    "state",
    choice(
      { validate: "approved", confirm: "pending", validate1: "pending", refuse: "rejected" },
      { otherwise: null },
    ),
  ),
  request_date_from: day,
  request_date_to: day,
  leave_type_request_unit: text,
  number_of_days: amount,
  number_of_hours: number,
  number_of_hours_display: number,
  name: text,
  private_name: text,
  create_date: day,
  write_date: day,
});
export const lengthPaths = [
  "leave_type_request_unit",
  "number_of_days",
  "number_of_hours",
  "number_of_hours_display",
] as const;
/** With its policy. */
const entry = defineSource({ ...leave.shape, ...policy });

/** What stands for the reason of somebody else's leave. */
const hiddenReason = "*****";

const fields = defineFields("time-off-entries", entry, {
  remote_id: "id",
  employee_remote_id: "employee_id",
  start_date: "request_date_from",
  end_date: "request_date_to",
  amount: entry.from(lengthPaths, (...of) => toLength(of).amount),
  unit: entry.from(lengthPaths, (...of) => toLength(of).unit),
  status: "status",
  employee_note: entry.from(["private_name", "name"], (ofReader, shown) => {
    const note = ofReader ?? shown;
    return note === hiddenReason ? null : note;
  }),
  policy_remote_id: "policy_remote_id",
  policy_name: "policy_name",
  policy_type: "policy_type",
  remote_created_at: "create_date",
  remote_modified_at: "write_date",
});

export const timeOffEntries = defineReader<"time-off-entries", object>({
  async *fetch(context, session, { range }) {
    const { odoo, reader } = await openResource(context, session, "time-off-entries");
    const { policyOf, isAtWork } = await readPolicies(odoo, reader);
    const domain: Domain = [
      ["request_date_from", "<=", range.end],
      ["request_date_to", ">=", range.start],
    ];
    for await (const page of reader.readPages("hr.leave", leave.shape, domain))
      yield page
        .filter((record) => !isAtWork(record))
        .map((record) => ({ ...record, ...policyOf(record) }));
  },
  table: fields,
  map: toTimeOffEntry,
});

/**
 * Null for what was cancelled or never asked for, and for leave of a group of people, who have their own
 * too.
 */
export function toTimeOffEntry(raw: object, mapping: Mapping): Entry | null {
  const state = entry.read(raw, "state");
  const isNone = state === "cancel" || state === "draft" || entry.read(raw, "active") === false;
  return isNone || entry.read(raw, "employee_id") === null ? null : fields.map(raw, mapping);
}

/** In hours for a type that is taken by the hour. Weekends and public holidays are left out in Odoo. */
export function toLength([unit, days, hours, displayed]: readonly [
  unit: string | null,
  days: number | null,
  hours: number | null,
  displayed: number | null,
  ...others: unknown[],
]): Pick<Entry, "amount" | "unit"> {
  const inHours = unit === "hour" ? (hours ?? displayed) : null;
  if (inHours !== null) return { amount: withoutNoise(inHours), unit: "hours" };
  return { amount: withoutNoise(requireAmount(days, "number_of_days")), unit: "days" };
}

/** The words by which Odoo's modules name their types. Those that a company made have no such name. */
const words: readonly (readonly [RegExp, PolicyType])[] = [
  [/sick|illness|_sl$/, "sick"],
  [/death|bereavement|compassionate/, "bereavement"],
  [/paid_time_off|annual|_cl$/, "vacation"],
];

interface Policies {
  policyOf: (record: OdooRecord) => Policy;
  /** Whether it is of a type that Odoo calls worked time, such as a training. */
  isAtWork: (record: OdooRecord) => boolean;
  overdrawable: number[];
}

/**
 * The policy of a leave or an allocation, with names in the language of the account, and the types of which more may be
 * taken than was granted. A type that the account may not read has its name there.
 */
export async function readPolicies(odoo: OdooClient, reader: RecordReader): Promise<Policies> {
  const types = defineSource({ name: text, allows_negative: flag, time_type: text });
  const records = await reader.readAll("hr.leave.type", types.shape);
  const names = new Map(records.map((record) => [record.id, types.read(record, "name")]));
  const externalIds = await odoo.listExternalIds("hr.leave.type", [...names.keys()]);
  const overdrawable = records.filter((record) => types.read(record, "allows_negative"));
  const policyOf = (record: OdooRecord): Policy => {
    const type = leave.read(record, "holiday_status_id");
    return {
      policy_remote_id: type && String(type.id),
      policy_name: (type && (names.has(type.id) ? names.get(type.id) : type.label)) ?? null,
      policy_type: type && toPolicyType(externalIds.get(type.id) ?? ""),
    };
  };
  const worked = records.filter((record) => types.read(record, "time_type") === "other");
  const ofWork = new Set(worked.map((record) => record.id));
  return {
    policyOf,
    isAtWork: (record) => ofWork.has(leave.read(record, "holiday_status_id")?.id ?? 0),
    overdrawable: overdrawable.map((record) => record.id),
  };
}

/**
 * The id that a module gave is the only name that nobody translates, such as
 * `hr_holidays.leave_type_sick_time_off`.
 */
export function toPolicyType(externalId: string): PolicyType | null {
  if (!externalId.startsWith("hr_holidays.")) return null;
  return words.find(([pattern]) => pattern.test(externalId))?.[1] ?? null;
}
