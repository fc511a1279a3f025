import type {
  BankAccount,
  Company,
  Employee,
  Employment,
  EmploymentHistory,
  Group,
  Identity,
  Payrun,
  Payslip,
  TimeOffBalance,
  TimeOffEntry,
  Timesheet,
  WorkLocation,
} from "../../client-typescript/src/index.ts";

// What may be told is chosen when the server starts. A model, and a text in the data that speaks to it, cannot ask for
// more: no tool has an argument for it.

/** Kinds of fields that are told when the operator says so, each with what it is for people who choose. */
export const kinds = {
  names: "names, numbers of employees, and the ids of the provider",
  work: "job titles, dates of employment, and who reports to whom",
  contact: "email and postal addresses, phone numbers, emergency contacts",
  personal: "date of birth, nationality, gender, ethnicity, marital status, relatives",
  pay: "pay, payslips and their amounts",
  time: "hours worked and absences, without their reasons",
  reasons: "why somebody is absent, and their notes",
  accounts: "bank accounts and tax numbers",
  custom: "fields that the company added itself, whatever they hold",
} as const;

export type Kind = keyof typeof kinds;

/** Said by every server: nothing of it is about one person but that there is one, under an id of ours. */
type FieldRule = Kind | BothKinds | "always";
type BothKinds = `${Kind} and ${Kind}`;

/** The rule of each field, or of those of an object in it. A field that the API gets is missed by the compiler. */
type Rules<Value> = { [Field in keyof Value]: RuleOf<ItemOf<Value[Field]>> };
type RuleOf<Value> = Value extends object ? FieldRule | Rules<Value> : FieldRule;
type ItemOf<Value> = NonNullable<Value> extends readonly (infer Item)[] ? Item : NonNullable<Value>;

const group: Rules<Group> = { id: "always", remote_id: "names", name: "always", type: "always" };

// It is the home of somebody who works there.
const workLocation: Rules<WorkLocation> = {
  id: "always",
  remote_id: "names",
  name: "contact",
  type: "always",
  address: "contact",
};

// Whoever is named here is named as somebody's manager, which is of the work.
const manager: Rules<NonNullable<Employee["manager"]>> = {
  id: "work",
  remote_id: "work and names",
  first_name: "work and names",
  last_name: "work and names",
  work_email: "work and contact",
};

const position: Rules<EmploymentHistory> = {
  job_title: "work",
  effective_date: "work",
  group_id: "work",
  group_remote_id: "work and names",
  group_name: "work",
  manager_id: "work",
  manager_remote_id: "work and names",
};

const employment: Rules<Employment> = {
  job_title: "work",
  effective_date: "work",
  employment_type: "work",
  pay_rate: "pay",
  pay_period: "pay",
  pay_frequency: "pay",
  currency: "pay",
};

const bankAccount: Rules<BankAccount> = {
  account_number: "accounts",
  bank_name: "accounts",
  bic: "accounts",
  holder_name: "accounts and names",
  iban: "accounts",
  sort_code: "accounts",
};

const employee: Rules<Employee> = {
  id: "always",
  employment_status: "always",
  employment_type: "always",
  groups: group,
  work_location: workLocation,
  remote_id: "names",
  employee_number: "names",
  first_name: "names",
  last_name: "names",
  display_full_name: "names",
  avatar: "names",
  manager,
  job_title: "work",
  start_date: "work",
  termination_date: "work",
  remote_created_at: "work",
  employment_history: position,
  work_email: "contact",
  personal_email: "contact",
  mobile_phone_number: "contact",
  home_location: "contact",
  emergency_contacts: "contact",
  nationality: "personal",
  gender: "personal",
  ethnicity: "personal",
  marital_status: "personal",
  date_of_birth: "personal",
  dependents: "personal",
  employments: employment,
  compensation_history: "pay",
  bank_account: bankAccount,
  tax_id: "accounts",
  custom_fields: "custom",
};

const company: Rules<Company> = {
  id: "always",
  legal_name: "always",
  display_name: "always",
  address: "always",
  remote_id: "names",
  tax_id: "accounts",
};

