import type { ExpectedRecords } from "../../../src/providers/conformance.ts";
import type { OdooRow, OdooTables } from "../fake-odoo.ts";

const stamps = (created: string, written: string) => ({
  create_date: `${created} 09:00:00`,
  write_date: `${written} 10:00:00`,
});
const february = { date_from: "2026-02-01", date_to: "2026-02-28" };
const ofIda = { employee_id: 905, holiday_status_id: 3, state: "validate" };

/** Categories by the codes that the fake has. */
const categories = { BASIC: 1, GROSS: 2, TAX: 3, DED: 4, COMP: 5, EXPENSE: 6, NET: 7 };

function linesOf(
  slip: number,
  lines: readonly [category: keyof typeof categories, code: string, total: number, more?: object][],
): OdooRow[] {
  return lines.map(([category, code, total, more], index) => ({
    id: slip * 100 + index,
    slip_id: slip,
    category_id: categories[category],
    code,
    name: `The line ${code}`,
    sequence: index,
    quantity: 1,
    total,
    appears_on_payslip: true,
    ...more,
  }));
}

const takenBack: Parameters<typeof linesOf>[1] = [
  ["BASIC", "BASIC", 100],
  ["GROSS", "GROSS", 100],
  ["TAX", "TAX", -20],
  ["DED", "DED", -10],
  ["NET", "NET", 70],
];

/** Of `hr.employee` and `hr.version`, what a company or a payroll module adds. */
export const addedFields = {
  "hr.employee": ["x_shirt:char"],
  "hr.version": ["wage_type:selection", "hourly_wage:monetary"],
};

/**
 * Ida has every field, each with another value than anybody else's, and what only a second place says of: a phone at
 * work, a job that is a record, an account that is the primary one. Her payslip is a pay run of its own.
 */
