// A company of Sage HR, made up by hand: 60 people, five leavers, and what is awkward of them. Its today is the 16th of
// March 2026, a Monday.

export type Wire = Record<string, unknown>;

export interface SageCompany {
  people: Wire[];
  leavers: Wire[];
  teams: Wire[];
  policies: Wire[];
  requests: Wire[];
  /** By the ids of people. */
  balances: Readonly<Record<string, Wire[]>>;
  compensations: Readonly<Record<string, Wire[]>>;
  /** Ids of requests that are for today. */
  away: readonly number[];
}

export const sageNow = new Date("2026-03-16T10:00:00Z");

/** As an answer has a person of whom nothing is known but what everybody has. */
export function person(id: number, more: Wire = {}): Wire {
  return {
    id,
    email: `person${id}@lindgren.example`,
    first_name: "Ingrid",
    last_name: `Holm${id}`,
    picture_url: null,
    employment_start_date: "2021-05-03",
    date_of_birth: null,
    team: "Harbour",
    team_id: 11,
    position: "Planner",
    position_id: 21,
    reports_to_employee_id: 101,
    work_phone: null,
    home_phone: null,
    mobile_phone: null,
    gender: null,
    street_first: null,
    street_second: null,
    city: null,
    post_code: null,
    country: null,
    employee_number: `H-${id}`,
    employment_status: "Full-time",
    team_history: [],
    employment_status_history: [],
    position_history: [],
    ...more,
  };
}

const named: Wire[] = [
  person(101, {
    first_name: "Łucja",
    last_name: "Nowak-Åberg",
    email: "lucja@lindgren.example",
    reports_to_employee_id: null,
    position: "Head of harbour",
    employment_start_date: "2019-01-07",
    date_of_birth: "1979-11-30",
    gender: "Female",
    mobile_phone: "+46 70 555 01 01",
    street_first: "Strandvägen 7",
    street_second: "Lgh 1203",
    city: "Malmö",
    post_code: 21_114,
    country: "SE",
    tax_number: "SE-7911-30",
    // In no order, and two of them overlap.
    position_history: [
      {
        position_id: 22,
        position_name: "Head of harbour",
        start_date: "2023-02-01",
        end_date: null,
      },
      {
        position_id: 21,
        position_name: "Planner",
        start_date: "2019-01-07",
        end_date: "2023-02-15",
      },
    ],
    team_history: [
      { team_id: 12, team_name: "Sea", start_date: "2019-01-07", end_date: "2020-12-31" },
      { team_id: 11, team_name: "Harbour", start_date: "2021-01-01", end_date: null },
    ],
    employment_status_history: [
      {
        employment_status_id: 2,
        employment_statu_name: "part time",
        start_date: "2019-01-07",
        end_date: "2020-12-31",
      },
      {
        employment_status_id: 1,
        employment_statu_name: "Full Time",
        start_date: "2021-01-01",
        end_date: null,
      },
    ],
  }),
  // Two of one name. The second has nothing but what a person cannot lack.
  person(102, {
    first_name: "大江",
    last_name: "健",
    gender: "Male",
    personal_identification_number: "8702",
  }),
  { id: 103, first_name: "大江", last_name: "健", email: null },
  person(104, {
    first_name: "Otto",
    gender: "Other",
    employment_status: "Freelancer",
    team: null,
    team_id: null,
  }),
  person(105, {
    first_name: "Frida",
    employment_start_date: "2099-01-01",
    employment_status: "Werkstudent",
  }),
  person(106, {
    first_name: "Abel",
    irregular_contract_worker: true,
    post_code: "SW1A 1AA",
    country: "GB",
  }),
  person(107, {
    first_name: "O'Brien-Ñandú",
    employment_status: "Part-time",
    reports_to_employee_id: 203,
  }),
  // Leaves, and is on both lists until then.
  person(108, { first_name: "Lena", employment_status: null }),
];

/** Leavers carry fewer fields. */
function leaver(id: number, more: Wire): Wire {
  return {
    id,
    email: `left${id}@lindgren.example`,
    first_name: "Sven",
    last_name: `Left${id}`,
    employment_start_date: "2016-06-01",
    date_of_birth: "1970-01-01",
    position: "Planner",
    employee_number: `H-${id}`,
    ...more,
  };
}

