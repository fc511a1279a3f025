// A company of Factorial, made up by hand: 60 people, and what is awkward of them. Its today is the 14th of October 2026,
// a Wednesday. Ids are texts of 17 and of 20 digits, as those of new clusters, which no number of JSON can tell.

export type Wire = Record<string, unknown>;

export const factorialNow = new Date("2026-10-14T10:00:00Z");

/** The same number is the same id, of 17 digits, or of 20. */
export function idOf(number: number): string {
  return number % 2 === 0 ? `184467440737${10_000 + number}` : `18446744073709${500_000 + number}`;
}

export const spain = idOf(901);
export const britain = idOf(902);
export const madrid = idOf(801);
export const london = idOf(802);

/** As a list has a person of whom nothing is known but what everybody has. */
function person(number: number, more: Wire = {}): Wire {
  return {
    id: idOf(number),
    access_id: idOf(5_000 + number),
    first_name: "Marta",
    last_name: `Roca${number}`,
    full_name: `Marta Roca${number}`,
    preferred_name: null,
    birth_name: null,
    gender: null,
    identifier: null,
    identifier_type: null,
    email: null,
    login_email: `person${number}@garriga.example`,
    birthday_on: null,
    nationality: null,
    address_line_1: null,
    address_line_2: null,
    postal_code: null,
    city: null,
    state: null,
    country: null,
    bank_number: null,
    swift_bic: null,
    bank_number_format: null,
    company_id: idOf(7),
    legal_entity_id: spain,
    location_id: madrid,
    created_at: "2021-04-30T09:00:00.000Z",
    updated_at: "2025-01-15T09:00:00.000Z",
    social_security_number: "281234567890",
    is_terminating: false,
    terminated_on: null,
    manager_id: idOf(1),
    timeoff_manager_id: idOf(2),
    phone_number: null,
    company_identifier: null,
    contact_name: null,
    contact_number: null,
    personal_email: null,
    seniority_calculation_date: "2001-01-01",
    active: true,
    attendable: true,
    ...more,
  };
}

const named: Wire[] = [
  person(1, {
    first_name: "Łucja",
    last_name: "Nowak Garriga",
    full_name: "Łucja Nowak Garriga",
    preferred_name: "Lu",
    gender: "female",
    identifier: "12345678Z",
    identifier_type: "dni",
    email: "lu@home.example",
    login_email: "lucja@garriga.example",
    personal_email: "lucja@home.example",
    birthday_on: "1979-11-30",
    nationality: "pl",
    address_line_1: "Carrer de Tallers 123",
    address_line_2: "Àtic 5",
    postal_code: "08001",
    city: "Barcelona",
    state: "Barcelona",
    country: "es",
    bank_number: "ES91 2100 0418 4502 0005 1332",
    swift_bic: "CAIXESBBXXX",
    bank_number_format: "iban",
    created_at: "2019-01-02T23:30:00.000Z",
    manager_id: null,
    phone_number: "+34 600 000 001",
    company_identifier: "G-1",
    contact_name: "Jan Nowak",
    contact_number: "+34 600 000 002",
  }),
  // Two of one name.
  person(2, { first_name: "大江", last_name: "健", full_name: "大江 健", gender: "male" }),
  person(3, { first_name: "大江", last_name: "健", full_name: "健 大江", gender: "other" }),
  // Left and came back.
  person(4, { identifier: "X1234567L", identifier_type: "nie" }),
  person(5, { terminated_on: "2099-12-31", is_terminating: true }),
  person(6, { active: false, created_at: "2026-10-01T09:00:00.000Z" }),
  // Has left, and others still report to them.
  person(7, { terminated_on: "2025-12-31", active: false, manager_id: idOf(1) }),
  person(8, {
    first_name: "O'Brien-Ñandú",
    legal_entity_id: britain,
    location_id: london,
    manager_id: idOf(7),
    identifier: "PA999999",
    identifier_type: "passport",
    bank_number: "12345678",
    bank_number_format: "sort_code_and_account_number",
  }),
  // Of this person nothing is known but the name.
  {
    id: idOf(9),
    access_id: idOf(5_009),
    first_name: "Ines",
    last_name: "Vila",
    full_name: "Ines Vila",
    company_id: idOf(7),
    location_id: null,
    created_at: "2024-02-29T09:00:00.000Z",
    updated_at: "2024-02-29T09:00:00.000Z",
    is_terminating: false,
    attendable: false,
  },
  person(10, { login_email: null, email: "ten@garriga.example", nationality: "Catalan" }),
  person(11, {
    manager_id: idOf(10),
    login_email: "eleven",
    email: null,
    contact_number: "+34 600 000 011",
  }),
  person(12),
  person(13),
  person(14),
  person(15),
  // Switched off, and of no last day.
  person(16, { active: false }),
];

