import { z } from "zod";
import {
  employmentStatuses,
  endpoints,
  resourceRecords,
  type FetchedPath,
  type Resource,
} from "../model/index.ts";
import type { Parameters, Variant } from "../sync/index.ts";

/** The data that a valid request asks for. */
export interface DataSelection {
  parameters: Parameters;
  variant?: Variant;
}

interface RequestInput {
  query: unknown;
  params: unknown;
}

interface DataRoute {
  operationId: string;
  summary: string;
  query?: z.ZodObject;
  params?: z.ZodObject;
  /** The body of the 200, if it is not a list of the resource's records. */
  body?: z.ZodType;
  select: (input: RequestInput) => DataSelection;
}

export interface DataEndpoint extends DataRoute {
  resource: Resource;
  body: z.ZodType;
}

/** Describes a repeated query parameter. Undefined for anything else, which the schema then describes. */
const ifRepeated = ({ input }: { input?: unknown }): string | undefined =>
  Array.isArray(input) ? "comes more than once" : undefined;

const dateText = z.iso
  .date({ error: (issue) => ifRepeated(issue) ?? "is a date, YYYY-MM-DD", abort: true })
  .refine((value) => value >= "1900-01-01" && value <= "2100-12-31", {
    error: "lies between the years 1900 and 2100",
  })
  .meta({ examples: ["2026-01-01"] });

const rangeQuery = z
  .object({
    start_date: dateText.describe("First day, YYYY-MM-DD"),
    end_date: dateText.describe("Last day, YYYY-MM-DD"),
  })
  .refine(({ start_date: start, end_date: end }) => start <= end, {
    error: "is after end_date",
    path: ["start_date"],
  });

const statusQuery = z.object({
  employment_status: z
    .enum(employmentStatuses, { error: ifRepeated })
    .optional()
    .describe("Only individuals whose status is explicitly this one"),
});
const idQuery = z.object({
  id: z
    .string({ error: ifRepeated })
    .min(1)
    .describe("The employee's id")
    .meta({ examples: ["mE8op2gjWJkuyTy8gekIfQ"] }),
});
const payrunParams = z.object({
  payrun_id: z
    .string()
    .describe("An id from payruns")
    .meta({ examples: ["kJ2mZ8QvT1yB4nR7cW0xLg"] }),
});

const whole = { select: (): DataSelection => ({ parameters: {} }) };

const inRange = {
  query: rangeQuery,
  select: ({ query }: RequestInput): DataSelection => {
    const { start_date: start, end_date: end } = query as z.output<typeof rangeQuery>;
    return { parameters: { range: { start, end } } };
  },
};

/** The description of each fetched endpoint, and how its parameters select data. */
const routes: { readonly [Path in FetchedPath]: DataRoute } = {
  company: { operationId: "listCompanies", summary: "The company", ...whole },
  employee: {
    operationId: "getEmployee",
    summary: "One employee",
    query: idQuery,
    body: resourceRecords.employees,
    select: ({ query }) => ({
      parameters: {},
      variant: { employeeId: (query as z.output<typeof idQuery>).id },
    }),
  },
  employees: {
    operationId: "listEmployees",
    summary: "Employees",
    query: statusQuery,
    select: ({ query }) => {
      const { employment_status: status } = query as z.output<typeof statusQuery>;
      return status
        ? { parameters: {}, variant: { employmentStatus: status } }
        : { parameters: {} };
    },
  },
  groups: { operationId: "listGroups", summary: "Groups", ...whole },
  payruns: { operationId: "listPayruns", summary: "Pay runs in a range of dates", ...inRange },
  "payruns/:payrun_id": {
    operationId: "listPayslips",
    summary: "The payslips of a pay run",
    params: payrunParams,
    select: ({ params }) => ({
      parameters: { payrunId: (params as z.output<typeof payrunParams>).payrun_id },
    }),
  },
  "time-off-balances": {
    operationId: "listTimeOffBalances",
    summary: "Balances of time off",
    ...whole,
  },
  "time-off-entries": {
    operationId: "listTimeOffEntries",
    summary: "Absences in a range of dates",
    ...inRange,
  },
  timesheets: {
    operationId: "listTimesheets",
    summary: "Timesheets in a range of dates",
    ...inRange,
  },
  "work-locations": { operationId: "listWorkLocations", summary: "Work locations", ...whole },
};

export function findDataEndpoint(path: FetchedPath): DataEndpoint {
  const { resource } = endpoints[path];
  return { body: z.array(resourceRecords[resource]), ...routes[path], resource };
}
