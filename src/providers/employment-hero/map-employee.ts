import { defineFields, definePart, onlyOne, together } from "../kit/fields.ts";
import {
  called,
  country,
  day,
  flag,
  given,
  nationality,
  number,
  oneOf,
  text,
} from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { regionNote, toRegion } from "../kit/to-region.ts";
import type { SourceEmployment, SourceRecord } from "../source-records.ts";
import { region, regions, type Wire } from "./client.ts";
import { toPlace } from "./organisation.ts";

type Contact = NonNullable<SourceRecord<"employees">["emergency_contacts"]>[number];

const unknown = { otherwise: null };
/** Of each of up to three accounts, behind `bankAccount1_`. */
const account = {
  AccountName: text,
  AccountNumber: text,
  BSB: text,
  SortCode: text,
  BankName: text,
  BankSwift: text,
};
export const accountNames = Object.keys(account);
const contact = { Name: text, Relationship: text, ContactNumber: text };
export const contactNames = Object.keys(contact);

/** What the answer has of somebody. A tax file number of Australia is not among it, and is never read. */
const person = defineSource(
  {
    id: text,
    firstName: text,
    surname: text,
    legalName: text,
    payrollId: text,
    externalId: text,
    jobTitle: text,
    emailAddress: text,
    mobilePhone: text,
    nationality: text,
    country: called("nationality", country),
    countryCode: called("nationality", nationality),
    irdNumber: called("taxCodeDeclaration_IrdNumber", text),
    nationalInsuranceNumber: text,
    nationalRegistrationIdentityNumber: text,
    /** Of Singapore. What another country gave identifies nobody for taxes. */
    isForeign: called(
      "identityType",
      oneOf({ Passport: true, ForeignIC: true }, { otherwise: false }),
    ),
    incomeTaxNumber: text,
    dateOfBirth: day,
    gender: oneOf({ Male: "male", Female: "female" }, { otherwise: "not_specified" }),
    ethnicity: oneOf({ Chinese: "asian", Malay: "asian", Indian: "asian" }, { otherwise: "other" }),
    maritalStatus: oneOf(
      { Single: "single", Married: "married", Divorced: "divorced" },
      { otherwise: "other" },
    ),
    status: oneOf({ Active: "active", Terminated: "inactive", Incomplete: "pending" }, unknown),
    employmentType: oneOf(
      {
        FullTime: "full_time",
        Permanent: "full_time",
        PartTime: "part_time",
        IndependentContractor: "contractor",
        LabourHire: "contractor",
        Contract: "contractor",
        Consultant: "contractor",
        Unknown: null,
        NotApplicable: null,
      },
      { otherwise: "other" },
    ),
    isIR35Contractor: flag,
    startDate: day,
    endDate: day,
    dateCreated: day,
    residentialBlockNumber: text,
    residentialLevelNumber: text,
    residentialUnitNumber: text,
    residentialStreetName: text,
    residentialStreetAddress: text,
    residentialAddressLine2: text,
    residentialAddressLine3: text,
    residentialSuburb: text,
    residentialCity: text,
    residentialState: text,
    residentialCounty: text,
    residentialPostCode: text,
    residentialCountry: country,
    residentialAddressIsOverseas: flag,
    rate: number,
    rateUnit: oneOf(
      { Hourly: "HOUR", Daily: "DAY", Weekly: "WEEK", Monthly: "MONTH", Annually: "YEAR" },
      unknown,
    ),
    hoursPerWeek: number,
    tags: text,
    reportingDimensionValues: text,
    // What the read has put in.
    region,
    bank: account,
    contact1: contact,
    contact2: contact,
    schedule: {
      id: text,
      name: text,
      frequency: oneOf(
        {
          Weekly: "weekly",
          Fortnightly: "biweekly",
          BiWeekly: "biweekly",
          HalfMonthly: "semimonthly",
          SemiMonthly: "semimonthly",
          Monthly: "monthly",
          Annually: "year",
        },
        { otherwise: "other" },
      ),
    },
    place: given<Wire>(),
    entity: { id: text, name: text },
  },
  { required: ["id"] },
);
const own = new Set(["region", "bank", "contact1", "contact2", "schedule", "place", "entity"]);
/** All that is kept of an answer's record, but for accounts and contacts. */
export const namesOfPerson = person.names.filter((name) => !own.has(name));

const employmentType = person.from(["employmentType", "isIR35Contractor"], (type, isContractor) =>
  isContractor ? "contractor" : type,
);

/** Of today: no earlier terms are told. */
const employment = definePart<SourceEmployment>()(person, {
  effective_date: "startDate",
  job_title: "jobTitle",
  employment_type: employmentType,
  pay_rate: person.from(["rate", "rateUnit"], (rate, unit) =>
    unit === null ? null : rate || null,
  ),
  pay_period: person.from(["rate", "rateUnit"], (rate, unit) => (rate ? unit : null)),
  pay_frequency: "schedule.frequency",
  currency: person.from(["region"], (name) => name && regions[name].currency),
});