const identity: Rules<Identity> = { name: "names", email: "contact", phone_number: "contact" };

const payrun: Rules<Payrun> = {
  id: "always",
  remote_id: "names",
  state: "always",
  type: "always",
  start_date: "always",
  end_date: "always",
  payment_date: "always",
};

const payslip: Rules<Payslip> = {
  id: "pay",
  employee_id: "pay",
  payrun_id: "pay",
  payrun_type: "pay",
  currency: "pay",
  currency_code: "pay",
  gross_pay: "pay",
  net_pay: "pay",
  start_date: "pay",
  end_date: "pay",
  payment_date: "pay",
  earnings: "pay",
  contributions: "pay",
  deductions: "pay",
  taxes: "pay",
  reimbursements: "pay",
  remote_id: "names",
  employee_remote_id: "names",
  payrun_remote_id: "names",
};

const timesheet: Rules<Timesheet> = {
  id: "time",
  employee_id: "time",
  start_time: "time",
  end_time: "time",
  hours_worked: "time",
  remote_created_at: "time",
  remote_modified_at: "time",
  remote_id: "names",
  employee_remote_id: "names",
};

const timeOffBalance: Rules<TimeOffBalance> = {
  employee_id: "time",
  balance: "time",
  used: "time",
  unit: "time",
  remote_created_at: "time",
  remote_modified_at: "time",
  employee_remote_id: "names",
  policy_id: "reasons",
  policy_remote_id: "reasons",
  policy_name: "reasons",
  policy_type: "reasons",
};

const timeOffEntry: Rules<TimeOffEntry> = {
  id: "time",
  employee_id: "time",
  start_date: "time",
  end_date: "time",
  amount: "time",
  unit: "time",
  status: "time",
  remote_created_at: "time",
  remote_modified_at: "time",
  remote_id: "names",
  employee_remote_id: "names",
  employee_note: "reasons",
  policy_id: "reasons",
  policy_remote_id: "reasons",
  policy_name: "reasons",
  policy_type: "reasons",
};

export const rules = {
  company,
  employees: employee,
  groups: group,
  identity,
  payruns: payrun,
  payslips: payslip,
  "time-off-balances": timeOffBalance,
  "time-off-entries": timeOffEntry,
  timesheets: timesheet,
  "work-locations": workLocation,
};

/** Rules of a record whose type is not known any more. */
export interface FieldRules {
  readonly [field: string]: FieldRule | FieldRules;
}

/** The fields of a record that may be told. One that has no rule, as it is newer than this program, may not. */
export function pickFields(
  record: object,
  fieldRules: FieldRules,
  told: ReadonlySet<Kind>,
): Record<string, unknown> {
  const picked = Object.entries(record).flatMap(([field, value]: [string, unknown]) => {
    const rule = Object.hasOwn(fieldRules, field) ? fieldRules[field] : undefined;
    if (rule === undefined) return [];
    if (typeof rule === "string") return isTold(rule, told) ? [[field, value]] : [];
    return tellsSome(rule, told) ? [[field, pickInside(value, rule, told)]] : [];
  });
  return Object.fromEntries(picked) as Record<string, unknown>;
}

function pickInside(value: unknown, rule: FieldRules, told: ReadonlySet<Kind>): unknown {
  if (Array.isArray(value)) return value.map((item) => pickInside(item, rule, told));
  return typeof value === "object" && value !== null ? pickFields(value, rule, told) : null;
}

/** Whether anything of a resource may be told. A tool that tells nothing is not offered. */
export function tellsSome(fieldRules: FieldRules, told: ReadonlySet<Kind>): boolean {
  return Object.values(fieldRules).some((rule) =>
    typeof rule === "string" ? isTold(rule, told) : tellsSome(rule, told),
  );
}

const isTold = (rule: FieldRule, told: ReadonlySet<Kind>): boolean =>
  rule === "always" || rule.split(" and ").every((kind) => told.has(kind as Kind));