export const tablesOfIda: OdooTables = {
  "res.country.state": [{ id: 7, name: "Oost-Vlaanderen", code: "VOV" }],
  "res.partner": [
    {
      id: 73,
      name: "Site",
      street: "Kaai 7",
      street2: "Poort 2",
      city: "Gent",
      zip: "9000",
      state_id: 7,
      country_id: 20,
    },
  ],
  "res.partner.bank": [
    {
      id: 62,
      active: true,
      acc_number: "123-4567",
      acc_holder_name: "I. Holm",
      bank_name: "Andere Bank",
      bank_bic: "ABCDBE22",
    },
  ],
  "hr.job": [{ id: 81, name: "Welder" }],
  "hr.department": [
    { id: 32, active: true, name: "Night", parent_id: 31 },
    { id: 33, active: false, name: "Closed", parent_id: false },
  ],
  "hr.work.location": [
    { id: 52, active: true, name: "Site 7", location_type: "other", address_id: 73, company_id: 1 },
    { id: 53, active: false, name: "Old", location_type: "home", address_id: 72, company_id: 1 },
  ],
  "hr.employee": [
    {
      id: 905,
      active: true,
      name: "Ida van Holm",
      identification_id: "ID-905",
      work_phone: "+32 9 000 09 05",
      work_email: "ida@example.com",
      private_email: "ida@home.example",
      ssnid: "950905-905",
      birthday: "1995-09-05",
      sex: "other",
      marital: "cohabitant",
      country_id: 21,
      job_id: 81,
      employee_type: "freelance",
      department_id: 32,
      category_ids: [41],
      company_id: 1,
      parent_id: 1,
      work_location_id: 52,
      private_street: "Laan 5",
      private_street2: "Bus 3",
      private_city: "Brugge",
      private_zip: "8000",
      private_state_id: 7,
      private_country_id: 20,
      bank_account_ids: [61, 62],
      primary_bank_account_id: 62,
      emergency_phone: "+32 470 90 50 00",
      create_date: "2023-02-01 08:00:00",
      x_shirt: "M",
      employee_properties: [
        { name: "b2", string: "Boots", type: "selection", selection: [["k", "43"]], value: "k" },
      ],
    },
    {
      id: 906,
      active: true,
      name: "Pia  Marie",
      private_phone: "+32 906",
      address_id: 73,
      company_id: 1,
    },
    { id: 907, active: true, name: "Paul", phone: "+32 907", work_location_id: 53, company_id: 1 },
    { id: 908, active: false, name: "Gus Gone", company_id: 1 },
  ],
  "hr.version": [
    {
      id: 916,
      employee_id: 905,
      active: true,
      date_version: "2023-03-01",
      contract_date_start: "2023-03-01",
      job_id: 81,
      department_id: 33,
      wage: 3_100,
      currency_id: 3,
      schedule_pay: "weekly",
    },
    {
      id: 917,
      employee_id: 905,
      active: true,
      date_version: "2024-01-01",
      contract_date_start: "2023-03-01",
      job_title: "Chief welder",
      department_id: 32,
      employee_type: "student",
      wage: 1,
      wage_type: "hourly",
      hourly_wage: 18.75,
      currency_id: 3,
    },
    // Archived.
    {
      id: 918,
      employee_id: 905,
      active: false,
      date_version: "2025-01-01",
      contract_date_start: "2023-03-01",
      wage: 9,
    },
  ],
  "hr.leave.type": [{ id: 3, name: "Overtime" }],
  "hr.leave.allocation": [
    {
      id: 31,
      ...ofIda,
      ...stamps("2026-01-02", "2026-01-03"),
      type_request_unit: "hour",
      date_from: "2026-01-01",
      virtual_remaining_leaves: 12,
      leaves_taken: 4,
    },
    {
      id: 32,
      ...ofIda,
      ...stamps("2026-01-04", "2026-01-05"),
      type_request_unit: "hour",
      virtual_remaining_leaves: 0.5,
      leaves_taken: 0,
    },
    // Of the future, and of the past.
    { id: 33, ...ofIda, date_from: "2099-01-01", virtual_remaining_leaves: 100 },
    { id: 34, ...ofIda, date_to: "2020-12-31", virtual_remaining_leaves: 1_000 },
  ],
  "hr.leave": [
    {
      id: 31,
      ...ofIda,
      ...stamps("2026-02-20", "2026-02-21"),
      state: "refuse",
      request_date_from: "2026-02-24",
      request_date_to: "2026-02-25",
      number_of_days: 1.5,
      name: "*****",
      private_name: "The twins",
    },
    {
      id: 32,
      ...ofIda,
      state: "validate1",
      request_date_from: "2026-02-26",
      request_date_to: "2026-02-26",
      number_of_days: 1,
      name: "*****",
    },
  ],
  "hr.payslip.run": [
    {
      id: 3,
      state: "draft",
      date_start: "2026-01-10",
      date_end: "2026-01-20",
      credit_note: true,
    },
  ],
  "hr.payslip": [
    { id: 4, employee_id: 905, company_id: 1, state: "verify", paid: true, ...february },
    // A refund in a batch that is none, and one in a batch of refunds.
    {
      id: 5,
      employee_id: 1,
      company_id: 1,
      state: "done",
      credit_note: true,
      payslip_run_id: 1,
      ...february,
    },
    {
      id: 6,
      employee_id: 1,
      company_id: 1,
      state: "done",
      credit_note: true,
      payslip_run_id: 3,
      ...february,
    },
  ],
  "hr.payslip.line": [
    ...linesOf(4, [
      ["BASIC", "NIGHT", 99.5],
      ["BASIC", "BASIC", 1_000.5],
      ["BASIC", "NOTHING", 0, { quantity: 0 }],
      ["GROSS", "GROSS", 1_100],
      ["GROSS", "OTHER_GROSS", 7],
      ["TAX", "TAX", -200],
      ["DED", "DED", -50],
      ["COMP", "COMP", 160],
      ["COMP", "HIDDEN", 5, { appears_on_payslip: false }],
      ["NET", "NET", 850],
    ]),
    ...linesOf(5, takenBack),
    ...linesOf(6, takenBack),
  ],
};