function version(number: number, employee: number, on: string, more: Wire = {}): Wire {
  return {
    id: idOf(10_000 + number),
    company_id: idOf(7),
    employee_id: idOf(employee),
    effective_on: on,
    country: "es",
    job_title: "Planner",
    starts_on: on,
    ends_on: null,
    has_payroll: true,
    salary_amount: null,
    salary_frequency: null,
    working_hours: 4_000,
    working_hours_frequency: "week",
    bank_holiday_treatment: "non_working",
    working_time_percentage_in_cents: null,
    created_at: "2021-04-30T09:00:00.000Z",
    updated_at: "2021-04-30T09:00:00.000Z",
    ...more,
  };
}

const pay = (amount: number, frequency: string, share: number | null = 10_000): Wire => ({
  salary_amount: amount,
  salary_frequency: frequency,
  working_time_percentage_in_cents: share,
});

const versions: Wire[] = [
  // In no order, and one that is to come.
  version(3, 1, "2027-01-01", {
    starts_on: "2019-01-07",
    job_title: "Director",
    ...pay(6_000_000, "yearly"),
  }),
  version(2, 1, "2024-02-01", {
    starts_on: "2019-01-07",
    job_title: "Head of logistics",
    ...pay(4_550_005, "yearly"),
  }),
  version(1, 1, "2019-01-07", pay(100_050, "monthly", 5_000)),
  version(4, 2, "2021-05-03", pay(21_050, "weekly", 9_999)),
  version(5, 3, "2021-05-03", pay(9_000, "daily")),
  // The end of the first contract stands in its newest version.
  version(6, 4, "2015-01-01"),
  version(7, 4, "2017-01-01", { starts_on: "2015-01-01", ends_on: "2018-06-30" }),
  version(8, 4, "2022-05-01", pay(3_000_000, "yearly")),
  // One contract follows the other without a day between them.
  version(9, 5, "2020-01-01", { ends_on: "2020-12-31" }),
  version(10, 5, "2021-01-01"),
  version(11, 6, "2099-01-01", pay(150_000, "monthly")),
  version(12, 7, "2016-06-01"),
  version(13, 8, "2022-01-01", { country: "gb", ...pay(1_550, "hourly", 10_000) }),
  // A period that is none of ours.
  version(14, 10, "2022-01-01", { ...pay(90_000, "fortnightly", null), starts_on: null }),
];

const value = (number: number, field: number, label: string | null, more: Wire): Wire => ({
  id: idOf(20_000 + number),
  value: null,
  long_text_value: null,
  custom_field_identifier: `field-${field}`,
  date_value: null,
  single_choice_value: null,
  cents_value: null,
  valuable_id: idOf(1),
  field_id: idOf(30_000 + field),
  valuable_type: "Employee",
  label,
  required: false,
  ...more,
});

const leaveTypes: Wire[] = [
  leaveType(401, "Vacances", "holidays"),
  leaveType(402, "Baixa", "sick_leave"),
  leaveType(403, "Teletreball", "custom-7", { workable: true }),
  leaveType(404, "Sense sou", "custom-8", { payable: false }),
];

function leaveType(number: number, name: string, identifier: string, more: Wire = {}): Wire {
  return {
    id: idOf(number),
    name,
    identifier,
    color: "#07a2ad",
    active: true,
    attachment: false,
    visibility: true,
    workable: false,
    payable: true,
    company_id: idOf(7),
    allowance_ids: [],
    details_required: false,
    ...more,
  };
}

function leave(number: number, employee: number, start: string, end: string | null, more: Wire) {
  return {
    id: idOf(number),
    company_id: idOf(7),
    employee_id: idOf(employee),
    start_on: start,
    finish_on: end,
    half_day: null,
    description: null,
    reason: null,
    leave_type_id: idOf(401),
    leave_type_name: "Vacances",
    approved: true,
    employee_full_name: "Marta Roca",
    start_time: null,
    hours_amount_in_cents: null,
    created_at: "2026-02-01T09:00:00.000Z",
    updated_at: "2026-02-02T09:00:00.000Z",
    deleted_at: null,
    duration_attributes: null,
    days_taken: 1,
    ...more,
  };
}

const sick = { leave_type_id: idOf(402), leave_type_name: "Baixa" };
const unpaid = { leave_type_id: idOf(404), leave_type_name: "Sense sou", days_taken: 0 };

