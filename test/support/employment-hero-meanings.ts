import type { Mode } from "../../src/model/index.ts";
import type { ExpectedRecords, MeaningAnswers } from "../../src/providers/conformance.ts";

// What the reads of some records have to give, by hand from `createBusiness`: hundredths, and times in UTC, of which
// Singapore is eight hours ahead.

const february = { start_date: "2026-02-01", end_date: "2026-02-28", payment_date: "2026-02-27" };

const people: ExpectedRecords = {
  company: [
    {
      remote_id: "7001",
      display_name: "Merlion Tea",
      legal_name: "Merlion Tea Pte Ltd",
      tax_id: "201912345K",
      address: {
        street_address: "3, 09, 21, Market Street, Raffles Place",
        locality: "Downtown",
        administrative_area: "Central",
        post_code: "048940",
        country: "SG",
      },
    },
  ],
  employees: [
    {
      remote_id: "1",
      first_name: "Łucja",
      last_name: "O'Brien-Ñandú",
      display_full_name: "Łucja Maria O'Brien-Ñandú",
      employee_number: "N-001",
      job_title: "Tea taster",
      work_email: "person.1@merlion.example",
      mobile_phone_number: "+65 8123 4567",
      nationality: "SG",
      tax_id: "S1234567D",
      date_of_birth: "1985-07-30",
      gender: "female",
      ethnicity: "asian",
      employment_status: "active",
      employment_type: "full_time",
      start_date: "2019-05-06",
      remote_created_at: "2019-05-01",
      home_location: {
        street_address: "12, 04, 118, Orchid Road, Tower B, Lift lobby, Rear",
        locality: "Bishan",
        administrative_area: "Central",
        post_code: "570012",
        country: "SG",
      },
      work_location: {
        remote_id: "51",
        name: "Head office",
        address: { administrative_area: "Central", country: "SG" },
      },
      groups: [{ remote_id: "41", name: "Monthly", type: "pay_group" }],
      employments: [
        {
          effective_date: "2019-05-06",
          job_title: "Tea taster",
          employment_type: "full_time",
          pay_rate: 5_200.5,
          pay_period: "MONTH",
          pay_frequency: "monthly",
          currency: "sgd",
        },
      ],
      bank_account: { holder_name: "Ł O'Brien", account_number: "444555666", bic: "DBSSSGSG" },
      emergency_contacts: [
        {
          first_name: "Ida Holm",
          relationship: "Sister",
          mobile_phone_number: "+65 8000 0001",
          primary_contact: true,
        },
        { first_name: "Per Holm", primary_contact: false },
      ],
      custom_fields: {
        tags: ["first aid", "keyholder"],
        reporting_dimension_values: ["Blue", "North"],
        weekly_working_hours: 37.5,
        nationality: "Singapore",
        company: { remote_id: "31", name: "Merlion Leaf Pte Ltd" },
      },
    },
    { remote_id: "2", employment_status: "inactive", termination_date: "2025-06-30" },
    { remote_id: "3", employment_status: "pending", first_name: "Noor", last_name: "" },
    {
      remote_id: "4",
      employment_type: "part_time",
      employments: [{ pay_rate: 31.25, pay_period: "HOUR" }],
    },
    {
      remote_id: "5",
      employment_type: "contractor",
      employments: [{ pay_rate: null, pay_period: null }],
    },
    {
      remote_id: "8",
      employment_status: "active",
      employment_type: "other",
      work_location: { remote_id: null },
    },
    { remote_id: "9", employment_status: "inactive" },
  ],
  groups: [{ remote_id: "41", name: "Monthly", type: "pay_group" }],
  "work-locations": [
    {
      remote_id: "51",
      name: "Head office",
      address: { administrative_area: "Central", country: "SG" },
    },
    { remote_id: "52", name: "Head office / Twin" },
  ],
  timesheets: [
    {
      remote_id: "901",
      employee_remote_id: "1",
      start_time: "2026-02-02T01:00:00Z",
      end_time: "2026-02-02T09:30:00Z",
      hours_worked: 8,
    },
    {
      remote_id: "902",
      employee_remote_id: "4",
      start_time: "2026-02-03T00:00:00Z",
      end_time: null,
      hours_worked: 7.25,
    },
  ],
  "time-off-entries": [
    {
      remote_id: "801",
      employee_remote_id: "1",
      start_date: "2025-12-29",
      end_date: "2026-01-02",
      amount: 4,
      unit: "days",
      status: "approved",
      employee_note: "Familie 🏖",
      policy_remote_id: "71",
      policy_name: "Annual leave",
      policy_type: "vacation",
    },
    { remote_id: "803", amount: 6.5, unit: "hours", status: "pending", policy_type: "sick" },
    { remote_id: "804", status: "rejected" },
  ],
  "time-off-balances": [
    {
      employee_remote_id: "1",
      policy_remote_id: "71",
      policy_name: "Annual leave",
      policy_type: "vacation",
      balance: 11.5,
      unit: "days",
    },
    { employee_remote_id: "6", policy_remote_id: "73", balance: 56.25, unit: "hours" },
  ],
};

