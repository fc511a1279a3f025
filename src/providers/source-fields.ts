import { z } from "zod";
import { resourceRecords, type Resource } from "../model/index.ts";
import type { SourceRecord } from "./source-records.ts";

const { company, employees, groups, payruns, payslips, timesheets } = resourceRecords;
const employment = employees.shape.employments.element.shape;
const history = employees.shape.employment_history.unwrap().unwrap().element.shape;
const compensation = employees.shape.compensation_history.unwrap().unwrap().element.shape;

/** The fields of a source record of each resource: what `SourceRecord` says, for code that runs. */
export const sourceShapes = {
  company: without(company.shape, "id"),
  employees: {
    ...without(employees.shape, "id", "employment_history", "compensation_history"),
    first_name: employees.shape.first_name.nullish(),
    display_full_name: employees.shape.display_full_name.nullish(),
    employments: z
      .array(
        z.object({
          ...employment,
          group_remote_id: history.group_remote_id,
          group_name: history.group_name,
          manager_remote_id: history.manager_remote_id,
          notes: compensation.notes,
        }),
      )
      .nullish(),
    manager: z.object(without(employees.shape.manager.unwrap().unwrap().shape, "id")).nullish(),
    groups: z.array(z.object(without(employees.shape.groups.element.shape, "id"))).nullish(),
    home_location: employees.shape.home_location.nullish(),
    work_location: z.object(without(employees.shape.work_location.shape, "id")).nullish(),
  },
  groups: without(groups.shape, "id"),
  payruns: without(payruns.shape, "id"),
  payslips: without(payslips.shape, "id", "employee_id", "payrun_id"),
  timesheets: without(timesheets.shape, "id", "employee_id"),
  "time-off-entries": without(
    resourceRecords["time-off-entries"].shape,
    "id",
    "employee_id",
    "policy_id",
  ),
  "time-off-balances": without(
    resourceRecords["time-off-balances"].shape,
    "employee_id",
    "policy_id",
  ),
  "work-locations": without(resourceRecords["work-locations"].shape, "id"),
} satisfies { [R in Resource]: Record<keyof SourceRecord<R>, z.ZodType> };

/** The lists of an employee that are made of its employments, each with the fields that it takes of one. */
export const employmentLists: Readonly<Record<string, ReadonlySet<string>>> = {
  employments: new Set(Object.keys(employment)),
  employment_history: new Set(Object.keys(history)),
  compensation_history: new Set(Object.keys(compensation)),
};

type Fields = ReadonlyMap<string, Fields | undefined>;

const fieldsOf = Object.fromEntries(
  Object.entries(sourceShapes).map(([resource, shape]) => [resource, toFields(shape)]),
) as Readonly<Record<Resource, Fields>>;

/**
 * Calls back with each field of a source record that the contract does not have, such as `manager.name`. Its value is
 * lost.
 */
export function eachUnknownField(
  resource: Resource,
  source: unknown,
  onUnknown: (path: string) => void,
): void {
  visit(fieldsOf[resource], source, "", onUnknown);
}

function visit(
  fields: Fields,
  record: unknown,
  path: string,
  onUnknown: (path: string) => void,
): void {
  if (typeof record !== "object" || record === null) return;
  for (const name of Object.keys(record)) {
    const value = (record as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const inner = fields.get(name);
    if (inner) {
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value])
        visit(inner, item, `${path}${name}.`, onUnknown);
    } else if (!fields.has(name)) onUnknown(`${path}${name}`);
  }
}

function toFields(shape: Readonly<Record<string, z.ZodType>>): Fields {
  return new Map(
    Object.entries(shape).map(([name, schema]) => {
      const inner = innerShape(schema);
      return [name, inner && toFields(inner)];
    }),
  );
}

/** The fields of an object, or of the objects of a list. */
export function innerShape(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodArray) return innerShape(bare.element as z.ZodType);
  return bare instanceof z.ZodObject ? bare.shape : undefined;
}

/** What a field has when it is neither null nor absent. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
    ? bareSchema(schema.unwrap() as z.ZodType)
    : schema;
}

function without<Shape extends object, Name extends keyof Shape>(
  shape: Shape,
  ...names: readonly Name[]
): Omit<Shape, Name> {
  const left = Object.entries(shape).filter(([name]) => !names.some((one) => one === name));
  return Object.fromEntries(left) as Omit<Shape, Name>;
}
