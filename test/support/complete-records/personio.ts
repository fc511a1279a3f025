import type { ExpectedRecords } from "../../../src/providers/conformance.ts";
import type { FakePersonio } from "../vendors/fake-personio.ts";
import {
  absencePeriod,
  attribute,
  employee,
  period,
  type PersonioRecord,
} from "../vendors/personio-records.ts";

const related = (type: string, values: Record<string, unknown>): PersonioRecord => ({
  type,
  attributes: values,
});

/**
 * Vera has every field, was a trainee before, and had a rise. One of her absences is of a type that is not listed, in
 * Tokyo; another one does not say where.
 */
export function addCompletePerson(fake: FakePersonio): void {
  fake.people.push(
    employee(25, {
      first_name: "Vera",
      last_name: "Öz",
      preferred_name: "Vee Öz",
      email: "vera@example.com",
      gender: "male",
      status: "active",
      position: "Lead",
      supervisor: related("Employee", {
        id: attribute("id", 11),
        first_name: attribute("first_name", "Nadia"),
        last_name: attribute("last_name", "van den Éynde"),
        email: attribute("email", "nadia@example.com"),
      }),
      employment_type: "internal",
      hire_date: "2022-05-01T00:00:00+02:00",
      termination_date: "2099-03-31T00:00:00+02:00",
      created_at: "2022-04-01T09:00:00+02:00",
      office: related("Office", { id: 42, name: "Lyon" }),
      subcompany: related("Subcompany", { id: 7034, name: "Fjord GmbH" }),
      weekly_working_hours: "30",
      department: related("Department", { id: 22, name: "Sales" }),
    }),
  );
  fake.employments["25"] = [
    {
      id: "e-1",
      employment_start_date: "2015-02-01",
      employment_end_date: null,
      termination: { termination_date: "2018-06-30" },
      position: { title: "Trainee" },
      type: "EXTERNAL",
      supervisor: { id: "14" },
      org_units: [
        { type: "team", id: "21" },
        { type: "department", id: "22" },
      ],
    },
    { id: "e-2", employment_start_date: "2022-05-01", employment_end_date: null },
  ];
  const fixed = {
    person: { id: "25" },
    effective_from: "2022-05-01",
    interval: "YEARLY",
    amount: { value: 48_000, currency: "EUR" },
    type: { category: "FIXED_SALARY" },
    weekly_working_hours: 30,
    full_time_weekly_working_hours: 40,
  };
  fake.compensations = [
    { ...fixed, effective_from: "2024-01-01", amount: { value: 51_000, currency: "EUR" } },
    fixed,
    { ...fixed, amount: { value: 900, currency: "EUR" }, type: { category: "ONE_TIME_BONUS" } },
  ];
  fake.absencePeriods.push(
    absencePeriod("in-tokyo", {
      start: "2026-02-19T15:00:00.0Z",
      end: "2026-02-20T15:00:00.0Z",
      timezone: "Asia/Tokyo",
      absence_type: related("AbsenceType", { id: "a-99", name: "Study", time_off_type_id: null }),
    }),
    absencePeriod("at-home", {
      start: "2026-02-24T23:00:00.0Z",
      end: "2026-02-25T23:00:00.0Z",
      timezone: null,
    }),
  );
  const day = { created_at: "2026-03-05T18:00:00Z" };
  fake.periods.push(
    period("w-2", "WORK", ["2026-03-04T09:00:00", "2026-03-04T17:00:00"], day),
    period("b-2", "BREAK", ["2026-03-04T12:00:00", "2026-03-04T12:45:00"]),
    period("b-3", "BREAK", ["2026-03-04T15:00:00", "2026-03-04T16:00:00"], {
      approval: { status: "REJECTED" },
    }),
    // Counted for another day.
    period("b-4", "BREAK", ["2026-03-04T16:00:00", "2026-03-04T17:00:00"], {
      attribution_date: "2026-03-03",
    }),
  );
}

const noAccount = {
  account_number: null,
  bank_name: null,
  bic: null,
  holder_name: null,
  sort_code: null,
};
const noAddress = { locality: null, administrative_area: null, country: null, post_code: null };

