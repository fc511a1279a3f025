import type { Identity, Resource } from "../../model/index.ts";
import type { CheckContext, CheckResult, ProviderContext, Session } from "../contract.ts";
import { OperationNotSupported, ProviderBug } from "../errors.ts";
import { isPermissionMissing } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { OdooClient } from "./client.ts";
import { findContracts } from "./contracts.ts";
import { hiddenWithContracts } from "./employees.ts";
import { RecordReader } from "./records.ts";
import { Rights } from "./rights.ts";
import { text } from "./values.ts";

/** A right that is missing is listed. Only a session that does not work refuses the sign-in. */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const odoo = new OdooClient(context, session);
  const rights = new Rights(odoo, context.settings);
  const unsupported: Resource[] = [];
  const forbidden: Resource[] = [];
  for (const resource of context.resources)
    try {
      await rights.require(resource);
    } catch (error) {
      if (error instanceof OperationNotSupported) unsupported.push(resource);
      else if (isPermissionMissing(error)) forbidden.push(resource);
      else throw error;
    }
  const isReadable =
    context.resources.includes("employees") &&
    ![...unsupported, ...forbidden].includes("employees");
  const isLimited = isReadable && (await findContracts(new RecordReader(odoo))) === "hidden";
  return { unsupported, forbidden, limited: isLimited ? { employees: hiddenWithContracts } : {} };
}

const user = defineSource({ name: text, login: text, email: text, phone: text });

export async function readIdentity(context: ProviderContext, session: Session): Promise<Identity> {
  const odoo = new OdooClient(context, session);
  const own = [["id", "=", odoo.uid]] as const;
  const [raw] = await new RecordReader(odoo).readAll("res.users", user.shape, own);
  if (!raw) throw new ProviderBug("Odoo does not return the record of the user who signed in");
  return toIdentity(raw);
}

/** Every user has a login, which is mostly an e-mail address. */
export function toIdentity(raw: object): Identity {
  const login = user.read(raw, "login") ?? "";
  return {
    name: user.read(raw, "name") ?? login,
    email: user.read(raw, "email") ?? (/^[^\s@]+@[^\s@]+$/.test(login) ? login : ""),
    phone_number: user.read(raw, "phone"),
  };
}
