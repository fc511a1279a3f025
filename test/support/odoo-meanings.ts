import type { Mode } from "../../src/model/index.ts";
import type { MeaningAnswers } from "../../src/providers/conformance.ts";
import type { OdooTables } from "./fake-odoo.ts";

// People of whom systems tell differently, and which of them shows what. Their days are long ago or far away, so that
// they show the same on every day.

const ever = { request_date_from: "2020-01-01", request_date_to: "2099-12-31" };
const stamps = { create_date: "2026-01-05 09:00:00", write_date: "2026-01-05 09:00:00" };
const leave = { state: "validate", holiday_status_id: 1, ...stamps };
const terms = { active: true, contract_type_id: 91, job_title: "Planner" };
const day = (from: string, to = from) => ({ request_date_from: from, request_date_to: to });

/** Rhea came back, Lena leaves, Frida begins, and Abel is away and is paid in yen. */
export const peopleOfMeanings: OdooTables = {
  "res.company": [
    { id: 2, active: true, name: "Yokohama KK", currency_id: 4, vat: "JP1", country_id: 21 },
  ],
  "res.currency": [{ id: 4, name: "JPY" }],
  "res.country": [{ id: 21, name: "Japan", code: "JP" }],
  "hr.employee": [
    { id: 901, active: true, name: "Rhea Retour", company_id: 1 },
    {
      id: 902,
      active: true,
      name: "Lena Later",
      company_id: 1,
      departure_date: "2099-12-31",
    },
    { id: 903, active: true, name: "Frida Future", company_id: 1 },
    { id: 904, active: true, name: "Abel Away", company_id: 2, country_id: 21 },
  ],
  "hr.version": [
    {
      id: 911,
      employee_id: 901,
      ...terms,
      date_version: "2015-01-01",
      contract_date_start: "2015-01-01",
      contract_date_end: "2018-12-31",
      wage: 2_000,
      currency_id: 3,
    },
    {
      id: 912,
      employee_id: 901,
      ...terms,
      date_version: "2022-05-01",
      contract_date_start: "2022-05-01",
      wage: 2_600,
      currency_id: 3,
    },
    {
      id: 913,
      employee_id: 902,
      ...terms,
      date_version: "2020-01-01",
      contract_date_start: "2020-01-01",
      wage: 1_300.5,
      currency_id: 3,
      schedule_pay: "semi-monthly",
    },
    {
      id: 914,
      employee_id: 903,
      ...terms,
      date_version: "2099-01-01",
      contract_date_start: "2099-01-01",
      wage: 2_400,
      currency_id: 3,
    },
    {
      id: 915,
      employee_id: 904,
      ...terms,
      date_version: "2020-01-01",
      contract_date_start: "2020-01-01",
      wage: 150_000,
      currency_id: 4,
      schedule_pay: "bi-weekly",
    },
  ],
  "hr.leave.type": [{ id: 2, name: "Compensation", allows_negative: true }],
  "hr.leave.allocation": [
    {
      id: 21,
      ...leave,
      employee_id: 902,
      holiday_status_id: 2,
      date_from: "2026-01-01",
      max_leaves: 1,
      virtual_remaining_leaves: 0,
      leaves_taken: 1,
    },
  ],
  "hr.leave": [
    {
      id: 21,
      ...leave,
      ...ever,
      employee_id: 904,
      number_of_days: 20_870,
      "holiday_status_id.time_type": "leave",
    },
    { id: 22, ...leave, ...day("2026-02-10"), employee_id: 901, number_of_days: 0.5 },
    {
      id: 23,
      ...leave,
      ...day("2026-02-11"),
      employee_id: 901,
      leave_type_request_unit: "hour",
      number_of_hours: 3,
      number_of_days: 0.375,
    },
    // From Monday to Friday, and one of them is a holiday.
    {
      id: 24,
      ...leave,
      ...day("2026-02-16", "2026-02-20"),
      employee_id: 901,
      number_of_days: 4,
    },
    {
      id: 25,
      ...leave,
      ...day("2026-02-02", "2026-02-09"),
      employee_id: 902,
      holiday_status_id: 2,
      number_of_days: 6,
    },
  ],
};

export const meaningsOfOdoo: Readonly<Record<Mode, MeaningAnswers>> = {
  official: listAnswers(),
  xhr: {
    ...listAnswers(),
    minor_units: {
      record: {
        remote_id: "3",
        payrun_remote_id: "batch-1",
        currency: null,
        currency_code: "jpy",
        gross_pay: 300_000,
      },
    },
  },
};

function listAnswers(): MeaningAnswers {
  return {
    overdrawn_leave: {
      record: { employee_remote_id: "902", policy_remote_id: "2", balance: -5, used: 6 },
      only: "of types that allow it",
    },
    rehired: {
      record: {
        remote_id: "901",
        start_date: "2022-05-01",
        custom_fields: { original_start_date: "2015-01-01" },
      },
    },
    future_leaver: { record: { remote_id: "902", termination_date: "2099-12-31" } },
    future_starter: { record: { remote_id: "903", start_date: "2099-01-01" } },
    away_today: { record: { remote_id: "904" } },
    lost_right: { record: { remote_id: "1" } },
    deleted: { record: { remote_id: "3" } },
    no_email: { record: { remote_id: "2" } },
    nationality: { record: { remote_id: "904", nationality: "JP" } },
    weekly_hours: {
      notTold: "The hours of a week are those of a working schedule, and no hours of a person.",
    },
    legal_entities: {
      record: {
        remote_id: "904",
        custom_fields: { company: { remote_id: "2", name: "Yokohama KK" } },
      },
      only: "where one account reads several",
    },
    half_day: { record: { remote_id: "22", amount: 0.5, unit: "days" } },
    leave_in_hours: { record: { remote_id: "23", amount: 3, unit: "hours" } },
    holiday_in_leave: { record: { remote_id: "24", amount: 4 } },
    biweekly: {
      record: {
        remote_id: "904",
        employments: [{ pay_rate: 150_000, pay_frequency: "biweekly", currency: "jpy" }],
      },
      only: "with a payroll module",
    },
    semimonthly: {
      record: {
        remote_id: "902",
        employments: [{ pay_rate: 1_300.5, pay_frequency: "semimonthly", currency: "eur" }],
      },
      only: "with a payroll module",
    },
    nothing_readable: { refusal: "base.group_user" },
  };
}
