import { defineFields, definePart, each, onlyOne } from "../kit/fields.ts";
import { validOn } from "../kit/periods.ts";
import { called, day, flag, given, number, oneOf, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { stripIban } from "../kit/text-readers.ts";
import type { SourceEmployment, SourceRecord } from "../source-records.ts";
import type { Wire } from "./client.ts";

const mails = { company_email: text, user_id: text };
const row = {
  name: text,
  creation: day,
  employee_name: text,
  first_name: text,
  middle_name: text,
  last_name: text,
  employee_number: text,
  ...mails,
  personal_email: text,
  cell_number: text,
  date_of_birth: day,
  gender: oneOf({ Male: "male", Female: "female" }, { otherwise: "not_specified" }),
  marital_status: oneOf(
    { Single: "single", Married: "married", Divorced: "divorced" },
    { otherwise: "other" },
  ),
  status: text,
  date_of_joining: day,
  relieving_date: day,
  current_address: text,
  permanent_address: text,
  company: text,
  branch: text,
  department: text,
  designation: text,
  // Installed by Frappe HR. Its words are translated when a site is set up.
  employment_type: oneOf(
    { "Full-time": "full_time", "Part-time": "part_time", Contract: "contractor" },
    { otherwise: "other" },
  ),
  reports_to: text,
  bank_name: text,
  bank_ac_no: text,
  iban: text,
  person_to_be_contacted: text,
  emergency_phone_number: text,
  relation: text,
};
/** What a row has that hides nothing. */
export const vendorNames = defineSource(row).names;
const manager = { first_name: text, middle_name: text, last_name: text, ...mails };
export const managerNames = defineSource(manager).names;

const person = defineSource({
  ...row,
  // What the read has put in.
  department_name: text,
  manager,
  /** On approved leave for the whole of today. */
  isAway: flag,
  /** The name or the number of whom to call. */
  contact: text,
  jobs: given<readonly object[]>(),
  custom: given<Wire>(),
});

/** What the read puts in of a salary structure and its assignment. */
const pay = {
  start_date: day,
  designation: text,
  department: text,
  currency: text,
  base: number,
  hour_rate: number,
  isByHour: flag,
  frequency: oneOf({
    Monthly: "monthly",
    Fortnightly: "biweekly",
    // Twice a month, and not every two months.
    Bimonthly: "semimonthly",
    Weekly: "weekly",
    Daily: "other",
  }),
  period: called(
    "frequency",
    oneOf({ Monthly: "MONTH", Weekly: "WEEK", Daily: "DAY" }, { otherwise: null }),
  ),
};
const paid = defineSource(pay);
const historyRow = defineSource({
  start_date: called("from_date", day),
  end_date: called("to_date", day),
  designation: text,
  department: text,
});
export const historyNames = historyRow.names;

const job = defineSource({
  start_date: day,
  designation: text,
  department: text,
  department_name: text,
  employment_type: given<SourceEmployment["employment_type"] & string>(),
  pay,
});

/** By the hour, or for a period of the structure. What a rate of half a month or two weeks is for, no period of ours says. */
const rate = job.from(
  ["pay.isByHour", "pay.hour_rate", "pay.base", "pay.period"],
  (isByHour, hour, base, period) => (isByHour ? hour : period && base) || null,
);

const jobFields = definePart<SourceEmployment>()(job, {
  effective_date: "start_date",
  job_title: "designation",
  employment_type: "employment_type",
  group_remote_id: "department",
  group_name: "department_name",
  pay_rate: rate,
  pay_period: job.from(
    ["pay.isByHour", "pay.hour_rate", "pay.base", "pay.period"],
    (isByHour, hour, base, period) => (isByHour ? hour && "HOUR" : base && period) || null,
  ),
  pay_frequency: "pay.frequency",
  currency: job.from(["pay.currency"], (code) => code?.toLowerCase() ?? null),
}).says({
  employment_type: "that of the person, from the present job on",
  pay_rate: "the base of a month, a week or a day, or the rate of an hour; nothing is multiplied",
  currency: "in lower case",
});

const contact = definePart<Contact>()(person, {
  first_name: "person_to_be_contacted",
  relationship: "relation",
  mobile_phone_number: "emergency_phone_number",
});
type Contact = NonNullable<SourceRecord<"employees">["emergency_contacts"]>[number];

/** A login that is no address is no email. */
const workEmail = (company: string | null, login: string | null): string | null =>
  company ?? (login?.includes("@") ? login : null);

export const employeeFields = defineFields("employees", person, {
  remote_id: "name",
  employee_number: person.first("employee_number", "name"),
  first_name: person.joined(["first_name", "middle_name"], " "),
  last_name: person.or("last_name", ""),
  display_full_name: "employee_name",
  work_email: person.from(["company_email", "user_id"], workEmail),
  personal_email: "personal_email",
  mobile_phone_number: "cell_number",
  date_of_birth: "date_of_birth",
  gender: "gender",
  marital_status: "marital_status",
  job_title: "designation",
  employment_type: "employment_type",
  employment_status: person.from(
    ["status", "date_of_joining", "relieving_date", "isAway"],
    toStatus,
  ),
  start_date: "date_of_joining",
  termination_date: "relieving_date",
  remote_created_at: "creation",
  home_location: { street_address: person.first("current_address", "permanent_address") },
  work_location: { remote_id: "branch", name: "branch" },
  manager: {
    remote_id: "reports_to",
    first_name: person.joined(["manager.first_name", "manager.middle_name"], " "),
    last_name: "manager.last_name",
    work_email: person.from(["manager.company_email", "manager.user_id"], workEmail),
  },
  groups: person.from(["department", "department_name"], (id, name) =>
    id === null ? [] : [{ remote_id: id, name, type: "department" }],
  ),
  employments: each(person, "jobs", jobFields),
  bank_account: {
    iban: person.from(["iban"], stripIban),
    account_number: "bank_ac_no",
    bank_name: "bank_name",
  },
  emergency_contacts: onlyOne(person, "contact", contact),
  custom_fields: person.from(["custom", "company"], (custom, company) => ({
    ...custom,
    company: company && { remote_id: company, name: company },
  })),
}).says({
  work_email: "the login where it is an address, without one of the company",
  employment_status:
    "inactive once the day of leaving has passed, or when it is Inactive; pending before the first day; leave when it is Suspended, or on approved leave for the whole of today",
  groups: "the department",
  "bank_account.iban": "without spaces and hyphens",
  employments:
    "from each day on which the internal work history or the salary structure is another one",
  custom_fields: "the company, and the fields whose names begin with custom_",
});

function toStatus(
  status: string | null,
  start: string | null,
  end: string | null,
  isAway: boolean | null,
  { today }: { today: string },
) {
  if (status === "Inactive" || (end === null ? status === "Left" : end < today)) return "inactive";
  if (start !== null && start > today) return "pending";
  return isAway || status === "Suspended" ? "leave" : "active";
}

interface JobSources {
  history: readonly object[];
  pays: readonly object[];
  departments: ReadonlyMap<string, string> | undefined;
  today: string;
}

/**
 * The jobs of a history and of what was paid; without both, the present one. Frappe's own rows have what changed alone,
 * so the rest is what an earlier row says, and from the present job on what the record says.
 */
export function toJobs(
  record: object,
  { history, pays, departments, today }: JobSources,
): object[] {
  const rows = history
    .map((one) => historyRow.parts(one))
    .toSorted((a, b) => ((a.start_date ?? "") < (b.start_date ?? "") ? -1 : 1));
  const own = person.parts(record);
  const paidRows = pays.map((one) => ({ ...paid.parts(one), end_date: null, of: one }));
  const told = new Set([...rows, ...paidRows].flatMap(({ start_date: start }) => start ?? []));
  const starts = [...told].toSorted();
  const hired = person.read(record, "date_of_joining") ?? "";
  const [first = today] = starts;
  if (starts.length === 0 || (first > today && hired !== "" && hired < first))
    starts.unshift(hired);
  const present = starts.findLast((start) => start <= today) ?? "";
  return starts.map((start) => {
    const pay = validOn(paidRows, start);
    const until = rows.filter(({ start_date: from }) => from !== null && from <= start);
    const since = start >= present ? own : nothing;
    const said = (name: "designation" | "department") =>
      until.findLast((row) => row[name] !== null)?.[name] ?? since[name];
    const unlisted = (name: "designation" | "department") =>
      rows.length > 0 ? null : (pay?.[name] ?? since[name]);
    const tell = validOn(rows, start) ? said : unlisted;
    const [designation, department] = [tell("designation"), tell("department")];
    const department_name = departments?.get(department ?? "");
    const { employment_type } = since;
    const names = { designation, department, department_name, employment_type };
    return { start_date: start, ...names, pay: pay?.of };
  });
}

const nothing = { designation: null, department: null, employment_type: null };
