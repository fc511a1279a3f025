export type GustoRow = Record<string, unknown>;

/** What a company has at Gusto. */
export interface GustoCompany {
  company: GustoRow;
  admins: GustoRow[];
  locations: GustoRow[];
  departments: GustoRow[];
  staff: GustoRow[];
  /** By the ids of those who have left before. */
  histories: Record<string, GustoRow[]>;
  contractors: GustoRow[];
  schedules: GustoRow[];
  assignments: GustoRow;
  payrolls: (GustoRow & { employee_compensations: GustoRow[] })[];
  payments: GustoRow[];
  policies: GustoRow[];
  requests: (GustoRow & { days: Record<string, string> })[];
  sheets: GustoRow[];
}

/** An id of the form that Gusto's are. */
export function idOf(kind: number, number: number): string {
  return `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

export const companyId = idOf(9, 1);
export const personId = (number: number): string => idOf(1, number);
export const contractorId = (number: number): string => idOf(2, number);
export const locationId = (number: number): string => idOf(3, number);
export const departmentId = (number: number): string => idOf(4, number);
export const scheduleId = (number: number): string => idOf(5, number);
export const runId = (number: number): string => idOf(6, number);
export const policyId = (number: number): string => idOf(7, number);
export const adminId = (number: number): string => idOf(8, number);

const departments = ["Bakery", "Café & Küche", "Deliveries"];
const usa = { country: "USA" };

/** Somebody with a salary. What Gusto answers beside it, such as garnishments, is not read. */
export function createPerson(number: number, fields: GustoRow = {}): GustoRow {
  const at = (number % departments.length) + 1;
  return {
    uuid: personId(number),
    first_name: `First${number}`,
    last_name: `Last${number}`,
    preferred_first_name: null,
    email: `person.${number}@home.example`,
    work_email: `person.${number}@bakery.example`,
    phone: `415555${String(number).padStart(4, "0")}`,
    company_uuid: companyId,
    employee_code: `46f${String(number).padStart(3, "0")}`,
    date_of_birth: "1988-04-05",
    ssn: "",
    has_ssn: true,
    terminated: false,
    historical: false,
    onboarded: true,
    onboarding_status: "onboarding_completed",
    current_employment_status: "full_time",
    hired_at: "2020-02-03",
    department_uuid: departmentId(at),
    department: departments[at - 1],
    manager_uuid: number === 1 ? null : personId(1),
    jobs: [createJob(number)],
    terminations: [],
    garnishments: [],
    custom_fields: [{ id: idOf(31, number), name: "Locker", type: "text", value: String(number) }],
    current_home_address: {
      street_1: `${number} Maple Street`,
      street_2: "Apt. 2",
      city: "Oakland",
      state: "CA",
      zip: "94607",
      ...usa,
    },
    ...fields,
  };
}

export function createJob(number: number, fields: GustoRow = {}): GustoRow {
  return {
    uuid: idOf(10, number),
    employee_uuid: personId(number),
    title: "Baker",
    primary: true,
    hire_date: "2020-02-03",
    location_uuid: locationId((number % 2) + 1),
    current_compensation_uuid: idOf(11, number),
    payment_unit: "Year",
    rate: `${52_000 + number}.50`,
    compensations: [
      createPay(number, { effective_date: "2020-02-03", rate: "48000.00", uuid: idOf(12, number) }),
      createPay(number, {}),
    ],
    ...fields,
  };
}

export function createPay(number: number, fields: GustoRow): GustoRow {
  return {
    uuid: idOf(11, number),
    job_uuid: idOf(10, number),
    payment_unit: "Year",
    flsa_status: "Exempt",
    rate: `${52_000 + number}.50`,
    effective_date: "2024-07-01",
    title: null,
    ...fields,
  };
}

/** Somebody with one pay since a day. */
function paidSince(number: number, day: string, pay: GustoRow = {}): GustoRow {
  const only = createPay(number, { effective_date: day, ...pay });
  const { rate, payment_unit } = only;
  return {
    hired_at: day,
    jobs: [createJob(number, { hire_date: day, rate, payment_unit, compensations: [only] })],
  };
}

const leftOn = (...days: string[]): GustoRow => ({
  terminations: days.map((effective_date, at) => ({
    uuid: idOf(32, at),
    active: effective_date < "2026-01-01",
    effective_date,
  })),
});

/** Those of whom systems tell differently, by their numbers. */
const awkward: Readonly<Record<number, GustoRow>> = {
  1: { first_name: "Łucja", last_name: "O'Brien-Ñandú", preferred_first_name: "Lu" },
  2: { first_name: "健", last_name: "大江", preferred_first_name: null },
  // Namesakes.
  4: { first_name: "Sam", last_name: "Lee" },
  5: { first_name: "Sam", last_name: "Lee", work_email: null },
  // A manager who left, and who reports to them still.
  6: { ...paidSince(6, "2019-05-06"), terminated: true, ...leftOn("2025-06-30") },
  7: { manager_uuid: personId(6) },
  // Came back.
  8: { ...paidSince(8, "2022-05-02"), ...leftOn("2018-12-31") },
  9: leftOn("2099-12-31"),
  10: { ...paidSince(10, "2099-01-05"), onboarded: false },
  // An owner, who is paid by the paycheck.
  11: paidSince(11, "2011-09-01", { payment_unit: "Paycheck", rate: "0.00", flsa_status: "Owner" }),
  12: {
    ...paidSince(12, "2021-03-01"),
    jobs: [
      createJob(112, {
        title: "Driver",
        primary: false,
        compensations: [
          createPay(112, { payment_unit: "Hour", rate: "21.75", flsa_status: "Nonexempt" }),
        ],
      }),
      createJob(12),
    ],
  },
  13: paidSince(13, "2021-04-05"),
  14: paidSince(14, "2021-04-05"),
  15: { current_employment_status: "part_time_under_twenty_hours" },
  16: {
    current_employment_status: "seasonal",
    ...paidSince(16, "2025-11-03", { payment_unit: "Hour", rate: "19.125" }),
  },
  17: { historical: true, jobs: [], employee_code: null },
  18: { onboarded: false, onboarding_status: "self_onboarding_pending_invite" },
  19: { email: null, work_email: null, phone: null },
  // Came back, and left again.
  20: { ...paidSince(20, "2023-02-01"), terminated: true, ...leftOn("2019-08-31", "2024-03-15") },
  21: { department_uuid: null, department: null, custom_fields: [], current_home_address: null },
};

/** Somebody of whom the name is known, and nothing else. */
function createBlank(number: number): GustoRow {
  return {
    uuid: personId(number),
    first_name: "Blank",
    last_name: "Person",
    terminated: false,
    onboarded: false,
    jobs: [],
    terminations: [],
    custom_fields: [],
  };
}

function createContractor(number: number, fields: GustoRow): GustoRow {
  return {
    uuid: contractorId(number),
    company_uuid: companyId,
    type: "Individual",
    first_name: "Kory",
    last_name: `Gottlieb${number}`,
    business_name: null,
    ein: null,
    email: `contractor.${number}@home.example`,
    start_date: "2022-01-03",
    dismissal_date: null,
    upcoming_employment: null,
    is_active: true,
    wage_type: "Hourly",
    hourly_rate: "60.00",
    department_uuid: departmentId(3),
    department: departments[2],
    address: {
      street_1: "621 Jast Row",
      street_2: null,
      city: "Reno",
      state: "NV",
      zip: "89501",
      ...usa,
    },
    ...fields,
  };
}

interface Lines {
  hours?: readonly (readonly [name: string, amount: number, hours: string])[];
  fixed?: readonly (readonly [name: string, amount: number])[];
  timeOff?: readonly (readonly [name: string, amount: number, hours: string])[];
  taxes?: readonly (readonly [name: string, amount: number, employer: boolean])[];
  deductions?: readonly (readonly [name: string, amount: number])[];
  benefits?: readonly (readonly [
    name: string,
    employee: number,
    company: number,
    imputed?: boolean,
  ])[];
  repaid?: readonly (readonly [description: string | null, amount: number])[];
}

/** Cents as Gusto writes dollars. */
const inDollars = (cents: number): string => (cents / 100).toFixed(2);
const sum = (lines: readonly (readonly [unknown, number, ...unknown[]])[]): number =>
  lines.reduce((all, [, cents]) => all + cents, 0);

/** What somebody is paid in a run, by lines in cents. Its totals are those that Gusto describes. */
export function createSlip(number: number, given: Lines, fields: GustoRow = {}): GustoRow {
  const {
    hours = [],
    fixed = [],
    timeOff = [],
    taxes = [],
    deductions = [],
    benefits = [],
  } = given;
  const repaid = given.repaid ?? [];
  const gross = sum(hours) + sum(fixed) + sum(timeOff);
  const tips = sum(fixed.filter(([name]) => name === "Cash Tips"));
  const ofEmployee = taxes.filter(([, , isOfEmployer]) => !isOfEmployer);
  const net = gross - sum(ofEmployee) - sum(deductions) - sum(benefits) - tips;
  return {
    employee_uuid: personId(number),
    excluded: false,
    gross_pay: inDollars(gross),
    net_pay: inDollars(net),
    check_amount: inDollars(net + sum(repaid)),
    payment_method: "Direct Deposit",
    hourly_compensations: hours.map(([name, cents, time]) => ({
      name,
      amount: inDollars(cents),
      hours: time,
    })),
    fixed_compensations: fixed.map(([name, cents]) => ({ name, amount: inDollars(cents) })),
    paid_time_off: timeOff.map(([name, cents, time]) => ({
      name,
      amount: inDollars(cents),
      hours: time,
    })),
    // Numbers in the description of the API, texts by its notes.
    taxes: taxes.map(([name, cents, employer]) => ({ name, amount: cents / 100, employer })),
    deductions: deductions.map(([name, cents]) => ({ name, amount: inDollars(cents) })),
    benefits: benefits.map(([name, employee, company, imputed = false]) => ({
      name,
      employee_deduction: inDollars(employee),
      company_contribution: inDollars(company),
      imputed,
    })),
    reimbursements: repaid.map(([description, cents]) => ({
      description,
      amount: inDollars(cents),
    })),
    ...fields,
  };
}

/** Awkward ones first; of everybody else the same. */
function createSlips(paid: readonly number[]): GustoRow[] {
  const own: Readonly<Record<number, Lines>> = {
    1: {
      hours: [["Regular Hours", 230_773, "80.000"]],
      fixed: [
        ["Cash Tips", 5_033],
        ["Bonus", 25_000],
        ["Commission", 0],
      ],
      timeOff: [["Vacation Hours", 23_077, "8.000"]],
      taxes: [
        ["Social Security", 17_601, false],
        ["Federal Income Tax", 31_234, false],
        ["Social Security", 17_601, true],
        ["FUTA", 1_703, true],
      ],
      deductions: [["Child Support", 15_000]],
      benefits: [
        ["Medical Insurance", 12_550, 37_649],
        ["401(k)", 8_000, 4_000],
        ["Group-Term Life Insurance", 0, 1_212, true],
      ],
      repaid: [
        ["Oven mitts", 2_345],
        [null, 100],
      ],
    },
    12: {
      hours: [
        ["Regular Hours", 87_000, "40.000"],
        ["Overtime", 6_525, "2.000"],
        ["Regular Hours", 72_500, "33.333"],
      ],
      taxes: [["Medicare", 2_407, false]],
    },
  };
  const usual: Lines = {
    hours: [["Regular Hours", 200_001, "80.000"]],
    taxes: [
      ["Social Security", 12_400, false],
      ["Social Security", 12_400, true],
    ],
  };
  return paid.map((number) => createSlip(number, own[number] ?? usual));
}

function createRun(
  number: number,
  [start, end, check]: readonly [string | null, string | null, string],
  fields: GustoRow & { employee_compensations?: GustoRow[] } = {},
): GustoCompany["payrolls"][number] {
  return {
    uuid: runId(number),
    payroll_uuid: runId(number),
    company_uuid: companyId,
    off_cycle: false,
    external: false,
    processed: true,
    calculated_at: `${check}T16:58:03Z`,
    pay_period: { start_date: start, end_date: end, pay_schedule_uuid: scheduleId(1) },
    check_date: check,
    employee_compensations: [],
    ...fields,
  };
}

const offCycle = (off_cycle_reason: string): GustoRow => ({ off_cycle: true, off_cycle_reason });
const bonus = (cents: number): Lines => ({
  fixed: [["Bonus", cents]],
  taxes: [["Medicare", Math.round(cents * 0.0145), false]],
});

function createPayrolls(paid: readonly number[]): GustoCompany["payrolls"] {
  const idle = createSlip(21, { hours: [["Regular Hours", 0, "0.000"]] });
  const excluded = { ...createSlip(15, bonus(100)), excluded: true };
  return [
    createRun(1, ["2026-02-01", "2026-02-14", "2026-02-20"], {
      employee_compensations: [...createSlips(paid), idle, excluded],
    }),
    createRun(2, ["2026-02-15", "2026-02-28", "2026-03-06"], {
      employee_compensations: createSlips(paid.slice(0, 3)),
    }),
    createRun(3, ["2026-02-23", "2026-02-23", "2026-02-27"], {
      ...offCycle("Bonus"),
      employee_compensations: [createSlip(1, bonus(100_000)), createSlip(2, bonus(33_333))],
    }),
    // Gusto may write its amounts without a sign.
    createRun(4, ["2026-02-23", "2026-02-23", "2026-03-02"], {
      ...offCycle("Reversal"),
      employee_compensations: [createSlip(2, bonus(33_333))],
    }),
    createRun(5, ["2025-08-04", "2025-08-17", "2026-03-13"], {
      ...offCycle("Correction"),
      employee_compensations: [createSlip(12, bonus(2_500))],
    }),
    createRun(6, [null, null, "2026-04-30"], offCycle("Tax reconciliation")),
    createRun(7, ["2026-03-01", "2026-03-14", "2026-03-20"], {
      external: true,
      employee_compensations: [createSlip(2, bonus(77_777), { payment_method: "Historical" })],
    }),
    // Calculated, and not paid yet.
    createRun(8, ["2026-06-15", "2026-06-28", "2026-07-03"], {
      processed: false,
      employee_compensations: [
        { ...createSlip(1, bonus(1)), gross_pay: null, net_pay: null, check_amount: null },
      ],
    }),
    // A mere date.
    createRun(9, ["2026-06-29", "2026-07-12", "2026-07-17"], {
      processed: false,
      calculated_at: null,
    }),
  ];
}

function createPayment(number: number, fields: GustoRow): GustoRow {
  return {
    uuid: idOf(13, number),
    contractor_uuid: contractorId(1),
    date: "2026-03-10",
    status: "Funded",
    wage_type: "Hourly",
    hourly_rate: "60.00",
    hours: "40.333",
    wage: "0.0",
    bonus: "20.0",
    reimbursement: "100.0",
    wage_total: "2439.98",
    payment_method: "Direct Deposit",
    ...fields,
  };
}

function createPolicies(people: readonly number[]): GustoRow[] {
  const balances = (balance: string): GustoRow[] =>
    people.map((number) => ({
      uuid: personId(number),
      balance: number === 5 ? "-8.0" : balance,
    }));
  const policy = (number: number, name: string, policy_type: string, fields: GustoRow = {}) => ({
    uuid: policyId(number),
    company_uuid: companyId,
    name,
    policy_type,
    accrual_method: "per_hour_worked",
    is_active: true,
    employees: balances("32.5"),
    ...fields,
  });
  return [
    policy(1, "Paid vacation", "vacation"),
    policy(2, "Sick leave", "sick", {
      accrual_method: "unlimited",
      employees: balances("0.0").slice(0, 2),
    }),
    policy(3, "Of old", "vacation", { is_active: false }),
    policy(4, "New baby", "parental_leave", { employees: [] }),
  ];
}

function createRequest(
  number: number,
  [person, policy, status]: readonly [number, number, string],
  days: Record<string, string>,
): GustoCompany["requests"][number] {
  return {
    uuid: idOf(14, number),
    status,
    employee_note: number === 1 ? "Majorca" : "",
    employer_note: "",
    policy_uuid: policyId(policy),
    policy_type: policy === 2 ? "sick" : policy === 4 ? "parental_leave" : "vacation",
    days,
    employee: { uuid: personId(person), full_name: "Somebody" },
  };
}

function createSheet(number: number, fields: GustoRow): GustoRow {
  return {
    uuid: idOf(15, number),
    company_uuid: companyId,
    status: "approved",
    time_zone: "America/Los_Angeles",
    entity_type: "Employee",
    entity_uuid: personId(1),
    shift_started_at: "2026-02-16T20:00:00-08:00",
    shift_ended_at: "2026-02-17T05:00:00-08:00",
    created_at: "2026-02-18T16:08:53Z",
    updated_at: "2026-02-19T16:08:53Z",
    entries: [
      { uuid: idOf(16, number), hours_worked: "8.000", pay_classification: "Regular" },
      { uuid: idOf(17, number), hours_worked: "0.250", pay_classification: "Overtime" },
    ],
    ...fields,
  };
}

/** A bakery with 56 employees and 4 contractors. */
export function createCompany(): GustoCompany {
  const numbers = Array.from({ length: 56 }, (_value, index) => index + 1);
  const staff = numbers.map((number) =>
    number === 3 ? createBlank(3) : createPerson(number, structuredClone(awkward[number])),
  );
  const street = {
    street_1: "300 3rd Street",
    street_2: "Floor 2",
    city: "San Francisco",
    state: "CA",
    zip: "94107",
    ...usa,
  };
  return {
    company: {
      uuid: companyId,
      name: "Maple & Söhne LLC",
      trade_name: "Maple Bakery",
      ein: "00-0000001",
      is_suspended: false,
      company_status: "Approved",
    },
    admins: [
      {
        uuid: adminId(1),
        first_name: "Ada",
        last_name: "Maple",
        email: "ada@maple.example",
        phone: "4155550100",
      },
      {
        uuid: adminId(2),
        first_name: "Bo",
        last_name: "Oak",
        email: "bo@maple.example",
        phone: null,
      },
    ],
    locations: [
      {
        uuid: locationId(1),
        ...street,
        active: true,
        mailing_address: true,
        filing_address: false,
      },
      {
        uuid: locationId(2),
        ...street,
        street_1: "1 Mill Lane",
        street_2: null,
        city: "Reno",
        state: "NV",
        zip: "89501",
        active: true,
        mailing_address: false,
        filing_address: true,
      },
      {
        uuid: locationId(3),
        ...street,
        active: false,
        mailing_address: false,
        filing_address: false,
      },
    ],
    departments: departments.map((title, index) => ({
      uuid: departmentId(index + 1),
      company_uuid: companyId,
      title,
      employees: [],
      contractors: [],
    })),
    staff,
    histories: {
      [personId(8)]: [
        { hire_date: "2015-01-05", termination_date: "2018-12-31", employment_status: "part_time" },
        { hire_date: "2022-05-02", termination_date: null, employment_status: "full_time" },
      ],
      [personId(20)]: [
        { hire_date: "2017-06-01", termination_date: "2019-08-31", employment_status: "variable" },
        { hire_date: "2023-02-01", termination_date: "2024-03-15", employment_status: "full_time" },
      ],
    },
    contractors: [
      createContractor(1, {}),
      createContractor(2, {
        type: "Business",
        first_name: null,
        last_name: null,
        business_name: "Flour Power Inc.",
        ein: "00-0000002",
        email: null,
        wage_type: "Fixed",
        hourly_rate: "0.00",
      }),
      createContractor(3, { is_active: false, dismissal_date: "2024-04-30" }),
      createContractor(4, { start_date: "2099-02-02", department_uuid: null, department: null }),
    ],
    schedules: [
      { uuid: scheduleId(1), frequency: "Every other week", name: "All", active: true },
      { uuid: scheduleId(2), frequency: "Twice per month", name: "Office", active: true },
    ],
    assignments: {
      type: "by_employee",
      employees: numbers.map((number) => ({
        employee_uuid: personId(number),
        pay_schedule_uuid: scheduleId(number === 14 ? 2 : 1),
      })),
    },
    payrolls: createPayrolls([1, 2, 4, 5, 12, ...numbers.slice(21)]),
    payments: [
      createPayment(1, {}),
      createPayment(2, {
        contractor_uuid: contractorId(2),
        wage_type: "Fixed",
        hours: "0.0",
        hourly_rate: "0.0",
        wage: "1000.0",
        bonus: "0.0",
        reimbursement: "0.0",
        wage_total: "1000.00",
      }),
      createPayment(3, { date: "2026-07-01", status: "Unfunded" }),
    ],
    policies: createPolicies([1, 2, 4, 5, 7]),
    requests: [
      createRequest(1, [1, 1, "approved"], {
        "2026-02-16": "8.000",
        "2026-02-17": "0.000",
        "2026-02-18": "8.000",
      }),
      // From before the range, over the end of a year.
      createRequest(2, [2, 1, "consumed"], {
        "2025-12-30": "8.000",
        "2025-12-31": "8.000",
        "2026-01-02": "4.000",
      }),
      createRequest(3, [4, 2, "declined"], { "2026-03-02": "3.500" }),
      createRequest(4, [5, 1, "pending"], { "2026-07-31": "8.000", "2026-08-03": "8.000" }),
      createRequest(5, [7, 4, "approved"], { "2025-12-01": "8.000", "2026-08-31": "8.000" }),
    ],
    sheets: [
      createSheet(1, {}),
      createSheet(2, {
        entity_uuid: personId(12),
        status: "pending",
        shift_started_at: "2026-07-06T07:00:00-07:00",
        shift_ended_at: "2026-07-06T15:30:00-07:00",
        entries: [{ hours_worked: "7.500", pay_classification: "Regular" }],
      }),
      createSheet(3, {
        status: "rejected",
        shift_started_at: "2026-02-19T08:00:00-08:00",
        shift_ended_at: "2026-02-19T20:00:00-08:00",
      }),
      createSheet(4, {
        shift_started_at: "2026-02-20T08:00:00-08:00",
        shift_ended_at: null,
        entries: [],
      }),
      createSheet(5, {
        entity_type: "Contractor",
        entity_uuid: contractorId(1),
        shift_started_at: "2026-03-02T09:00:00-08:00",
        shift_ended_at: "2026-03-02T18:00:00-08:00",
      }),
      createSheet(6, {
        shift_started_at: "2025-11-03T09:00:00-08:00",
        shift_ended_at: "2025-11-03T18:00:00-08:00",
      }),
    ],
  };
}
