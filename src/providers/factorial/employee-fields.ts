import { defineFields, definePart, each } from "../kit/fields.ts";
import {
  called,
  day,
  flag,
  given,
  nationality,
  number,
  oneOf,
  records,
  text,
} from "../kit/readers.ts";
import { findStarts, type Period } from "../kit/periods.ts";
import { defineSource, type Parts } from "../kit/source.ts";
import { regionNote, toRegion } from "../kit/to-region.ts";
import { email, stripIban } from "../kit/text-readers.ts";
import type { SourceEmployment } from "../source-records.ts";
import { id, type Wire } from "./client.ts";
import { addressShape, team } from "./organisation.ts";

const hundredths = 100;
const fullTime = 10_000;
const unknown = { otherwise: null };

/** A contract from one day on: each change makes one. */
const version = defineSource({
  effective_on: day,
  starts_on: day,
  ends_on: day,
  job_title: text,
  salary_amount: number,
  salary_frequency: oneOf(
    { yearly: "YEAR", monthly: "MONTH", weekly: "WEEK", daily: "DAY", hourly: "HOUR" },
    unknown,
  ),
  working_time_percentage_in_cents: number,
  // What the read has put in.
  currency: text,
});

/** By the share of the working time. Hours of a week alone decide nothing. */
function toEmploymentType(share: number | null) {
  if (share === null) return null;
  return share >= fullTime ? "full_time" : "part_time";
}

const employmentFields = definePart<SourceEmployment>()(version, {
  effective_date: "effective_on",
  job_title: "job_title",
  employment_type: version.from(["working_time_percentage_in_cents"], toEmploymentType),
  pay_rate: version.from(["salary_amount", "salary_frequency"], (cents, period) =>
    cents === null || period === null ? null : cents / hundredths,
  ),
  pay_period: "salary_frequency",
  currency: "currency",
}).says({
  employment_type: "full time from 100 % of the working time on",
  pay_rate: "hundredths; null without a period",
});

/** A person, with what the read has put in. */
export const person = defineSource({
  id,
  company_identifier: text,
  first_name: text,
  last_name: text,
  full_name: text,
  login_email: email,
  email,
  personal_email: email,
  phone_number: text,
  nationality,
  writtenNationality: called("nationality", text),
  birthday_on: day,
  gender: oneOf({ male: "male", female: "female" }, { otherwise: "not_specified" }),
  identifier: text,
  identifier_type: oneOf({ dni: true, nie: true }, { otherwise: false }),
  created_at: day,
  terminated_on: day,
  active: flag,
  manager_id: id,
  ...addressShape,
  bank_number: text,
  bank_number_format: text,
  swift_bic: text,
  contact_name: text,
  contact_number: text,
  // What the read has put in.
  family: {
    civil_status: oneOf(
      {
        single: "single",
        married: "married",
        civil_partnership: "married",
        divorced: "divorced",
        cohabitating: "other",
        separated: "other",
        widow: "other",
      },
      { otherwise: "not_specified" },
    ),
  },
  isAway: flag,
  manager: { first_name: text, last_name: text, login_email: email, email },
  place: { id, name: text, ...addressShape },
  teams: records,
  versions: records,
  custom: given<Wire>(),
  /** The legal entity, where there are several. */
  entity: { id, legal_name: text },
  // What is made of the versions.
  job: version.shape,
  starts: { start: day, first: day },
});

