import type { Employee } from "./employee.ts";
import { namedEnum } from "./field.ts";

export const fieldOff = namedEnum("FieldOff", "What of an employee a client can switch off.", {
  bank_account: "`bank_account`",
  date_of_birth: "`date_of_birth`",
  ethnicity: "`ethnicity`",
  relatives: "`dependents` and `emergency_contacts`",
  tax_id: "`tax_id`, the employee's and not the company's",
});
export type FieldOff = (typeof fieldsToSwitch)[number];

/** What a client can switch off, in the order of the alphabet. */
export const fieldsToSwitch = fieldOff.options;

const switched: Readonly<Record<FieldOff, readonly (keyof Employee)[]>> = {
  bank_account: ["bank_account"],
  date_of_birth: ["date_of_birth"],
  ethnicity: ["ethnicity"],
  relatives: ["dependents", "emergency_contacts"],
  tax_id: ["tax_id"],
};

/** The fields of an employee that are null in each record then. */
export function fieldsWithout(off: readonly FieldOff[]): (keyof Employee)[] {
  return off.flatMap((one) => switched[one]).toSorted();
}

/** The same record, with null in these fields. */
export function withoutFields<Record extends object>(
  record: Record,
  fields: readonly string[],
): Record {
  if (fields.length === 0) return record;
  return { ...record, ...Object.fromEntries(fields.map((field) => [field, null])) };
}
