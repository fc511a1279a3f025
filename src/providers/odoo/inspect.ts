import type { Identity } from "../../model/index.ts";
import type { CheckContext, CheckResult, ProviderContext, Session } from "../contract.ts";
import { FieldError, ProviderBug } from "../errors.ts";
import { findRights } from "../kit/rights.ts";
import { defineSource } from "../kit/source.ts";
import { OdooClient } from "./client.ts";
import { findContracts } from "./contracts.ts";
import { hiddenWithContracts } from "./employee-fields.ts";
import { RecordReader } from "./records.ts";
import { Rights } from "./rights.ts";
import { explanations } from "./explanations.ts";
import { text } from "./values.ts";

/**
 * A right that is missing is listed; who may read nothing of what is asked for is refused, with the right that is
 * missing. Each question waits for the one before: its answer may have a new cookie.
 */
export async function checkRights(context: CheckContext, session: Session): Promise<CheckResult> {
  const odoo = new OdooClient(context, session);
  const rights = new Rights(odoo, context.settings);
  const probes = context.resources.map((resource) => ({
    resources: [resource],
    ask: () => rights.require(resource),
  }));
  const ofNothing = (): FieldError => {
    const field = "key" in odoo.session ? "key" : "username";
    return new FieldError(field, explanations.withoutRight.replace("{right}", rights.missing));
  };
  const found = await findRights(context, probes, { atOnce: 1, ofNothing });
  const isReadable =
    context.resources.includes("employees") &&
    ![...found.unsupported, ...(found.forbidden ?? [])].includes("employees");
  const isLimited = isReadable && (await findContracts(new RecordReader(odoo))) === "hidden";
  return { ...found, limited: isLimited ? { employees: hiddenWithContracts } : {} };
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