const atSite = {
  street_address: "Kaai 7, Poort 2",
  locality: "Gent",
  administrative_area: "Oost-Vlaanderen",
  country: "BE",
  post_code: "9000",
};
const noAddress = {
  street_address: null,
  locality: null,
  administrative_area: null,
  post_code: null,
};
const ferme = { remote_id: "1", name: "Ferme & Fils" };
const logistics = { remote_id: "department-31", name: "Logistics", type: "department" };
const night = { remote_id: "department-32", name: "Night", type: "department" };
const firstAid = { remote_id: "category-41", name: "First aid", type: "team" };

/** Of the fake of the checks, with what is above. */
export const completePeopleOfOdoo: ExpectedRecords = {
  company: [
    {
      remote_id: "1",
      legal_name: "Ferme & Fils",
      display_name: "Ferme & Fils",
      tax_id: "BE0477472701",
      address: {
        street_address: "Dorp 1, Hoeve",
        locality: "Aalst",
        administrative_area: "Oost-Vlaanderen",
        country: "BE",
        post_code: "9300",
      },
    },
  ],
  employees: [
    {
      remote_id: "905",
      employee_number: "ID-905",
      first_name: "Ida van",
      last_name: "Holm",
      display_full_name: "Ida van Holm",
      nationality: "JP",
      job_title: "Welder",
      work_email: "ida@example.com",
      personal_email: "ida@home.example",
      mobile_phone_number: "+32 9 000 09 05",
      tax_id: "950905-905",
      gender: "not_specified",
      ethnicity: null,
      marital_status: "other",
      date_of_birth: "1995-09-05",
      employment_status: "active",
      employment_type: "other",
      start_date: "2023-03-01",
      termination_date: null,
      remote_created_at: "2023-02-01",
      home_location: {
        street_address: "Laan 5, Bus 3",
        locality: "Brugge",
        administrative_area: "Oost-Vlaanderen",
        country: "BE",
        post_code: "8000",
      },
      work_location: { remote_id: "52", name: "Site 7", type: "other", address: atSite },
      manager: {
        remote_id: "1",
        first_name: "Nadia van den",
        last_name: "Éynde",
        work_email: "nadia@example.com",
      },
      bank_account: {
        account_number: "123-4567",
        bank_name: "Andere Bank",
        bic: "ABCDBE22",
        holder_name: "I. Holm",
        iban: null,
      },
      employments: [
        {
          job_title: "Welder",
          effective_date: "2023-03-01",
          employment_type: "contractor",
          pay_rate: 3_100,
          pay_period: "MONTH",
          pay_frequency: "weekly",
          currency: "eur",
        },
        {
          job_title: "Chief welder",
          effective_date: "2024-01-01",
          employment_type: "other",
          pay_rate: 18.75,
          pay_period: "HOUR",
          pay_frequency: null,
          currency: "eur",
        },
      ],
      employment_history: [
        { effective_date: "2023-03-01", group_remote_id: null, group_name: "Closed" },
        { effective_date: "2024-01-01", group_remote_id: "department-32", group_name: "Night" },
      ],
      custom_fields: { company: ferme, x_shirt: "M", Boots: "43" },
      groups: [night, logistics, firstAid],
      emergency_contacts: [
        {
          first_name: "",
          last_name: "",
          relationship: null,
          mobile_phone_number: "+32 470 90 50 00",
          primary_contact: true,
        },
      ],
    },
    {
      remote_id: "906",
      first_name: "Pia",
      last_name: "Marie",
      display_full_name: "Pia  Marie",
      mobile_phone_number: "+32 906",
      work_location: { remote_id: null, name: null, type: null, address: atSite },
      emergency_contacts: [],
    },
    // The place is archived.
    {
      remote_id: "907",
      mobile_phone_number: "+32 907",
      work_location: { remote_id: null, name: "Old", type: "home" },
    },
    {
      remote_id: "1",
      employee_number: "N-0011",
      first_name: "Nadia van den",
      last_name: "Éynde",
      job_title: "Planner",
      mobile_phone_number: "+32 470 00 00 11",
      remote_created_at: "2021-04-01",
      work_location: {
        remote_id: "51",
        name: "Dock 3",
        type: "office",
        address: { ...noAddress, locality: "Antwerpen", country: "BE" },
      },
      bank_account: {
        account_number: "BE71 0961 2345 6769",
        bank_name: "Testbank",
        bic: "GKCCBEBB",
        holder_name: "N. van den Éynde",
        iban: "BE71096123456769",
      },
      emergency_contacts: [
        { first_name: "Jan", last_name: "Peeters", mobile_phone_number: "+32 470 00 00 12" },
      ],
      custom_fields: { "T-shirt": "L" },
    },
    // Archived, without a day of departure.
    { remote_id: "908", employment_status: "inactive", termination_date: null },
  ],
  groups: [logistics, night, firstAid],
  "work-locations": [{ remote_id: "52", name: "Site 7", type: "other", address: atSite }],
  timesheets: [
    {
      remote_id: "attendance-1",
      remote_created_at: "2026-02-03",
      remote_modified_at: "2026-02-03",
    },
  ],
  "time-off-entries": [
    {
      remote_id: "31",
      employee_remote_id: "905",
      start_date: "2026-02-24",
      end_date: "2026-02-25",
      amount: 1.5,
      unit: "days",
      status: "rejected",
      employee_note: "The twins",
      policy_remote_id: "3",
      policy_name: "Overtime",
      policy_type: null,
      remote_created_at: "2026-02-20",
      remote_modified_at: "2026-02-21",
    },
    { remote_id: "32", status: "pending", employee_note: null },
    { remote_id: "23", amount: 3, unit: "hours" },
  ],
  "time-off-balances": [
    {
      employee_remote_id: "905",
      balance: 12.5,
      used: 4,
      unit: "hours",
      policy_remote_id: "3",
      policy_name: "Overtime",
      policy_type: null,
      remote_created_at: "2026-01-02",
      remote_modified_at: "2026-01-05",
    },
    { employee_remote_id: "902", policy_remote_id: "2", balance: -5, used: 6 },
  ],
};

