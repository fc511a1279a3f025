import { z } from "zod";
import {
  apiVersion,
  employmentStatuses,
  resourceRecords,
  type Mode,
  type Resource,
  type Scope,
  modes,
} from "../model/index.ts";
import type { Parameters, Variant } from "../sync/index.ts";

/** What a request asks for, once its parameters are found valid. */
export interface Wanted {
  parameters: Parameters;
  variant?: Variant;
}

interface RequestInput {
  query: unknown;
  params: unknown;
}

export interface DataEndpoint {
  operationId: string;
  summary: string;
  path: string;
  modes: readonly Mode[];
  resource: Resource;
  query?: z.ZodObject;
  params?: z.ZodObject;
  /** The body of the 200. */
  body: z.ZodType;
  wanted: (input: RequestInput) => Wanted;
}

/** What is wrong with a query parameter that is no single text; undefined leaves the words to the rule that it breaks. */
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

const whole = (): Wanted => ({ parameters: {} });

const inRange = ({ query }: RequestInput): Wanted => {
  const { start_date: start, end_date: end } = query as z.output<typeof rangeQuery>;
  return { parameters: { range: { start, end } } };
};

const list = (resource: Resource): z.ZodType => z.array(resourceRecords[resource]);

/** The data endpoints of the specification, but for identity, which is not fetched. */
export const dataEndpoints: readonly DataEndpoint[] = [
  {
    operationId: "listCompanies",
    summary: "The company",
    path: "company",
    modes,
    resource: "company",
    body: list("company"),
    wanted: whole,
  },
  {
    operationId: "listEmployees",
    summary: "Employees",
    path: "employees",
    modes,
    resource: "employees",
    query: statusQuery,
    body: list("employees"),
    wanted: ({ query }) => {
      const { employment_status: status } = query as z.output<typeof statusQuery>;
      return status
        ? { parameters: {}, variant: { employmentStatus: status } }
        : { parameters: {} };
    },
  },
  {
    operationId: "getEmployee",
    summary: "One employee",
    path: "employee",
    modes,
    resource: "employees",
    query: idQuery,
    body: resourceRecords.employees,
    wanted: ({ query }) => ({
      parameters: {},
      variant: { employeeId: (query as z.output<typeof idQuery>).id },
    }),
  },
  {
    operationId: "listGroups",
    summary: "Groups",
    path: "groups",
    modes,
    resource: "groups",
    body: list("groups"),
    wanted: whole,
  },
  {
    operationId: "listPayruns",
    summary: "Pay runs in a range of dates",
    path: "payruns",
    modes: ["xhr"],
    resource: "payruns",
    query: rangeQuery,
    body: list("payruns"),
    wanted: inRange,
  },
  {
    operationId: "listPayslips",
    summary: "The payslips of a pay run",
    path: "payruns/:payrun_id",
    modes: ["xhr"],
    resource: "payslips",
    params: payrunParams,
    body: list("payslips"),
    wanted: ({ params }) => ({
      parameters: { payrunId: (params as z.output<typeof payrunParams>).payrun_id },
    }),
  },
  {
    operationId: "listTimesheets",
    summary: "Timesheets in a range of dates",
    path: "timesheets",
    modes,
    resource: "timesheets",
    query: rangeQuery,
    body: list("timesheets"),
    wanted: inRange,
  },
  {
    operationId: "listTimeOffEntries",
    summary: "Absences in a range of dates",
    path: "time-off-entries",
    modes,
    resource: "time-off-entries",
    query: rangeQuery,
    body: list("time-off-entries"),
    wanted: inRange,
  },
  {
    operationId: "listTimeOffBalances",
    summary: "Balances of time off",
    path: "time-off-balances",
    modes,
    resource: "time-off-balances",
    body: list("time-off-balances"),
    wanted: whole,
  },
  {
    operationId: "listWorkLocations",
    summary: "Work locations",
    path: "work-locations",
    modes,
    resource: "work-locations",
    body: list("work-locations"),
    wanted: whole,
  },
];

export function endpointUrl(mode: Mode, path: string): Scope {
  return `/${apiVersion}/${mode}/${path}` as Scope;
}
