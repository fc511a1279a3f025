import { z } from "zod";

export const fieldType = z.object({ type: z.string(), relation: z.string().optional() });

/** What is known of fields, by their names. */
export type FieldTypes = Readonly<Record<string, z.output<typeof fieldType>>>;

const text = { type: "char" };
const number = { type: "integer" };

function one(relation: string): z.output<typeof fieldType> {
  return { type: "many2one", relation };
}

/**
 * Fields that Odoo's own modules have had since version 14 without a group that hides them, so that nobody has to be
 * asked whether they are there.
 */
const standard: Readonly<Record<string, FieldTypes>> = {
  "hr.department": {
    id: number,
    active: { type: "boolean" },
    name: text,
    parent_id: one("hr.department"),
  },
  "hr.employee.category": { id: number, name: text },
  "hr.leave": { employee_id: one("hr.employee") },
  "res.country": { code: text, name: text },
  "res.country.state": { code: text, name: text },
  "res.partner": {
    street: text,
    street2: text,
    city: text,
    zip: text,
    state_id: one("res.country.state"),
    country_id: one("res.country"),
  },
  "res.users": { company_ids: { type: "many2many", relation: "res.company" } },
};

/** Undefined unless all of the named fields are standard ones. */
export function listStandardFields(
  model: string,
  names: readonly string[],
): FieldTypes | undefined {
  const known = standard[model];
  return known && names.every((name) => name in known) ? known : undefined;
}

export function pickFields(fields: FieldTypes, names: readonly string[]): FieldTypes {
  const picked = names.flatMap((name) => {
    const found = fields[name];
    return found ? [[name, found] as const] : [];
  });
  return Object.fromEntries(picked);
}
