import { z } from "zod";
import { date, orNull, text } from "./field.ts";

const policyTypes = [
  "bereavement",
  "holiday",
  "jury_duty",
  "personal",
  "sick",
  "vacation",
  "volunteer",
] as const;

const policy = {
  policy_id: orNull(text),
  policy_remote_id: orNull(text),
  policy_name: orNull(text),
  policy_type: orNull(z.enum(policyTypes)),
  remote_created_at: orNull(date),
  remote_modified_at: orNull(date),
};

const examplePolicy = {
  policy_id: "hT6sL3oU8iB1zC4nM7vAyQ",
  policy_remote_id: "vacation",
  policy_name: "Vacation",
  policy_type: "vacation",
  remote_created_at: "2026-02-20",
  remote_modified_at: null,
};

export const timeOffEntry = z
  .object({
    id: text,
    remote_id: text,
    employee_id: text,
    employee_remote_id: text,
    start_date: orNull(date),
    end_date: orNull(date),
    amount: z.number(),
    unit: z.enum(["hours", "days", "months"]),
    status: orNull(z.enum(["approved", "pending", "rejected"])),
    employee_note: orNull(text),
    ...policy,
  })
  .meta({
    id: "TimeOffEntry",
    examples: [
      {
        id: "Z4pN7eY1kQ9rT2wJ5mXaVg",
        remote_id: "leave_88",
        employee_id: "mE8op2gjWJkuyTy8gekIfQ",
        employee_remote_id: "emp_1042",
        start_date: "2026-03-09",
        end_date: "2026-03-13",
        amount: 5,
        unit: "days",
        status: "approved",
        employee_note: null,
        ...examplePolicy,
      },
    ],
  });

export const timeOffBalance = z
  .object({
    employee_id: text,
    employee_remote_id: text,
    balance: orNull(z.number()),
    used: orNull(z.number()),
    ...policy,
  })
  .meta({
    id: "TimeOffBalance",
    examples: [
      {
        employee_id: "mE8op2gjWJkuyTy8gekIfQ",
        employee_remote_id: "emp_1042",
        balance: 18.5,
        used: 6.5,
        ...examplePolicy,
      },
    ],
  });
