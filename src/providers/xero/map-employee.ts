import { always, defineFields, definePart, each, onlyOne, together } from "../kit/fields.ts";
import { country, day, flag, number, oneOf, records, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import type { SourceEmployment, SourceRecord } from "../source-records.ts";

type Employee = SourceRecord<"employees">;
type BankAccount = NonNullable<Employee["bank_account"]>;
type Group = NonNullable<Employee["groups"]>[number];

const unknown = { otherwise: null };

export const person = defineSource({
  employeeID: text,
  firstName: text,
  lastName: text,
  email: text,
  phoneNumber: text,
  nationalInsuranceNumber: text,
  gender: oneOf({ M: "male", F: "female" }, unknown),
  dateOfBirth: day,
  startDate: day,
  endDate: day,
  createdDateUTC: day,
  address: {
    addressLine1: text,
    addressLine2: text,
    city: text,
    county: text,
    countryName: country,
    postCode: text,
  },
  isOffPayrollWorker: flag,
  contracts: records,
  // What is read for each person, and the calendar of their pay.
  salaries: records,
  paymentMethod: { paymentMethod: text, bankAccounts: records },
  calendar: { payrollCalendarID: text, name: text },
});
const contract = defineSource({
  contractType: oneOf({ FullTime: "full_time", PartTime: "part_time", ZeroHour: "other" }, unknown),
  startDate: day,
});
const account = defineSource({ accountName: text, accountNumber: text, sortCode: text });
const salary = defineSource({
  effectiveFrom: day,
  paymentType: oneOf({ Salary: "YEAR", Hourly: "HOUR" }, unknown),
  annualSalary: number,
  ratePerUnit: number,
  person: { isOffPayrollWorker: flag, contracts: records },
  calendar: {
    calendarType: oneOf(
      {
        Weekly: "weekly",
        Fortnightly: "biweekly",
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
  employment_type: salary.from(
    ["effectiveFrom", "person.isOffPayrollWorker", "person.contracts"],
    toEmploymentType,
  ),
  pay_rate: salary.from(["paymentType", "annualSalary", "ratePerUnit"], toPayRate),
  pay_period: salary.from(
    ["paymentType", "annualSalary", "ratePerUnit"],
    (period, ofYear, ofHour) => (toPayRate(period, ofYear, ofHour) === null ? null : period),
  ),
  pay_frequency: "calendar.calendarType",
  currency: always("gbp"),
}).says({
  employment_type:
    "of the newest contract that has begun by that day; an off-payroll worker is a contractor",
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
  tax_id: "nationalInsuranceNumber",
  gender: "gender",
  date_of_birth: "dateOfBirth",
  // Whether somebody is on leave would take one more request for each person.
  employment_status: person.from(["startDate", "endDate"], (start, end, { today }) => {
    if (end !== null && end < today) return "inactive";
    return start !== null && start > today ? "pending" : "active";
  }),
  employment_type: person.from(
    ["isOffPayrollWorker", "contracts"],
    (isOffPayroll, contracts, { today }) => toEmploymentType(today, isOffPayroll, contracts),
  ),
  start_date: "startDate",
  termination_date: "endDate",
  remote_created_at: "createdDateUTC",
  home_location: {
    street_address: person.joined(["address.addressLine1", "address.addressLine2"]),
    locality: "address.city",
    administrative_area: "address.county",
    country: "address.countryName",
    post_code: "address.postCode",
  },
  // Who is paid by cheque or by hand has none.
  bank_account: person.from(
    ["paymentMethod.paymentMethod", "paymentMethod.bankAccounts"],
    (method, accounts, mapping) => {
      const [first] = accounts ?? [];
      return first && method === "Electronically" ? bankAccount.map(first, mapping) : null;
    },
  ),
  // The salaries of all times: those of today, of the past and of the future.
  employments: each(person, "salaries", employment),
  groups: together(onlyOne(person, "calendar", group)),
}).says({
  work_email: "the one address that Xero has, which may be a private one",
  employment_status:
    "pending before the first day, inactive after the last one, else active; who is on leave is not told",
  employment_type: "of the newest contract that has begun; an off-payroll worker is a contractor",
  bank_account: "the first account; null for who is paid by cheque or by hand",
  employments: "a salary each, with past and future ones",
  groups: "the pay run calendar of the person",
});

function toPayRate(
  period: "YEAR" | "HOUR" | null,
  ofYear: number | null,
  ofHour: number | null,
): number | null {
  return period === "YEAR" ? ofYear : period === "HOUR" ? ofHour : null;
}

/** Of the newest contract that has begun by the day, or of the newest one. */
function toEmploymentType(
  day: string | null,
  isOffPayroll: boolean | null,
  contracts: readonly object[] | null,
): "contractor" | "full_time" | "part_time" | "other" | null {
  if (isOffPayroll) return "contractor";
  const startOf = (one: object): string => contract.read(one, "startDate") ?? "";
  const newestFirst = (contracts ?? []).toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  const begun = newestFirst.find((one) => day !== null && startOf(one) <= day);
  return contract.read(begun ?? newestFirst[0], "contractType");
}
