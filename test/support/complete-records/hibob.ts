import type { ExpectedRecords } from "../../../src/providers/conformance.ts";
import { companyId, personId } from "../vendors/hibob-people.ts";

const manager = {
  remote_id: personId(1),
  first_name: "Zoë",
  last_name: "Ångström",
  work_email: "zoe@harbour.example",
};
const dock = {
  street_address: "1 Dock Road, Hall 3",
  locality: "London",
  administrative_area: "Greater London",
  post_code: "E16 1AA",
  country: "GB",
};

/** By hand, from what the fake has. The second one of the people has every field. */
export const completeOfHibob: ExpectedRecords = {
  company: [{ remote_id: companyId, legal_name: null, display_name: null, tax_id: null }],
  groups: [
    { remote_id: "209192162", name: "Operations", type: "department" },
    { remote_id: "209192164", name: "Sea & Ice", type: "department" },
  ],
  "work-locations": [
    { remote_id: "501", name: "London", type: null, address: dock },
    { remote_id: "502", name: "Kraków", address: null },
  ],
  employees: [
    {
      remote_id: personId(2),
      employee_number: "1002",
      first_name: "Łucja",
      last_name: "Nowak-Åberg",
      display_full_name: "Łucja N.",
      nationality: "PL",
      job_title: "Pilot",
      work_email: "lucja@harbour.example",
      personal_email: "lucja@home.example",
      mobile_phone_number: "+48 600 100 200",
      tax_id: "QQ123456C",
      gender: "female",
      ethnicity: "mixed",
      marital_status: "divorced",
      date_of_birth: "1979-11-30",
      employment_status: "leave",
      employment_type: "full_time",
      start_date: "2019-01-07",
      termination_date: "2099-12-31",
      remote_created_at: "2020-02-01",
      avatar: null,
      home_location: {
        street_address: "7 Quay Street, Flat 2",
        locality: "London",
        administrative_area: "Greater London",
        post_code: "E14 9XX",
        country: "GB",
      },
      work_location: { remote_id: "501", name: "London", address: dock },
      manager,
      groups: [{ remote_id: "209192164", name: "Sea & Ice", type: "department" }],
      bank_account: { iban: "GB29NWBK60161331926819", account_number: null },
      emergency_contacts: [
        {
          first_name: "Maja",
          last_name: "Nowak",
          relationship: "Sister",
          mobile_phone_number: "+48 600 300 400",
        },
      ],
      dependents: null,
      custom_fields: { Shoes: "Boots", Locker: 17, weekly_working_hours: 37.5 },
      employments: [
        {
          effective_date: "2099-01-01",
          job_title: "Pilot",
          employment_type: "full_time",
          pay_rate: 41_000.55,
        },
        {
          effective_date: "2023-02-01",
          job_title: "Pilot",
          employment_type: "full_time",
          pay_rate: 41_000.55,
          pay_period: "YEAR",
          pay_frequency: "monthly",
          currency: "gbp",
        },
        {
          effective_date: "2021-01-01",
          job_title: "Planner",
          employment_type: "full_time",
          pay_rate: 30_000.1,
        },
        {
          effective_date: "2019-01-07",
          job_title: "Planner",
          employment_type: "part_time",
          pay_rate: 30_000.1,
          currency: "gbp",
        },
      ],
      employment_history: [
        { effective_date: "2099-01-01" },
        {
          effective_date: "2023-02-01",
          group_remote_id: "209192164",
          group_name: "Sea & Ice",
          manager_remote_id: personId(1),
        },
        { effective_date: "2021-01-01" },
        { effective_date: "2019-01-07", group_remote_id: "209192163", group_name: "Harbour" },
      ],
      compensation_history: [
        { effective_date: "2099-01-01" },
        { effective_date: "2023-02-01", notes: "Became a pilot", pay_period: "year" },
        { effective_date: "2021-01-01" },
        { effective_date: "2019-01-07", notes: null },
      ],
    },
  ],
  timesheets: [
    {
      remote_id: "1",
      employee_remote_id: personId(2),
      start_time: "2026-03-02T09:00:00Z",
      end_time: "2026-03-02T12:30:00Z",
      hours_worked: 3.5,
    },
    {
      remote_id: "5",
      start_time: "2026-03-30T08:00:00Z",
      end_time: "2026-03-30T16:15:00Z",
      hours_worked: 8.25,
    },
  ],
  "time-off-entries": [
    {
      remote_id: "9001",
      employee_remote_id: personId(2),
      start_date: "2026-03-12",
      end_date: "2026-03-20",
      amount: 6,
      unit: "days",
      status: "approved",
      employee_note: null,
      policy_remote_id: "Holiday",
      policy_name: "Holiday",
      policy_type: "vacation",
    },
  ],
  "time-off-balances": [
    {
      employee_remote_id: personId(2),
      policy_remote_id: "Holiday",
      balance: 12.5,
      used: 7.5,
      unit: "days",
      policy_name: "Holiday",
      policy_type: "vacation",
    },
    { employee_remote_id: personId(2), policy_remote_id: "Doctor", balance: 4.25, unit: "hours" },
  ],
};
