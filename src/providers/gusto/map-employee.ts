import { byLabels } from "../kit/custom-fields.ts";
import { always, defineFields, definePart, each, onlyOne, together } from "../kit/fields.ts";
import { findStarts } from "../kit/periods.ts";
import { day, flag, list, number, oneOf, records, text } from "../kit/readers.ts";
import { defineSource, part, type Parts } from "../kit/source.ts";
import type { SourceEmployment, SourceRecord } from "../source-records.ts";
import { addressShape, asAddress, toAddress } from "./company.ts";

const unknown = { otherwise: null };
/** Those of the present employment and of earlier ones, which Gusto writes in two ways. */
const employmentType = oneOf(
  {
    full_time: "full_time",
    part_time: "part_time",
    part_time_eligible: "part_time",
    part_time_under_twenty_hours: "part_time",
    part_time_twenty_plus_hours: "part_time",
    variable: "other",
    seasonal: "other",
  },
  unknown,
);

const ourNames = new Set(["original_start_date"]);

export const person = defineSource({
  uuid: text,
  employee_code: text,
  first_name: text,
  last_name: text,
  preferred_first_name: text,
  work_email: text,
  email: text,
  phone: text,
  date_of_birth: day,
  terminated: flag,
  historical: flag,
  onboarded: flag,
  hired_at: day,
  current_employment_status: employmentType,
  department_uuid: text,
  department: text,
  manager_uuid: text,
  current_home_address: addressShape,
  custom_fields: list(part({ company_custom_field_id: text, name: text, value: text })),
  terminations: list(part({ effective_date: day })),
  jobs: records,
  // What the read has put in.
  primary: { title: text, hire_date: day },
  /** What the primary job pays today. */
  pay: { title: text },
  manager: { first_name: text, last_name: text, work_email: text },
  place: { uuid: text, address: addressShape },
  /** Of who has left before. */
  history: list(part({ hire_date: day, termination_date: day })),
  periods: records,
});

const period = defineSource({
  effective_date: day,
  title: text,
  job: { title: text },
  employment_status: employmentType,
  rate: number,
  payment_unit: oneOf({ Hour: "HOUR", Week: "WEEK", Month: "MONTH", Year: "YEAR" }, unknown),
  frequency: oneOf(
    {
      "Every week": "weekly",
      "Every other week": "biweekly",
      "Twice per month": "semimonthly",
      Monthly: "monthly",
      Quarterly: "other",
      Annually: "year",
    },
    unknown,
  ),
  department_uuid: text,
  department: text,
  manager_uuid: text,
});

const employment = definePart<SourceEmployment>()(period, {
  effective_date: "effective_date",
  job_title: period.first("title", "job.title"),
  employment_type: "employment_status",
  pay_rate: period.from(["rate", "payment_unit"], (rate, unit) => (unit === null ? null : rate)),
  pay_period: "payment_unit",
  pay_frequency: "frequency",
  currency: always("usd"),
  group_remote_id: "department_uuid",
  group_name: "department",
  manager_remote_id: "manager_uuid",
}).says({
  pay_rate: "null for an owner, who is paid by the paycheck",
  pay_period: "null for an owner, who is paid by the paycheck",
});

const group = definePart<NonNullable<SourceRecord<"employees">["groups"]>[number]>()(person, {
  remote_id: "department_uuid",
  name: "department",
  type: always("department"),
});

const times = ["hired_at", "primary.hire_date", "history", "terminations"] as const;
type Times = Parts<Pick<typeof person.shape, "history" | "terminations">>;

/**
 * Of who has left and come back, the first day of the time without a gap; and the first of all. Where the history may not
 * be read, who left between the day on which the company hired them and that of their job was hired again on the latter.
 */
function toStarts(
  hired: string | null,
  hire: string | null,
  history: Times["history"],
  terminations: Times["terminations"],
  today: string,
) {
  const periods = (history ?? []).flatMap(({ hire_date: start, termination_date: end }) =>
    start === null ? [] : [{ start, end }],
  );
  if (periods.length > 0) return findStarts(periods, today);
  const isBack = (terminations ?? []).some(
    ({ effective_date: last }) => last !== null && (hired ?? last) <= last && last < (hire ?? last),
  );
  return { start: (isBack ? hire : hired) ?? hire, first: hired ?? hire };
}

