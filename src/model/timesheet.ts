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
  .meta({ id: "Timesheet" });

export type Timesheet = z.output<typeof timesheet>;
