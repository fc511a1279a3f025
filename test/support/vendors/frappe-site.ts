// A site of Frappe HR, made up by hand: two companies with 62 people, and what is awkward of them. Its clocks are in
// Copenhagen, and its today is the 15th of April 2026, a Wednesday.

export type Wire = Record<string, unknown>;

export interface FrappeSite {
  zone: string;
  /** By the kind of document. */
  rows: Record<string, Wire[]>;
}

export const frappeNow = new Date("2026-04-15T10:00:00Z");

const standard = "name owner creation modified docstatus";
const child = "parent parenttype parentfield idx";

/** What each kind of document has, as far as it matters here. */
export const fieldsOf: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    User: "full_name email mobile_no enabled api_key",
    Company: "company_name abbr tax_id country default_currency is_group parent_company",
    Address: "address_title address_line1 address_line2 city state country pincode",
    "Dynamic Link": `link_doctype link_name ${child}`,
    Department: "department_name company is_group disabled",
    Branch: "branch",
    Employee:
      "employee_name first_name middle_name last_name employee_number company_email user_id personal_email " +
      "cell_number date_of_birth gender marital_status status date_of_joining relieving_date current_address " +
      "permanent_address company branch department designation employment_type reports_to bank_name bank_ac_no " +
      "iban person_to_be_contacted emergency_phone_number relation passport_number ctc custom_shirt_size",
    "Employee Internal Work History": `branch department designation from_date to_date ${child}`,
    "Salary Structure":
      "company is_active payroll_frequency salary_slip_based_on_timesheet salary_component hour_rate currency",
    "Salary Structure Assignment":
      "employee employee_name department designation salary_structure from_date company base variable currency",
    "Payroll Entry":
      "posting_date payroll_frequency company number_of_employees start_date end_date currency exchange_rate " +
      "salary_slips_created salary_slips_submitted status amended_from error_message",
    "Salary Slip":
      "posting_date employee employee_name company status payroll_entry start_date end_date currency exchange_rate " +
      "gross_pay net_pay rounded_total total_deduction total_loan_repayment base_gross_pay base_net_pay " +
      "year_to_date bank_account_no amended_from salary_structure",
    "Salary Detail":
      "salary_component abbr amount additional_amount default_amount statistical_component " +
      `do_not_include_in_total variable_based_on_taxable_salary year_to_date ${child}`,
    "Salary Component": "salary_component type is_income_tax_component do_not_include_in_total",
    Attendance:
      "employee employee_name working_hours status attendance_date company in_time out_time leave_type",
    Timesheet: "company status employee user start_date end_date total_hours",
    "Timesheet Detail": `activity_type from_time to_time hours project ${child}`,
    "Leave Application":
      "employee leave_type from_date to_date half_day half_day_date total_leave_days description status company",
    "Leave Allocation":
      "employee leave_type from_date to_date new_leaves_allocated unused_leaves expired company",
    "Leave Ledger Entry":
      "employee leave_type transaction_type transaction_name leaves from_date to_date is_carry_forward is_expired " +
      "is_lwp holiday_list company",
    "Leave Type": "leave_type_name is_lwp allow_negative include_holiday",
    "Holiday List": "holiday_list_name from_date to_date",
    Holiday: `holiday_date weekly_off description ${child}`,
  }).map(([doctype, names]) => [doctype, `${standard} ${names}`.split(" ")]),
);

/** The kinds of rows that stand inside of documents. */
export const childrenOf: Readonly<Record<string, readonly string[]>> = {
  Address: ["Dynamic Link"],
  Employee: ["Employee Internal Work History"],
  "Salary Slip": ["Salary Detail"],
  Timesheet: ["Timesheet Detail"],
  "Holiday List": ["Holiday"],
};

const times = {
  owner: "hr@lind.example",
  creation: "2019-01-07 09:30:00.123456",
  modified: "2025-06-01 08:00:00.000000",
  docstatus: 0,
};

const lind = "Lind & Sons A/S";
const japan = "Lind Japan KK";
const tools = "Tools - LS";

function doc(name: string, more: Wire): Wire {
  return { ...times, name, ...more };
}

