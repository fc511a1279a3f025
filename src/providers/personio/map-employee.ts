import type { SourceEmployment, SourceRecord } from "../source-records.ts";
import {
  toDay,
  toId,
  toNumber,
  toObject,
  toObjects,
  toText,
  type JsonObject,
} from "./json-values.ts";

type Employee = SourceRecord<"employees">;
type Value<Field extends keyof Employee> = Exclude<Employee[Field], undefined>;
type Group = NonNullable<Value<"groups">>[number];
type Pay = Pick<SourceEmployment, "pay_rate" | "pay_period" | "currency">;

/** An employee of v1: `{ type, attributes: { first_name: { label, value, … }, … } }`. */
export function toEmployee(record: JsonObject): Employee {
  const attributes = toObject(record["attributes"]) ?? {};
  const text = (name: string): string | null => toText(valueOf(attributes, name));
  const day = (name: string): string | null => toDay(valueOf(attributes, name));
  const dynamic = (universalId: string): string | null => findDynamic(attributes, universalId);
  const id = toId(valueOf(attributes, "id"));
  return {
    // A record without an id is refused by the host.
    remote_id: id as string,
    employee_number: dynamic("personnel_number"),
    first_name: text("first_name"),
    last_name: text("last_name") ?? "",
    display_full_name: text("preferred_name"),
    work_email: text("email"),
    gender: toGender(text("gender")),
    date_of_birth: toDay(dynamic("birthday")),
    job_title: text("position"),
    employment_status: toEmploymentStatus(text("status")),
    employment_type: toEmploymentType(text("employment_type")),
    start_date: day("hire_date"),
    termination_date: day("termination_date"),
    remote_created_at: day("created_at"),
    home_location: toHome(dynamic("street")),
    work_location: toOffice(valueOf(attributes, "office")),
    manager: toManager(valueOf(attributes, "supervisor")),
    groups: toGroups(attributes),
    employments: toEmployments(attributes),
    bank_account: toBankAccount(dynamic("iban")),
    custom_fields: toCustomFields(attributes),
  };
}

function valueOf(attributes: JsonObject, name: string): unknown {
  return toObject(attributes[name])?.["value"];
}

/** The attributes of a related thing, such as a department: `{ type, attributes: { id, name } }`. */
function toRelated(value: unknown): { id: string; name: string | null } | null {
  const attributes = toObject(toObject(value)?.["attributes"]);
  const id = toId(attributes?.["id"]);
  return id === null ? null : { id, name: toText(attributes?.["name"]) };
}

function listDynamic(attributes: JsonObject): [string, JsonObject][] {
  return Object.entries(attributes).flatMap(([key, attribute]) => {
    const known = key.startsWith("dynamic_") ? toObject(attribute) : null;
    return known ? [[key, known] as [string, JsonObject]] : [];
  });
}

/** The company adds these attributes. Personio marks those whose meaning it knows. */
function findDynamic(attributes: JsonObject, universalId: string): string | null {
  const found = listDynamic(attributes).find(([, { universal_id: id }]) => id === universalId);
  return toId(found?.[1]["value"]);
}

export function toGender(gender: string | null): Value<"gender"> {
  if (gender === null || gender === "male" || gender === "female") return gender;
  return "not_specified";
}

export function toEmploymentStatus(status: string | null): Value<"employment_status"> {
  switch (status) {
    case "active":
    case "leave":
    case "inactive":
      return status;
    case "onboarding":
      return "pending";
    default:
      return null;
  }
}

/** Of somebody internal Personio does not tell whether the hours are all or a part. */
export function toEmploymentType(type: string | null): Value<"employment_type"> {
  return type === "external" ? "contractor" : null;
}

function toHome(street: string | null): Value<"home_location"> {
  return street === null ? null : { street_address: street };
}

export function toOffice(value: unknown): Value<"work_location"> {
  const office = toRelated(value);
  return office && { remote_id: office.id, name: office.name, type: "office" };
}

