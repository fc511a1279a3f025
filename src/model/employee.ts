import { z } from "zod";
import { address } from "./address.ts";
import { compensation, employment, employmentHistory, employmentTypes } from "./employment.ts";
import { date, orNull, text } from "./field.ts";
import { group } from "./group.ts";
import { exampleEmployee } from "./example-employee.ts";
import { workLocation } from "./work-location.ts";

export const employmentStatuses = ["active", "inactive", "pending", "leave"] as const;
const employmentStatus = z.enum(employmentStatuses);
export type EmploymentStatus = z.output<typeof employmentStatus>;

const manager = z.object({
  id: orNull(text),
  remote_id: orNull(text),
  first_name: orNull(text),
  last_name: orNull(text),
  work_email: orNull(text),
});

const bankAccount = z.object({
  account_number: orNull(text),
  bank_name: orNull(text),
  bic: orNull(text),
  holder_name: orNull(text),
  iban: orNull(text),
});

const dependent = z.object({ name: orNull(text), relationship: orNull(text) });

const emergencyContact = z.object({
  first_name: orNull(text),
  last_name: orNull(text),
  relationship: orNull(text),
  mobile_phone_number: orNull(text),
  primary_contact: orNull(z.boolean()),
});

/** A person listed in the HR or payroll system. The order of the fields is the order on the wire. */
export const employee = z
  .object({
    id: text.describe("Assigned by Rollcall; stable for a connection"),
    remote_id: text.describe("The provider's id"),
    employee_number: orNull(text),
    first_name: text,
    last_name: text.describe("Empty if the provider has one name"),
    display_full_name: text,
    nationality: orNull(text),
    job_title: orNull(text),
    work_email: orNull(text),
    personal_email: orNull(text),
    mobile_phone_number: orNull(text),
    tax_id: orNull(text),
    gender: orNull(z.enum(["male", "female", "not_specified"])),
    ethnicity: orNull(
      z.enum(["asian", "black", "hispanic", "mixed", "not_specified", "other", "white"]),
    ),
    marital_status: orNull(z.enum(["single", "married", "divorced", "not_specified", "other"])),
    date_of_birth: orNull(date),
    employment_status: orNull(employmentStatus),
    employment_type: orNull(z.enum(employmentTypes)),
    start_date: orNull(date),
    termination_date: orNull(date),
    remote_created_at: orNull(date),
    avatar: orNull(z.url({ protocol: /^https?$/ })),
    home_location: address,
    work_location: workLocation,
    manager: orNull(manager),
    bank_account: orNull(bankAccount),
    employments: z.array(employment).describe("Newest first"),
    employment_history: orNull(z.array(employmentHistory)),
    compensation_history: orNull(z.array(compensation)),
    custom_fields: orNull(z.record(z.string(), z.unknown())),
    groups: z.array(group),
    dependents: orNull(z.array(dependent)),
    emergency_contacts: orNull(z.array(emergencyContact)),
  })
  .meta({
    id: "Employee",
    description:
      "An individual (employee, contractor, accountant or other) listed in the HR or payroll system.",
    examples: [exampleEmployee],
  });

export type Employee = z.output<typeof employee>;
