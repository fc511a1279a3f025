import type { DateRange } from "../contract.ts";
import type { SourceRecord } from "../source-records.ts";
import { absencesOf, approvedAbsencesOf, type Absence } from "./absences.ts";
import { compareText } from "./calendar.ts";
import { isEmployedWithin, remoteIdOf } from "./person.ts";
import { peopleOf, type Company } from "./roster.ts";
import { allPolicies, type Policy } from "./time-off-policies.ts";

const policyCreatedOn = "2019-11-04";
const policyModifiedOn = "2019-12-16";

export function listTimeOffEntries(
  company: Company,
  range: DateRange,
): SourceRecord<"time-off-entries">[] {
  return [...peopleOf(company)]
    .flatMap((person) => absencesOf(person, range.start, range.end, company.today))
    .sort((one, other) => compareText(one.startDate, other.startDate))
    .map(entryRecord);
}

/**
 * One record for each policy and each person who is employed today: what is left of this year's
 * allowance, and what was used up to today.
 */
export function* listTimeOffBalances(
  company: Company,
): Generator<SourceRecord<"time-off-balances">> {
  const { today } = company;
  for (const person of peopleOf(company)) {
    if (!person.hasRecords || !isEmployedWithin(person, today, today)) continue;
    const taken = approvedAbsencesOf(person, `${today.slice(0, 4)}-01-01`, today, today);
    for (const policy of allPolicies) {
      const used = taken
        .filter((absence) => absence.policy === policy)
        .reduce((sum, { amount }) => sum + amount, 0);
      yield {
        employee_remote_id: remoteIdOf(person),
        balance: policy.allowance - used,
        used,
        unit: policy.unit === "months" ? null : policy.unit,
        ...policyFields(policy),
        remote_created_at: policyCreatedOn,
        remote_modified_at: policyModifiedOn,
      };
    }
  }
}

function entryRecord({
  remoteId,
  person,
  policy,
  startDate,
  endDate,
  amount,
  status,
  hasNote,
  createdOn,
  modifiedOn,
}: Absence): SourceRecord<"time-off-entries"> {
  return {
    remote_id: remoteId,
    employee_remote_id: remoteIdOf(person),
    start_date: startDate,
    end_date: endDate,
    amount,
    unit: policy.unit,
    status,
    employee_note: hasNote ? policy.note : null,
    ...policyFields(policy),
    remote_created_at: createdOn,
    remote_modified_at: modifiedOn,
  };
}

function policyFields({ remoteId, name, type }: Policy) {
  return { policy_remote_id: remoteId, policy_name: name, policy_type: type };
}