const pay: ExpectedRecords = {
  payruns: [
    { remote_id: "502", state: "paid", type: "regular", ...february },
    { remote_id: "503", state: "pending", payment_date: "2026-03-27" },
    { remote_id: "505", type: "off_cycle" },
  ],
  payslips: [
    {
      remote_id: "502/1",
      employee_remote_id: "1",
      payrun_remote_id: "502",
      payrun_type: "regular",
      currency: null,
      currency_code: "sgd",
      gross_pay: 520_050,
      net_pay: 405_560,
      ...february,
      earnings: [
        { name: "Salary", amount: 500_000, hours: null },
        { name: "Overtime", amount: 20_050, hours: 4.5 },
      ],
      deductions: [
        { name: "Union", amount: 5_000 },
        { name: "CDAC", amount: 5_000 },
        { name: "CPF", amount: 104_010 },
      ],
      taxes: [
        { name: "Tax clearance", amount: 5_000, employer_tax: false },
        { name: "SDL", amount: 1_125, employer_tax: true },
      ],
      reimbursements: [{ name: "Taxi", amount: 4_520 }],
      contributions: [
        { name: "CPF", amount: 88_409 },
        { name: "Voluntary CPF", amount: 2_000 },
        { name: "Employer liabilities", amount: 750 },
      ],
    },
  ],
};

export const expectedOfEmploymentHero: Readonly<Record<Mode, ExpectedRecords>> = {
  xhr: { ...people, ...pay },
  official: people,
};

const common: MeaningAnswers = {
  overdrawn_leave: {
    record: { employee_remote_id: "4", policy_remote_id: "71", balance: -2 },
    only: "without what was taken",
  },
  rehired: {
    notTold: "Who is taken on again keeps one record with one first day, and no earlier times.",
  },
  future_leaver: { record: { remote_id: "10", termination_date: "2099-12-31" } },
  future_starter: { record: { remote_id: "11", start_date: "2099-01-01" } },
  away_today: {
    notTold: "Leave is found by the days on which it begins and ends, not by those between.",
  },
  lost_right: { record: { remote_id: "1" } },
  deleted: { record: { remote_id: "60" } },
  no_email: { record: { remote_id: "11" } },
  nationality: { record: { remote_id: "1", nationality: "SG" }, only: "in Singapore and Malaysia" },
  weekly_hours: { record: { remote_id: "1", custom_fields: { weekly_working_hours: 37.5 } } },
  legal_entities: {
    record: {
      remote_id: "1",
      custom_fields: { company: { remote_id: "31", name: "Merlion Leaf Pte Ltd" } },
    },
    only: "not in the United Kingdom",
  },
  half_day: { record: { remote_id: "802", amount: 0.5, unit: "days" } },
  leave_in_hours: { record: { remote_id: "803", amount: 6.5, unit: "hours" } },
  holiday_in_leave: { record: { remote_id: "801", amount: 4 } },
  biweekly: {
    record: {
      remote_id: "6",
      employments: [{ pay_frequency: "biweekly", pay_rate: 2_000, pay_period: "WEEK" }],
    },
  },
  semimonthly: {
    record: {
      remote_id: "7",
      employments: [{ pay_frequency: "semimonthly", pay_rate: 60_000, pay_period: "YEAR" }],
    },
    only: "in New Zealand and Singapore",
  },
  nothing_readable: { refusal: "insufficient_permission" },
};

export const meaningsOfEmploymentHero: Readonly<Record<Mode, MeaningAnswers>> = {
  official: common,
  xhr: {
    ...common,
    minor_units: { notTold: "All five currencies that it pays in have hundredths." },
  },
};
