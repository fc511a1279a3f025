import type { SourceRecord } from "../source-records.ts";
import { toAddress } from "./address.ts";
import { toContract, toEmploymentType, type Contract } from "./contracts.ts";
import { toEmploymentStatus, toStartDate, toTerminationDate } from "./employment-status.ts";
import { toCustomFields } from "./custom-fields.ts";
import {
  isFalse,
  toDate,
  toReference,
  toRelated,
  toRelatedList,
  toText,
  type OdooRecord,
} from "./field-values.ts";
import { toDepartment, toTeam } from "./groups.ts";
import { toWorkLocation } from "./work-locations.ts";

export interface RawEmployee {
  record: OdooRecord;
  /** The employee's own department first. */
  departments: readonly OdooRecord[];
  /** Null when the server has none, or the account may not read them. */
  contracts: readonly OdooRecord[] | null;
  areContractsHidden: boolean;
  isOnLeave: boolean;
  companyFields: Parameters<typeof toCustomFields>[1];
  /** Whether the employees of several companies are read. */
  isCompanyTold: boolean;
  /** YYYY-MM-DD, where the company is. */
  today: string;
}

type Employee = SourceRecord<"employees">;
type Value<Field extends keyof Employee> = Exclude<Employee[Field], undefined>;

export function toEmployee({
  record,
  departments,
  contracts,
  areContractsHidden,
  isOnLeave,
  companyFields,
  isCompanyTold,
  today,
}: RawEmployee): Employee {
  const known =
    contracts
      ?.map((contract) => toContract(contract, record))
      .filter((contract) => contract !== null) ?? null;
  const facts = {
    isArchived: isFalse(record, "active"),
    departureDate: toDate(record, "departure_date"),
    contracts: areContractsHidden ? null : (known?.filter(({ start }) => start !== null) ?? []),
    isOnLeave,
  };
  return {
    remote_id: String(record.id),
    employee_number: toText(record, "barcode") ?? toText(record, "identification_id"),
    ...toPerson(record),
    job_title: toText(record, "job_title") ?? toReference(record, "job_id")?.label ?? null,
    employment_status: toEmploymentStatus(facts, today),
    // The type of a contract counts before the one of the employee.
    employment_type: areContractsHidden
      ? null
      : (findCurrent(known ?? [], today)?.employment.employment_type ??
        toEmploymentType(null, toText(record, "employee_type"))),
    start_date: toStartDate(facts),
    termination_date: toTerminationDate(facts, today),
    remote_created_at: toDate(record, "create_date"),
    home_location: toAddress(record, "private_") ?? toAddress(toRelated(record, "address_home_id")),
    work_location: toEmployeeLocation(record),
    manager: toManager(toRelated(record, "parent_id")),
    bank_account: toBankAccount(findBankAccount(record)),
    employments: known?.map(({ employment }) => employment) ?? null,
    groups: [
      ...departments.map(toDepartment).filter((group) => group !== null),
      ...toRelatedList(record, "category_ids").map(toTeam),
    ],
    emergency_contacts: toEmergencyContacts(record),
    custom_fields: toCustomFields(record, companyFields, isCompanyTold),
  };
}

function toPerson(record: OdooRecord) {
  return {
    ...splitName(toText(record, "name")),
    display_full_name: toText(record, "name"),
    nationality: toText(toRelated(record, "country_id"), "code"),
    work_email: toText(record, "work_email"),
    personal_email: toText(record, "private_email"),
    mobile_phone_number: toPhoneNumber(record),
    tax_id: toText(record, "ssnid"),
    gender: toGender(toText(record, "sex") ?? toText(record, "gender")),
    marital_status: toMaritalStatus(toText(record, "marital")),
    date_of_birth: toDate(record, "birthday"),
  };
}

/** The last word is the last name. A single word is the first name. */
export function splitName(name: string | null): { first_name: string; last_name: string } {
  const words = name?.split(/\s+/) ?? [];
  const lastName = words.length > 1 ? (words.pop() ?? "") : "";
  return { first_name: words.join(" "), last_name: lastName };
}

/** The mobile phone, else the private one, else the one at work. */
function toPhoneNumber(record: OdooRecord): string | null {
  const fields = ["mobile_phone", "private_phone", "phone", "work_phone"];
  return fields.map((field) => toText(record, field)).find((number) => number !== null) ?? null;
}

function toGender(sex: string | null): Value<"gender"> {
  if (sex === null || sex === "male" || sex === "female") return sex;
  return "not_specified";
}

function toMaritalStatus(marital: string | null): Value<"marital_status"> {
  if (marital === null || marital === "single" || marital === "married" || marital === "divorced")
    return marital;
  return "other";
}

/** The contract that took effect last, else the first future one. */
function findCurrent(contracts: readonly Contract[], today: string): Contract | undefined {
  const inOrder = [...contracts].sort((a, b) => (effectiveDate(a) < effectiveDate(b) ? -1 : 1));
  return inOrder.findLast((contract) => effectiveDate(contract) <= today) ?? inOrder[0];
}

function effectiveDate({ employment }: Contract): string {
  return employment.effective_date ?? "";
}

function toEmployeeLocation(record: OdooRecord): Value<"work_location"> {
  const location = toRelated(record, "work_location_id");
  if (location) {
    const { remote_id: id, ...place } = toWorkLocation(location);
    return { remote_id: isFalse(location, "active") ? null : id, ...place };
  }
  const name = toText(record, "work_location");
  const address = toAddress(toRelated(record, "address_id"));
  return name === null && address === null ? null : { remote_id: null, name, type: null, address };
}

function toManager(manager: OdooRecord | null): Value<"manager"> {
  return (
    manager && {
      remote_id: String(manager.id),
      ...splitName(toText(manager, "name")),
      work_email: toText(manager, "work_email"),
    }
  );
}

function findBankAccount(record: OdooRecord): OdooRecord | null {
  const inUse = toRelatedList(record, "bank_account_ids").find(
    (account) => !isFalse(account, "active"),
  );
  return (
    toRelated(record, "primary_bank_account_id") ?? inUse ?? toRelated(record, "bank_account_id")
  );
}

function toBankAccount(account: OdooRecord | null): Value<"bank_account"> {
  if (!account) return null;
  const number = toText(account, "acc_number");
  return {
    account_number: number,
    bank_name: toText(account, "bank_name"),
    bic: toText(account, "bank_bic"),
    holder_name: toText(account, "acc_holder_name"),
    iban: toIban(number),
  };
}

/** By format and check digits: Odoo marks IBANs only where its accounting module is installed. */
function toIban(number: string | null): string | null {
  const iban = number?.replaceAll(/[\s-]/g, "").toUpperCase() ?? "";
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return null;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)]
    .map((character) => Number.parseInt(character, 36))
    .join("");
  return BigInt(digits) % 97n === 1n ? iban : null;
}

/** Null when the account may not read them, empty when there are none. */
function toEmergencyContacts(record: OdooRecord): Value<"emergency_contacts"> {
  const [name, phone] = [toText(record, "emergency_contact"), toText(record, "emergency_phone")];
  if (name === null && phone === null) return "emergency_contact" in record ? [] : null;
  return [
    { ...splitName(name), relationship: null, mobile_phone_number: phone, primary_contact: true },
  ];
}
