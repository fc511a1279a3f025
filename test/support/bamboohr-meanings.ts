import type { MeaningAnswers } from "../../src/providers/conformance.ts";
import { createPerson, type BambooPerson, type BambooRow } from "./vendors/bamboohr-people.ts";

// People of whom systems tell differently, and which of them shows what. Their days are long ago or far away, or as many
// days from today, so that they show the same on every day.

const dayMs = 86_400_000;
const daysFromNow = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** Rhea came back, Lena leaves, and Abel is away. The third of the others is hired for 2099. */
export function createPeopleOfMeanings(): BambooPerson[] {
  return [
    { ...createPerson(71), firstName: "Rhea", hireDate: "2015-01-01" },
    { ...createPerson(72), firstName: "Lena", terminationDate: "2099-12-31" },
    { ...createPerson(73), firstName: "Abel" },
  ];
}

/** Of Abel today; of Rhea half a day, hours, and a week from Monday to Friday with a holiday in it. */
export function listAbsencesOfMeanings(): BambooRow[] {
  return [
    absence(1_701, { employeeId: "73", start: daysFromNow(-3), end: daysFromNow(3) }, "7", "days"),
    absence(1_702, onDay(-20), "0.5", "days"),
    absence(1_703, onDay(-25), "3", "hours"),
    absence(
      1_704,
      { employeeId: "71", start: daysFromNow(-40), end: daysFromNow(-34) },
      "4",
      "days",
    ),
  ];
}

function onDay(days: number) {
  return { employeeId: "71", start: daysFromNow(days), end: daysFromNow(days) };
}

function absence(id: number, of: BambooRow, amount: string, unit: string): BambooRow {
  return {
    id: String(id),
    ...of,
    created: daysFromNow(-45),
    status: { status: "approved", lastChanged: daysFromNow(-45) },
    type: { id: "78", name: "Vacation" },
    amount: { unit, amount },
    notes: {},
  };
}

export const meaningsOfBamboo: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: "1", policy_remote_id: "78", balance: -26.36, used: 12.25 },
  },
  rehired: {
    record: {
      remote_id: "71",
      start_date: "2022-05-01",
      custom_fields: { original_start_date: "2015-01-01" },
    },
  },
  future_leaver: { record: { remote_id: "72", termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: "3", start_date: "2099-01-01" } },
  away_today: { record: { remote_id: "73" } },
  lost_right: { record: { remote_id: "1" } },
  deleted: { record: { remote_id: "60" } },
  no_email: { record: { remote_id: "2" } },
  nationality: {
    record: { remote_id: "4", nationality: null, custom_fields: { nationality: "Canadian" } },
  },
  weekly_hours: {
    notTold: "BambooHR has no such field of its own; one that a company adds is a custom field.",
  },
  legal_entities: { notTold: "An account of BambooHR has one company." },
  half_day: { record: { remote_id: "1702", amount: 0.5, unit: "days" } },
  leave_in_hours: { record: { remote_id: "1703", amount: 3, unit: "hours" } },
  holiday_in_leave: { record: { remote_id: "1704", amount: 4 } },
  biweekly: {
    record: {
      remote_id: "71",
      employments: [
        { effective_date: "2022-05-01", pay_frequency: "biweekly", pay_rate: 4_000 },
        { effective_date: "2018-12-31", pay_frequency: null, pay_rate: null },
        { effective_date: "2015-01-01", pay_frequency: "biweekly", pay_rate: 3_000 },
      ],
    },
  },
  semimonthly: {
    record: {
      remote_id: "4",
      employments: [
        // The rate of a quarter is none of ours.
        { effective_date: "2022-05-01", pay_frequency: "semimonthly", pay_rate: null },
        { effective_date: "2021-01-01", pay_rate: 19.5 },
        { effective_date: "2020-03-01", pay_rate: 19.5 },
      ],
    },
  },
  nothing_readable: { refusal: "insufficient_permission" },
};
