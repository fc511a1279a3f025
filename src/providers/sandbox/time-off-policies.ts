import type { RecordOf } from "../../model/index.ts";

type TimeOffEntry = RecordOf<"time-off-entries">;

export interface Policy {
  remoteId: string;
  name: string;
  type: NonNullable<TimeOffEntry["policy_type"]>;
  unit: TimeOffEntry["unit"];
  /** The allowance of a year, in `unit`. */
  allowance: number;
  note: string | null;
}

/** A policy for absences within one month. */
interface ShortPolicy extends Policy {
  /** The chance of an absence in a month, in percent. */
  chance: number;
  /** The possible numbers of days from Monday to Friday. */
  days: readonly number[];
  /** How early the request is made. A request on the day itself is approved at once. */
  noticeDays: number;
}

/** An absence in hours is a whole shift, so that nobody is absent and at work on the same day. */
export const hoursPerDay = 8;

export const shortPolicies: readonly ShortPolicy[] = [
  {
    remoteId: "pol_1",
    name: "Annual leave",
    type: "vacation",
    unit: "days",
    allowance: 30,
    note: "Familie 🏖",
    chance: 18,
    days: [3, 5, 5, 10],
    noticeDays: 40,
  },
  {
    remoteId: "pol_2",
    name: "Sick leave",
    type: "sick",
    unit: "days",
    allowance: 20,
    note: null,
    chance: 9,
    days: [1, 2, 3],
    noticeDays: 0,
  },
  {
    remoteId: "pol_3",
    name: "Personal time",
    type: "personal",
    unit: "hours",
    allowance: 40,
    note: "Moving house",
    chance: 6,
    days: [1],
    noticeDays: 10,
  },
  {
    remoteId: "pol_4",
    name: "Volunteering",
    type: "volunteer",
    unit: "days",
    allowance: 3,
    note: "Food bank",
    chance: 3,
    days: [1],
    noticeDays: 21,
  },
  {
    remoteId: "pol_5",
    name: "Floating holiday",
    type: "holiday",
    unit: "days",
    allowance: 3,
    note: null,
    chance: 3,
    days: [1],
    noticeDays: 30,
  },
  {
    remoteId: "pol_6",
    name: "Jury duty",
    type: "jury_duty",
    unit: "days",
    allowance: 10,
    note: null,
    chance: 1,
    days: [2, 4],
    noticeDays: 14,
  },
  {
    remoteId: "pol_7",
    name: "Bereavement",
    type: "bereavement",
    unit: "days",
    allowance: 5,
    note: null,
    chance: 1,
    days: [2],
    noticeDays: 0,
  },
];

/** The policies for absences of a whole quarter. */
export const longPolicies: readonly [Policy, Policy] = [
  {
    remoteId: "pol_8",
    name: "Parental leave",
    type: "personal",
    unit: "months",
    allowance: 12,
    note: "Elternzeit",
  },
  {
    remoteId: "pol_9",
    name: "Sabbatical",
    type: "vacation",
    unit: "months",
    allowance: 3,
    note: null,
  },
];

export const allPolicies: readonly Policy[] = [...shortPolicies, ...longPolicies];
