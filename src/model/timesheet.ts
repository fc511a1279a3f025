import { z } from "zod";
import { date, orNull, text, time } from "./field.ts";

export const timesheet = z
  .object({
    id: text.describe("The timesheet's id at Rollcall; stable for a connection"),
    remote_id: text.describe("The timesheet's id at the provider"),
    employee_id: text.describe("Id of the employee, as in employees"),
    employee_remote_id: text.describe("Id of the employee at the provider"),
    start_time: orNull(time, "When the work began, RFC 3339 in UTC"),
    end_time: orNull(time, "When the work ended, RFC 3339 in UTC"),
    hours_worked: z.number().describe("Hours of work, without breaks"),
    remote_created_at: orNull(date, "The day on which the provider's record was made, YYYY-MM-DD"),
    remote_modified_at: orNull(
      date,
      "The day on which the provider's record last changed, YYYY-MM-DD",
    ),
  })
  .meta({
    id: "Timesheet",
    description: "A record of time that an employee worked.",
    examples: [
      {
        id: "YkVesFZdrTxDzp1BunU8yQ",
        remote_id: "ts_1025_2026-01-01",
        employee_id: "H_5W2C-9Nl-FGz0AtczFyg",
        employee_remote_id: "emp_1025",
        start_time: "2026-01-01T06:30:00Z",
        end_time: "2026-01-01T15:30:00Z",
        hours_worked: 8.5,
        remote_created_at: "2026-01-01",
        remote_modified_at: "2026-01-05",
      },
    ],
  });