function toManager(value: unknown): Value<"manager"> {
  const attributes = toObject(toObject(value)?.["attributes"]) ?? {};
  const id = toId(valueOf(attributes, "id"));
  if (id === null) return null;
  return {
    remote_id: id,
    first_name: toText(valueOf(attributes, "first_name")),
    last_name: toText(valueOf(attributes, "last_name")),
    work_email: toText(valueOf(attributes, "email")),
  };
}

/** The department, the team, and the cost centres. */
export function toGroups(attributes: JsonObject): Group[] {
  const costCentres = toObjects(valueOf(attributes, "cost_centers")).map((value) =>
    toGroup("cost_centre", toRelated(value)),
  );
  return [
    toGroup("department", toRelated(valueOf(attributes, "department"))),
    toGroup("team", toRelated(valueOf(attributes, "team"))),
    ...costCentres,
  ].filter((group) => group !== null);
}

/** A department, a team and a cost centre may have the same number. */
export function toGroup(
  type: "department" | "team" | "cost_centre",
  related: { id: string; name: string | null } | null,
): Group | null {
  return related && { remote_id: `${type}-${related.id}`, name: related.name, type };
}

/** Personio tells the present job alone. */
function toEmployments(attributes: JsonObject): SourceEmployment[] {
  const department = toGroup("department", toRelated(valueOf(attributes, "department")));
  const job = {
    effective_date: toDay(valueOf(attributes, "hire_date")),
    job_title: toText(valueOf(attributes, "position")),
    employment_type: toEmploymentType(toText(valueOf(attributes, "employment_type"))),
    ...toPay(attributes),
  };
  if (Object.values(job).every((value) => value === null)) return [];
  return [
    {
      ...job,
      group_remote_id: department?.remote_id ?? null,
      group_name: department?.name ?? null,
      manager_remote_id: toManager(valueOf(attributes, "supervisor"))?.remote_id ?? null,
    },
  ];
}

/** In the major unit. The hourly pay counts when there is one. */
export function toPay(attributes: JsonObject): Required<Pay> {
  const hourly = toNumber(valueOf(attributes, "hourly_salary"));
  if (hourly !== null && hourly > 0)
    return {
      pay_rate: hourly,
      pay_period: "HOUR",
      currency: toCurrency(attributes["hourly_salary"]),
    };
  const rate = toNumber(valueOf(attributes, "fix_salary"));
  const period = toPayPeriod(toText(valueOf(attributes, "fix_salary_interval")));
  if (rate === null || period === null) return { pay_rate: null, pay_period: null, currency: null };
  return { pay_rate: rate, pay_period: period, currency: toCurrency(attributes["fix_salary"]) };
}

function toPayPeriod(interval: string | null): SourceEmployment["pay_period"] & (string | null) {
  switch (interval) {
    case "monthly":
      return "MONTH";
    case "yearly":
      return "YEAR";
    default:
      return null;
  }
}

function toCurrency(salary: unknown): string | null {
  return toText(toObject(salary)?.["currency"])?.toLowerCase() ?? null;
}

function toBankAccount(iban: string | null): Value<"bank_account"> {
  return iban === null ? null : { iban: iban.replaceAll(" ", "") };
}

/** By their labels. A label that two attributes have is followed by the attribute's own name. */
function toCustomFields(attributes: JsonObject): Value<"custom_fields"> {
  const dynamic = listDynamic(attributes).map(([key, { label, value }]) => ({
    key,
    label: toText(label) ?? key,
    value: value ?? null,
  }));
  if (dynamic.length === 0) return null;
  const labels = Map.groupBy(dynamic, ({ label }) => label);
  return Object.fromEntries(
    dynamic.map(({ key, label, value }) => [
      (labels.get(label)?.length ?? 0) > 1 ? `${label} (${key})` : label,
      value,
    ]),
  );
}