/** Of the fake of the checks, with what is above. */
export const completeOfPersonio: ExpectedRecords = {
  company: [
    { remote_id: "7033", legal_name: "Ferme & Fils GmbH", display_name: "Ferme & Fils GmbH" },
    { remote_id: "7034", legal_name: "Fjord GmbH", display_name: "Fjord GmbH" },
  ],
  employees: [
    {
      remote_id: "25",
      employee_number: null,
      first_name: "Vera",
      last_name: "Öz",
      display_full_name: "Vee Öz",
      nationality: null,
      job_title: "Lead",
      work_email: "vera@example.com",
      personal_email: null,
      mobile_phone_number: null,
      tax_id: null,
      gender: "male",
      ethnicity: null,
      marital_status: null,
      date_of_birth: null,
      employment_status: "active",
      employment_type: "part_time",
      start_date: "2022-05-01",
      termination_date: "2099-03-31",
      remote_created_at: "2022-04-01",
      home_location: { street_address: null, ...noAddress },
      work_location: { remote_id: "42", name: "Lyon", type: "office" },
      manager: {
        remote_id: "11",
        first_name: "Nadia",
        last_name: "van den Éynde",
        work_email: "nadia@example.com",
      },
      bank_account: null,
      employments: [
        {
          job_title: "Trainee",
          effective_date: "2015-02-01",
          employment_type: "contractor",
          pay_rate: null,
          pay_period: null,
          pay_frequency: null,
          currency: null,
        },
        {
          job_title: "Lead",
          effective_date: "2022-05-01",
          employment_type: "part_time",
          pay_rate: 48_000,
          pay_period: "YEAR",
          pay_frequency: null,
          currency: "eur",
        },
        {
          job_title: "Lead",
          effective_date: "2024-01-01",
          employment_type: "part_time",
          pay_rate: 51_000,
          pay_period: "YEAR",
          pay_frequency: null,
          currency: "eur",
        },
      ],
      employment_history: [
        {
          job_title: "Trainee",
          effective_date: "2015-02-01",
          group_remote_id: "department-22",
          group_name: "Sales",
          manager_remote_id: "14",
        },
        {
          job_title: "Lead",
          effective_date: "2022-05-01",
          group_remote_id: "department-22",
          group_name: "Sales",
          manager_remote_id: "11",
        },
        {
          job_title: "Lead",
          effective_date: "2024-01-01",
          group_remote_id: "department-22",
          group_name: "Sales",
          manager_remote_id: "11",
        },
      ],
      custom_fields: {
        company: { remote_id: "7034", name: "Fjord GmbH" },
        weekly_working_hours: 30,
        original_start_date: "2015-02-01",
      },
      groups: [{ remote_id: "department-22", name: "Sales", type: "department" }],
    },
    {
      remote_id: "11",
      employee_number: "N-11",
      display_full_name: "Nadia Éynde",
      nationality: "NL",
      job_title: "Planner",
      employment_type: null,
      remote_created_at: "2017-05-23",
      home_location: { street_address: "Kade 12", ...noAddress },
      work_location: { remote_id: "41", name: "München", type: "office" },
      bank_account: { iban: "DE89370400440532013000", ...noAccount },
      custom_fields: {
        Birthday: "1985-07-30T00:00:00+02:00",
        IBAN: "DE89 3704 0044 0532 0130 00",
        Nationality: "Niederlande",
        Number: "N-11",
        Shirt: "M",
        Street: "Kade 12",
        company: { remote_id: "7033", name: "Ferme & Fils GmbH" },
        weekly_working_hours: 40,
      },
    },
    // Came back after a gap.
    {
      remote_id: "21",
      start_date: "2022-05-01",
      custom_fields: { original_start_date: "2015-01-01" },
    },
    // Away for as long as the fake is there.
    { remote_id: "24", employment_status: "leave" },
  ],
  groups: [
    { remote_id: "cost_centre-31", name: "Rhine", type: "cost_centre" },
    { remote_id: "department-21", name: "Support", type: "department" },
    { remote_id: "team-21", name: "Night", type: "team" },
  ],
  timesheets: [
    { remote_id: "w-1", remote_created_at: null, remote_modified_at: "2026-03-03" },
    {
      remote_id: "w-2",
      employee_remote_id: "11",
      start_time: "2026-03-04T08:00:00Z",
      end_time: "2026-03-04T16:00:00Z",
      hours_worked: 7.25,
      remote_created_at: "2026-03-05",
    },
  ],
  "time-off-entries": [
    {
      remote_id: "61",
      employee_note: null,
      policy_name: "Paid vacation",
      remote_created_at: "2026-01-17",
      remote_modified_at: "2026-01-18",
    },
    {
      remote_id: "9bba303f",
      status: "approved",
      employee_note: "moving",
      policy_remote_id: "53",
      policy_name: "Overtime",
      policy_type: null,
      remote_created_at: "2026-02-01",
      remote_modified_at: "2026-02-02",
    },
    {
      remote_id: "in-tokyo",
      start_date: "2026-02-20",
      end_date: "2026-02-20",
      policy_remote_id: "a-99",
      policy_name: "Study",
    },
    { remote_id: "at-home", start_date: "2026-02-25", end_date: "2026-02-25" },
  ],
  "time-off-balances": [
    {
      employee_remote_id: "11",
      policy_remote_id: "53",
      policy_name: "Overtime",
      policy_type: null,
      balance: -3,
      used: null,
      unit: "hours",
    },
  ],
  "work-locations": [{ remote_id: "41", name: "München", type: "office" }],
};
