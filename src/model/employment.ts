import { z } from "zod";
import { currency, date, orNull, text } from "./field.ts";

export const employmentTypes = ["full_time", "part_time", "contractor", "other"] as const;
const payFrequencies = ["year", "weekly", "biweekly", "semimonthly", "monthly", "other"] as const;
const payPeriods = ["HOUR", "DAY", "WEEK", "MONTH", "YEAR"] as const;
const lowerCasePayPeriods = ["hour", "day", "week", "month", "year"] as const;

export const employment = z
  .object({
    job_title: orNull(text),
    effective_date: orNull(date),
    employment_type: orNull(z.enum(employmentTypes)),
    pay_rate: orNull(z.number()).describe("In major units of the currency, per pay_period"),
    pay_period: orNull(z.enum(payPeriods)),
    pay_frequency: orNull(z.enum(payFrequencies)),
    currency: orNull(currency),
  })
  .meta({ id: "Employment" });

export const employmentHistory = z
  .object({
    job_title: orNull(text),
    effective_date: orNull(date),
    group_id: orNull(text),
    group_remote_id: orNull(text),
    group_name: orNull(text),
    manager_id: orNull(text),
    manager_remote_id: orNull(text),
  })
  .meta({ id: "EmploymentHistory" });

export const compensation = z
  .object({
    pay_rate: orNull(z.number()),
    pay_period: orNull(z.enum(lowerCasePayPeriods)),
    pay_frequency: orNull(z.enum(payFrequencies)),
    employment_type: orNull(z.enum(employmentTypes)),
    currency: orNull(currency),
    effective_date: orNull(date),
    notes: orNull(text),
  })
  .meta({ id: "Compensation" });

export type Employment = z.output<typeof employment>;
