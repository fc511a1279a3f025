import type { ProviderContext, Session } from "../contract.ts";
import { AuthError } from "../errors.ts";
import { OdooClient } from "./odoo-client.ts";
import { RecordReader } from "./record-reader.ts";

const internalUser = "base.group_user";

/**
 * The model that each resource is read from, whose module may not be installed, and the group without which
 * Odoo returns fewer rows or fewer fields, without an error.
 */
export const requirements = {
  company: { model: "res.company", group: internalUser },
  employees: { model: "hr.employee", group: "hr.group_hr_user" },
  groups: { model: "hr.department", group: internalUser },
  "work-locations": { model: "hr.work.location", group: internalUser },
} as const;

export type OdooResource = keyof typeof requirements;

/** Throws when the right is missing: one that was withdrawn after the sign-in would look like deletions. */
export async function openResource(
  context: ProviderContext,
  session: Session,
  resource: OdooResource,
): Promise<{ odoo: OdooClient; reader: RecordReader }> {
  const odoo = new OdooClient(context, session);
  if (!(await odoo.hasGroup(requirements[resource].group)))
    throw new AuthError("insufficient_permission");
  return { odoo, reader: new RecordReader(odoo) };
}