const policies: Wire[] = [
  { id: 31, name: "Annual leave", unit: "days", do_not_accrue: false, accrue_type: "yearly" },
  { id: 32, name: "Sick (paid)", unit: "days", do_not_accrue: false, accrue_type: "no_tracking" },
  { id: 33, name: "Time for time", unit: "hours", do_not_accrue: false, accrue_type: "yearly" },
  { id: 34, name: "Compassionate", unit: "days", do_not_accrue: true, accrue_type: null },
];

function request(id: number, employee: number, start: string, end: string, more: Wire = {}): Wire {
  return {
    id,
    status: "Approved",
    status_code: "approved",
    policy_id: 31,
    employee_id: employee,
    details: null,
    is_multi_date: start !== end,
    is_single_day: start === end,
    is_part_of_day: false,
    start_date: start,
    end_date: end,
    request_date: "2025-11-01",
    approval_date: "2025-11-02",
    ...more,
  };
}

const halfDay = { is_single_day: false, is_part_of_day: true };

export function createSageCompany(): SageCompany {
  return {
    // Tests change a company: each has people of its own.
    people: [
      ...structuredClone(named),
      ...Array.from({ length: 52 }, (_, index) => person(109 + index)),
    ],
    leavers: [
      leaver(201, { termination_date: "2025-12-31" }),
      leaver(202, { termination_date: "2020-02-29", date_of_birth: null, position: null }),
      leaver(203, {
        termination_date: "2026-03-15",
        first_name: "Maja",
        email: "maja@lindgren.example",
      }),
      leaver(204, { termination_date: "2024-01-01", email: null }),
      { ...leaver(108, { first_name: "Lena" }), termination_date: "2099-12-31" },
    ],
    teams: [
      { id: 11, name: "Harbour", manager_ids: [101], employee_ids: [101, 102] },
      { id: 12, name: "Sea", manager_ids: [], employee_ids: [] },
      { id: 13, name: null, manager_ids: [], employee_ids: [] },
    ],
    policies: structuredClone(policies),
    requests: [
      request(501, 101, "2026-03-13", "2026-03-19", { details: "Skiing" }),
      request(502, 102, "2026-02-03", "2026-02-03", { ...halfDay, first_part_of_day: true }),
      request(503, 102, "2026-02-04", "2026-02-04", { ...halfDay, hours: 3.5, policy_id: 33 }),
      request(504, 104, "2026-02-05", "2026-02-05", {
        policy_id: 32,
        status_code: "awaiting_approval",
        approval_date: null,
      }),
      request(505, 104, "2026-02-06", "2026-02-09", { status_code: "declined", policy_id: 34 }),
      request(506, 104, "2026-02-10", "2026-02-10", { status_code: "canceled" }),
      request(507, 106, "2026-03-16", "2026-03-16", halfDay),
      // Begins before the range, and over the border of two questions.
      request(508, 107, "2025-12-20", "2026-01-10", { policy_id: 33 }),
      request(509, 107, "2026-01-31", "2026-02-02"),
      request(510, 107, "2024-07-01", "2024-07-05"),
    ],
    balances: {
      101: [
        { policy_id: 31, used: 12.5, available: 12.5 },
        { policy_id: 32, used: 3, available: 0 },
        { policy_id: 33, used: 2, available: null },
        { policy_id: 34, used: 1, available: 4 },
      ],
      102: [{ policy_id: 31, used: 27, available: -2 }],
    },
    compensations: {
      101: [
        salary("2023-02-01", null, 4_100.5, "monthly"),
        salary("2019-01-07", "2023-01-31", "3000.00", "monthly"),
        { ...salary("2023-03-01", null, 5_000, "yearly"), category: "Bonus" },
      ],
      104: [salary("2022-01-01", null, 41, "hourly", "GBP")],
      // A period that is none of ours.
      105: [salary("2099-01-01", null, 900, "fortnightly")],
    },
    away: [501, 507],
  };
}

function salary(
  start: string,
  end: string | null,
  amount: number | string,
  period: string,
  currency = "SEK",
): Wire {
  return {
    start_date: start,
    end_date: end,
    currency,
    amount,
    period,
    comment: null,
    category: "Salary",
  };
}
