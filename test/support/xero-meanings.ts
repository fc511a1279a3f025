import type { Mode } from "../../src/model/index.ts";
import type { MeaningAnswers } from "../../src/providers/conformance.ts";
import { annualLeave, australianLeave, twiceMonthly } from "./vendors/xero-abroad.ts";
import { createPerson, idOf, type XeroPerson } from "./vendors/xero-company.ts";

// People of whom systems tell differently, and which of them shows what. Their days are long ago or far away, so that
// they show the same on every day.

const fortnightly = "d45bc68f-59d6-4000-929d-1058dcfa79e1";
const holiday = "ed08dffe-788e-4b24-9630-f0fa2f4d164c";
const personId = (number: number): string => idOf(1, number);

/** The first leaves and took more leave than there was, the second begins and is paid every two weeks, the third
 * twice a month, where Xero has it. */
export function createPeopleOfMeanings(): XeroPerson[] {
  return [
    {
      ...createPerson(31, { endDate: "2099-12-31T00:00:00" }),
      balances: [{ name: "Holiday", leaveTypeID: holiday, balance: -8, typeOfUnits: "Hours" }],
    },
    createPerson(32, { startDate: "2099-01-01T00:00:00", payrollCalendarID: fortnightly }),
    createPerson(33, { payrollCalendarID: twiceMonthly }),
  ];
}

const inHours = "Xero counts leave in hours.";

const common: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: personId(31), policy_remote_id: holiday, balance: -8 },
    only: "without what was taken",
  },
  rehired: { notTold: "Xero keeps one first day of a person, and no earlier ones." },
  future_leaver: { record: { remote_id: personId(31), termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: personId(32), start_date: "2099-01-01" } },
  away_today: { notTold: "Xero tells leave person by person, with a request for each." },
  lost_right: { record: { remote_id: personId(1) } },
  // The last one of the long list.
  deleted: { record: { remote_id: personId(15) } },
  no_email: { record: { remote_id: personId(3) } },
  nationality: { notTold: "Xero keeps no nationality." },
  weekly_hours: { notTold: "Xero tells units of work a week, which need not be hours." },
  legal_entities: { notTold: "A connection reads one organisation." },
  half_day: { notTold: inHours },
  leave_in_hours: { record: { remote_id: idOf(4, 1), amount: 37.5, unit: "hours" } },
  holiday_in_leave: { notTold: inHours },
  biweekly: {
    record: {
      remote_id: personId(32),
      employments: [{ pay_frequency: "biweekly", pay_rate: 25_032, pay_period: "YEAR" }],
    },
  },
  semimonthly: { notTold: "Xero's British payroll has no calendar of half months." },
  nothing_readable: { refusal: "role of payroll administrator" },
};

export const meaningsOfXero: Readonly<Record<Mode, MeaningAnswers>> = {
  official: common,
  xhr: { ...common, minor_units: { notTold: "Xero's payroll pays in pounds and dollars alone." } },
};

const overdrawn = (policy: string) => ({
  record: { employee_remote_id: personId(31), policy_remote_id: policy, balance: -8 },
  only: "without what was taken",
});
const abroad: MeaningAnswers = {
  ...common,
  semimonthly: {
    record: {
      remote_id: personId(33),
      employments: [{ pay_frequency: "semimonthly", pay_rate: 25_033, pay_period: "YEAR" }],
    },
    only: "outside of Britain",
  },
  minor_units: { notTold: "Xero's payroll pays in pounds and dollars alone." },
};

export const meaningsAbroad: Readonly<Record<"NZ" | "AU", MeaningAnswers>> = {
  NZ: { ...abroad, overdrawn_leave: overdrawn(annualLeave) },
  AU: { ...abroad, overdrawn_leave: overdrawn(australianLeave) },
};