/** As a form has somebody of whom nothing else was typed. */
export function person(number: number, more: Wire = {}): Wire {
  const name = `HR-EMP-${String(number).padStart(5, "0")}`;
  return doc(name, {
    employee_name: `Mads Holm${number}`,
    first_name: "Mads",
    last_name: `Holm${number}`,
    company: lind,
    department: tools,
    designation: "Smith",
    gender: "Male",
    date_of_birth: "1990-05-17",
    date_of_joining: "2021-05-03",
    status: "Active",
    company_email: `person${number}@lind.example`,
    employment_type: "Full-time",
    reports_to: "HR-EMP-00001",
    ...more,
  });
}

const named: Wire[] = [
  person(1, {
    employee_name: "Åse Lind-Østergård",
    first_name: "Åse",
    middle_name: "Marie",
    last_name: "Lind-Østergård",
    employee_number: "LS-1",
    company_email: "aase@lind.example",
    user_id: "aase.login@lind.example",
    personal_email: "aase@home.example",
    cell_number: "+45 20 55 01 01",
    date_of_birth: "1979-11-30",
    gender: "Female",
    marital_status: "Married",
    date_of_joining: "2019-01-07",
    current_address: "Havnegade 7, 8000 Aarhus C",
    permanent_address: "Somewhere else",
    branch: "Aarhus",
    designation: "Head of tools",
    reports_to: null,
    bank_name: "Sydbank",
    bank_ac_no: "7110 0012345678",
    iban: "DK5000400440116243",
    person_to_be_contacted: "Ole Lind",
    emergency_phone_number: "+45 20 55 09 09",
    relation: "Husband",
    passport_number: "P-900100",
    ctc: 500_000,
    custom_shirt_size: "M",
  }),
  person(2, { employee_name: "大江 健", first_name: "大江", last_name: "健" }),
  // Of whom the name alone is known.
  doc("HR-EMP-00003", { employee_name: "Bo", first_name: "Bo" }),
  person(4, { status: "Suspended", designation: "Apprentice", employment_type: "Apprentice" }),
  person(5, { date_of_joining: "2099-01-01" }),
  person(6, {
    employee_name: "Åse Lind-Østergård",
    first_name: "Åse",
    last_name: "Lind-Østergård",
    company: japan,
    department: "東京 - LJ",
    branch: "東京",
    employment_type: "Part-time",
    gender: "Prefer not to say",
    marital_status: "Widowed",
    permanent_address: "1-2-3 Minato, Tokyo",
  }),
  person(7, { reports_to: "HR-EMP-00008", marital_status: "Divorced" }),
  person(8, {
    first_name: "Maja",
    middle_name: "K.",
    last_name: "Left",
    status: "Left",
    relieving_date: "2026-02-28",
    company_email: null,
    user_id: "maja@lind.example",
  }),
  person(9, {
    relieving_date: "2099-12-31",
    employment_type: "Contract",
    marital_status: "Single",
  }),
  person(10, { status: "Left", relieving_date: "2026-05-31" }),
  person(11, { status: "Inactive", employment_type: "Praktikant" }),
  // Nothing sets the status by itself.
  person(12, { relieving_date: "2025-12-31" }),
  // Who came back has another record.
  person(13, {
    first_name: "Ida",
    last_name: "Back",
    status: "Left",
    relieving_date: "2023-08-31",
  }),
  person(14, { first_name: "Ida", last_name: "Back", date_of_joining: "2025-02-01" }),
  // A login that is no address, and one that is.
  person(15, { company_email: null, user_id: "frank", first_name: "Zoë O'Brien-Ñandú" }),
  person(16, { company_email: null, user_id: "login16@lind.example" }),
  // As HR Settings name them by their number.
  { ...person(17), name: "R&D/7 100%", employee_number: "R&D/7 100%" },
  { ...person(18), name: "hr-emp-00017b" },
];

const rest = Array.from({ length: 44 }, (_, index) => person(19 + index));

function assignment(name: string, employee: string, more: Wire): Wire {
  return doc(name, {
    docstatus: 1,
    employee,
    salary_structure: "Monthly",
    currency: "DKK",
    designation: "Smith",
    department: tools,
    ...more,
  });
}

