import { always, defineFields, definePart, onlyOne } from "../kit/fields.ts";
import { called, day, flag, given, list, number, oneOf, text } from "../kit/readers.ts";
import { defineSource } from "../kit/source.ts";
import type { SourceEmployment } from "../source-records.ts";
import { address, addressNote, toAddress } from "./address.ts";
import { departmentId } from "./groups.ts";

const unknown = { otherwise: null };

const person = defineSource(
  {
    id: text,
    /** Of the employer, by which its departments are told from those of others: their codes are its own. */
    employerId: given<string>(),
    status: oneOf({ Current: "active", Former: "inactive", Upcoming: "pending" }, unknown),
    tags: list(text),
    personalDetails: {
      firstName: text,
      lastName: text,
      email: text,
      alternativeEmail: text,
      mobile: text,
      telephone: text,
      niNumber: text,
      dateOfBirth: day,
      gender: oneOf({ Male: "male", Female: "female" }, unknown),
      maritalStatus: oneOf(
        {
          Single: "single",
          Married: "married",
          CivilPartnership: "married",
          Divorced: "divorced",
          Widowed: "other",
          Unknown: "not_specified",
        },
        unknown,
      ),
      address,
    },
    employmentDetails: {
      payrollCode: text,
      jobTitle: text,
      cisSubContractor: flag,
      onFurlough: flag,
      partialFurlough: flag,
      furloughStart: day,
      furloughEnd: day,
      department: { code: text, title: text },
      starterDetails: { startDate: day },
      leaverDetails: { leaveDate: day, hasLeft: flag },
    },
    bankDetails: { bankName: text, accountName: text, accountNumber: text, sortCode: text },
    payOptions: {
      basis: text,
      period: oneOf({ Daily: "DAY", Weekly: "WEEK", Monthly: "MONTH", Annual: "YEAR" }, unknown),
      frequency: called(
        "period",
        oneOf(
          { Weekly: "weekly", Fortnightly: "biweekly", Monthly: "monthly", Annual: "year" },
          { otherwise: "other" },
        ),
      ),
      payAmount: number,
    },
  },
  { required: ["personalDetails", "employmentDetails"] },
);

/** Staffology says of subcontractors alone how people are employed. */
const employmentType = person.from(["employmentDetails.cisSubContractor"], (isSubcontractor) =>
  isSubcontractor ? "contractor" : null,
);

const terms = ["payOptions.basis", "payOptions.period", "payOptions.payAmount"] as const;

/**
 * The basis Monthly means a fixed amount each period, however long the period is. Nothing is converted. An amount that
 * nobody has entered is 0.
 */
function toPayPeriod(
  basis: string | null,
  period: SourceEmployment["pay_period"],
  amount: number | null,
) {
  if (amount === 0) return null;
  if (basis === "Monthly") return period;
  return basis === "Hourly" ? "HOUR" : basis === "Daily" ? "DAY" : null;
}

/**
 * The present terms, as Staffology keeps no earlier ones. They count from the first day: the day of the last rise is
 * not told.
 */
const employment = definePart<SourceEmployment>()(person, {
  effective_date: "employmentDetails.starterDetails.startDate",
  job_title: "employmentDetails.jobTitle",
  employment_type: employmentType,
  pay_period: person.from(terms, toPayPeriod),
  pay_rate: person.from(terms, (basis, period, amount) =>
    toPayPeriod(basis, period, amount) === null ? null : amount,
  ),
  pay_frequency: "payOptions.frequency",
  currency: always("gbp"),
}).says({
  employment_type: "contractor for a subcontractor of the Construction Industry Scheme, else null",
  pay_period:
    "by the basis of the pay; of a fixed amount the period, null for one that is none of ours",
  pay_rate: "null without a period, and for 0, which is none",
});

export const employeeFields = defineFields("employees", person, {
  remote_id: "id",
  first_name: "personalDetails.firstName",
  last_name: person.or("personalDetails.lastName", ""),
  work_email: "personalDetails.email",
  personal_email: "personalDetails.alternativeEmail",
  mobile_phone_number: person.first("personalDetails.mobile", "personalDetails.telephone"),
  tax_id: "personalDetails.niNumber",
  date_of_birth: "personalDetails.dateOfBirth",
  gender: "personalDetails.gender",
  marital_status: "personalDetails.maritalStatus",
  home_location: person.from(["personalDetails.address"], toAddress),
  employee_number: "employmentDetails.payrollCode",
  job_title: "employmentDetails.jobTitle",
  // Somebody whose pay is on hold is not away.
  employment_status: person.from(
    [
      "status",
      "employmentDetails.onFurlough",
      "employmentDetails.partialFurlough",
      "employmentDetails.furloughStart",
      "employmentDetails.furloughEnd",
    ],
    (status, isOnFurlough, isPartial, first, last, { today }) => {
      const isNow = (first ?? today) <= today && (last ?? today) >= today;
      return status === "active" && isOnFurlough && !isPartial && isNow ? "leave" : status;
    },
  ),
  employment_type: employmentType,
  start_date: "employmentDetails.starterDetails.startDate",
  // The day stays in the record of somebody who stayed after all.
  termination_date: person.from(["employmentDetails.leaverDetails"], (leaver) =>
    leaver?.hasLeft === false ? null : (leaver?.leaveDate ?? null),
  ),
  employments: onlyOne(person, "payOptions", employment),
  groups: person.from(["employerId", "employmentDetails.department"], (employerId, department) => {
    const { code = null, title = null } = department ?? {};
    if (code === null || employerId === null) return [];
    return [{ remote_id: departmentId(employerId, code), name: title ?? code, type: "department" }];
  }),
  bank_account: {
    holder_name: "bankDetails.accountName",
    account_number: "bankDetails.accountNumber",
    sort_code: "bankDetails.sortCode",
    bank_name: "bankDetails.bankName",
  },
  custom_fields: person.from(["tags"], (tags) => (tags && tags.length > 0 ? { tags } : null)),
}).says({
  work_email: "where payslips go, which may be a private address",
  home_location: addressNote,
  employment_status: "leave for who is active and today on furlough for the whole of their time",
  employment_type: "contractor for a subcontractor of the Construction Industry Scheme, else null",
  termination_date: "null for somebody who stayed after all",
  groups: "the department",
  custom_fields: "the tags",
});
