import { always, defineFields, definePart, each } from "../kit/fields.ts";
import { country, day, flag, given, oneOf, readValue, text } from "../kit/readers.ts";
import { findStarts, type Period } from "../kit/periods.ts";
import { defineSource } from "../kit/source.ts";
import { regionNote } from "../kit/to-region.ts";
import { email } from "../kit/text-readers.ts";
import { ethnicity, nationalityInWords, splitName } from "../kit/words.ts";
import type { SourceRecord } from "../source-records.ts";
import { id, type BambooRecord } from "./client.ts";
import { employmentType, employment, type DatedRows } from "./employment-fields.ts";
import { findOptionId, hasStates, joinStreets, placeFields, toGroup, type Lists } from "./lists.ts";

type Employee = SourceRecord<"employees">;
type Part<Name extends keyof Employee> =
  NonNullable<Employee[Name]> extends readonly (infer One)[] ? One : never;

/** What is read of people, by the names of BambooHR's list of employees. */
const listed = {
  employeeId: id,
  firstName: text,
  lastName: text,
  preferredName: text,
  status: oneOf({ active: "active", inactive: "inactive" }, { otherwise: null }),
  employeeNumber: text,
  workEmail: email,
  homeEmail: email,
  mobilePhone: text,
  birthDate: day,
  hireDate: day,
  terminationDate: day,
  gender: oneOf({ male: "male", female: "female" }, { otherwise: "not_specified" }),
  // The list is the customer's.
  maritalStatus: oneOf(
    { single: "single", married: "married", divorced: "divorced" },
    { otherwise: "other" },
  ),
  ethnicity: text,
  nationality: text,
  ssn: text,
  sin: text,
  nin: text,
  address1: text,
  address2: text,
  city: text,
  state: text,
  stateCode: text,
  zipcode: text,
  country: text,
  jobTitleName: text,
  departmentId: id,
  departmentName: text,
  divisionId: id,
  divisionName: text,
  locationId: id,
  locationName: text,
  employmentStatusName: employmentType,
  reportsToId: id,
  reportsToName: text,
} as const;

export const personNames = Object.keys(listed);

/** A person of the list, with what other requests said. */
export const person = defineSource({
  ...listed,
  /** By their labels; null when the account may not read them. */
  customFields: given<BambooRecord>(),
  /** Whom the person reports to. */
  manager: { workEmail: email },
  employments: given<readonly DatedRows[]>(),
  /** On approved leave for the whole of today. */
  isAway: given<boolean>(),
  /** The times of work by the table of statuses. */
  periods: given<readonly Period[]>(),
  emergencyContacts: given<readonly object[]>(),
  dependents: given<readonly object[]>(),
  lists: given<Lists>(),
  /** By their ids. */
  places: given<ReadonlyMap<string, BambooRecord>>(),
  /** Their codes by their names. */
  countries: given<ReadonlyMap<unknown, unknown>>(),
});

const contact = defineSource({
  name: text,
  relationship: text,
  mobilePhone: text,
  primaryContact: flag,
});
const emergencyContact = definePart<Part<"emergency_contacts">>()(contact, {
  first_name: contact.from(["name"], (name) => splitName(name).first_name || null),
  last_name: contact.from(["name"], (name) => splitName(name).last_name || null),
  relationship: "relationship",
  mobile_phone_number: "mobilePhone",
  primary_contact: "primaryContact",
}).says({
  first_name: "all words but the last one",
  last_name: "the last word of several",
});

const relative = defineSource({
  firstName: text,
  middleName: text,
  lastName: text,
  relationship: text,
});
const dependent = definePart<Part<"dependents">>()(relative, {
  name: relative.from(
    ["firstName", "middleName", "lastName"],
    (first, middle, last) =>
      [first, middle, last].filter((name) => name !== null).join(" ") || null,
  ),
  relationship: "relationship",
});

const homeCountry = (name: string | null, codes: ReadonlyMap<unknown, unknown> | null) =>
  name === null ? null : (codes?.get(name) ?? name);

