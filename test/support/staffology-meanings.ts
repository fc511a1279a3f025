import type { MeaningAnswers } from "../../src/providers/conformance.ts";
import type { FakeEmployer } from "./vendors/fake-staffology.ts";
import { leave, person } from "./vendors/staffology-people.ts";
import { people, uuid } from "./vendors/staffology-payroll.ts";

// People of whom systems tell differently, and which of them shows what. Their days are long ago or far away, so that
// they show the same on every day.

const over = uuid("employee", 71);
const later = uuid("employee", 72);
const future = uuid("employee", 73);

/** Olive took more leave than she has, Lena leaves, and Frida begins. */
export function addPeopleOfMeanings(employer: FakeEmployer): void {
  employer.staff.push(
    person(71, over, "Olive", "Over", {
      leaveSettings: {
        holidayType: "Days",
        allowance: 28,
        allowanceUsed: 30,
        allowanceRemaining: -2,
      },
    }),
    person(72, later, "Lena", "Later", {
      employmentDetails: { leaverDetails: { hasLeft: true, leaveDate: "2099-12-31" } },
    }),
    person(73, future, "Frida", "Future", {
      status: "Upcoming",
      employmentDetails: { starterDetails: { startDate: "2099-01-01", starterDeclaration: "B" } },
    }),
  );
  // From Monday to Friday, and two of them are holidays.
  const week = leave(91, "Holiday", "2025-12-22", "2025-12-26", { workingDays: 3, totalDays: 5 });
  employer.leave = { ...employer.leave, [over]: [week] };
}

export const meaningsOfStaffology: MeaningAnswers = {
  minor_units: { notTold: "Staffology pays in pounds alone." },
  overdrawn_leave: {
    record: { employee_remote_id: over, policy_remote_id: "Holiday", balance: -2, used: 30 },
  },
  rehired: { notTold: "Staffology keeps one employment of a person, and no earlier ones." },
  future_leaver: { record: { remote_id: later, termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: future, start_date: "2099-01-01" } },
  away_today: { record: { remote_id: people.elin }, only: "on furlough" },
  lost_right: { record: { remote_id: people.amara } },
  deleted: { record: { remote_id: uuid("employee", 9) } },
  no_email: { record: { remote_id: uuid("employee", 60) } },
  nationality: { notTold: "Staffology keeps no nationality." },
  weekly_hours: { notTold: "Staffology keeps patterns of work, and no hours of a week." },
  legal_entities: { notTold: "A connection reads one employer." },
  half_day: { record: { remote_id: uuid("leave", 2), amount: 0.5, unit: "days" } },
  leave_in_hours: { notTold: "Staffology counts leave in days." },
  holiday_in_leave: { record: { remote_id: uuid("leave", 91), amount: 3 } },
  biweekly: {
    record: {
      remote_id: people.hari,
      // The amount is for two weeks, which is no period of ours.
      employments: [{ pay_frequency: "biweekly", pay_rate: null, pay_period: null }],
    },
  },
  semimonthly: {
    notTold: "Staffology pays by the day, by weeks, by the month and by parts of a year.",
  },
  nothing_readable: { refusal: "insufficient_permission" },
};
