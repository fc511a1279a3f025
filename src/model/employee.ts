import { z } from "zod";
import { address } from "./address.ts";
import { compensation, employment, employmentHistory, employmentType } from "./employment.ts";
import { exampleEmployee } from "./example-employee.ts";
import { date, namedEnum, orNull, text } from "./field.ts";
import { group } from "./group.ts";
import { workLocation } from "./work-location.ts";

export const employmentStatus = namedEnum("EmploymentStatus", "Whether a person works there.", {
  active: "employed and at work",
  inactive: "no longer employed",
  pending: "hired, and has not begun yet",
  leave: "employed, and away for a longer time",
});
export type EmploymentStatus = z.output<typeof employmentStatus>;

const gender = namedEnum("Gender", "Gender, as the provider lists it.", {
  male: "male",
  female: "female",
  not_specified: "neither of both, or the person did not want to say",
});

const ethnicity = namedEnum("Ethnicity", "Ethnicity, as the provider lists it.", {
  asian: "Asian",
  black: "Black",
  hispanic: "Hispanic or Latino",
  mixed: "of several",
  not_specified: "the person did not want to say",
  other: "any other",
  white: "White",
});

const maritalStatus = namedEnum("MaritalStatus", "Marital status, as the provider lists it.", {
  single: "never married",
  married: "married, or in a registered partnership",
  divorced: "divorced",
  not_specified: "the person did not want to say",
  other: "any other",
});

const manager = z
  .object({
    id: orNull(text, "The manager's id, as in employees"),
    remote_id: orNull(text, "The manager's id at the provider"),
    first_name: orNull(text, "First name"),
    last_name: orNull(text, "Last name"),
    work_email: orNull(text, "Email address at work"),
  })
  .meta({ id: "Manager", description: "The person to whom an employee reports." });

const bankAccount = z
  .object({
    account_number: orNull(text, "National account number, as the provider writes it"),
    bank_name: orNull(text, "Name of the bank"),
    bic: orNull(text, "BIC (SWIFT code) of the bank"),
    holder_name: orNull(text, "Name of the account's holder"),
    iban: orNull(text, "IBAN without spaces"),
    sort_code: orNull(text, "Sort code of the branch, in the United Kingdom"),
  })
  .meta({ id: "BankAccount", description: "The account to which pay is sent." });

const dependent = z
  .object({
    name: orNull(text, "Full name"),
    relationship: orNull(text, "What they are to the employee, in the provider's words"),
  })
  .meta({
    id: "Dependent",
    description: "A person for whom an employee provides, such as a child.",
  });

const emergencyContact = z
  .object({
    first_name: orNull(text, "First name"),
    last_name: orNull(text, "Last name"),
    relationship: orNull(text, "What they are to the employee, in the provider's words"),
    mobile_phone_number: orNull(text, "Phone number, as the provider writes it"),
    primary_contact: orNull(z.boolean(), "Whether this person is called first"),
  })
  .meta({ id: "EmergencyContact", description: "A person to call when something happens." });

/** A person listed in the HR or payroll system. The order of the fields is the order on the wire. */
export const employee = z
  .object({
    id: text.describe("The person's id at Rollcall; stable for a connection"),
    remote_id: text.describe("The person's id at the provider"),
    employee_number: orNull(text, "The number by which the company knows the person"),
    first_name: text.describe("First name"),
    last_name: text.describe("Last name. Empty when the provider has one name only."),
    display_full_name: text.describe("The name as the provider writes it in full"),
    nationality: orNull(text, "Nationality, as the provider writes it"),
    job_title: orNull(text, "The job title of today"),
    work_email: orNull(text, "Email address at work"),
    personal_email: orNull(text, "Private email address"),
    mobile_phone_number: orNull(text, "Mobile phone number, as the provider writes it"),
    tax_id: orNull(text, "The person's tax number, as the provider writes it"),
    gender: orNull(gender, "Gender, as the provider lists it"),
    ethnicity: orNull(ethnicity, "Ethnicity, as the provider lists it"),
    marital_status: orNull(maritalStatus, "Marital status, as the provider lists it"),
    date_of_birth: orNull(date, "Date of birth, YYYY-MM-DD"),
    employment_status: orNull(employmentStatus, "Whether the person works there"),
    employment_type: orNull(employmentType, "The kind of work contract of today"),
    start_date: orNull(date, "First day of work, YYYY-MM-DD"),
    termination_date: orNull(
      date,
      "Last day of work, YYYY-MM-DD, which may lie ahead. Also null without one",
    ),
    remote_created_at: orNull(date, "The day on which the provider's record was made, YYYY-MM-DD"),
    avatar: orNull(z.url({ protocol: /^https?$/ }), "URL of a picture of the person"),
    home_location: address.describe("Where the person lives. Its members are null when unknown."),
    work_location: workLocation.describe(
      "Where the person works. Its members are null when unknown.",
    ),
    manager: orNull(manager, "The person to whom this one reports"),
    bank_account: orNull(bankAccount, "The account to which pay is sent"),
    employments: z.array(employment).describe("The person's jobs and their pay, newest first"),
    employment_history: orNull(
      z.array(employmentHistory),
      "The positions of `employments`, newest first",
    ),
    compensation_history: orNull(z.array(compensation), "The pay of `employments`, newest first"),
    custom_fields: orNull(
      z.record(z.string(), z.unknown()),
      "Fields that the company added at the provider, by their names; any JSON",
    ),
    groups: z.array(group).describe("The groups to which the person belongs"),
    dependents: orNull(z.array(dependent), "Persons for whom this one provides"),
    emergency_contacts: orNull(z.array(emergencyContact), "Persons to call when something happens"),
  })
  .meta({
    id: "Employee",
    description:
      "An individual (employee, contractor, accountant or other) listed in the HR or payroll system.",
    examples: [exampleEmployee],
  });

export type Employee = z.output<typeof employee>;