export const employeeFields = defineFields("employees", person, {
  remote_id: "id",
  employee_number: "company_identifier",
  first_name: "first_name",
  last_name: person.or("last_name", ""),
  display_full_name: "full_name",
  // `email` is either of both, by Factorial's own pages.
  work_email: person.first("login_email", "email"),
  personal_email: "personal_email",
  mobile_phone_number: "phone_number",
  nationality: "nationality",
  date_of_birth: "birthday_on",
  gender: "gender",
  tax_id: person.from(["identifier", "identifier_type"], (number, isTax) =>
    isTax ? number : null,
  ),
  marital_status: "family.civil_status",
  job_title: "job.job_title",
  employment_type: person.from(["job.working_time_percentage_in_cents"], toEmploymentType),
  employment_status: person.from(["terminated_on", "active", "starts.start", "isAway"], toStatus),
  start_date: "starts.start",
  termination_date: "terminated_on",
  remote_created_at: "created_at",
  home_location: {
    street_address: person.joined(["address_line_1", "address_line_2"]),
    locality: "city",
    administrative_area: person.from(["country", "state"], toRegion),
    country: "country",
    post_code: "postal_code",
  },
  work_location: {
    remote_id: "place.id",
    name: "place.name",
    address: {
      street_address: person.joined(["place.address_line_1", "place.address_line_2"]),
      locality: "place.city",
      administrative_area: person.from(["place.country", "place.state"], toRegion),
      country: "place.country",
      post_code: "place.postal_code",
    },
  },
  manager: {
    remote_id: "manager_id",
    first_name: "manager.first_name",
    last_name: "manager.last_name",
    work_email: person.first("manager.login_email", "manager.email"),
  },
  bank_account: {
    iban: person.from(["bank_number", "bank_number_format"], (number, format) =>
      format === "iban" ? stripIban(number) : null,
    ),
    account_number: person.from(["bank_number", "bank_number_format"], (number, format) =>
      format === "iban" ? null : number,
    ),
    bic: "swift_bic",
  },
  groups: person.from(["teams"], (teams) =>
    (teams ?? []).map((one) => {
      const { id: remote_id, name } = team.parts(one);
      return { remote_id, name, type: "team" };
    }),
  ),
  employments: each(person, "versions", employmentFields),
  emergency_contacts: person.from(["contact_name", "contact_number"], (name, number) =>
    name === null && number === null ? [] : [{ first_name: name, mobile_phone_number: number }],
  ),
  custom_fields: person.from(
    ["custom", "entity", "nationality", "writtenNationality", "starts"],
    (custom, entity, code, written, starts) => {
      const { start = null, first = null } = starts ?? {};
      const fields = {
        ...custom,
        ...(entity && { company: { remote_id: entity.id, name: entity.legal_name } }),
        ...(code === null && written !== null && { nationality: written }),
        ...(first !== start && { original_start_date: first }),
      };
      return Object.keys(fields).length > 0 ? fields : null;
    },
  ),
}).says({
  tax_id: "of a DNI or NIE; a passport is none",
  employment_type: "full time from 100 % of the working time of today's version on",
  employment_status:
    "inactive when the last day has passed, pending before the first one, leave on a whole day of approved leave",
  "home_location.administrative_area": regionNote,
  "work_location.address.administrative_area": regionNote,
  "bank_account.iban": "of an account whose format is `iban`, without spaces and hyphens",
  "bank_account.account_number": "of one of another format",
  groups: "the teams",
  emergency_contacts: "one, whose name is one text",
  custom_fields:
    "what the company added by its labels, and company, nationality, original_start_date",
});

function toStatus(
  end: string | null,
  isActive: boolean | null,
  start: string | null,
  isAway: boolean | null,
  { today }: { today: string },
) {
  if (end !== null && end < today) return "inactive";
  if (start !== null && start > today) return "pending";
  if (end === null && isActive === false) return "inactive";
  return isAway ? "leave" : "active";
}

/** So many days between two contracts, such as a weekend, are no gap. */
const daysBetween = 2;

/** A person with the version of today, and with the first days of contracts. A later version is no job yet. */
export function toPerson(record: object, today: string): object {
  const told = person.read(record, "versions");
  if (!told) return record;
  const versions = told.map((one) => version.parts(one)).toSorted(byDay);
  const job = versions.findLast(({ effective_on: from }) => from !== null && from <= today);
  // Of one contract the newest version knows the end.
  const periods = new Map<string, Period>();
  for (const { starts_on, effective_on, ends_on: end } of versions) {
    const start = starts_on ?? effective_on;
    if (start !== null) periods.set(start, { start, end });
  }
  const starts = findStarts([...periods.values()], today, daysBetween);
  return { ...record, job: job ?? versions[0], starts };
}

function byDay(one: Version, other: Version): number {
  return (one.effective_on ?? "") < (other.effective_on ?? "") ? -1 : 1;
}
type Version = Parts<(typeof version)["shape"]>;
