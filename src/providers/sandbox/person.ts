import type { Employee, Employment } from "../../model/index.ts";
import type { CountryCode } from "./countries.ts";
import type { DepartmentName, OfficeName, TeamName } from "./organisation.ts";

/**
 * The facts about a person that do not depend on the day. Every record follows from them and the
 * day.
 */
export interface Person {
  number: number;
  firstName: string;
  lastName: string;
  isFamilyNameFirst: boolean;
  /** The part of the e-mail address before the `@`. It stays the same when the name changes. */
  mailbox: string;
  gender: NonNullable<Employee["gender"]>;
  nationality: string;
  office: OfficeName;
  home: CountryCode;
  department: DepartmentName;
  team: TeamName | null;
  role: "chief" | "head" | "lead" | "member";
  title: string;
  /** The first job, before the first raise. */
  earlier: { title: string; department: DepartmentName } | null;
  terms: TermsName;
  /** Null for people who record no time. */
  shift: "day" | "night" | null;
  startDate: string;
  /** The last day. */
  endDate: string | null;
  remoteCreatedAt: string;
  hasStatus: boolean;
  /** Whether the person has absences and timesheets. */
  hasRecords: boolean;
  /** How often the simulated hours changed each of them. */
  changes: { phone: number; title: number };
}

interface Terms {
  type: NonNullable<Employment["employment_type"]>;
  period: NonNullable<Employment["pay_period"]>;
  frequency: NonNullable<Employment["pay_frequency"]>;
  /** In cents, per period. */
  rate: number;
  isStaff: boolean;
}

export const terms = {
  executive: {
    type: "full_time",
    period: "YEAR",
    frequency: "monthly",
    rate: 11_000_000,
    isStaff: true,
  },
  salaried: {
    type: "full_time",
    period: "YEAR",
    frequency: "monthly",
    rate: 5_200_000,
    isStaff: true,
  },
  partTime: {
    type: "part_time",
    period: "MONTH",
    frequency: "monthly",
    rate: 215_000,
    isStaff: true,
  },
  hourly: { type: "full_time", period: "HOUR", frequency: "weekly", rate: 1_640, isStaff: true },
  hourlyPartTime: {
    type: "part_time",
    period: "HOUR",
    frequency: "weekly",
    rate: 1_580,
    isStaff: true,
  },
  trainee: { type: "other", period: "MONTH", frequency: "monthly", rate: 112_000, isStaff: true },
  dayContractor: {
    type: "contractor",
    period: "DAY",
    frequency: "biweekly",
    rate: 52_000,
    isStaff: false,
  },
  weekContractor: {
    type: "contractor",
    period: "WEEK",
    frequency: "semimonthly",
    rate: 190_000,
    isStaff: false,
  },
  hourContractor: {
    type: "contractor",
    period: "HOUR",
    frequency: "other",
    rate: 7_450,
    isStaff: false,
  },
  adviser: { type: "other", period: "YEAR", frequency: "year", rate: 1_200_000, isStaff: false },
} as const satisfies Record<string, Terms>;

type TermsName = keyof typeof terms;

export function remoteIdOf(person: Person): string {
  return `emp_${person.number}`;
}

export function payFrequencyOf(person: Person): Terms["frequency"] {
  return terms[person.terms].frequency;
}

export function displayNameOf({ firstName, lastName, isFamilyNameFirst }: Person): string {
  return (isFamilyNameFirst ? [lastName, firstName] : [firstName, lastName])
    .filter(Boolean)
    .join(" ");
}

/** Whether the person is employed on at least one day of the period, both ends included. */
export function isEmployedWithin(person: Person, start: string, end: string): boolean {
  return person.startDate <= end && (person.endDate === null || person.endDate >= start);
}
