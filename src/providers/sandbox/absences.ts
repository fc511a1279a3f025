import type { RecordOf } from "../../model/index.ts";
import {
  addDays,
  earlierOf,
  firstDate,
  lastDateOf,
  lastOfWorkdays,
  laterOf,
  monthName,
  monthStart,
  quarterEnd,
  quarterOf,
  quarterStart,
  workdayFrom,
} from "./calendar.ts";
import { corePeople } from "./core-people.ts";
import { drawBelow, pick } from "./draw.ts";
import type { Person } from "./person.ts";
import { hoursPerDay, longPolicies, shortPolicies, type Policy } from "./time-off-policies.ts";

export interface Absence {
  remoteId: string;
  person: Person;
  policy: Policy;
  startDate: string;
  endDate: string;
  amount: number;
  status: NonNullable<RecordOf<"time-off-entries">["status"]>;
  hasNote: boolean;
  createdOn: string;
  modifiedOn: string;
}

/** No longer than any policy's notice, so that nobody is away while the request is undecided. */
const decisionDays = 10;
const longNoticeDays = 365;

/** The outcomes of a request, drawn with equal chances. Some requests stay undecided. */
const outcomes = [
  ...Array.from({ length: 10 }, () => "approved" as const),
  "rejected",
  "pending",
] as const;

/** The people who take a quarter off in turn: they joined before 2020 and never leave. */
const longLeaveRota = corePeople
  .filter(({ role, hasStatus }) => (role === "member" || role === "lead") && hasStatus)
  .filter(
    (person) => takesTimeOff(person) && person.startDate < firstDate && person.endDate === null,
  )
  .map(({ number }) => number);

/** One entry for each percent of chance. A draw beyond the end means no absence. */
const policyOfRoll = shortPolicies.flatMap((policy) =>
  Array.from({ length: policy.chance }, () => policy),
);

/** The absences that overlap the period, by date. A request is made a year before at most. */
export function absencesOf(person: Person, start: string, until: string, today: string): Absence[] {
  const end = earlierOf(until, lastDateOf(today));
  if (!takesTimeOff(person) || start > end) return [];
  const first = quarterOf(laterOf(start, firstDate));
  const last = quarterOf(end);
  const absences: Absence[] = [];
  for (let quarter = first; quarter <= last; quarter += 1)
    absences.push(...absencesInQuarter(person, quarter, today));
  return absences.filter(
    (absence) => absence.startDate <= end && absence.endDate >= start && absence.createdOn <= today,
  );
}

/** The approved absences that overlap the period. */
export function approvedAbsencesOf(
  person: Person,
  start: string,
  end: string,
  today: string,
): Absence[] {
  return absencesOf(person, start, end, today).filter(({ status }) => status === "approved");
}

/** Night guards take no time off, so that every day up to today has a timesheet. */
function takesTimeOff({ hasRecords, shift }: Person): boolean {
  return hasRecords && shift !== "night";
}

function absencesInQuarter(person: Person, quarter: number, today: string): Absence[] {
  const long = longAbsence(person, quarter, today);
  if (long) return [long];
  return [0, 1, 2]
    .map((offset) => shortAbsence(person, quarter * 3 + offset, today))
    .filter((absence) => absence !== null);
}

/** In every quarter two people are away, one for each long policy. */
function longAbsence(person: Person, quarter: number, today: string): Absence | null {
  const turn = longLeaveRota.indexOf(person.number);
  const policy = longPolicies.find(
    (_, index) => (2 * quarter + index) % longLeaveRota.length === turn,
  );
  if (!policy) return null;
  const startDate = quarterStart(quarter);
  const requestedOn = laterOf(person.startDate, addDays(startDate, -longNoticeDays));
  return {
    remoteId: `leave_${person.number}_${startDate.slice(0, 7)}_long`,
    person,
    policy,
    startDate,
    endDate: quarterEnd(quarter),
    amount: 3,
    hasNote: true,
    ...settle(requestedOn, "approved", decisionDays, today),
  };
}

/** At most one a month. It starts and ends in that month, so a person's absences never overlap. */
function shortAbsence(person: Person, month: number, today: string): Absence | null {
  const seed = [person.number, monthName(month)];
  const policy = policyOfRoll[drawBelow(100, "absence", ...seed)];
  if (!policy) return null;
  const startDate = workdayFrom(
    addDays(monthStart(month), drawBelow(13, "absence start", ...seed)),
  );
  const days = pick(policy.days, "absence days", ...seed);
  const endDate = lastOfWorkdays(startDate, days);
  if (startDate < person.startDate || (person.endDate !== null && endDate > person.endDate))
    return null;
  const needsDecision = policy.noticeDays > 0;
  const outcome = needsDecision ? pick(outcomes, "absence outcome", ...seed) : "approved";
  return {
    remoteId: `leave_${person.number}_${monthName(month)}`,
    person,
    policy,
    startDate,
    endDate,
    amount: policy.unit === "hours" ? days * hoursPerDay : days,
    hasNote: drawBelow(2, "absence note", ...seed) === 0,
    ...settle(
      addDays(startDate, -policy.noticeDays),
      outcome,
      needsDecision ? decisionDays : 0,
      today,
    ),
  };
}

/** A request is pending until the day of its decision. */
function settle(
  createdOn: string,
  outcome: Absence["status"],
  afterDays: number,
  today: string,
): Pick<Absence, "createdOn" | "modifiedOn" | "status"> {
  const decidedOn = addDays(createdOn, afterDays);
  const isDecided = outcome !== "pending" && decidedOn <= today;
  return {
    createdOn,
    modifiedOn: isDecided ? decidedOn : createdOn,
    status: isDecided ? outcome : "pending",
  };
}