function structure(name: string, payroll_frequency: string | null, more: Wire = {}): Wire {
  return doc(name, {
    docstatus: 1,
    payroll_frequency,
    salary_slip_based_on_timesheet: 0,
    hour_rate: 0,
    ...more,
  });
}

function history(parent: string, idx: number, more: Wire): Wire {
  const of = { parent, parenttype: "Employee", parentfield: "internal_work_history" };
  return doc(`hist-${parent}-${idx}`, { ...of, idx, department: tools, branch: "Aarhus", ...more });
}

const leaves: Wire[] = [
  // Over a Saturday, a Sunday and a Monday, which are in the list of holidays.
  leave("HR-LAP-2026-00001", "HR-EMP-00001", "2026-04-10", "2026-04-17", {
    total_leave_days: 5,
    description: "Skiing",
    creation: "2026-01-02 23:30:00.000000",
    modified: "2026-01-05 10:00:00.000000",
  }),
  leave("HR-LAP-2026-00002", "HR-EMP-00002", "2026-04-15", "2026-04-15", {
    total_leave_days: 0.5,
    half_day: 1,
    half_day_date: "2026-04-15",
  }),
  leave("HR-LAP-2026-00003", "HR-EMP-00002", "2026-04-23", "2026-04-24", {
    leave_type: "Sick Leave",
    total_leave_days: 2,
    status: "Open",
    docstatus: 0,
  }),
  // Decided, and not yet submitted.
  leave("HR-LAP-2026-00004", "HR-EMP-00007", "2026-04-14", "2026-04-16", {
    total_leave_days: 3,
    docstatus: 0,
  }),
  leave("HR-LAP-2026-00005", "HR-EMP-00009", "2026-04-15", "2026-04-15", {
    leave_type: "Barsel",
    total_leave_days: 1,
    status: "Rejected",
  }),
  leave("HR-LAP-2026-00006", "HR-EMP-00009", "2026-04-15", "2026-04-15", {
    status: "Cancelled",
    docstatus: 2,
  }),
  leave("HR-LAP-2026-00006-1", "HR-EMP-00009", "2026-03-02", "2026-03-02", {
    leave_type: "Privilege Leave",
    total_leave_days: 1,
  }),
  leave("HR-LAP-2026-00007", "HR-EMP-00004", "2026-01-20", "2026-02-02", {
    leave_type: "Barsel",
    total_leave_days: 14,
  }),
  leave("HR-LAP-2026-00008", "HR-EMP-00004", "2025-10-01", "2025-10-02", {}),
  leave("HR-LAP-2026-00009", "HR-EMP-00016", "2026-04-15", "2026-04-15", {
    status: "Cancelled",
    docstatus: 0,
  }),
  // A half day, which is the last one of several.
  leave("HR-LAP-2026-00010", "HR-EMP-00019", "2026-04-14", "2026-04-16", {
    leave_type: "Leave Without Pay",
    total_leave_days: 2.5,
    half_day: 1,
    half_day_date: "2026-04-16",
  }),
  // Away for years, so that a recording of any day shows it.
  leave("HR-LAP-2026-00012", "HR-EMP-00021", "2026-01-05", "2099-12-31", {
    leave_type: "Leave Without Pay",
    total_leave_days: 27_023,
  }),
  // A half day alone, whose day is not told.
  leave("HR-LAP-2026-00011", "HR-EMP-00020", "2026-04-15", "2026-04-15", {
    total_leave_days: 0.5,
    half_day: 1,
  }),
];

function leave(name: string, employee: string, from: string, to: string, more: Wire): Wire {
  return doc(name, {
    employee,
    leave_type: "Casual Leave",
    from_date: from,
    to_date: to,
    half_day: 0,
    half_day_date: null,
    total_leave_days: 1,
    status: "Approved",
    docstatus: 1,
    ...more,
  });
}

function allocation(name: string, employee: string, leave_type: string, more: Wire = {}): Wire {
  const year = { from_date: "2026-01-01", to_date: "2026-12-31", expired: 0 };
  return doc(name, { docstatus: 1, employee, leave_type, ...year, ...more });
}

