import { defineFields, definePart, each, onlyOne } from "../kit/fields.ts";
import {
  called,
  country,
  day,
  flag,
  given,
  number,
  oneOf,
  readValue,
  text,
  type Reader,
} from "../kit/readers.ts";
import { defineSource, isRecord, part } from "../kit/source.ts";
import { email, stripIban } from "../kit/text-readers.ts";
import { regionNote, toRegion } from "../kit/to-region.ts";
import { ethnicity, nationalityInWords } from "../kit/words.ts";
import type { SourceRecord } from "../source-records.ts";
import type { Field } from "./client.ts";
import { jobFields, toEmploymentType } from "./jobs.ts";

type Part<Name extends "emergency_contacts"> = NonNullable<SourceRecord<"employees">[Name]>[number];

/** A field of a list has the words of its item beside the id. */
function inWords<Value>(id: string, reader: Reader<Value>): Reader<Value> {
  return called(id, {
    ...reader,
    read: (value) => (isRecord(value) ? readValue(reader, value["name"]) : reader.read(value)),
  });
}

/** A field of a list by the id of its item. */
function inId(id: string): Reader<string> {
  return called(id, { ...text, read: (value) => text.read(isRecord(value) ? value["id"] : value) });
}

/** Of several the first. */
const firstWords: Reader<string> = {
  kind: "text, of several the first",
  read: (value) => String(Array.isArray(value) ? value[0] : value).split(",", 1)[0] ?? "",
};

/** By the ids of Bob's fields. */
export const person = defineSource({
  id: called("root.id", text),
  firstName: called("root.firstName", text),
  surname: called("root.surname", text),
  displayName: called("root.displayName", text),
  email: called("root.email", email),
  created: called("root.creationDateTime", day),
  number: called("work.employeeIdInCompany", text),
  privateEmail: called("home.privateEmail", email),
  mobilePhone: called("home.mobilePhone", text),
  workMobile: called("work.workMobile", text),
  title: inWords("work.title", text),
  department: called("work.department", part({ id: text, name: text })),
  reportsTo: called("work.reportsTo", part({ id: text, firstName: text, surname: text, email })),
  startDate: called("work.startDate", day),
  originalStartDate: called("work.originalStartDate", day),
  terminationDate: called("internal.terminationDate", day),
  lifecycle: inWords("internal.lifecycleStatus", text),
  status: inWords("internal.status", text),
  contract: inWords("payroll.employment.contract", text),
  type: inWords("payroll.employment.type", text),
  birthDate: called("personal.birthDate", day),
  nationality: inWords("personal.nationality", firstWords),
  gender: inWords(
    "home.legalGender",
    oneOf({ male: "male", female: "female" }, { otherwise: "not_specified" }),
  ),
  familyStatus: inWords(
    "home.familyStatus",
    oneOf(
      {
        single: "single",
        married: "married",
        "civil partnership": "married",
        "registered partnership": "married",
        divorced: "divorced",
      },
      { otherwise: "other" },
    ),
  ),
  ethnicity: inWords("eeo.ethnicity", ethnicity),
  ssn: called("identification.ssn", text),
  ssnSerial: called("identification.ssnSerialNumber", text),
  nin: called("payroll.nin", text),
  sin: called("employee.sin", text),
  taxNumber: called("financial.identificationNumber", text),
  iban: called("financial.iban", text),
  line1: called("address.line1", text),
  line2: called("address.line2", text),
  city: called("address.city", text),
  usaState: inWords("address.usaState", text),
  state: inWords("address.state", text),
  postCode: called("address.postCode", text),
  zipCode: called("address.zipCode", text),
  country: inWords("address.country", country),
  siteId: inId("work.siteId"),
  site: inWords("work.site", text),
  siteAddress1: called("address.siteAddress1", text),
  siteAddress2: called("address.siteAddress2", text),
  siteCity: called("address.siteCity", text),
  siteState: inWords("address.siteState", text),
  sitePostalCode: called("address.sitePostalCode", text),
  siteCountry: inWords("address.siteCountry", country),
  emergencyFirstName: called("emergency.firstName", text),
  emergencySurname: called("emergency.surname", text),
  emergencyRelation: inWords("emergency.relation", text),
  emergencyMobile: called("emergency.mobilePhone", text),
  emergencyPhone: called("emergency.phone", text),
  // What the read has put in.
  isAway: flag,
  jobs: given<readonly object[]>(),
  weeklyHours: number,
  custom: given<Readonly<Record<string, unknown>>>(),
});

/** What a search asks for in each company: what the read has put in has no point in its name. */
export const fieldIds: readonly string[] = person.names.filter((name) => name.includes("."));

/** What the company added itself. */
export function listCustom(fields: Iterable<Field>): Field[] {
  return [...fields].filter(({ id }) => /custom|\bfield_\d/i.test(id));
}

/** Bob answers 400 fields at most. */
export const mostCustom = 400 - fieldIds.length;

