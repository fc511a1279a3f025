import { byLabels } from "../kit/custom-fields.ts";
import { defineFields, definePart, each } from "../kit/fields.ts";
import {
  called,
  country,
  day,
  flag,
  given,
  list,
  number,
  oneOf,
  readValue,
  text,
  unreadable,
} from "../kit/readers.ts";
import { defineSource, part, type Parts } from "../kit/source.ts";
import { stripIban } from "../kit/text-readers.ts";
import type { SourceEmployment } from "../source-records.ts";
import { withJobsOf } from "./jobs.ts";
import type { JsonObject } from "./personio-client.ts";

export type GroupType = "department" | "team" | "cost_centre";
type Pay = Required<Pick<SourceEmployment, "pay_rate" | "pay_period" | "currency">>;

const unknown = { otherwise: null };

/** A thing that an employee names, such as a department. */
const named = { id: text, name: text };
type Named = Parts<typeof named>;
const salary = { value: number, currency: text };
type Salary = Parts<typeof salary>;

/** An employee by the names of Personio's attributes. */
export const person = defineSource({
  id: text,
  first_name: text,
  last_name: text,
  preferred_name: text,
  email: text,
  gender: oneOf({ male: "male", female: "female" }, { otherwise: "not_specified" }),
  status: oneOf(
    { active: "active", leave: "leave", inactive: "inactive", onboarding: "pending" },
    unknown,
  ),
  position: text,
  employment_type: oneOf({ external: "contractor" }, unknown),
  isInternal: called("employment_type", oneOf({ internal: true }, { otherwise: false })),
  hire_date: day,
  termination_date: day,
  created_at: day,
  office: named,
  supervisor: { id: text, first_name: text, last_name: text, email: text },
  subcompany: named,
  department: named,
  team: named,
  cost_centers: list(part(named)),
  weekly_working_hours: number,
  hourly_salary: salary,
  fix_salary: salary,
  fix_salary_interval: oneOf({ monthly: "MONTH", yearly: "YEAR" }, unknown),
  // What the read has put in.
  isAway: flag,
  // What is made of the compensations and employments of v2.
  contract: { weekly_hours: number, full_time_hours: number },
  original_hire_date: day,
  /** The same person at each job. */
  jobs: given<readonly JsonObject[]>(),
  // What `toPerson` makes.
  /** Of the attributes that the company added, those that Personio knows. */
  dynamic: {
    personnel_number: text,
    birthday: day,
    street: text,
    iban: text,
    nationality: country,
  },
  /** All that the company added. */
  custom: given<Record<string, unknown>>(),
});

/** These are told of everybody, or are made here; without a preferred name there is another one. */
const neverHidden = new Set([
  "id",
  "preferred_name",
  "isAway",
  "contract",
  "original_hire_date",
  "dynamic",
  "custom",
  "jobs",
]);

/** The hourly pay counts when there is one. Personio writes 0 for pay that there is not. */
function toPay(hourly: Salary | null, fixed: Salary | null, period: Pay["pay_period"]): Pay {
  const isHourly = (hourly?.value ?? 0) > 0;
  const [paid, of] = isHourly ? [hourly, "HOUR" as const] : [fixed, period];
  const rate = paid?.value ?? 0;
  if (rate === 0 || of === null) return { pay_rate: null, pay_period: null, currency: null };
  return { pay_rate: rate, pay_period: of, currency: paid?.currency?.toLowerCase() ?? null };
}

/** Of somebody internal the hours of full time have to be known, too. */
const employmentType = person.from(
  ["employment_type", "isInternal", "contract"],
  (type, isInternal, contract) => {
    const { weekly_hours: weekly = null, full_time_hours: full = null } = contract ?? {};
    if (type !== null || !isInternal || weekly === null || full === null) return type;
    return weekly < full ? "part_time" : "full_time";
  },
);

const pay = <Name extends keyof Pay>(name: Name) =>
  person.from(
    ["hourly_salary", "fix_salary", "fix_salary_interval"],
    (hourly, fixed, period) => toPay(hourly, fixed, period)[name],
  );

const job = definePart<SourceEmployment>()(person, {
  effective_date: "hire_date",
  job_title: "position",
  employment_type: employmentType,
  pay_rate: pay("pay_rate"),
  pay_period: pay("pay_period"),
  currency: pay("currency"),
  group_remote_id: person.from(["department.id"], (id) => toGroupId("department", id)),
  group_name: "department.name",
  manager_remote_id: "supervisor.id",
}).says({
  employment_type:
    "contractor for somebody external; full or part time where the hours of full time are known",
  pay_rate: "the hourly pay where there is one, else the fixed one",
  pay_period: "HOUR of an hourly pay, else the interval of the fixed one",
  currency: "of the pay that counts",
  group_remote_id: "department- and the number",
});
const jobs = each(person, "jobs", job);

