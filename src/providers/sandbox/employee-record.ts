import type { EmploymentStatus } from "../../model/index.ts";
import type { SourceRecord } from "../source-records.ts";
import { approvedAbsencesOf } from "./absences.ts";
import { bankAccountOf } from "./bank-account.ts";
import { managerOf } from "./core-people.ts";
import { jobsOf, listEmployments } from "./employments.ts";
import { groupsOf } from "./groups.ts";
import { locationRecord, mailDomain, offices } from "./organisation.ts";
import { personalDetailsOf } from "./personal-details.ts";
import { displayNameOf, remoteIdOf, terms, type Person } from "./person.ts";
import { peopleOf, type Company } from "./roster.ts";

export function* listEmployees(company: Company): Generator<SourceRecord<"employees">> {
  for (const person of peopleOf(company)) yield employeeRecord(person, company.today);
}

function employeeRecord(person: Person, today: string): SourceRecord<"employees"> {
  const jobs = jobsOf(person, today);
  const current = jobs.at(-1) ?? jobs[0];
  const remoteId = remoteIdOf(person);
  return {
    remote_id: remoteId,
    employee_number: `LK-${person.number}`,
    first_name: person.firstName,
    last_name: person.lastName,
    display_full_name: displayNameOf(person),
    nationality: person.nationality,
    job_title: current.title,
    work_email: workEmailOf(person),
    personal_email: `${person.mailbox}@mail.example`,
    gender: person.gender,
    employment_status: statusOf(person, today),
    employment_type: terms[person.terms].type,
    start_date: person.startDate,
    termination_date: person.endDate,
    remote_created_at: person.remoteCreatedAt,
    avatar: person.number % 3 === 0 ? `https://avatars.${mailDomain}/${remoteId}.png` : null,
    work_location: locationRecord(offices[person.office]),
    manager: managerRecord(managerOf(person, current.department)),
    bank_account: bankAccountOf(person),
    employments: listEmployments(person, jobs),
    groups: groupsOf(person, current.department),
    ...personalDetailsOf(person),
  };
}

function statusOf(person: Person, today: string): EmploymentStatus | null {
  if (!person.hasStatus) return null;
  if (person.startDate > today) return "pending";
  if (person.endDate !== null && person.endDate < today) return "inactive";
  return approvedAbsencesOf(person, today, today, today).length > 0 ? "leave" : "active";
}

function managerRecord(
  manager: Person | null,
): NonNullable<SourceRecord<"employees">["manager"]> | null {
  if (!manager) return null;
  return {
    remote_id: remoteIdOf(manager),
    first_name: manager.firstName,
    last_name: manager.lastName,
    work_email: workEmailOf(manager),
  };
}

function workEmailOf({ mailbox }: Person): string {
  return `${mailbox}@${mailDomain}`;
}
