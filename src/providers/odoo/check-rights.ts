import type { Resource } from "../../model/index.ts";
import type { CheckResult, Session, SignInContext } from "../contract.ts";
import { AuthError, OperationNotSupported } from "../errors.ts";
import { OdooClient } from "./odoo-client.ts";

interface Requirement {
  /** The model that the resource is read from. Its module may not be installed. */
  model: string;
  /** Without this group Odoo returns fewer rows or fewer fields, without an error. */
  group?: string;
}

/** The resources for which it is not enough to be signed in. */
const requirements: { readonly [R in Resource]?: Requirement } = {
  employees: { model: "hr.employee", group: "hr.group_hr_user" },
  groups: { model: "hr.department" },
  "work-locations": { model: "hr.work.location" },
};

export async function checkRights(context: SignInContext, session: Session): Promise<CheckResult> {
  const odoo = new OdooClient(context, session);
  await requireGroup(odoo, "base.group_user");
  const unsupported: Resource[] = [];
  for (const [resource, requirement] of Object.entries(requirements) as [Resource, Requirement][]) {
    if (!(await isInstalled(odoo, requirement.model))) unsupported.push(resource);
    else if (context.resources.includes(resource)) await requireRight(odoo, resource);
  }
  return { unsupported };
}

/**
 * Also called before each fetch: otherwise a right that was withdrawn after the sign-in would look
 * like deletions.
 */
export async function requireRight(odoo: OdooClient, resource: Resource): Promise<void> {
  const group = requirements[resource]?.group;
  if (group !== undefined) await requireGroup(odoo, group);
}

async function requireGroup(odoo: OdooClient, group: string): Promise<void> {
  if (!(await odoo.hasGroup(group))) throw new AuthError("insufficient_permission");
}

async function isInstalled(odoo: OdooClient, model: string): Promise<boolean> {
  try {
    await odoo.listFields(model, ["id"]);
    return true;
  } catch (error) {
    if (error instanceof OperationNotSupported) return false;
    throw error;
  }
}
