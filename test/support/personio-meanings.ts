import type { MeaningAnswers } from "../../src/providers/conformance.ts";
import type { FakePersonio } from "./vendors/fake-personio.ts";
import { attribute, employee, timeOff } from "./vendors/personio-records.ts";

// People of whom systems tell differently, and which of them shows what. Their days are long ago or far away, so that
// they show the same on every day.

const at = (day: string): string => `${day}T00:00:00+0100`;
const whose = (id: number) => ({
  type: "Employee",
  attributes: { id: attribute("id", id) },
});

/** Rhea came back, Lena leaves, Frida begins, and Abel is away, of another legal entity. */
export function addPeopleOfMeanings(fake: FakePersonio): void {
  const subcompany = { type: "Subcompany", attributes: { id: 7034, name: "Fjord GmbH" } };
  const active = { status: "active", hire_date: at("2020-07-01") };
  fake.people.push(
    employee(21, {
      first_name: "Rhea",
      last_name: "Retour",
      status: "active",
      hire_date: at("2022-05-01"),
    }),
    employee(22, {
      first_name: "Lena",
      last_name: "Later",
      ...active,
      termination_date: at("2099-12-31"),
    }),
    employee(23, {
      first_name: "Frida",
      last_name: "Future",
      status: "onboarding",
      hire_date: at("2099-01-01"),
    }),
    employee(24, { first_name: "Abel", last_name: "Away", ...active, subcompany }),
  );
  fake.employments["21"] = [
    { id: "e-1", employment_start_date: "2015-01-01", employment_end_date: "2018-12-31" },
    { id: "e-2", employment_start_date: "2022-05-01", employment_end_date: null },
  ];
  fake.legalEntities.unshift({ id: "7034", name: "Fjord GmbH" });
  const ever = { start_date: at("2020-01-01"), end_date: at("2099-12-31"), days_count: 20_870 };
  // From Monday to Friday, and one of them is a holiday.
  const week = { start_date: at("2026-02-16"), end_date: at("2026-02-20"), days_count: 4 };
  fake.timeOffs.push(timeOff(64, { ...ever, employee: whose(24) }), timeOff(65, week));
}

/** What is asked for at the sign-in and after it. */
export const everyPathOfPersonio = [
  "/v1/company/employees",
  "/v1/company/employees/attributes",
  "/v1/company/time-offs",
  "/v1/company/time-off-types",
  "/v1/company/absence-periods",
  "/v2/legal-entities",
  "/v2/org-units",
  "/v2/cost-centers",
  "/v2/workplaces",
  "/v2/attendance-periods",
];

const oftenIsNotTold =
  "Personio tells what period a rate of pay is for, and not how often it is paid.";

export const meaningsOfPersonio: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: "11", policy_remote_id: "53", balance: -3 },
    only: "without what was taken",
  },
  rehired: {
    record: {
      remote_id: "21",
      start_date: "2022-05-01",
      custom_fields: { original_start_date: "2015-01-01" },
    },
  },
  future_leaver: { record: { remote_id: "22", termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: "23", start_date: "2099-01-01" } },
  away_today: { record: { remote_id: "24" } },
  lost_right: { record: { remote_id: "11" } },
  deleted: { record: { remote_id: "14" } },
  no_email: { record: { remote_id: "12" } },
  nationality: {
    record: { remote_id: "11", nationality: "NL", custom_fields: { Nationality: "Niederlande" } },
  },
  weekly_hours: { record: { remote_id: "11", custom_fields: { weekly_working_hours: 40 } } },
  legal_entities: {
    record: {
      remote_id: "24",
      custom_fields: { company: { remote_id: "7034", name: "Fjord GmbH" } },
    },
  },
  half_day: { record: { remote_id: "61", amount: 2.5, unit: "days" } },
  leave_in_hours: { record: { remote_id: "9bba303f", amount: 16, unit: "hours" } },
  holiday_in_leave: { record: { remote_id: "65", amount: 4 } },
  biweekly: { notTold: oftenIsNotTold },
  semimonthly: { notTold: oftenIsNotTold },
  nothing_readable: { refusal: "insufficient_permission" },
};
