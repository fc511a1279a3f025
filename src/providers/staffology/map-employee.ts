import { z } from "zod";
import type { SourceRecord } from "../source-records.ts";
import { address, toAddress } from "./address.ts";
import { payOptions, toEmployment, toEmploymentType } from "./employment.ts";
import { departmentId } from "./groups.ts";
import { day, flag, part, text } from "./wire-values.ts";

type Employee = SourceRecord<"employees">;
type Value<Field extends keyof Employee> = Exclude<Employee[Field], undefined>;

// These two are in every record, as the description says. Without them somebody would have lost name and job.
const personalDetails = z.object({
  firstName: text,
  lastName: text,
  email: text,
  alternativeEmail: text,
  mobile: text,
  telephone: text,
  niNumber: text,
  dateOfBirth: day,
  gender: text,
  maritalStatus: text,
  address,
});
const employmentDetails = z.object({
  payrollCode: text,
  jobTitle: text,
  cisSubContractor: flag,
  onFurlough: flag,
  department: part({ code: text, title: text }),
  starterDetails: part({ startDate: day }),
  leaverDetails: part({ leaveDate: day, hasLeft: z.boolean().nullable().catch(null) }),
});
const bankDetails = part({
  bankName: text,
  accountName: text,
  accountNumber: text,
  sortCode: text,
});
const employee = z.object({
  id: z.string(),
  status: text,
  tags: z.array(z.string()).nullable().catch(null),
  personalDetails,
  employmentDetails,
  bankDetails,
  payOptions,
});

type Person = z.output<typeof personalDetails>;
type Job = z.output<typeof employmentDetails>;

/** `employerId` tells departments of different employers apart: their codes are the employer's own. */
export function toEmployee(employerId: string, raw: unknown): Employee {
  const { id, status, tags, bankDetails: bank, payOptions: pay, ...details } = employee.parse(raw);
  const job = details.employmentDetails;
  const startDate = job.starterDetails?.startDate ?? null;
  const employmentType = toEmploymentType(job.cisSubContractor);
  const { code = null, title = null } = job.department ?? {};
  const { jobTitle } = job;
  return {
    remote_id: id,
    ...toPerson(details.personalDetails),
    employee_number: job.payrollCode,
    job_title: jobTitle,
    employment_status: toEmploymentStatus(status, job.onFurlough),
    employment_type: employmentType,
    start_date: startDate,
    termination_date: toTerminationDate(job),
    employments: pay && [toEmployment(pay, { startDate, jobTitle, employmentType })],
    groups: code === null ? [] : [toDepartmentOf(employerId, code, title)],
    bank_account: bank && {
      holder_name: bank.accountName,
      account_number: bank.accountNumber,
      sort_code: bank.sortCode,
      bank_name: bank.bankName,
      bic: null,
      iban: null,
    },
    custom_fields: tags && tags.length > 0 ? { tags } : null,
  };
}

/** The day stays in the record of somebody who stayed after all. */
function toTerminationDate({ leaverDetails }: Job): string | null {
  return leaverDetails?.hasLeft === false ? null : (leaverDetails?.leaveDate ?? null);
}

function toPerson(person: Person) {
  return {
    first_name: person.firstName,
    last_name: person.lastName ?? "",
    work_email: person.email,
    personal_email: person.alternativeEmail,
    mobile_phone_number: person.mobile ?? person.telephone,
    tax_id: person.niNumber,
    date_of_birth: person.dateOfBirth,
    gender: toGender(person.gender),
    marital_status: toMaritalStatus(person.maritalStatus),
    home_location: toAddress(person.address),
  };
}

function toDepartmentOf(employerId: string, code: string, title: string | null) {
  return {
    remote_id: departmentId(employerId, code),
    name: title ?? code,
    type: "department",
  } as const;
}

function toGender(gender: string | null): Value<"gender"> {
  switch (gender) {
    case "Male":
      return "male";
    case "Female":
      return "female";
    default:
      return null;
  }
}

function toMaritalStatus(status: string | null): Value<"marital_status"> {
  switch (status) {
    case "Single":
      return "single";
    case "Married":
    case "CivilPartnership":
      return "married";
    case "Divorced":
      return "divorced";
    case "Widowed":
      return "other";
    case "Unknown":
      return "not_specified";
    default:
      return null;
  }
}

/** Somebody whose pay is on hold is not away. */
function toEmploymentStatus(
  status: string | null,
  isOnFurlough: boolean,
): Value<"employment_status"> {
  switch (status) {
    case "Current":
      return isOnFurlough ? "leave" : "active";
    case "Former":
      return "inactive";
    case "Upcoming":
      return "pending";
    default:
      return null;
  }
}