const leaves: Wire[] = [
  leave(501, 1, "2026-03-16", "2026-03-20", { description: "Ski", reason: "Snow", days_taken: 4 }),
  leave(502, 2, "2026-03-24", "2026-03-24", {
    half_day: "beginning_of_day",
    leave_type_name: "Vacances d'estiu",
  }),
  leave(503, 2, "2026-03-25", "2026-03-25", {
    half_day: "beggining_of_day",
    reason: "Dentist",
    leave_type_name: null,
  }),
  leave(504, 3, "2026-03-26", "2026-03-26", {
    start_time: "09:00",
    hours_amount_in_cents: 350,
    days_taken: 0,
  }),
  leave(505, 4, "2026-04-01", "2026-04-02", { ...sick, approved: null, days_taken: 2 }),
  leave(506, 4, "2026-04-07", "2026-04-08", { ...sick, approved: false, days_taken: 2 }),
  leave(507, 4, "2026-04-09", "2026-04-09", { deleted_at: "2026-04-01T09:00:00.000Z" }),
  // Nobody knows yet how long.
  leave(508, 7, "2026-03-02", null, { ...sick, days_taken: 20 }),
  leave(509, 8, "2025-12-29", "2026-03-01", {
    ...unpaid,
    duration_attributes: {
      used_units: [
        { year: 2025, days: 3 },
        { year: 2026, days: 42.5 },
      ],
    },
  }),
  leave(510, 8, "2026-04-11", "2026-04-12", unpaid),
  // Of a day and a half, though it begins at noon.
  leave(511, 8, "2026-04-13", "2026-04-14", { half_day: "end_of_day", days_taken: 1.5 }),
  // Of today: the third is at work at home, and the next two are away for a part of the day.
  leave(521, 12, "2026-10-12", "2026-10-16", { days_taken: 5 }),
  leave(522, 5, "2026-10-14", null, sick),
  leave(523, 13, "2026-10-14", "2026-10-14", { leave_type_id: idOf(403) }),
  leave(524, 14, "2026-10-14", "2026-10-14", { half_day: "end_of_day", days_taken: 0.5 }),
  leave(525, 15, "2026-10-14", "2026-10-14", { hours_amount_in_cents: 100 }),
  leave(526, 10, "2026-10-14", "2026-10-14", { approved: null }),
  leave(528, 16, "2026-10-13", "2026-10-15", { half_day: "end_of_day", days_taken: 2.5 }),
  leave(529, 17, "2026-10-13", "2026-10-15", { half_day: "end_of_day", days_taken: 2.5 }),
  leave(527, 11, "2026-10-15", "2026-10-15", {}),
];

function allowance(number: number, name: string, more: Wire = {}): Wire {
  return {
    id: idOf(number),
    name,
    allowance_type: "days",
    available_days: "22.0",
    leave_type_ids: [idOf(401)],
    timeoff_policy_id: idOf(600),
    timeoff_cycle: "yearly",
    unlimited_holidays: false,
    negative_counter_type: null,
    rounding: "no_rounding",
    proration_type: "daily",
    count_holiday_as_workable: false,
    ...more,
  };
}

function stat(employee: number, of: number, available: string, used: string): Wire {
  return {
    id: `${idOf(employee)}-${idOf(of)}-2026`,
    allowance_id: idOf(of),
    employee_id: idOf(employee),
    year: 2026,
    cycles: [],
    cycle_carry_overs: [],
    available_days: available,
    total: "22.0",
    used_days: "99.0",
    used_units_until_reference_date: used,
    outstanding_units: "0.0",
  };
}

function shift(number: number, employee: number, date: string, times: string, more: Wire = {}) {
  const [clock_in, clock_out = null] = times.split("-");
  return {
    id: idOf(number),
    employee_id: idOf(employee),
    date,
    reference_date: date,
    clock_in,
    clock_out,
    half_day: null,
    workable: true,
    created_at: `${date}T20:00:00.000Z`,
    workplace_id: null,
    time_settings_break_configuration_id: null,
    company_id: idOf(7),
    updated_at: `${date}T21:00:00.000Z`,
    minutes: 480,
    ...more,
  };
}

function run(number: number, month: string, payment_type: string | null, more: Wire = {}): Wire {
  return {
    id: idOf(number),
    label: `Run ${number}`,
    starts_on: `${month}-01`,
    ends_on: `${month}-28`,
    status: "completed",
    locked: true,
    cycle_id: idOf(70),
    company_id: idOf(7),
    payment_type,
    closure_date: `${month}-27`,
    ...more,
  };
}

const place = (number: number, name: string, timezone: string | null, more: Wire = {}): Wire => ({
  id: idOf(number),
  company_id: idOf(7),
  name,
  timezone,
  country: null,
  state: null,
  city: null,
  address_line_1: null,
  address_line_2: null,
  postal_code: null,
  main: number === 801,
  ...more,
});

/** By the names of its lists. */
export type FactorialCompany = Record<keyof ReturnType<typeof createFactorialCompany>, Wire[]>;

