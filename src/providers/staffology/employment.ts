import type { SourceEmployment } from "../source-records.ts";
import { number, part, text } from "./wire-values.ts";

export const payOptions = part({ basis: text, period: text, payAmount: number });
type PayOptions = NonNullable<(typeof payOptions)["_output"]>;
type PayPeriod = SourceEmployment["pay_period"];

/**
 * The present terms, as Staffology keeps no earlier ones. They count from the first day: the day of the last rise is
 * not told.
 */
export function toEmployment(
  { basis, period, payAmount }: PayOptions,
  job: {
    startDate: string | null;
    jobTitle: string | null;
    employmentType: SourceEmployment["employment_type"];
  },
): SourceEmployment {
  const payPeriod = toPayPeriod(basis, period);
  return {
    effective_date: job.startDate,
    job_title: job.jobTitle,
    employment_type: job.employmentType,
    pay_period: payPeriod,
    pay_rate: payPeriod === null ? null : payAmount,
    pay_frequency: toPayFrequency(period),
    currency: "gbp",
  };
}

/** Staffology says of subcontractors alone how people are employed. */
export function toEmploymentType(isSubcontractor: boolean): SourceEmployment["employment_type"] {
  return isSubcontractor ? "contractor" : null;
}

/** The basis Monthly means a fixed amount each period, however long the period is. Nothing is converted. */
function toPayPeriod(basis: string | null, period: string | null): PayPeriod {
  switch (basis) {
    case "Hourly":
      return "HOUR";
    case "Daily":
      return "DAY";
    case "Monthly":
      return toFixedPayPeriod(period);
    default:
      return null;
  }
}

function toFixedPayPeriod(period: string | null): PayPeriod {
  switch (period) {
    case "Daily":
      return "DAY";
    case "Weekly":
      return "WEEK";
    case "Monthly":
      return "MONTH";
    case "Annual":
      return "YEAR";
    default:
      return null;
  }
}

function toPayFrequency(period: string | null): SourceEmployment["pay_frequency"] {
  switch (period) {
    case null:
      return null;
    case "Weekly":
      return "weekly";
    case "Fortnightly":
      return "biweekly";
    case "Monthly":
      return "monthly";
    case "Annual":
      return "year";
    default:
      return "other";
  }
}
