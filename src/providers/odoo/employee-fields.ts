import { defineFields, each } from "../kit/fields.ts";
import type { Period } from "../kit/periods.ts";
import { flag, given } from "../kit/readers.ts";
import { defineSource, type Mapping } from "../kit/source.ts";
import { splitName } from "../kit/words.ts";
import type { SourceEmployment, SourceRecord } from "../source-records.ts";
import { bankAccount, toBankAccount } from "./bank-accounts.ts";
import type { OdooRecord } from "./client.ts";
import {
  employment,
  period,
  toEmploymentStatus,
  toEmploymentType,
  toOriginalStart,
  toStartDate,
  toTerminationDate,
} from "./contracts.ts";
import { toCustomFields } from "./custom-fields.ts";
import {
  address,
  country,
  ofPartner,
  place,
  state,
  tag,
  toAddress,
  toGroup,
  toLocation,
} from "./organization.ts";
import { choice, day, id, label, many, reference, text } from "./values.ts";

type Employee = SourceRecord<"employees">;

/** The fields of all versions. Each server has some of them. */
export const person = defineSource({
  id: text,
  active: flag,
  name: text,
  barcode: text,
  identification_id: text,
  ssnid: text,
  birthday: day,
  sex: choice({ male: "male", female: "female" }, { otherwise: "not_specified" }),
  gender: choice({ male: "male", female: "female" }, { otherwise: "not_specified" }),
  marital: choice(
    { single: "single", married: "married", divorced: "divorced" },
    { otherwise: "other" },
  ),
  create_date: day,
  work_email: text,
  private_email: text,
  emergency_contact: given<string | false>(),
  emergency_phone: text,
  // The private phone is called `phone` up to 16. From 17 on that is the one of the employee's account.
  mobile_phone: text,
  private_phone: text,
  phone: text,
  work_phone: text,
  job_id: label,
  job_title: text,
  employee_type: text,
  departure_date: day,
  department_id: id,
  company_id: reference,
  employee_properties: given<unknown>(),
  country_id: country,
  category_ids: many(tag),
  parent_id: { id: text, name: text, work_email: text },
  // Up to 14 a location is a name beside an address, from 15 on a record of its own.
  work_location: text,
  address_id: address,
  work_location_id: place,
  // Up to 16 the home address is a partner, from 17 on it is in the employee.
  address_home_id: address,
  private_street: text,
  private_street2: text,
  private_city: text,
  private_zip: text,
  private_state_id: state,
  private_country_id: country,
  // Up to 18 there is one account, from 19 on there can be several.
  bank_account_id: bankAccount,
  bank_account_ids: many(bankAccount),
  primary_bank_account_id: bankAccount,
});

/** With what else a read finds out. */
const employee = defineSource({
  ...person.shape,
  /** The employee's own department first. */
  departments: given<readonly OdooRecord[]>(),
  /** Null when the server has none, or the account may not read them. */
  contracts: given<readonly OdooRecord[]>(),
  /** Of the contracts with a start. Null when the account may not read them. */
  periods: given<readonly Period[]>(),
  /** Whether an approved leave covers today. */
  isOnLeave: flag,
  added: given<Readonly<Record<string, unknown>>>(),
  /** Whether the employees of several companies are read. */
  isCompanyTold: flag,
  /** YYYY-MM-DD, where the company is. */
  today: given<string>(),
});

const terms = ["active", "departure_date", "periods", "isOnLeave", "today"] as const;