export function createFactorialCompany(people = 60) {
  return {
    "employees/employees": [
      ...named,
      ...Array.from({ length: people - named.length }, (_, index) =>
        person(named.length + 1 + index),
      ),
    ].map((one) => ({ ...one })),
    "contracts/contract_versions": versions.map((one) => ({ ...one })),
    "payroll/family_situations": [
      { id: idOf(61), employee_id: idOf(1), civil_status: "civil_partnership" },
      { id: idOf(62), employee_id: idOf(2), civil_status: "widow" },
      { id: idOf(63), employee_id: idOf(3), civil_status: "not_applicable" },
    ].map((one) => ({ ...one, number_of_dependants: 2 })),
    "custom_fields/values": [
      value(1, 1, "Talla", { single_choice_value: "M" }),
      value(2, 2, "Notes", { long_text_value: "Keeps\nthe keys" }),
      value(3, 3, "Notes", { value: "second" }),
      value(4, 4, "Car until", { date_value: "2027-01-31" }),
      value(5, 5, "Bonus", { cents_value: 12_345 }),
      value(6, 6, "company", { value: "ours" }),
      value(7, 7, "Of a contract", { value: "no", valuable_type: "Contract" }),
      value(8, 8, null, { value: true }),
    ] as Wire[],
    "teams/teams": [
      {
        id: idOf(11),
        name: "Logistics",
        employee_ids: [idOf(1), idOf(2), idOf(3)],
        lead_ids: [],
        company_id: idOf(7),
      },
      { id: idOf(12), name: "Night", employee_ids: [idOf(1)], company_id: idOf(7) },
      { id: idOf(13), name: "Nobody", employee_ids: null, company_id: idOf(7) },
    ] as Wire[],
    "locations/locations": [
      place(801, "Madrid", "Europe/Madrid", {
        country: "es",
        state: "Madrid",
        city: "Madrid",
        address_line_1: "Gran Vía 1",
        address_line_2: "Planta 2",
        postal_code: "28013",
      }),
      place(802, "London", "Europe/London", { country: "gb", city: "London" }),
      place(803, "Nowhere", null),
    ],
    "companies/legal_entities": [
      {
        id: spain,
        company_id: idOf(7),
        country: "es",
        legal_name: "Garriga i Fills SL",
        currency: "EUR",
        tin: "B12345678",
        city: "Barcelona",
        state: "Barcelona",
        postal_code: "08001",
        address_line_1: "Plaça 7",
        address_line_2: "Baixos",
      },
      {
        id: britain,
        company_id: idOf(7),
        country: "gb",
        legal_name: "Garriga Ltd",
        currency: "GBP",
        tin: null,
        city: null,
        state: null,
        postal_code: null,
        address_line_1: null,
        address_line_2: null,
      },
    ] as Wire[],
    "timeoff/leaves": leaves.map((one) => ({ ...one })),
    "timeoff/leave_types": leaveTypes,
    "timeoff/allowances": [
      allowance(601, "Vacances 2026"),
      allowance(602, "Borsa d'hores", { allowance_type: "hours", leave_type_ids: [idOf(402)] }),
      allowance(603, "Sense límit", { unlimited_holidays: true, leave_type_ids: [] }),
    ],
    "timeoff/allowance_stats": [
      stat(1, 601, "12.5", "9.5"),
      stat(1, 602, "7.25", "0.75"),
      stat(1, 603, "0.0", "3.0"),
      stat(2, 601, "-2.0", "24.0"),
    ],
    "attendance/shifts": [
      shift(701, 1, "2026-03-16", "08:00-16:30", { minutes: 470 }),
      shift(702, 1, "2026-04-07", "08:00-12:00", { minutes: 240, half_day: "beginning_of_day" }),
      // Counts for the day before.
      shift(703, 8, "2026-03-17", "22:00-06:00", { reference_date: "2026-03-16" }),
      shift(704, 8, "2026-03-18", "22:00", { minutes: 0 }),
      shift(705, 8, "2026-03-19", "12:00-12:30", {
        minutes: 30,
        time_settings_break_configuration_id: idOf(77),
      }),
      shift(706, 8, "2026-03-19", "13:00-13:15", { minutes: 15, workable: false }),
      // In UTC it begins a day before.
      shift(707, 1, "2026-05-01", "00:30-02:30", { minutes: 120 }),
      // Whose clocks are not known.
      shift(708, 9, "2026-03-20", "09:00-10:00", { minutes: 50 }),
    ] as Wire[],
    "compensations/payroll_runs": [
      run(71, "2026-03", "regular"),
      run(72, "2026-03", "regular", { cycle_id: null }),
      run(73, "2026-04", "bonus_benefit"),
      run(74, "2026-04", "delayed_payment", { cycle_id: null }),
      run(75, "2026-04", "something_new"),
    ],
  };
}
