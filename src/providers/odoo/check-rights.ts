import type { Resource } from "../../model/index.ts";
import type { CheckResult, Session, SignInContext } from "../contract.ts";
import { OperationNotSupported } from "../errors.ts";
import { findContracts, hiddenWithContracts } from "./contracts.ts";
import { OdooClient } from "./odoo-client.ts";
import { isPermissionMissing, RecordReader } from "./record-reader.ts";
import { requirements, type OdooResource } from "./rights.ts";

/** A right that is missing is listed. Only a session that does not work refuses the sign-in. */
export async function checkRights(context: SignInContext, session: Session): Promise<CheckResult> {
  const odoo = new OdooClient(context, session);
  const unsupported: Resource[] = [];
  const forbidden: Resource[] = [];
  for (const resource of Object.keys(requirements) as OdooResource[]) {
    const { model, group } = requirements[resource];
    if (!(await isInstalled(odoo, model))) unsupported.push(resource);
    else if (!(await odoo.hasGroup(group))) forbidden.push(resource);
  }
  const isReadable = ![...unsupported, ...forbidden].includes("employees");
  const isLimited = isReadable && (await findContracts(new RecordReader(odoo))) === "hidden";
  return { unsupported, forbidden, limited: isLimited ? { employees: hiddenWithContracts } : {} };
}

async function isInstalled(odoo: OdooClient, model: string): Promise<boolean> {
  try {
    await odoo.listFields(model, ["id"]);
    return true;
  } catch (error) {
    if (error instanceof OperationNotSupported) return false;
    if (isPermissionMissing(error)) return true;
    throw error;
  }
}
