import { z } from "zod";
import { date, namedEnum, orNull, text } from "./field.ts";

const policyType = namedEnum("TimeOffPolicyType", "What an absence is for.", {
  bereavement: "a death in the family",
  holiday: "a public holiday",
  jury_duty: "service as a juror",
  personal: "a personal reason",
  sick: "an illness",
  vacation: "paid holidays",
  volunteer: "voluntary work",
});

const timeOffUnit = namedEnum("TimeOffUnit", "What an amount of time off is counted in.", {
  hours: "hours",
  days: "working days",
  months: "months",
});

const balanceUnit = namedEnum("TimeOffBalanceUnit", "What a balance of time off is counted in.", {
  hours: "hours",
  days: "working days",
});

const timeOffStatus = namedEnum("TimeOffStatus", "Whether an absence is agreed.", {
  approved: "agreed",
  pending: "asked for, not decided yet",
  rejected: "refused",
});

const policy = {
  policy_id: orNull(
    text,
    "Id of the policy under which time is taken off; stable for a connection",
  ),
  policy_remote_id: orNull(text, "Id of the policy at the provider"),
  policy_name: orNull(text, "Name of the policy"),
  policy_type: orNull(policyType, "What the policy is for"),
  remote_created_at: orNull(date, "The day on which the provider's record was made, YYYY-MM-DD"),
  remote_modified_at: orNull(
    date,
    "The day on which the provider's record last changed, YYYY-MM-DD",
  ),
};

const examplePolicy = {
  policy_id: "p7pe3bw1dOJPB6tSiIgwzw",
  policy_remote_id: "pol_1",
  policy_name: "Annual leave",
  policy_type: "vacation",
};

export const timeOffEntry = z
  .object({
    id: text.describe("The absence's id at Rollcall; stable for a connection"),
    remote_id: text.describe("The absence's id at the provider"),
    employee_id: text.describe("Id of the employee, as in employees"),
    employee_remote_id: text.describe("Id of the employee at the provider"),
    start_date: orNull(date, "First day of the absence, YYYY-MM-DD"),
    end_date: orNull(date, "Last day of the absence, YYYY-MM-DD"),
    amount: z.number().describe("How much time is taken off, counted in `unit`"),
    unit: timeOffUnit.describe("What `amount` is counted in"),
    status: orNull(timeOffStatus, "Whether the absence is agreed"),
    employee_note: orNull(text, "What the employee wrote about it"),
    ...policy,
  })
  .meta({
    id: "TimeOffEntry",
    description: "An absence of an employee.",
    examples: [
      {
        id: "WTuTbu0vTAnejJdvLYKFRg",
        remote_id: "leave_1025_2026-03",
        employee_id: "H_5W2C-9Nl-FGz0AtczFyg",
        employee_remote_id: "emp_1025",
        start_date: "2026-03-09",
        end_date: "2026-03-20",
        amount: 10,
        unit: "days",
        status: "approved",
        employee_note: "Familie 🏖",
        ...examplePolicy,
        remote_created_at: "2026-01-28",
        remote_modified_at: "2026-02-07",
      },
    ],
  });

export const timeOffBalance = z
  .object({
    employee_id: text.describe("Id of the employee, as in employees"),
    employee_remote_id: text.describe("Id of the employee at the provider"),
    balance: orNull(z.number(), "The time that is left, counted in `unit`"),
    used: orNull(z.number(), "The time that was taken, counted in `unit`"),
    unit: orNull(balanceUnit, "What `balance` and `used` are counted in"),
    ...policy,
  })
  .meta({
    id: "TimeOffBalance",
    description: "How much time off an employee has left under one policy.",
    examples: [
      {
        employee_id: "H_5W2C-9Nl-FGz0AtczFyg",
        employee_remote_id: "emp_1025",
        balance: 30,
        used: 0,
        unit: "days",
        ...examplePolicy,
        remote_created_at: "2019-11-04",
        remote_modified_at: "2019-12-16",
      },
    ],
  });
