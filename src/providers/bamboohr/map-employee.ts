import type { MapContext } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { toEmployments, toEmploymentType, type JobRows } from "./employments.ts";
import { toDate, toId, toLetters, toText, type BambooRecord } from "./field-values.ts";
import { joinStreets, toAddress, toCountry, toGroup, type Group } from "./references.ts";

type Employee = SourceRecord<"employees">;
type Value<Field extends keyof Employee> = Exclude<Employee[Field], undefined>;

export interface RawEmployee {
  id: string;
  /** By the names of BambooHR's list of employees. */
  person: BambooRecord;
  /** Whom the person reports to, by the names of the list; null when that is nobody on it. */
  manager: BambooRecord | null;
  jobRows: JobRows;
  groups: readonly Group[];
  place: Value<"work_location">;
  /** The code of the country where the person lives. */
  homeCountry: string | null;
  /** Null when the account may not read them. */
  customFields: BambooRecord | null;
  emergencyContacts: readonly BambooRecord[] | null;
  dependents: readonly BambooRecord[] | null;
}

export function toEmployee(raw: RawEmployee, { today }: Pick<MapContext, "today">): Employee {
  const { person } = raw;
  const hireDate = toDate(person["hireDate"]);
  return {
    remote_id: raw.id,
    employee_number: toText(person["employeeNumber"]),
    first_name: toText(person["firstName"]),
    last_name: toText(person["lastName"]) ?? "",
    nationality: toText(person["nationality"]),
    job_title: toText(person["jobTitleName"]),
    work_email: toText(person["workEmail"]),
    personal_email: toText(person["homeEmail"]),
    mobile_phone_number: toText(person["mobilePhone"]),
    tax_id: toText(person["ssn"]) ?? toText(person["sin"]) ?? toText(person["nin"]),
    gender: toGender(person["gender"]),
    ethnicity: toEthnicity(person["ethnicity"]),
    marital_status: toMaritalStatus(person["maritalStatus"]),
    date_of_birth: toDate(person["birthDate"]),
    employment_status: toEmploymentStatus(person["status"], hireDate, today),
    employment_type: toEmploymentType(person["employmentStatusName"]),
    start_date: hireDate,
    termination_date: toDate(person["terminationDate"]),
    home_location: toHome(person, raw.homeCountry),
    work_location: raw.place,
    manager: toManager(person, raw.manager),
    groups: raw.groups,
    employments: toEmployments(raw.jobRows),
    custom_fields: raw.customFields && toCustomFields(raw.customFields),
    emergency_contacts: raw.emergencyContacts?.map(toEmergencyContact) ?? null,
    dependents: raw.dependents?.map(toDependent) ?? null,
  };
}

/** Whoever begins later is Inactive at BambooHR. It does not say who is on leave. */
export function toEmploymentStatus(
  status: unknown,
  hireDate: string | null,
  today: string,
): Value<"employment_status"> {
  if (hireDate !== null && hireDate > today) return "pending";
  switch (toLetters(status)) {
    case "active":
      return "active";
    case "inactive":
      return "inactive";
    default:
      return null;
  }
}

export function toGender(gender: unknown): Value<"gender"> {
  const letters = toLetters(gender);
  if (letters === "") return null;
  return letters === "male" || letters === "female" ? letters : "not_specified";
}

/** The list is the customer's. */
export function toMaritalStatus(marital: unknown): Value<"marital_status"> {
  const letters = toLetters(marital);
  if (letters === "") return null;
  return letters === "single" || letters === "married" || letters === "divorced"
    ? letters
    : "other";
}

/** By the words of the United States' forms, which name some groups to say that they are not meant. */
export function toEthnicity(ethnicity: unknown): Value<"ethnicity"> {
  const text = (toText(ethnicity) ?? "").toLowerCase().replaceAll(/no[tn][ -]hispanic/g, "");
  if (text === "") return null;
  return ethnicityWords.find(([word]) => text.includes(word))?.[1] ?? "other";
}

/** In this order: "two or more" can name others, and "caucasian" ends like "asian". */
const ethnicityWords: readonly (readonly [string, Value<"ethnicity">])[] = [
  ["two or more", "mixed"],
  ["white", "white"],
  ["caucasian", "white"],
  ["black", "black"],
  ["asian", "asian"],
  ["hispanic", "hispanic"],
];

function toHome(person: BambooRecord, countryCode: string | null): Value<"home_location"> {
  const country = toCountry(countryCode);
  const hasStates = countryCode === "US" || countryCode === "CA";
  return toAddress({
    street_address: joinStreets(person["address1"], person["address2"]),
    locality: toText(person["city"]),
    administrative_area: hasStates ? toStateCode(person) : toText(person["state"]),
    country,
    post_code: toText(person["zipcode"]),
  });
}

/** The two letters, which some companies have as the state itself. */
function toStateCode({ stateCode, state }: BambooRecord): string | null {
  return [toText(stateCode), toText(state)].find((code) => /^[A-Z]{2}$/.test(code ?? "")) ?? null;
}

/** `supervisorId` would be the manager's number, which is no id. */
function toManager(person: BambooRecord, manager: BambooRecord | null): Value<"manager"> {
  const id = toId(person["reportsToId"]);
  const name = toText(person["reportsToName"]);
  if (id === null && name === null) return null;
  return { remote_id: id, ...splitName(name), work_email: toText(manager?.["workEmail"]) };
}

function toEmergencyContact(row: BambooRecord) {
  return {
    ...splitName(toText(row["name"])),
    relationship: toText(row["relationship"]),
    mobile_phone_number: toText(row["mobilePhone"]),
    primary_contact: toBoolean(row["primaryContact"]),
  };
}

function toDependent(row: BambooRecord) {
  const parts = [row["firstName"], row["middleName"], row["lastName"]].map(toText);
  return {
    name: parts.filter((part) => part !== null).join(" ") || null,
    relationship: toText(row["relationship"]),
  };
}

/** The last word is the last name. A name of a row is one text. */
function splitName(name: string | null): {
  first_name: string | null;
  last_name: string | null;
} {
  const words = name?.split(/\s+/) ?? [];
  const lastName = words.length > 1 ? (words.pop() ?? null) : null;
  return { first_name: words.join(" ") || null, last_name: lastName };
}

export function toBoolean(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  switch (toText(value)?.toLowerCase()) {
    case "yes":
    case "true":
    case "1":
      return true;
    case "no":
    case "false":
    case "0":
      return false;
    default:
      return null;
  }
}

/** An empty one is null. */
function toCustomFields(fields: BambooRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([label, value]) => [label, value === "" ? null : (value ?? null)]),
  );
}

/** Of the names in a row where BambooHR gives no ids. `findId` finds them in the customer's lists. */
export function listGroupsOf(
  person: BambooRecord,
  findId: (kind: "department" | "division", name: string) => string | null,
): Group[] {
  return (["department", "division"] as const).flatMap((kind) => {
    const name = toText(person[`${kind}Name`]);
    const id = toId(person[`${kind}Id`]) ?? (name === null ? null : findId(kind, name));
    return id === null ? [] : [toGroup(kind, id, name)];
  });
}
