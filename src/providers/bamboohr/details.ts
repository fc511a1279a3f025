import type { DatasetField } from "./dataset.ts";
import { idField } from "./dataset.ts";
import { toText, type BambooRecord } from "./field-values.ts";

/**
 * The names that the dataset has for what the list of employees calls otherwise or lacks. Companies differ: of each
 * row the first name counts that the company has.
 */
const spellings = {
  employeeId: [idField],
  firstName: ["firstName"],
  lastName: ["lastName"],
  preferredName: ["preferredName"],
  status: ["status"],
  employeeNumber: ["employeeNumber"],
  workEmail: ["email", "workEmail"],
  homeEmail: ["homeEmail", "personalEmail"],
  mobilePhone: ["mobilePhone", "mobilePhoneNumber"],
  birthDate: ["dateOfBirth", "birthDate"],
  hireDate: ["hireDate"],
  terminationDate: ["terminationDate"],
  gender: ["gender"],
  maritalStatus: ["maritalStatus", "marital"],
  ethnicity: ["ethnicity"],
  nationality: ["nationality"],
  ssn: ["ssn"],
  sin: ["sin"],
  nin: ["nin"],
  address1: ["addressLineOne", "address1"],
  address2: ["addressLineTwo", "address2"],
  city: ["city"],
  state: ["state"],
  stateCode: ["stateCode"],
  zipcode: ["zipcode", "zipCode"],
  country: ["country"],
  jobTitleName: ["jobInformationJobTitle", "jobTitle"],
  departmentName: ["jobInformationDepartment", "department"],
  divisionName: ["jobInformationDivision", "division"],
  locationName: ["jobInformationLocation", "location"],
  employmentStatusName: ["employmentStatus"],
  reportsToId: ["supervisorEid"],
  reportsToName: ["jobInformationReportsTo", "supervisor"],
} as const satisfies Record<string, readonly string[]>;

/** What the adapter calls a value, in the list and in the dataset. */
type PersonField = keyof typeof spellings;

/** Which fields of ours a value is in. */
const usedFor: Partial<Record<PersonField, readonly string[]>> = {
  firstName: ["first_name", "display_full_name"],
  lastName: ["last_name", "display_full_name"],
  status: ["employment_status"],
  employeeNumber: ["employee_number"],
  workEmail: ["work_email"],
  homeEmail: ["personal_email"],
  mobilePhone: ["mobile_phone_number"],
  birthDate: ["date_of_birth"],
  hireDate: ["start_date", "employment_status"],
  terminationDate: ["termination_date"],
  gender: ["gender"],
  maritalStatus: ["marital_status"],
  ethnicity: ["ethnicity"],
  nationality: ["nationality"],
  ssn: ["tax_id"],
  sin: ["tax_id"],
  nin: ["tax_id"],
  address1: ["home_location"],
  address2: ["home_location"],
  city: ["home_location"],
  state: ["home_location"],
  stateCode: ["home_location"],
  zipcode: ["home_location"],
  country: ["home_location"],
  jobTitleName: ["job_title"],
  departmentName: ["groups"],
  divisionName: ["groups"],
  locationName: ["work_location"],
  employmentStatusName: ["employment_type"],
  reportsToId: ["manager"],
  reportsToName: ["manager"],
};

const personFields = Object.keys(spellings) as PersonField[];
/** The list has ids beside some names. */
const ofIds: Readonly<Record<string, PersonField>> = {
  departmentId: "departmentName",
  divisionId: "divisionName",
  locationId: "locationName",
};

/** Fields that the account cannot have without the dataset. */
export const onlyInDataset = [
  "employee_number",
  "termination_date",
  "gender",
  "marital_status",
  "ethnicity",
  "nationality",
  "tax_id",
  "home_location",
  "custom_fields",
];

/** The name of each value in the dataset of this company. */
export type DetailNames = ReadonlyMap<PersonField, string>;

export function chooseNames(fields: readonly DatasetField[]): DetailNames {
  const known = new Set(fields.map(({ name }) => name));
  const chosen = new Map<PersonField, string>();
  for (const field of personFields) {
    const name = spellings[field].find((spelling) => known.has(spelling));
    if (name !== undefined) chosen.set(field, name);
  }
  return chosen;
}

/** Fields that the company added, by the names that the account reads in BambooHR. */
export function findCustomFields(fields: readonly DatasetField[]): DatasetField[] {
  const custom = fields.filter(({ name }) => name.startsWith("custom"));
  const labels = Map.groupBy(custom, ({ label }) => label);
  return custom.map(({ name, label }) => ({
    name,
    label: (labels.get(label)?.length ?? 0) > 1 ? `${label} (${name})` : label,
  }));
}

/** A row of the dataset by the names of the list. */
export function renameRow(row: BambooRecord, names: DetailNames): BambooRecord {
  return Object.fromEntries([...names].map(([field, name]) => [field, row[name]]));
}

/** What every company has: where the dataset does not offer it, it is not for the account. */
const standardFields: readonly PersonField[] = [
  "status",
  "jobTitleName",
  "employeeNumber",
  "workEmail",
  "birthDate",
  "hireDate",
  "terminationDate",
  "gender",
  "maritalStatus",
  "address1",
];

/** The fields of ours that the account cannot have because the dataset does not offer what they are made of. */
export function listUnoffered(names: DetailNames): string[] {
  return standardFields
    .filter((field) => !names.has(field))
    .flatMap((field) => usedFor[field] ?? []);
}

/** The fields of ours that a row marks as not for the account. */
export function listRestricted(
  row: BambooRecord | undefined,
  customFields: readonly DatasetField[] = [],
): string[] {
  const marked = row?.["_restrictedFields"];
  if (!Array.isArray(marked)) return [];
  return marked.flatMap((name: unknown) => {
    const text = toText(name) ?? "";
    if (customFields.some((field) => field.name === text)) return ["custom_fields"];
    const field = personFields.find((each) =>
      [each, ...spellings[each]].some((spelling) => spelling === text),
    );
    return usedFor[field ?? ofIds[text] ?? "employeeId"] ?? [];
  });
}
