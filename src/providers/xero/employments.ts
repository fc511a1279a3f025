import type { SourceEmployment, SourceRecord } from "../source-records.ts";
import { toDate, toNumber, toRecords, translate, type XeroRecord } from "./field-values.ts";

type EmploymentType = NonNullable<SourceRecord<"employees">["employment_type"]>;

const contractTypes: Readonly<Record<string, EmploymentType>> = {
  FullTime: "full_time",
  PartTime: "part_time",
  ZeroHour: "other",
};
const frequencies = {
  Weekly: "weekly",
  Fortnightly: "biweekly",
  FourWeekly: "other",
  Monthly: "monthly",
  Quarterly: "other",
  Annual: "year",
} as const;

/** The fields with the pay of each kind. */
const rates = {
  Salary: { period: "YEAR", field: "annualSalary" },
  Hourly: { period: "HOUR", field: "ratePerUnit" },
} as const;

/** Of the newest contract that has begun by the day, or of the newest one. */
export function toEmploymentType(employee: XeroRecord, day: string | null): EmploymentType | null {
  if (employee["isOffPayrollWorker"] === true) return "contractor";
  const contracts = toRecords(employee["contracts"]).toSorted((a, b) =>
    (toDate(a, "startDate") ?? "") < (toDate(b, "startDate") ?? "") ? 1 : -1,
  );
  const begun = contracts.find(
    (contract) => day !== null && (toDate(contract, "startDate") ?? "") <= day,
  );
  return translate(begun ?? contracts[0] ?? null, "contractType", contractTypes);
}

/** The salaries of all times: those of today, of the past and of the future. */
export function toEmployments(
  employee: XeroRecord,
  salaries: readonly XeroRecord[],
  calendar: XeroRecord | null,
): SourceEmployment[] {
  return salaries.map((salary) => {
    const effectiveDate = toDate(salary, "effectiveFrom");
    const rate = translate<{ period: "YEAR" | "HOUR"; field: string }>(
      salary,
      "paymentType",
      rates,
    );
    const payRate = rate && toNumber(salary, rate.field);
    return {
      effective_date: effectiveDate,
      employment_type: toEmploymentType(employee, effectiveDate),
      pay_rate: payRate,
      pay_period: payRate === null ? null : (rate?.period ?? null),
      pay_frequency: translate(calendar, "calendarType", frequencies),
      currency: "gbp",
      job_title: null,
    };
  });
}