export const employeeFields = defineFields("employees", employee, {
  remote_id: "id",
  employee_number: employee.first("barcode", "identification_id"),
  first_name: employee.from(["name"], (name) => splitName(name).first_name),
  last_name: employee.from(["name"], (name) => splitName(name).last_name),
  display_full_name: "name",
  nationality: "country_id.nationality",
  work_email: "work_email",
  personal_email: "private_email",
  mobile_phone_number: employee.first("mobile_phone", "private_phone", "phone", "work_phone"),
  tax_id: "ssnid",
  gender: employee.first("sex", "gender"),
  marital_status: "marital",
  date_of_birth: "birthday",
  job_title: employee.first("job_title", "job_id"),
  employment_status: employee.from(terms, toEmploymentStatus),
  // The type of a contract counts before the one of the employee.
  employment_type: employee.from(
    ["contracts", "periods", "employee_type", "today"],
    (contracts, periods, type, today, mapping) => {
      if (periods === null) return null;
      const ofContract = findCurrent(contracts ?? [], today ?? "", mapping)?.employment_type;
      return ofContract ?? toEmploymentType(null, type);
    },
  ),
  start_date: employee.from(["periods", "today"], toStartDate),
  termination_date: employee.from(["departure_date", "periods", "today"], toTerminationDate),
  remote_created_at: "create_date",
  home_location: employee.from(
    [
      "private_street",
      "private_street2",
      "private_city",
      "private_zip",
      "private_state_id",
      "private_country_id",
      "address_home_id",
    ],
    (street, street2, city, zip, inState, inCountry, partner) =>
      toAddress(street, street2, city, zip, inState, inCountry) ?? ofPartner(partner),
  ),
  work_location: employee.from(["work_location_id", "work_location", "address_id"], toLocation),
  manager: employee.from(["parent_id"], (manager) => {
    if (!manager) return null;
    const { id: remote_id, name, work_email } = manager;
    return { remote_id, ...splitName(name), work_email };
  }),
  bank_account: employee.from(
    ["primary_bank_account_id", "bank_account_ids", "bank_account_id"],
    (primary, all, only) =>
      toBankAccount(primary ?? all?.find(({ active }) => active !== false) ?? only),
  ),
  employments: each(employee, "contracts", employment),
  groups: employee.from(["departments", "category_ids"], (departments, tags, mapping) => [
    ...(departments ?? []).flatMap(
      (record) => toGroup({ ...record, type: "department" }, mapping) ?? [],
    ),
    ...(tags ?? []).flatMap((record) => toGroup({ ...record, type: "team" }, mapping) ?? []),
  ]),
  emergency_contacts: employee.from(["emergency_contact", "emergency_phone"], toContacts),
  custom_fields: employee.from(
    [
      "added",
      "isCompanyTold",
      "company_id",
      "country_id",
      "periods",
      "today",
      "employee_properties",
    ],
    (added, isCompanyTold, company, ofCountry, periods, today, properties) => {
      const isUnknown = ofCountry?.nationality === null && ofCountry.name !== null;
      const known = {
        ...added,
        ...(isCompanyTold &&
          company && { company: { remote_id: String(company.id), name: company.label } }),
        ...(isUnknown && { nationality: ofCountry.name }),
        ...toOriginalStart(periods, today),
      };
      return toCustomFields(known, properties);
    },
  ),
}).says({
  first_name: "all words but the last one",
  last_name: "the last word; empty for a single one",
  employment_status: "by departure, contracts and approved leave of today",
  employment_type: "of the contract that took effect last, else of the employee",
  start_date:
    "the first day of the contracts without a gap that cover today, else of the next ones, else of the last ones",
  termination_date: "the departure, else the end of the last contract if it has passed",
  home_location: "of the employee from 17 on, before of the private partner",
  work_location: "a record from 15 on, before a name beside an address",
  bank_account: "the primary one, else the first that is not archived",
  groups: "the department and those above it, and tags as teams",
  custom_fields:
    "fields that begin with x_ by their names, properties by their labels, and company, nationality, original_start_date",
});

/** Fields of an employee that are not known, or not for everybody, without the contracts. */
export const hiddenWithContracts = employeeFields.limitedBy(["contracts", "periods"]);
/** Fields that are less exact without the leave of others. */
export const hiddenWithLeave = employeeFields.limitedBy(["isOnLeave"]);

export interface RawEmployee extends OdooRecord {
  departments: readonly OdooRecord[];
  contracts: readonly OdooRecord[] | null;
  areContractsHidden: boolean;
  isOnLeave: boolean;
  added: Readonly<Record<string, unknown>>;
  isCompanyTold: boolean;
  today: string;
}

export function toEmployee(raw: RawEmployee, mapping: Mapping): Employee {
  const { contracts, areContractsHidden } = raw;
  const known = (contracts ?? []).map((contract) => period.map(contract, mapping));
  const begun = known.flatMap(({ start, end }) => (start === null ? [] : [{ start, end }]));
  const periods = areContractsHidden ? null : begun;
  return employeeFields.map({ ...raw, periods }, mapping);
}

/** The contract that took effect last, else the first future one. */
function findCurrent(contracts: readonly OdooRecord[], today: string, mapping: Mapping) {
  const inOrder = contracts
    .map((record) => employment.map(record, mapping))
    .sort((one, other) => (dayOf(one) < dayOf(other) ? -1 : 1));
  return inOrder.findLast((job) => dayOf(job) <= today) ?? inOrder[0];
}

function dayOf({ effective_date: day }: SourceEmployment): string {
  return day ?? "";
}

/** Null when the account may not read them, empty when there are none. */
function toContacts(name: string | false | null, phone: string | null) {
  if (!name && phone === null) return name === null ? null : [];
  return [
    {
      ...splitName(name || null),
      relationship: null,
      mobile_phone_number: phone,
      primary_contact: true,
    },
  ];
}