export const completePayOfOdoo: ExpectedRecords = {
  payruns: [
    {
      remote_id: "batch-3",
      state: "pending",
      type: "reversal",
      start_date: "2026-01-10",
      end_date: "2026-01-20",
      payment_date: "2026-01-20",
    },
    {
      remote_id: "payslip-4",
      state: "paid",
      type: "off_cycle",
      start_date: "2026-02-01",
      end_date: "2026-02-28",
      payment_date: "2026-02-28",
    },
    { remote_id: "payslip-5", state: "paid", type: "reversal" },
  ],
  payslips: [
    {
      remote_id: "4",
      employee_remote_id: "905",
      payrun_remote_id: "payslip-4",
      payrun_type: "off_cycle",
      currency: "eur",
      gross_pay: 110_000,
      net_pay: 85_000,
      start_date: "2026-02-01",
      end_date: "2026-02-28",
      payment_date: "2026-02-28",
      earnings: [
        { name: "The line NIGHT", amount: 9_950, hours: null },
        { name: "The line BASIC", amount: 100_050, hours: null },
      ],
      contributions: [{ name: "The line COMP", amount: 16_000 }],
      deductions: [{ name: "The line DED", amount: 5_000 }],
      taxes: [{ name: "The line TAX", amount: 20_000, employer_tax: false }],
      reimbursements: [],
    },
    {
      remote_id: "5",
      payrun_remote_id: "payslip-5",
      payrun_type: "reversal",
      gross_pay: -10_000,
      net_pay: -7_000,
      earnings: [{ name: "The line BASIC", amount: -10_000 }],
      deductions: [{ name: "The line DED", amount: -1_000 }],
      taxes: [{ name: "The line TAX", amount: -2_000, employer_tax: false }],
    },
    {
      remote_id: "6",
      payrun_remote_id: "batch-3",
      payrun_type: "reversal",
      start_date: "2026-01-10",
      end_date: "2026-01-20",
    },
  ],
};