let entries = 0;
function entry(employee: string, leave_type: string, leaves: number, more: Wire = {}): Wire {
  entries += 1;
  return doc(`ledger-${String(entries * 7_919).padStart(6, "0")}`, {
    docstatus: 1,
    employee,
    leave_type,
    leaves,
    transaction_type: "Leave Allocation",
    from_date: "2026-01-01",
    to_date: "2026-12-31",
    is_carry_forward: 0,
    is_expired: 0,
    is_lwp: 0,
    holiday_list: null,
    ...more,
  });
}

function taken(from_date: string, to_date: string, more: Wire = {}): Wire {
  return {
    transaction_type: "Leave Application",
    from_date,
    to_date,
    holiday_list: "Danmark 2026",
    ...more,
  };
}

function createLedger(): Wire[] {
  const [first, second, fourth, sixth] = [1, 2, 4, 6].map((one) => `HR-EMP-0000${one}`) as [
    string,
    string,
    string,
    string,
  ];
  const [casual, sick, own] = ["Casual Leave", "Sick Leave", "Barsel"];
  return [
    entry(first, casual, 25),
    // Carried over, and over since yesterday: five of the eight days were taken before.
    entry(first, casual, 8, { is_carry_forward: 1, to_date: "2026-04-14" }),
    entry(first, casual, -3, { is_expired: 1, from_date: "2026-04-15", to_date: "2026-04-15" }),
    entry(first, casual, -3, taken("2026-02-02", "2026-02-04")),
    entry(first, casual, -5, taken("2026-04-10", "2026-04-17")),
    entry(first, casual, -2, {
      transaction_type: "Leave Encashment",
      from_date: "2026-04-15",
      to_date: "2026-04-15",
    }),
    // What begins tomorrow, what is a draft, and what is without pay.
    entry(first, casual, -1, taken("2026-04-20", "2026-04-20")),
    entry(first, casual, -9, taken("2026-03-02", "2026-03-12", { docstatus: 0 })),
    entry(first, casual, -9, taken("2026-03-02", "2026-03-12", { is_lwp: 1 })),
    // Of the year before.
    entry(first, casual, -20, taken("2025-07-01", "2025-07-28")),
    ...["2026-01-31", "2026-02-28", "2026-03-31"].map((from_date) =>
      entry(first, sick, 1.67, { from_date }),
    ),
    entry(second, casual, 10),
    entry(second, casual, -11.5, taken("2026-02-02", "2026-02-17")),
    entry(second, casual, -0.5, taken("2026-04-15", "2026-04-15")),
    entry(fourth, own, 20),
    // Its days off count, too.
    entry(fourth, own, -10, taken("2026-04-11", "2026-04-20")),
    entry(sixth, casual, 12),
    entry(sixth, casual, -2, taken("2026-02-02", "2026-02-03")),
    entry(sixth, casual, -10, { is_expired: 1, from_date: "2026-03-31", to_date: "2026-03-31" }),
  ];
}

function attendance(name: string, employee: string, attendance_date: string, more: Wire): Wire {
  return doc(name, {
    docstatus: 1,
    employee,
    attendance_date,
    status: "Present",
    working_hours: 0,
    ...more,
  });
}

function payrollEntry(name: string, more: Wire): Wire {
  return doc(name, {
    docstatus: 1,
    company: lind,
    currency: "DKK",
    start_date: "2026-02-01",
    end_date: "2026-02-28",
    posting_date: "2026-02-27",
    salary_slips_submitted: 1,
    status: "Submitted",
    ...more,
  });
}

export function slip(name: string, employee: string, more: Wire): Wire {
  return doc(name, {
    docstatus: 1,
    status: "Submitted",
    employee,
    company: lind,
    currency: "DKK",
    exchange_rate: 1,
    payroll_entry: "HR-PRUN-2026-00001",
    start_date: "2026-02-01",
    end_date: "2026-02-28",
    posting_date: "2026-02-27",
    bank_account_no: "7110 0012345678",
    ...more,
  });
}

