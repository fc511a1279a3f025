import { z } from "zod";
import { currency, date, namedEnum, orNull, text } from "./field.ts";

export const employmentType = namedEnum("EmploymentType", "The kind of work contract.", {
  full_time: "employed full time",
  part_time: "employed part time",
  contractor: "works under a contract of their own, not as an employee",
  other: "any other kind",
});

const payFrequency = namedEnum("PayFrequency", "How often pay is paid out.", {
  year: "once a year",
  weekly: "every week",
  biweekly: "every two weeks",
  semimonthly: "twice a month",
  monthly: "every month",
  other: "at any other interval",
});

const payPeriod = namedEnum("PayPeriod", "The time for which `pay_rate` is paid.", {
  HOUR: "an hour",
  DAY: "a day",
  WEEK: "a week",
  MONTH: "a month",
  YEAR: "a year",
});

const compensationPayPeriod = namedEnum(
  "CompensationPayPeriod",
  "The time for which `pay_rate` is paid: the values of PayPeriod in lower case.",
  { hour: "an hour", day: "a day", week: "a week", month: "a month", year: "a year" },
);

const payRate = "Pay for one `pay_period`, in major units of `currency` (euros, not cents)";
const payCurrency = "Lower-case ISO 4217 code of the currency of `pay_rate`";

export const employment = z
  .object({
    job_title: orNull(text, "The job title"),
    effective_date: orNull(date, "The first day on which this holds, YYYY-MM-DD"),
    employment_type: orNull(employmentType, "The kind of work contract"),
    pay_rate: orNull(z.number(), payRate),
    pay_period: orNull(payPeriod, "The time for which `pay_rate` is paid"),
    pay_frequency: orNull(payFrequency, "How often pay is paid out"),
    currency: orNull(currency, payCurrency),
  })
  .meta({
    id: "Employment",
    description:
      "A job of a person and its pay, from one day on. A new one begins when either changes.",
  });

export const employmentHistory = z
  .object({
    job_title: orNull(text, "The job title"),
    effective_date: orNull(date, "The first day on which this holds, YYYY-MM-DD"),
    group_id: orNull(text, "Id of the person's department, as in groups"),
    group_remote_id: orNull(text, "Id of the department at the provider"),
    group_name: orNull(text, "Name of the department"),
    manager_id: orNull(text, "Id of the person's manager, as in employees"),
    manager_remote_id: orNull(text, "Id of the manager at the provider"),
  })
  .meta({
    id: "EmploymentHistory",
    description: "The position of a person from one day on: `employments` without the pay.",
  });

export const compensation = z
  .object({
    pay_rate: orNull(z.number(), payRate),
    pay_period: orNull(compensationPayPeriod, "The time for which `pay_rate` is paid"),
    pay_frequency: orNull(payFrequency, "How often pay is paid out"),
    employment_type: orNull(employmentType, "The kind of work contract"),
    currency: orNull(currency, payCurrency),
    effective_date: orNull(date, "The first day on which this pay holds, YYYY-MM-DD"),
    notes: orNull(text, "A note about the change of pay"),
  })
  .meta({
    id: "Compensation",
    description: "The pay of a person from one day on: `employments` without the position.",
  });

export type Employment = z.output<typeof employment>;
