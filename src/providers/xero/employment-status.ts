import { toDate, type XeroRecord } from "./field-values.ts";

/** Whether somebody is on leave would take one more request for each person. */
export function toEmploymentStatus(
  employee: XeroRecord,
  today: string,
): "active" | "inactive" | "pending" {
  const [start, end] = [toDate(employee, "startDate"), toDate(employee, "endDate")];
  if (end !== null && end < today) return "inactive";
  return start !== null && start > today ? "pending" : "active";
}