export const employeeFields = defineFields("employees", person, {
  remote_id: "employeeId",
  employee_number: "employeeNumber",
  first_name: "firstName",
  last_name: person.or("lastName", ""),
  // The host makes it of both, so it is lost with them.
  display_full_name: { ...always(null), paths: ["firstName", "lastName"] },
  nationality: person.from(["nationality", "countries"], toNationality),
  job_title: "jobTitleName",
  work_email: "workEmail",
  personal_email: "homeEmail",
  mobile_phone_number: "mobilePhone",
  tax_id: person.from(["ssn", "sin", "nin"], (ssn, sin, nin) => ssn ?? sin ?? nin),
  gender: "gender",
  ethnicity: person.from(["ethnicity"], toEthnicity),
  marital_status: "maritalStatus",
  date_of_birth: "birthDate",
  // Whoever begins later is Inactive at BambooHR.
  employment_status: person.from(
    ["status", "hireDate", "periods", "isAway"],
    (status, hireDate, periods, isAway, { today }) => {
      const { start } = toStarts(hireDate, periods, today);
      if (start !== null && start > today) return "pending";
      return status === "active" && isAway ? "leave" : status;
    },
  ),
  employment_type: "employmentStatusName",
  start_date: person.from(
    ["hireDate", "periods"],
    (hireDate, periods, { today }) => toStarts(hireDate, periods, today).start,
  ),
  termination_date: person.from(
    ["terminationDate", "hireDate", "periods"],
    (last, hireDate, periods, { today }) => {
      const { start } = toStarts(hireDate, periods, today);
      return last !== null && last < (start ?? "") ? null : last;
    },
  ),
  home_location: {
    street_address: person.from(["address1", "address2"], joinStreets),
    locality: "city",
    administrative_area: person.from(
      ["state", "stateCode", "country", "countries"],
      (state, stateCode, name, codes) =>
        hasStates(homeCountry(name, codes))
          ? // The two letters, which some companies have as the state itself.
            ([stateCode, state].find((code) => /^[A-Z]{2}$/.test(code ?? "")) ?? null)
          : state,
    ),
    country: person.from(["country", "countries"], (name, codes) => {
      const read = readValue(country, homeCountry(name, codes));
      return typeof read === "symbol" ? null : read;
    }),
    post_code: "zipcode",
  },
  work_location: person.from(
    ["locationId", "locationName", "lists", "places"],
    (locationId, name, lists, places, mapping) => {
      const placeId = locationId ?? findOptionId(lists, "location", name);
      if (placeId === null && name === null) return null;
      const place = places?.get(placeId ?? "");
      return { remote_id: placeId, name, ...(place && placeFields.map(place, mapping)) };
    },
  ),
  // `supervisorId` would be the manager's number, which is no id.
  manager: {
    remote_id: "reportsToId",
    first_name: person.from(["reportsToName"], (name) => splitName(name).first_name || null),
    last_name: person.from(["reportsToName"], (name) => splitName(name).last_name || null),
    work_email: "manager.workEmail",
  },
  groups: person.from(
    ["departmentId", "departmentName", "divisionId", "divisionName", "lists"],
    (departmentId, department, divisionId, division, lists) => {
      const ids = {
        department: departmentId ?? findOptionId(lists, "department", department),
        division: divisionId ?? findOptionId(lists, "division", division),
      };
      return [
        ...(ids.department === null ? [] : [toGroup("department", ids.department, department)]),
        ...(ids.division === null ? [] : [toGroup("division", ids.division, division)]),
      ];
    },
  ),
  employments: each(person, "employments", employment),
  custom_fields: person.from(
    ["customFields", "nationality", "countries", "hireDate", "periods"],
    (custom, written, codes, hireDate, periods, { today }) => {
      const { start, first } = toStarts(hireDate, periods, today);
      const ours = {
        ...(written !== null && toNationality(written, codes) === null && { nationality: written }),
        ...(first !== start && { original_start_date: first }),
      };
      return custom || Object.keys(ours).length > 0 ? { ...custom, ...ours } : null;
    },
  ),
  emergency_contacts: each(person, "emergencyContacts", emergencyContact),
  dependents: each(person, "dependents", dependent),
}).says({
  nationality: "the code of ISO 3166, by a code or the name of a country",
  tax_id: "the first that is there",
  ethnicity: "by the words of the United States' forms",
  employment_status:
    "pending before the first day; leave for who is active and has approved leave for the whole of today",
  start_date: "of somebody who came back by the table of statuses",
  termination_date: "null where it is of an earlier time",
  "home_location.administrative_area": regionNote,
  work_location: "the place, with its address where it may be read",
  "manager.first_name": "all words but the last one",
  "manager.last_name": "the last word of several",
  groups: "the department and the division",
  custom_fields: "by their labels, and nationality, original_start_date",
});

/** Of somebody who came back, the table of statuses tells when. */
function toStarts(
  hireDate: string | null,
  periods: readonly Period[] | null,
  today: string,
): { start: string | null; first: string | null } {
  if (!periods || periods.length < 2) return { start: hireDate, first: hireDate };
  const told = findStarts(periods, today);
  const [first = null] = [told.first, hireDate].filter((one) => one !== null).toSorted();
  return { start: told.start === told.first ? first : told.start, first };
}

/** The code of ISO 3166, by the code itself or the name of a country; null for other words, such as "Canadian". */
function toNationality(
  written: string | null,
  codes: ReadonlyMap<unknown, unknown> | null,
): string | null {
  const known = written === null ? null : (codes?.get(written) ?? written);
  const read = readValue(nationalityInWords, known);
  return typeof read === "string" ? read : null;
}

function toEthnicity(written: string | null): Employee["ethnicity"] {
  const read = readValue(ethnicity, written);
  return typeof read === "symbol" ? null : read;
}
