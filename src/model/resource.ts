import { z } from "zod";
import { company } from "./company.ts";
import { employee } from "./employee.ts";
import type { Resource } from "./endpoints.ts";
import { group } from "./group.ts";
import { payrun, payslip } from "./payrun.ts";
import { timeOffBalance, timeOffEntry } from "./time-off.ts";
import { timesheet } from "./timesheet.ts";
import { workLocation } from "./work-location.ts";

/** The record that the list of each resource is made of. */
export const resourceRecords = {
  company,
  employees: employee,
  groups: group,
  payruns: payrun,
  payslips: payslip,
  timesheets: timesheet,
  "time-off-entries": timeOffEntry,
  "time-off-balances": timeOffBalance,
  "work-locations": workLocation,
} as const satisfies Record<Resource, z.ZodObject>;

export type RecordOf<R extends Resource> = z.output<(typeof resourceRecords)[R]>;

export const resources = Object.keys(resourceRecords) as Resource[];

export const resource = z.enum(resources).meta({
  id: "Resource",
  description: "A kind of data of a provider, by the name of its endpoint.",
});
