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

/** Those that are asked for by days. */
export type DatedResource = Extract<Resource, "payruns" | "timesheets" | "time-off-entries">;

const dated: Readonly<Record<DatedResource, true>> = {
  payruns: true,
  timesheets: true,
  "time-off-entries": true,
};

export function hasDates(name: Resource): name is DatedResource {
  return Object.hasOwn(dated, name);
}

export const resource = z.enum(resources).meta({
  id: "Resource",
  description: "A kind of data of a provider, by the name of its endpoint.",
});