export const employeeFields = defineFields("employees", person, {
  remote_id: "id",
  employee_number: "dynamic.personnel_number",
  first_name: "first_name",
  last_name: person.or("last_name", ""),
  display_full_name: "preferred_name",
  work_email: "email",
  gender: "gender",
  date_of_birth: "dynamic.birthday",
  // The text of another country stays among the custom fields.
  nationality: "dynamic.nationality",
  job_title: "position",
  // Somebody who is on leave for today alone is still active by Personio's word.
  employment_status: person.from(["status", "isAway"], (status, isAway) =>
    status === "active" && isAway ? "leave" : status,
  ),
  employment_type: employmentType,
  start_date: "hire_date",
  termination_date: "termination_date",
  remote_created_at: "created_at",
  home_location: { street_address: "dynamic.street" },
  work_location: {
    remote_id: "office.id",
    name: "office.name",
    type: person.from(["office.id"], (id) => (id === null ? null : "office")),
  },
  manager: {
    remote_id: "supervisor.id",
    first_name: "supervisor.first_name",
    last_name: "supervisor.last_name",
    work_email: "supervisor.email",
  },
  groups: person.from(["department", "team", "cost_centers"], (department, team, costCentres) => [
    ...toGroups("department", [department]),
    ...toGroups("team", [team]),
    ...toGroups("cost_centre", costCentres ?? []),
  ]),
  employments: {
    ...jobs,
    read: (...record) => (jobs.read(...record) ?? []).filter(isKnown),
  },
  bank_account: {
    iban: person.from(["dynamic.iban"], stripIban),
  },
  custom_fields: person.from(
    ["custom", "subcompany", "weekly_working_hours", "original_hire_date"],
    (custom, legalEntity, hours, firstDay) => {
      const { id = null, name = null } = legalEntity ?? {};
      const fields = {
        ...custom,
        ...(id !== null && { company: { remote_id: id, name } }),
        ...(hours !== null && { weekly_working_hours: hours }),
        ...(firstDay !== null && { original_start_date: firstDay }),
      };
      return Object.keys(fields).length > 0 ? fields : null;
    },
  ),
}).says({
  employment_status: "leave, too, for who is active and has approved leave for the whole of today",
  employment_type:
    "contractor for somebody external; full or part time where the hours of full time are known",
  "work_location.type": "office where there is one",
  groups: "the kind and the number of each",
  "bank_account.iban": "without spaces and hyphens",
  custom_fields:
    "what the company added by its labels, and company, weekly_working_hours, original_start_date",
});

/** Of a job more has to be known than where it is. */
function isKnown({ effective_date, job_title, employment_type, pay_rate }: SourceEmployment) {
  return [effective_date, job_title, employment_type, pay_rate].some((value) => value !== null);
}

/** The fields of employees that the credential may not read, wholly or in part. */
export function limitedWithout(readable: ReadonlySet<string>): string[] {
  return employeeFields.limitedBy(
    person.names.filter((name) => !readable.has(name) && !neverHidden.has(name)),
  );
}

/** The fields of employees that are less exact when absences may not be read. */
export const limitedWithoutAbsences = employeeFields.limitedBy(["isAway"]);

/** A department, a team and a cost centre may have the same number. */
export function toGroupId(type: GroupType | null, id: string | null): string | null {
  return id === null ? null : `${type}-${id}`;
}

function toGroups(type: GroupType, things: readonly (Named | null)[]) {
  return things.flatMap((thing) => {
    const id = toGroupId(type, thing?.id ?? null);
    return id === null ? [] : [{ remote_id: id, name: thing?.name ?? null, type }];
  });
}

/** Names of ours among the custom fields. */
const ourNames = new Set(["company", "original_start_date", "weekly_working_hours"]);

type Added = Parts<typeof described> & { key: string; value: unknown };
const described = { label: text, universal_id: text };
const description = part(described);

/** What of that is a field of ours that can be unwanted. */
const meanings: Readonly<Record<string, string>> = {
  iban: "bank_account",
  birthday: "date_of_birth",
};

/** A record without the attributes of fields that are not wanted: they would stay among the custom fields. */
export function withoutUnwanted(
  record: JsonObject,
  isWanted: (field: string) => boolean,
): JsonObject {
  const kept = Object.entries(record).filter(([, attribute]) => {
    const read = readValue(description, attribute);
    const id = read === null || read === unreadable ? null : read.universal_id;
    const field = meanings[id ?? ""];
    return field === undefined || isWanted(field);
  });
  return Object.fromEntries(kept);
}

/** An employee with what the company added, by its meaning and by its labels. */
export function toPerson(record: JsonObject, today: string): JsonObject {
  const employee = withJobsOf(record, today);
  const found = Object.entries(employee).flatMap(([key, attribute]): Added[] => {
    const read = key.startsWith("dynamic_") ? readValue(description, attribute) : null;
    if (read === null || read === unreadable) return [];
    return [{ ...read, key, value: (attribute as JsonObject)["value"] ?? null }];
  });
  const known = found.toReversed().map(({ universal_id: id, value }) => [id ?? "", value]);
  return {
    ...employee,
    dynamic: Object.fromEntries(known) as object,
    custom: byLabels(found, ourNames),
  };
}