export function detail(parent: string, idx: number, parentfield: string, more: Wire): Wire {
  return doc(`${parent}#${97 - idx}`, {
    parent,
    parenttype: "Salary Slip",
    parentfield,
    idx,
    statistical_component: 0,
    do_not_include_in_total: 0,
    variable_based_on_taxable_salary: 0,
    ...more,
  });
}

const firstSlip = "Sal Slip/HR-EMP-00001/00001";
const yenSlip = "Sal Slip/HR-EMP-00006/00001";
const euroSlip = "Sal Slip/HR-EMP-00009/00002";

const slips: Wire[] = [
  slip(firstSlip, "HR-EMP-00001", {
    gross_pay: 35_000.67,
    total_deduction: 13_300.415,
    total_loan_repayment: 100,
    net_pay: 21_600.255,
    rounded_total: 21_600,
  }),
  // Submitted, and not yet paid out.
  slip("Sal Slip/HR-EMP-00002/00001", "HR-EMP-00002", {
    status: "Withheld",
    gross_pay: 20_000,
    net_pay: 20_000,
  }),
  slip("Sal Slip/HR-EMP-00004/00001", "HR-EMP-00004", {
    docstatus: 0,
    status: "Draft",
    net_pay: -5,
  }),
  slip("Sal Slip/HR-EMP-00007/00001", "HR-EMP-00007", { docstatus: 2, status: "Cancelled" }),
  slip("Sal Slip/HR-EMP-00007/00001-1", "HR-EMP-00007", { gross_pay: 100, net_pay: 100 }),
  slip(yenSlip, "HR-EMP-00006", {
    company: japan,
    currency: "JPY",
    payroll_entry: "HR-PRUN-2026-00002",
    gross_pay: 350_000,
    net_pay: 315_000,
  }),
  // One by one, and in another currency than its company has.
  slip(euroSlip, "HR-EMP-00009", {
    payroll_entry: null,
    currency: "EUR",
    exchange_rate: 1.17,
    start_date: "2026-03-01",
    end_date: "2026-03-15",
    posting_date: "2026-03-16",
    gross_pay: 1_000.1,
    net_pay: 900.09,
    base_gross_pay: 1_170.12,
    base_net_pay: 1_053.11,
  }),
  // Whose period nobody typed.
  slip("Sal Slip/HR-EMP-00010/00001", "HR-EMP-00010", {
    payroll_entry: "",
    start_date: null,
    end_date: null,
    posting_date: "2026-03-20",
    gross_pay: 12.5,
    net_pay: 12.5,
  }),
];

const details: Wire[] = [
  detail(firstSlip, 2, "earnings", { salary_component: "House Rent", amount: 5_000.335 }),
  detail(firstSlip, 1, "earnings", {
    salary_component: "Basic",
    amount: 30_000.335,
    additional_amount: 1_000,
    default_amount: 31_000,
  }),
  detail(firstSlip, 3, "earnings", {
    salary_component: "Car",
    amount: 1_000,
    do_not_include_in_total: 1,
  }),
  detail(firstSlip, 4, "earnings", {
    salary_component: "Basic of a year",
    amount: 360_000,
    statistical_component: 1,
  }),
  detail(firstSlip, 5, "deductions", { salary_component: "A-skat", amount: 9_000.115 }),
  detail(firstSlip, 6, "deductions", {
    salary_component: "AM-bidrag",
    amount: 2_800.05,
    variable_based_on_taxable_salary: 1,
  }),
  detail(firstSlip, 7, "deductions", { salary_component: "Pension", amount: 1_500.25 }),
  detail(firstSlip, 8, "deductions", {
    salary_component: "Pension of the employer",
    amount: 3_000.125,
    do_not_include_in_total: 1,
  }),
  detail("Sal Slip/HR-EMP-00002/00001", 1, "earnings", {
    salary_component: "Basic",
    amount: 20_000,
  }),
  detail("Sal Slip/HR-EMP-00007/00001-1", 1, "earnings", {
    salary_component: "Basic",
    amount: 100,
  }),
  detail(yenSlip, 1, "earnings", { salary_component: "Basic", amount: 350_000 }),
  detail(yenSlip, 2, "deductions", { salary_component: "A-skat", amount: 35_000 }),
  detail(euroSlip, 1, "earnings", { salary_component: "Basic", amount: 1_000.1 }),
  detail(euroSlip, 2, "deductions", { salary_component: "Pension", amount: 100.01 }),
  detail("Sal Slip/HR-EMP-00010/00001", 1, "earnings", { salary_component: "Basic", amount: 12.5 }),
];

