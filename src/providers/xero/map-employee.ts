import { always, defineFields, definePart, each, onlyOne, together } from "../kit/fields.ts";
import { country, day, flag, number, oneOf, records, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import { currency } from "./country.ts";
import type { SourceEmployment, SourceRecord } from "../source-records.ts";

type Employee = SourceRecord<"employees">;
type BankAccount = NonNullable<Employee["bank_account"]>;
type Group = NonNullable<Employee["groups"]>[number];

const unknown = { otherwise: null };

/** Of New Zealand, and the basis of tax in Australia. Whether somebody permanent works full time is not told there. */
const engagement = oneOf(
  {
    Casual: "other",
    FULLTIME: "full_time",
    PARTTIME: "part_time",
    CONTRACTOR: "contractor",
    LABOURHIRE: "contractor",
    SUPERINCOMESTREAM: "other",
    NONEMPLOYEE: "other",
  },
  unknown,
);

export const person = defineSource({
  employeeID: text,
  firstName: text,
  lastName: text,
  email: text,
  phoneNumber: text,
  jobTitle: text,
  nationalInsuranceNumber: text,
  gender: oneOf({ M: "male", F: "female", N: "not_specified", I: "not_specified" }, unknown),
  dateOfBirth: day,
  startDate: day,
  endDate: day,
  createdDateUTC: day,
  address: {
    addressLine1: text,
    addressLine2: text,
    suburb: text,
    city: text,
    county: text,
    countryName: country,
    postCode: text,
  },
  isOffPayrollWorker: flag,
  contracts: records,
  engagementType: engagement,
  /** Australia alone says it. */
  status: text,
  // What is read for each person, and the calendar of their pay.
  salaries: records,
  paymentMethod: {
    paymentMethod: oneOf({ Cheque: "none", Manual: "none" }, unknown),
    bankAccounts: records,
  },
  tax: { irdNumber: text },
  calendar: { payrollCalendarID: text, name: text },
});
const contract = defineSource({
  contractType: oneOf({ FullTime: "full_time", PartTime: "part_time", ZeroHour: "other" }, unknown),
  startDate: day,
});
const account = defineSource({
  accountName: text,
  accountNumber: text,
  sortCode: text,
  calculationType: text,
});
const salary = defineSource({
  effectiveFrom: day,
  jobTitle: text,
  paymentType: oneOf({ Salary: "YEAR", Hourly: "HOUR" }, unknown),
  annualSalary: number,
  ratePerUnit: number,
  person: {
    currency,
    isOffPayrollWorker: flag,
    contracts: records,
    engagementType: engagement,
  },
  calendar: {
    calendarType: oneOf(
      {
        Weekly: "weekly",
        Fortnightly: "biweekly",
        TwiceMonthly: "semimonthly",
        FourWeekly: "other",
        Monthly: "monthly",
        Quarterly: "other",
        Annual: "year",
      },
      unknown,
    ),
  },
});

const employment = definePart<SourceEmployment>()(salary, {
  effective_date: "effectiveFrom",
  job_title: "jobTitle",
  employment_type: salary.from(
    ["effectiveFrom", "person.isOffPayrollWorker", "person.contracts", "person.engagementType"],
    toEmploymentType,
  ),
  pay_rate: salary.from(["paymentType", "annualSalary", "ratePerUnit"], toPayRate),
  pay_period: salary.from(
    ["paymentType", "annualSalary", "ratePerUnit"],
    (period, ofYear, ofHour) => (toPayRate(period, ofYear, ofHour) === null ? null : period),
  ),
  pay_frequency: "calendar.calendarType",
  currency: "person.currency",
}).says({
  employment_type:
    "of the newest contract that has begun by that day; an off-payroll worker is a contractor; elsewhere as somebody is engaged",
  pay_rate:
    "the salary of a year or the rate of an hour, by the type of payment; null for another type",
  pay_period: "null without the rate",
});
const bankAccount = definePart<BankAccount>()(account, {
  account_number: "accountNumber",
  sort_code: "sortCode",
  holder_name: "accountName",
});
const group = definePart<Group>()(person, {
  remote_id: "calendar.payrollCalendarID",
  name: "calendar.name",
  type: always("pay_group"),
});

export const employeeFields = defineFields("employees", person, {
  remote_id: "employeeID",
  first_name: "firstName",
  last_name: person.or("lastName", ""),
  work_email: "email",
  mobile_phone_number: "phoneNumber",
  job_title: "jobTitle",
  tax_id: person.first("nationalInsuranceNumber", "tax.irdNumber"),
  gender: "gender",
  date_of_birth: "dateOfBirth",
  // Whether somebody is on leave would take one more request for each person.
  employment_status: person.from(
    ["startDate", "endDate", "status"],
    (start, end, status, { today }) => {
      if (end === null ? status === "TERMINATED" : end < today) return "inactive";
      return start !== null && start > today ? "pending" : "active";
    },
  ),
  employment_type: person.from(
    ["isOffPayrollWorker", "contracts", "engagementType"],
    (isOffPayroll, contracts, engagement, { today }) =>
      toEmploymentType(today, isOffPayroll, contracts, engagement),
  ),
  start_date: "startDate",
  termination_date: "endDate",
  remote_created_at: "createdDateUTC",
  home_location: {
    street_address: person.joined([
      "address.addressLine1",
      "address.addressLine2",
      "address.suburb",
    ]),
    locality: "address.city",
    administrative_area: "address.county",
    country: "address.countryName",
    post_code: "address.postCode",
  },
  // Who is paid by cheque or by hand has none.
  bank_account: person.from(
    ["paymentMethod.paymentMethod", "paymentMethod.bankAccounts"],
    (method, accounts, mapping) => {
      const chosen = accounts?.find(takesTheRest) ?? accounts?.[0];
      return chosen && method !== "none" ? bankAccount.map(chosen, mapping) : null;
    },
  ),
  // The salaries of all times: those of today, of the past and of the future.
  employments: each(person, "salaries", employment),
  groups: together(onlyOne(person, "calendar", group)),
}).says({
  work_email: "the one address that Xero has, which may be a private one",
  employment_status:
    "pending before the first day, inactive after the last one, else active; who is on leave is not told",
  employment_type:
    "of the newest contract that has begun; an off-payroll worker is a contractor; elsewhere as somebody is engaged",
  bank_account: "that of what is left, else the first; null for who is paid by cheque or by hand",
  employments: "a salary each, with past and future ones",
  groups: "the pay run calendar of the person",
});

function takesTheRest(one: object): boolean {
  return account.read(one, "calculationType") === "Balance";
}

function toPayRate(
  period: "YEAR" | "HOUR" | null,
  ofYear: number | null,
  ofHour: number | null,
): number | null {
  return period === "YEAR" ? ofYear : period === "HOUR" ? ofHour : null;
}

type Type = "contractor" | "full_time" | "part_time" | "other";

/** Of the newest contract that has begun by the day, or of the newest one. */
function toEmploymentType(
  day: string | null,
  isOffPayroll: boolean | null,
  contracts: readonly object[] | null,
  engaged: Type | null,
): Type | null {
  if (isOffPayroll) return "contractor";
  const startOf = (one: object): string => contract.read(one, "startDate") ?? "";
  const newestFirst = (contracts ?? []).toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  const begun = newestFirst.find((one) => day !== null && startOf(one) <= day);
  return contract.read(begun ?? newestFirst[0], "contractType") ?? engaged;
}
