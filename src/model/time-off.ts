import { z } from "zod";
import { date, orNull, text } from "./field.ts";

export const policyTypes = ["bereavement", "holiday", "jury_duty", "personal", "sick", "vacation", "volunteer"] as const;

const policy = {
  policy_id: orNull(text),
  policy_remote_id: orNull(text),
  policy_name: orNull(text),
  policy_type: orNull(z.enum(policyTypes)),
  remote_created_at: orNull(date),
  remote_modified_at: orNull(date),
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
  .meta({ id: "TimeOffEntry" });

export const timeOffBalance = z
  .object({
    employee_id: text,
    employee_remote_id: text,
    balance: orNull(z.number()),
    used: orNull(z.number()),
    ...policy,
  })
  .meta({ id: "TimeOffBalance" });

export type TimeOffEntry = z.output<typeof timeOffEntry>;
export type TimeOffBalance = z.output<typeof timeOffBalance>;
