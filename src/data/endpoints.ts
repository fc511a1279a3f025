import { z } from "zod";
import {
  badRequest,
  employmentStatus,
  endpoints,
  errorResponse,
  resourceRecords,
  type errorResponses,
  type FetchedPath,
  type Resource,
} from "../model/index.ts";
import { findCredential } from "../platform/crypto/index.ts";
import { encodeParameters, type Variant } from "../sync/index.ts";

/** The data that a valid request asks for. */
export interface DataSelection {
  /** As they name the read and the stored list. */
  parameters: string;
  /** The id of a pay run as it was asked for, also if it is none of ours. */
  payrunId?: string;
  variant?: Variant;
}

interface RequestInput {
  query: unknown;
  params: unknown;
}

interface DataRoute {
  operationId: string;
  summary: string;
  description: string;
  query?: z.ZodObject;
  params?: z.ZodObject;
  /** What is in the list of a 200, or the body itself if it is not a list of the resource's records. */
  result: string | z.ZodType;
  /** The responses that say more than those of all data endpoints. */
  errors?: Partial<ReturnType<typeof errorResponses<400 | 404>>>;
  select: (input: RequestInput) => DataSelection;
}

export interface DataEndpoint extends DataRoute {
  resource: Resource;
  body: z.ZodType;
}

/** Describes a repeated query parameter. Undefined for anything else, which the schema then describes. */
const ifRepeated = ({ input }: { input?: unknown }): string | undefined =>
  Array.isArray(input) ? "comes more than once" : undefined;

/** What was sent is repeated when it is short and harmless. */
function describeDate({ input }: { input?: unknown }): string {
  if (input === undefined || input === "") return "is required, as YYYY-MM-DD";
  const isShown =
    typeof input === "string" && /^[\w./:+-]{1,20}$/.test(input) && !findCredential(input);
  return `${isShown ? `'${input}' is not a date` : "is not a date"}; it has to be one as YYYY-MM-DD`;
}

const dateText = z.iso
  .date({ error: (issue) => ifRepeated(issue) ?? describeDate(issue), abort: true })
  .refine((value) => value >= "1900-01-01" && value <= "2100-12-31", {
    error: "lies between the years 1900 and 2100",
  });

export const rangeQuery = z
  .object({
    start_date: dateText
      .describe("First day of the range, YYYY-MM-DD")
      .meta({ examples: ["2026-01-01"] }),
    end_date: dateText
      .describe("Last day of the range, YYYY-MM-DD; not before `start_date`")
      .meta({ examples: ["2026-01-31"] }),
  })
  .refine(({ start_date: start, end_date: end }) => start <= end, {
    error: "is after end_date",
    path: ["start_date"],
  });

const statusQuery = z.object({
  employment_status: employmentStatus
    .clone({ ...employmentStatus.def, error: ifRepeated }, { parent: true })
    .optional()
    .describe(
      "Only individuals whose status is explicitly this one; those whose status is null are left out",
    )
    .meta({ examples: ["active"] }),
});
const idQuery = z.object({
  id: z
    .string({ error: ifRepeated })
    .min(1)
    .describe("The employee's `id`, as in employees")
    .meta({ examples: ["H_5W2C-9Nl-FGz0AtczFyg"] }),
});
const payrunParams = z.object({
  payrun_id: z
    .string()
    .describe("The pay run's `id`, as in payruns")
    .meta({ examples: ["x644PiTYtMBpw7ssyRkRfg"] }),
});

const whole = { select: (): DataSelection => ({ parameters: "" }) };

const inRange = {
  query: rangeQuery,
  errors: badRequest("start_date: is required, as YYYY-MM-DD"),
  select: ({ query }: RequestInput): DataSelection => {
    const { start_date: start, end_date: end } = query as z.output<typeof rangeQuery>;
    return { parameters: encodeParameters({ range: { start, end } }) };
  },
};

/** The description of each fetched endpoint, and how its parameters select data. */
const routes: { readonly [Path in FetchedPath]: DataRoute } = {
  company: {
    operationId: "listCompanies",
    summary: "The company",
    description: "The company of the connected account, as a list. Most providers have one.",
    result: "The companies.",
    ...whole,
  },
  employee: {
    operationId: "getEmployee",
    summary: "One employee",
    description: "The employee with this `id`, as employees lists them.",
    query: idQuery,
    result: resourceRecords.employees.describe("The employee."),
    errors: {
      ...badRequest("id: is required"),
      ...errorResponse(404, {
        description: "No employee has this `id`.",
        example: { message: "The employee is not known.", id: "unknown" },
      }),
    },
    select: ({ query }) => ({
      parameters: "",
      variant: { employeeId: (query as z.output<typeof idQuery>).id },
    }),
  },
  employees: {
    operationId: "listEmployees",
    summary: "Employees",
    description:
      "All individuals that the provider lists, also those who have left, where the provider still has them. " +
      "With `employment_status` only those of one status.",
    query: statusQuery,
    result: "The employees, ordered by `remote_id`.",
    errors: badRequest(
      `employment_status: has to be one of ${employmentStatus.options.join(", ")}`,
    ),
    select: ({ query }) => {
      const { employment_status: status } = query as z.output<typeof statusQuery>;
      return status
        ? { parameters: "", variant: { employmentStatus: status } }
        : { parameters: "" };
    },
  },
  groups: {
    operationId: "listGroups",
    summary: "Groups",
    description: "The departments, teams, cost centres and pay groups to which employees belong.",
    result: "The groups, ordered by `remote_id`.",
    ...whole,
  },
  payruns: {
    operationId: "listPayruns",
    summary: "Pay runs in a range of dates",
    description:
      "The pay runs whose payment date lies in the range; of those without one, whose period touches it. " +
      "The payslips of each are read with its `id`.",
    result: "The pay runs, ordered by date.",
    ...inRange,
  },
  "payruns/:payrun_id": {
    operationId: "listPayslips",
    summary: "The payslips of a pay run",
    description: "What each person is paid in one pay run.",
    params: payrunParams,
    result: "The payslips.",
    errors: errorResponse(404, {
      description: "No pay run has this `id`.",
      example: { message: "The payrun is not known.", id: "unknown" },
    }),
    select: ({ params }) => {
      const { payrun_id: payrunId } = params as z.output<typeof payrunParams>;
      return { parameters: encodeParameters({ payrunId }), payrunId };
    },
  },
  "time-off-balances": {
    operationId: "listTimeOffBalances",
    summary: "Balances of time off",
    description: "How much time off each employee has left, under each policy.",
    result: "The balances.",
    ...whole,
  },
  "time-off-entries": {
    operationId: "listTimeOffEntries",
    summary: "Absences in a range of dates",
    description: "The absences that overlap the range.",
    result: "The absences, ordered by date.",
    ...inRange,
  },
  timesheets: {
    operationId: "listTimesheets",
    summary: "Timesheets in a range of dates",
    description: "The time that employees worked in the range.",
    result: "The timesheets, ordered by date.",
    ...inRange,
  },
  "work-locations": {
    operationId: "listWorkLocations",
    summary: "Work locations",
    description: "The places where employees work.",
    result: "The locations, ordered by `remote_id`.",
    ...whole,
  },
};

export function findDataEndpoint(path: FetchedPath): DataEndpoint {
  const { resource } = endpoints[path];
  const route = routes[path];
  const { result } = route;
  const body =
    typeof result === "string" ? z.array(resourceRecords[resource]).describe(result) : result;
  return { ...route, body, resource };
}