export const siteAddress = {
  street_address: person.joined(["siteAddress1", "siteAddress2"]),
  locality: "siteCity",
  administrative_area: person.from(["siteCountry", "siteState"], toRegion),
  post_code: "sitePostalCode",
  country: "siteCountry",
} as const;

const emergencyContact = definePart<Part<"emergency_contacts">>()(person, {
  first_name: "emergencyFirstName",
  last_name: "emergencySurname",
  relationship: "emergencyRelation",
  mobile_phone_number: person.first("emergencyMobile", "emergencyPhone"),
});

const contacts = onlyOne(person, "id", emergencyContact);

/** Of some a name alone is told, of others a number. */
function isKnown({ relationship: _relationship, ...contact }: Part<"emergency_contacts">): boolean {
  return Object.values(contact).some((value) => value !== null);
}

export const employeeFields = defineFields("employees", person, {
  remote_id: "id",
  employee_number: "number",
  first_name: "firstName",
  last_name: person.or("surname", ""),
  display_full_name: "displayName",
  work_email: "email",
  personal_email: "privateEmail",
  mobile_phone_number: person.from(["mobilePhone", "workMobile"], firstOf),
  job_title: "title",
  date_of_birth: "birthDate",
  nationality: person.from(["nationality"], toNationality),
  gender: "gender",
  ethnicity: "ethnicity",
  marital_status: "familyStatus",
  tax_id: person.from(["ssn", "ssnSerial", "nin", "sin", "taxNumber"], firstOf),
  start_date: "startDate",
  termination_date: "terminationDate",
  employment_status: person.from(["lifecycle", "status", "isAway"], toStatus),
  employment_type: person.from(["contract", "type"], toEmploymentType),
  remote_created_at: "created",
  home_location: {
    street_address: person.joined(["line1", "line2"]),
    locality: "city",
    administrative_area: person.from(["country", "usaState", "state"], (country, usaState, state) =>
      toRegion(country, usaState ?? state),
    ),
    post_code: person.first("postCode", "zipCode"),
    country: "country",
  },
  work_location: { remote_id: "siteId", name: "site", address: siteAddress },
  manager: {
    remote_id: person.from(["reportsTo"], (one) => one?.id ?? null),
    first_name: person.from(["reportsTo"], (one) => one?.firstName ?? null),
    last_name: person.from(["reportsTo"], (one) => one?.surname ?? null),
    work_email: person.from(["reportsTo"], (one) => one?.email ?? null),
  },
  groups: person.from(["department"], (one) =>
    one && one.id !== null ? [{ remote_id: one.id, name: one.name, type: "department" }] : [],
  ),
  bank_account: { iban: person.from(["iban"], stripIban) },
  emergency_contacts: {
    ...contacts,
    read: (...record) => {
      const known = contacts.read(...record)?.filter(isKnown) ?? [];
      return known.length > 0 ? known : null;
    },
  },
  employments: each(person, "jobs", jobFields),
  custom_fields: person.from(
    ["custom", "nationality", "startDate", "originalStartDate", "weeklyHours"],
    (custom, nationality, start, first, hours) => {
      const isOther = nationality !== null && toNationality(nationality) === null;
      const ours = {
        ...(isOther && { nationality }),
        ...(first !== null && start !== null && first < start && { original_start_date: first }),
        ...(hours !== null && { weekly_working_hours: hours }),
      };
      const all = { ...custom, ...ours };
      return Object.keys(all).length > 0 ? all : null;
    },
  ),
}).says({
  mobile_phone_number: "the first that is there",
  tax_id: "the first that is there",
  nationality: "the code of ISO 3166, by a code or the name of a country",
  employment_status:
    "by the lifecycle: hired is pending, each kind of leave is leave, and so is who is away for the whole of today; the company's own words by Active or Inactive",
  employment_type: "contractor by the type, else full or part time by the contract, else other",
  "manager.remote_id": "of whom the person reports to",
  "manager.first_name": "of whom the person reports to",
  "manager.last_name": "of whom the person reports to",
  "manager.work_email": "of whom the person reports to",
  "home_location.administrative_area": regionNote,
  "work_location.address.administrative_area": regionNote,
  groups: "the department",
  "bank_account.iban": "without spaces and hyphens",
  employments: "from each day on which work, employment or salary has a new row",
  custom_fields: "by their names, and nationality, original_start_date, weekly_working_hours",
});

/** Each of them counts: with another one hidden, this one may be what was not told before. */
function firstOf(...told: readonly unknown[]): string | null {
  return told.find((one) => typeof one === "string") ?? null;
}

function toNationality(written: string | null): string | null {
  const read = readValue(nationalityInWords, written);
  return typeof read === "string" ? read : null;
}

function toStatus(lifecycle: string | null, status: string | null, isAway: boolean | null) {
  const word = lifecycle?.toLowerCase() ?? "";
  if (word === "hired") return "pending";
  if (word === "terminated") return "inactive";
  if (/\bleave\b/.test(word)) return "leave";
  const isActive = word === "employed" || status?.toLowerCase() === "active";
  if (isActive) return isAway ? "leave" : "active";
  return status?.toLowerCase() === "inactive" ? "inactive" : null;
}