export const employeeFields = defineFields("employees", person, {
  remote_id: "uuid",
  employee_number: "employee_code",
  first_name: "first_name",
  last_name: person.or("last_name", ""),
  display_full_name: person.from(["preferred_first_name", "last_name"], (preferred, last) =>
    preferred === null ? null : [preferred, last].filter(Boolean).join(" "),
  ),
  job_title: person.first("primary.title", "pay.title"),
  work_email: "work_email",
  personal_email: "email",
  mobile_phone_number: "phone",
  date_of_birth: "date_of_birth",
  employment_status: person.from(
    [...times, "terminated", "historical", "onboarded"],
    (...[hired, hire, history, left, isTerminated, isHistorical, isOnboarded, { today }]) => {
      const { start } = toStarts(hired, hire, history, left, today);
      if (start !== null && start > today) return "pending";
      if (isTerminated || isHistorical) return "inactive";
      return isOnboarded === false ? "pending" : "active";
    },
  ),
  employment_type: "current_employment_status",
  start_date: person.from(
    times,
    (...[hired, hire, history, left, { today }]) =>
      toStarts(hired, hire, history, left, today).start,
  ),
  termination_date: person.from(times, (...[hired, hire, history, terminations, { today }]) => {
    const { start } = toStarts(hired, hire, history, terminations, today);
    const days = (terminations ?? []).map(({ effective_date: last }) => last ?? "");
    const last = days.toSorted().at(-1) ?? "";
    return last !== "" && last >= (start ?? "") ? last : null;
  }),
  home_location: person.from(["current_home_address"], toAddress),
  work_location: {
    remote_id: "place.uuid",
    address: person.from(["place.address"], toAddress),
  },
  manager: {
    remote_id: "manager_uuid",
    first_name: "manager.first_name",
    last_name: "manager.last_name",
    work_email: "manager.work_email",
  },
  groups: together(onlyOne(person, "department_uuid", group)),
  employments: each(person, "periods", employment),
  custom_fields: person.from(
    [...times, "custom_fields"],
    (...[hired, hire, history, left, custom, { today }]) => {
      const { start, first } = toStarts(hired, hire, history, left, today);
      const own = (custom ?? []).map(({ company_custom_field_id: key, name, value }) => ({
        label: name,
        key: key ?? "",
        value,
      }));
      const origin = first === start ? {} : { original_start_date: first };
      const fields = { ...byLabels(own, ourNames), ...origin };
      return Object.keys(fields).length > 0 ? fields : null;
    },
  ),
}).says({
  display_full_name: "with the preferred first name, where there is one",
  personal_email: "the address of the login, which is a private one",
  employment_status:
    "pending before the first day and while somebody is not onboarded; inactive after the last one, and of the times before Gusto; who is away is not told",
  start_date: "of who has left and come back, the first day since then",
  termination_date: "the last one that is not before the first day",
  home_location: asAddress,
  "work_location.address": asAddress,
  groups: "the department",
  employments:
    "each pay of each job, the primary one first, and the earlier times of who has come back",
  custom_fields: "by their names, and original_start_date of who has come back",
});

export const contractor = defineSource({
  uuid: text,
  type: text,
  first_name: text,
  last_name: text,
  business_name: text,
  ein: text,
  email: text,
  is_active: flag,
  onboarded: flag,
  start_date: day,
  dismissal_date: day,
  /** Of who was dismissed and will come back. */
  upcoming_employment: { start_date: day },
  address: addressShape,
  department_uuid: text,
  department: text,
  wage_type: oneOf({ Hourly: "HOUR" }, unknown),
  hourly_rate: number,
});

const contract = definePart<SourceEmployment>()(contractor, {
  effective_date: "start_date",
  employment_type: always("contractor"),
  pay_rate: contractor.from(["wage_type", "hourly_rate"], (unit, rate) => unit && rate),
  pay_period: "wage_type",
  currency: always("usd"),
  group_remote_id: "department_uuid",
  group_name: "department",
}).says({ pay_rate: "null for who is not paid by the hour" });

const terms = ["is_active", "start_date", "upcoming_employment.start_date"] as const;

/** Of who was dismissed and will be back, the next first day. */
function toFirstDay(
  isActive: boolean | null,
  start: string | null,
  next: string | null,
  today: string,
): string | null {
  return isActive === false && next !== null && next > today ? next : start;
}

const groupOfContractor = definePart<NonNullable<SourceRecord<"employees">["groups"]>[number]>()(
  contractor,
  { remote_id: "department_uuid", name: "department", type: always("department") },
);

/** A business has one name, and no person's. */
export const contractorFields = defineFields("employees", contractor, {
  remote_id: "uuid",
  first_name: contractor.first("business_name", "first_name"),
  last_name: contractor.from(["business_name", "last_name"], (business, last) =>
    business === null ? (last ?? "") : "",
  ),
  // Of some numbers Gusto shows the last digits alone.
  tax_id: contractor.from(["ein"], (number) => (/[x*]/i.test(number ?? "") ? null : number)),
  personal_email: "email",
  employment_status: contractor.from(
    [...terms, "onboarded"],
    (isActive, start, next, isOnboarded, { today }) => {
      if ((toFirstDay(isActive, start, next, today) ?? "") > today) return "pending";
      if (isActive === false) return "inactive";
      return isOnboarded === false ? "pending" : "active";
    },
  ),
  employment_type: always("contractor"),
  start_date: contractor.from(terms, (isActive, start, next, { today }) =>
    toFirstDay(isActive, start, next, today),
  ),
  termination_date: contractor.from(
    [...terms, "dismissal_date"],
    (isActive, start, next, last, { today }) => {
      const first = toFirstDay(isActive, start, next, today);
      return last !== null && last < (first ?? "") ? null : last;
    },
  ),
  home_location: contractor.from(["address"], toAddress),
  groups: together(onlyOne(contractor, "department_uuid", groupOfContractor)),
  employments: together(onlyOne(contractor, "start_date", contract)),
  custom_fields: contractor.from(terms, (isActive, start, next, { today }) =>
    toFirstDay(isActive, start, next, today) === start ? null : { original_start_date: start },
  ),
}).says({
  last_name: "empty of a business",
  tax_id: "null of a number that Gusto masks",
  employment_status:
    "pending before the first day and while somebody is not onboarded, inactive of who is not active, else active",
  start_date: "of who was dismissed and will be back the next first day",
  termination_date: "null where it is before the first day",
  custom_fields: "original_start_date of who will be back",
  home_location: asAddress,
  groups: "the department",
  employments: "the present one",
});