function timesheetRow(parent: string, idx: number, more: Wire): Wire {
  return doc(`row-${parent}-${idx}`, {
    parent,
    parenttype: "Timesheet",
    parentfield: "time_logs",
    idx,
    ...more,
  });
}

function copy(rows: readonly Wire[]): Wire[] {
  return rows.map((one) => ({ ...one }));
}

export function createFrappeSite(): FrappeSite {
  entries = 0;
  const holiday = (holiday_date: string, index: number): Wire =>
    doc(`holiday-${index}`, {
      parent: "Danmark 2026",
      parenttype: "Holiday List",
      parentfield: "holidays",
      idx: index,
      holiday_date,
      weekly_off: 1,
    });
  return {
    zone: "Europe/Copenhagen",
    rows: {
      User: [
        doc("rollcall@lind.example", {
          full_name: "Rollcall at Lind",
          email: "rollcall@lind.example",
          mobile_no: "+45 20 55 00 00",
        }),
        doc("other@lind.example", { full_name: "Other", email: "other@lind.example" }),
      ],
      Company: [
        doc(lind, {
          company_name: lind,
          abbr: "LS",
          tax_id: "DK12345678",
          country: "Denmark",
          default_currency: "DKK",
        }),
        doc(japan, { company_name: japan, abbr: "LJ", country: "Japan", default_currency: "JPY" }),
      ],
      Address: [
        doc("Lind-Billing", {
          address_title: "Lind",
          address_line1: "Havnegade 1",
          address_line2: "2. th.",
          city: "Aarhus",
          state: "Midtjylland",
          country: "Denmark",
          pincode: "8000",
        }),
        doc("Lind-Shop", { address_line1: "Torvet 9", city: "Viborg", country: "Denmark" }),
        doc("A supplier", { address_line1: "Elsewhere", country: "Sweden" }),
      ],
      "Dynamic Link": [
        ["link-1", "Lind-Billing", "Company", lind] as const,
        ["link-2", "Lind-Shop", "Company", lind] as const,
        ["link-0", "A supplier", "Supplier", lind] as const,
      ].map(([name, parent, link_doctype, link_name]) =>
        doc(name, {
          parent,
          parenttype: "Address",
          parentfield: "links",
          idx: 1,
          link_doctype,
          link_name,
        }),
      ),
      Department: [
        doc(tools, { department_name: "Tools", company: lind }),
        doc("Sea & Sky - LS", { department_name: "Sea & Sky", company: lind }),
        doc("東京 - LJ", { department_name: "東京", company: japan }),
      ],
      Branch: [doc("Aarhus", { branch: "Aarhus" }), doc("東京", { branch: "東京" })],
      Employee: copy([...named, ...rest]),
      "Employee Internal Work History": [
        history("HR-EMP-00001", 1, {
          designation: "Smith",
          from_date: "2019-01-07",
          to_date: "2020-12-31",
        }),
        history("HR-EMP-00001", 2, {
          designation: "Planner",
          department: "Sea & Sky - LS",
          from_date: "2021-01-01",
          to_date: "2022-12-31",
        }),
        // After a time that no row has.
        history("HR-EMP-00001", 3, { designation: "Head of tools", from_date: "2023-02-01" }),
      ],
      "Salary Structure": [
        structure("Monthly", "Monthly"),
        structure("Two weeks", "Fortnightly"),
        structure("Half months", "Bimonthly"),
        structure("Weeks", "Weekly"),
        structure("Days", "Daily"),
        structure("Hours", "Monthly", { salary_slip_based_on_timesheet: 1, hour_rate: 1_450 }),
        structure("Never set", null),
      ],
      "Salary Structure Assignment": [
        assignment("HR-SSA-19-01-00001", "HR-EMP-00001", { from_date: "2019-01-07", base: 28_000 }),
        assignment("HR-SSA-23-01-00001", "HR-EMP-00001", {
          from_date: "2023-01-01",
          base: 41_000.5,
        }),
        assignment("HR-SSA-23-01-00002", "HR-EMP-00001", {
          from_date: "2023-01-02",
          base: 1,
          docstatus: 2,
        }),
        assignment("HR-SSA-21-05-00001", "HR-EMP-00002", {
          from_date: "2021-05-03",
          base: 12_000,
          salary_structure: "Two weeks",
          designation: "Planner",
        }),
        assignment("HR-SSA-21-05-00002", "HR-EMP-00004", {
          from_date: "2021-05-03",
          base: 9_000,
          salary_structure: "Half months",
        }),
        assignment("HR-SSA-21-05-00003", "HR-EMP-00006", {
          from_date: "2021-05-03",
          base: 0,
          salary_structure: "Hours",
          currency: "JPY",
          department: "東京 - LJ",
        }),
        assignment("HR-SSA-21-05-00004", "HR-EMP-00007", {
          from_date: "2021-05-03",
          base: 5_000,
          salary_structure: "Weeks",
        }),
        assignment("HR-SSA-21-05-00005", "HR-EMP-00009", {
          from_date: "2021-05-03",
          base: 1_100,
          salary_structure: "Days",
        }),
        // The amounts are in the lines of its structure.
        assignment("HR-SSA-21-05-00006", "HR-EMP-00010", { from_date: "2021-05-03", base: 0 }),
        assignment("HR-SSA-21-05-00007", "HR-EMP-00016", {
          from_date: "2021-05-03",
          base: 7_000,
          salary_structure: "Never set",
        }),
      ],
      "Payroll Entry": [
        payrollEntry("HR-PRUN-2026-00001", {}),
        payrollEntry("HR-PRUN-2026-00002", { company: japan, currency: "JPY" }),
        payrollEntry("HR-PRUN-2026-00003", {
          start_date: "2026-04-01",
          end_date: "2026-04-30",
          posting_date: "2026-04-30",
        }),
        payrollEntry("HR-PRUN-2026-00004", {
          posting_date: "2026-04-15",
          start_date: "2026-04-01",
          end_date: "2026-04-15",
          salary_slips_submitted: 0,
          status: "Queued",
        }),
        payrollEntry("HR-PRUN-2026-00005", { docstatus: 0, status: "Draft" }),
        payrollEntry("HR-PRUN-2026-00006", { docstatus: 2, status: "Cancelled" }),
      ],
      "Salary Slip": copy(slips),
      "Salary Detail": copy(details),
      "Salary Component": [
        doc("Basic", { type: "Earning", is_income_tax_component: 0 }),
        doc("A-skat", { type: "Deduction", is_income_tax_component: 1 }),
        doc("Pension", { type: "Deduction", is_income_tax_component: 0 }),
      ],
      Attendance: [
        attendance("HR-ATT-2026-00001", "HR-EMP-00001", "2026-02-03", {
          in_time: "2026-02-03 08:00:00",
          out_time: "2026-02-03 16:30:00",
          working_hours: 8,
          creation: "2026-02-03 17:00:00.000000",
          modified: "2026-02-04 17:00:00.000000",
        }),
        attendance("HR-ATT-2026-00002", "HR-EMP-00001", "2026-04-01", {
          status: "Work From Home",
          in_time: "2026-04-01 08:00:00",
          out_time: "2026-04-01 15:45:00",
          working_hours: 7.5,
        }),
        attendance("HR-ATT-2026-00003", "HR-EMP-00002", "2026-03-02", {
          status: "Half Day",
          working_hours: 4,
        }),
        attendance("HR-ATT-2026-00004", "HR-EMP-00002", "2026-03-03", {
          status: "Absent",
          working_hours: 1,
        }),
        attendance("HR-ATT-2026-00005", "HR-EMP-00002", "2026-03-04", {
          status: "On Leave",
          working_hours: 1,
        }),
        // By hand, without hours.
        attendance("HR-ATT-2026-00006", "HR-EMP-00002", "2026-03-05", {}),
        attendance("HR-ATT-2026-00007", "HR-EMP-00002", "2026-03-06", {
          docstatus: 0,
          working_hours: 8,
        }),
        attendance("HR-ATT-2026-00008", "HR-EMP-00002", "2026-03-09", {
          docstatus: 2,
          working_hours: 8,
        }),
        // The last hours of January in UTC are of February there, and the other way round at the end.
        attendance("HR-ATT-2026-00009", "HR-EMP-00007", "2026-02-01", {
          in_time: "2026-02-01 00:30:00",
          out_time: "2026-02-01 08:30:00",
          working_hours: 8,
        }),
        attendance("HR-ATT-2026-00010", "HR-EMP-00007", "2026-05-01", {
          in_time: "2026-05-01 01:00:00",
          out_time: "2026-05-01 05:00:00",
          working_hours: 4,
        }),
      ],
      Timesheet: [
        doc("TS-2026-00001", {
          docstatus: 1,
          employee: "HR-EMP-00002",
          start_date: "2026-03-02",
          end_date: "2026-03-31",
        }),
        doc("TS-2026-00002", {
          docstatus: 0,
          employee: "HR-EMP-00002",
          start_date: "2026-03-02",
          end_date: "2026-03-03",
        }),
        doc("TS-2026-00003", { docstatus: 1, start_date: "2026-03-02", end_date: "2026-03-03" }),
        doc("TS-2025-00001", {
          docstatus: 1,
          employee: "HR-EMP-00002",
          start_date: "2025-03-02",
          end_date: "2025-03-03",
        }),
      ],
      "Timesheet Detail": [
        timesheetRow("TS-2026-00001", 1, {
          from_time: "2026-03-02 09:00:00",
          to_time: "2026-03-02 12:15:00",
          hours: 3.25,
        }),
        timesheetRow("TS-2026-00001", 2, {
          from_time: "2026-03-31 09:00:00",
          to_time: "2026-03-31 10:00:00",
          hours: 1,
        }),
        timesheetRow("TS-2026-00002", 1, { from_time: "2026-03-02 09:00:00", hours: 3 }),
        timesheetRow("TS-2026-00003", 1, { from_time: "2026-03-02 09:00:00", hours: 3 }),
        timesheetRow("TS-2025-00001", 1, { from_time: "2025-03-02 09:00:00", hours: 3 }),
      ],
      "Leave Application": copy(leaves),
      "Leave Allocation": [
        allocation("HR-LAL-2026-00001", "HR-EMP-00001", "Casual Leave"),
        allocation("HR-LAL-2026-00002", "HR-EMP-00001", "Sick Leave"),
        allocation("HR-LAL-2026-00003", "HR-EMP-00002", "Casual Leave"),
        allocation("HR-LAL-2026-00004", "HR-EMP-00004", "Barsel"),
        allocation("HR-LAL-2026-00005", "HR-EMP-00006", "Casual Leave", { expired: 1 }),
        allocation("HR-LAL-2025-00001", "HR-EMP-00001", "Casual Leave", {
          from_date: "2025-01-01",
          to_date: "2025-12-31",
        }),
        allocation("HR-LAL-2026-00006", "HR-EMP-00007", "Casual Leave", { docstatus: 2 }),
        allocation("HR-LAL-2027-00001", "HR-EMP-00001", "Casual Leave", {
          from_date: "2027-01-01",
          to_date: "2027-12-31",
        }),
      ],
      "Leave Ledger Entry": createLedger(),
      "Leave Type": [
        doc("Casual Leave", { allow_negative: 1, include_holiday: 0 }),
        doc("Sick Leave", { include_holiday: 0 }),
        doc("Privilege Leave", { include_holiday: 0 }),
        doc("Leave Without Pay", { is_lwp: 1, include_holiday: 0 }),
        doc("Barsel", { include_holiday: 1 }),
      ],
      "Holiday List": [doc("Danmark 2026", { from_date: "2026-01-01", to_date: "2026-12-31" })],
      Holiday: ["2026-04-11", "2026-04-12", "2026-04-13", "2026-04-18", "2026-04-19"].map(holiday),
    },
  };
}
