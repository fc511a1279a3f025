import { z } from "zod";
import { date, orNull, text, time } from "./field.ts";

export const timesheet = z
  .object({
    id: text,
    remote_id: text,
    employee_id: text,
    employee_remote_id: text,
    start_time: orNull(time),
    end_time: orNull(time),
    hours_worked: z.number(),
    remote_created_at: orNull(date),
    remote_modified_at: orNull(date),
  })
  .meta({
    id: "Timesheet",
    examples: [
      {
        id: "b9Kc2RzP5tX8uWq1sD4vEg",
        remote_id: "ts_20260302_1042",
        employee_id: "mE8op2gjWJkuyTy8gekIfQ",
        employee_remote_id: "emp_1042",
        start_time: "2026-03-02T09:00:00Z",
        end_time: "2026-03-02T17:30:00Z",
        hours_worked: 8,
        remote_created_at: "2026-03-02",
        remote_modified_at: null,
      },
    ],
  });
