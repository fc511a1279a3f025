import type { z } from "zod";
import type { resourceRecords, Resource } from "../model/index.ts";

type Input<R extends Resource> = z.input<(typeof resourceRecords)[R]>;
type WithoutIds<Record> = Omit<Record, `${string}_id` | "id"> & {
  [Field in Extract<keyof Record, `${string}remote_id`>]: Record[Field];
};
type Present<Value> = NonNullable<Value>;

type EmployeeInput = Input<"employees">;
type GroupReference = WithoutIds<Present<EmployeeInput["groups"]>[number]>;
type ManagerReference = WithoutIds<Present<EmployeeInput["manager"]>>;
type LocationReference = WithoutIds<Present<EmployeeInput["work_location"]>>;

/**
 * One period of a person's job. An employee's three lists of jobs are derived from these periods.
 */
export type SourceEmployment = Present<EmployeeInput["employments"]>[number] & {
  group_remote_id?: string | null;
  group_name?: string | null;
  manager_remote_id?: string | null;
  notes?: string | null;
};

type DerivedField =
  | "id"
  | "first_name"
  | "display_full_name"
  | "employments"
  | "employment_history"
  | "compensation_history"
  | "manager"
  | "groups"
  | "work_location"
  | "home_location"
  | "tax_id";

type SourceEmployee = Omit<EmployeeInput, DerivedField> & {
  tax_id?: string | null;
  /** Empty when the provider has none. */
  first_name?: string | null;
  /** First and last name, unless the provider has another. */
  display_full_name?: string | null;
  /** In any order. Null when the provider does not give them. */
  employments?: readonly SourceEmployment[] | null;
  manager?: ManagerReference | null;
  groups?: readonly GroupReference[] | null;
  work_location?: LocationReference | null;
  home_location?: EmployeeInput["home_location"] | null;
};

interface SourceRecords {
  company: Omit<Input<"company">, "id">;
  employees: SourceEmployee;
  groups: Omit<Input<"groups">, "id">;
  payruns: Omit<Input<"payruns">, "id">;
  payslips: Omit<
    Input<"payslips">,
    "id" | "employee_id" | "payrun_id" | "currency" | "currency_code"
  > & {
    /** Lower-case ISO 4217 code, of any currency. */
    currency?: string | null;
  };
  timesheets: Omit<Input<"timesheets">, "id" | "employee_id">;
  "time-off-entries": Omit<Input<"time-off-entries">, "id" | "employee_id" | "policy_id">;
  "time-off-balances": Omit<Input<"time-off-balances">, "employee_id" | "policy_id">;
  "work-locations": Omit<Input<"work-locations">, "id">;
}

/** The record that an adapter makes: the public record without our ids, which the host mints. An absent field is null. */
export type SourceRecord<R extends Resource> = SourceRecords[R];
