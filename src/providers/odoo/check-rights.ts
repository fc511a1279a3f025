import type { Resource } from "../../model/index.ts";
import type { CheckContext, CheckResult, Session } from "../contract.ts";
import { findContracts, hiddenWithContracts } from "./contracts.ts";
import { OdooClient } from "./odoo-client.ts";
import { RecordReader } from "./record-reader.ts";
import { Rights } from "./rights.ts";

/** A right that is missing is listed. Only a session that does not work refuses the sign-in. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const odoo = new OdooClient(context, session);
  const rights = new Rights(odoo, context.settings);
  const unsupported: Resource[] = [];
  const forbidden: Resource[] = [];
  for (const resource of context.resources) {
    if (!(await rights.isInstalled(resource))) unsupported.push(resource);
    else if (!(await rights.isAllowed(resource))) forbidden.push(resource);
  }
  const isReadable =
    context.resources.includes("employees") &&
    ![...unsupported, ...forbidden].includes("employees");
  const isLimited = isReadable && (await findContracts(new RecordReader(odoo))) === "hidden";
  return { unsupported, forbidden, limited: isLimited ? { employees: hiddenWithContracts } : {} };
}