const toContact = (which: "contact1" | "contact2", isFirst: boolean) => ({
  ...person.from([which], (one): readonly Contact[] | null =>
    one && Object.values(one).some((value) => value !== null)
      ? [
          {
            first_name: one.Name,
            last_name: null,
            relationship: one.Relationship,
            mobile_phone_number: one.ContactNumber,
            primary_contact: isFirst,
          },
        ]
      : null,
  ),
});

export const employeeFields = defineFields("employees", person, {
  remote_id: "id",
  first_name: "firstName",
  last_name: person.or("surname", ""),
  display_full_name: "legalName",
  employee_number: person.first("payrollId", "externalId"),
  job_title: "jobTitle",
  work_email: "emailAddress",
  mobile_phone_number: "mobilePhone",
  nationality: person.first("countryCode", "country"),
  tax_id: person.from(
    [
      "irdNumber",
      "nationalInsuranceNumber",
      "nationalRegistrationIdentityNumber",
      "isForeign",
      "incomeTaxNumber",
    ],
    (ird, insurance, registration, isForeign, incomeTax) =>
      ird ?? insurance ?? (isForeign ? null : registration) ?? incomeTax,
  ),
  date_of_birth: "dateOfBirth",
  gender: "gender",
  ethnicity: "ethnicity",
  marital_status: "maritalStatus",
  employment_status: person.from(["status", "startDate", "endDate"], toStatus),
  employment_type: employmentType,
  start_date: "startDate",
  termination_date: "endDate",
  remote_created_at: "dateCreated",
  home_location: {
    street_address: person.joined([
      "residentialBlockNumber",
      "residentialLevelNumber",
      "residentialUnitNumber",
      "residentialStreetName",
      "residentialStreetAddress",
      "residentialAddressLine2",
      "residentialAddressLine3",
    ]),
    locality: person.first("residentialSuburb", "residentialCity"),
    administrative_area: person.from(
      ["residentialCountry", "residentialState", "residentialCounty"],
      (country, state, county) => toRegion(country, state ?? county),
    ),
    post_code: "residentialPostCode",
    country: person.from(
      [
        "residentialCountry",
        "residentialAddressIsOverseas",
        "region",
        "residentialPostCode",
        "residentialSuburb",
        "residentialCity",
      ],
      (told, isOverseas, name, ...[postCode, suburb, city]) => {
        const isKnown = (postCode ?? suburb ?? city) !== null;
        return told ?? (name && isKnown && !isOverseas ? regions[name].country : null);
      },
    ),
  },
  work_location: person.from(["place"], (place, { today }) => toPlace(place, today)),
  groups: person.from(["schedule"], (schedule) =>
    schedule ? [{ remote_id: schedule.id, name: schedule.name, type: "pay_group" }] : [],
  ),
  employments: onlyOne(person, "id", employment),
  bank_account: {
    holder_name: "bank.AccountName",
    account_number: "bank.AccountNumber",
    sort_code: person.first("bank.BSB", "bank.SortCode"),
    bank_name: "bank.BankName",
    bic: "bank.BankSwift",
  },
  emergency_contacts: together(toContact("contact1", true), toContact("contact2", false)),
  custom_fields: person.from(
    ["tags", "reportingDimensionValues", "hoursPerWeek", "nationality", "entity"],
    (...[tags, dimensions, hours, word, entity]) => {
      const known = {
        ...(tags && { tags: toList(tags) }),
        ...(dimensions && { reporting_dimension_values: toList(dimensions) }),
        ...(hours !== null && { weekly_working_hours: hours }),
        ...(word && { nationality: word }),
        ...(entity && { company: { remote_id: entity.id, name: entity.name } }),
      };
      return Object.keys(known).length > 0 ? known : null;
    },
  ),
}).says({
  display_full_name: "the legal name, of Singapore and Malaysia",
  employee_number: "the payroll id of the United Kingdom, else the external id",
  work_email: "where payslips go, which may be a private address",
  nationality: "the code of a country that a code or a name tells",
  tax_id:
    "the first that is there, without a passport's or a foreign card's; null in Australia: a tax file number is never read",
  employment_status: "by the days of the employment first, then by the status; leave is not told",
  "home_location.administrative_area": regionNote,
  "home_location.country": "that of the payroll where none is told and it is not overseas",
  work_location: "the place with the name of the primary location; null where two have it",
  groups: "the pay schedule, by its name",
  "bank_account.account_number":
    "that of the account that gets the rest of the pay, else the first",
  custom_fields: "tags, reporting dimensions, hours a week, nationality, employing entity",
});

/** Incomplete says that tax or bank details are missing: somebody like that may work, or have left. */
function toStatus(
  status: "active" | "inactive" | "pending" | null,
  start: string | null,
  end: string | null,
  { today }: { today: string },
) {
  if (end === null ? status === "inactive" : end < today) return "inactive";
  if (start !== null && start > today) return "pending";
  if (status === "inactive") return "active";
  return status === "pending" && start !== null ? "active" : status;
}

function toList(texts: string): string[] {
  return texts.split("|").map((one) => one.trim());
}
